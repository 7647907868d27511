/** Keyed and plain hashes. Keys never leave through logs; callers keep them out of messages. */

/** Hash algorithms that TSIG and markers use. */
export type HashAlgorithm = "md5" | "sha1" | "sha224" | "sha256" | "sha384" | "sha512";

/** Synchronous hashing. */
export interface Crypto {
  hash(algorithm: HashAlgorithm, data: Uint8Array): Uint8Array;
  /** RFC 2104. */
  hmac(algorithm: HashAlgorithm, key: Uint8Array, data: Uint8Array): Uint8Array;
  /** Constant time for equal lengths; false for different ones. */
  equal(a: Uint8Array, b: Uint8Array): boolean;
}
