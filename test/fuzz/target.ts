/** What a fuzz target is: something that takes bytes of strangers and must survive them. */

/** What one input came to. */
export interface FuzzOutcome {
  /**
   * A short word for the way the input took; inputs with new words are kept and changed further.
   */
  readonly outcome: string;
  /** Bytes (or characters) that came out: what an input may cost in memory. */
  readonly outputBytes: number;
}

/**
 * One thing under test. Targets keep no state between inputs, so that a finding can be run again.
 */
export interface FuzzTarget {
  readonly name: string;
  /** Good inputs to begin with. */
  readonly seeds: readonly Uint8Array[];
  /** Words of the format, which mutation puts in. */
  readonly tokens: readonly string[];
  /** Bytes that may come out for an input of so many bytes. */
  readonly outputBytesMax: (inputBytes: number) => number;
  /** Throws = a finding: a crash, or a law that does not hold. Expected refusals are outcomes. */
  run(input: Uint8Array): FuzzOutcome | Promise<FuzzOutcome>;
}

/** A broken law: what a target throws itself. */
export class FuzzFinding extends Error {
  override readonly name = "FuzzFinding";
}

/** Throws FuzzFinding unless `holds`. */
export function law(holds: boolean, message: string): void {
  if (!holds) throw new FuzzFinding(message);
}

/** Text as bytes. */
export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Bytes as text, whatever they are. */
export function text(input: Uint8Array): string {
  return new TextDecoder().decode(input);
}

/** An error message without its numbers and values, to tell ways apart. */
export function kindOf(message: string): string {
  return message.replaceAll(/"[^"]*"|\d+|'[^']*'/g, "_").slice(0, 80);
}
