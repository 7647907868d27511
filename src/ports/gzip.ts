/**
 * Compression of short texts, RFC 1952. Pure functions behind a port, because only the platform has
 * them.
 */

/** Bytes in, bytes out. */
export interface Gzip {
  /**
   * A gzip stream as Go's `gzip.Writer` at level 9 writes it with a flush before its end; `plain`
   * is short.
   */
  pack(plain: Uint8Array): Uint8Array;
  /** The content of a gzip stream; null when it is none, or longer than `bytesMax`. */
  unpack(packed: Uint8Array, bytesMax: number): Uint8Array | null;
}
