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

/** Authenticated encryption of short texts; apart from Crypto, because only markers use it. */
export interface Cipher {
  /**
   * AES-256-GCM (NIST SP 800-38D), 32-byte key, 12-byte nonce, no associated data; answers
   * ciphertext and 16-byte tag.
   */
  seal(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array): Uint8Array;
  /**
   * The plain text of what `seal` answered; null when key, nonce or text are not those that were
   * sealed.
   */
  unseal(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array): Uint8Array | null;
}
