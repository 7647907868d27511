/**
 * Waits for a state of the world that comes by itself, and says what it saw last when it does not
 * come.
 */

/** Default patience; a change takes well under a second, a loaded machine more. */
const TIMEOUT_MS = 20_000;

/**
 * Polls `look` every 50 ms until `isRight`; returns what it saw. Throws with the last sight after
 * `timeoutMs`.
 */
export async function eventually<T>(
  what: string,
  poll: () => Promise<T>,
  isRight: (seen: T) => boolean,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const seen = await poll();
    if (isRight(seen)) return seen;
    if (Date.now() > until)
      throw new Error(`${what}: not within ${timeoutMs} ms; last seen: ${JSON.stringify(seen)}`);
    await new Promise((wake) => setTimeout(wake, 50));
  }
}
