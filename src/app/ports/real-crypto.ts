/** The Crypto port over node:crypto (OpenSSL). Keeps no key. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Crypto, HashAlgorithm } from "../../ports/crypto.ts";

/** Hashes and HMACs of the platform. */
export class RealCrypto implements Crypto {
  hash(algorithm: HashAlgorithm, data: Uint8Array): Uint8Array {
    return new Uint8Array(createHash(algorithm).update(data).digest());
  }

  hmac(algorithm: HashAlgorithm, key: Uint8Array, data: Uint8Array): Uint8Array {
    return new Uint8Array(createHmac(algorithm, key).update(data).digest());
  }

  equal(a: Uint8Array, b: Uint8Array): boolean {
    return a.length === b.length && timingSafeEqual(a, b);
  }
}
