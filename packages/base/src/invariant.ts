/** Bugs end the process: nobody catches what `invariant` throws. Never use it for bad input. */

/** A broken assumption of our own code. Only the composition root sees it, to exit. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

/** Throws InvariantError unless `condition` holds. `message` says what was assumed. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
