/** Randomness. The simulator seeds it. */

/** A source of random numbers and ids. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** `count` random bytes, fit for keys when the real port stands behind. */
  bytes(count: number): Uint8Array;
  /** A version 4 UUID in lower case (RFC 9562 §5.4). */
  uuid(): string;
}
