/** The Crypto port over node:crypto (OpenSSL). Keeps no key. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from "node:crypto";
import type { Cipher, Crypto, HashAlgorithm } from "@zonekeeper/base/ports/crypto";
import type { Random } from "@zonekeeper/base/ports/random";

const CIPHER = "aes-256-gcm";
/** Bytes of an authentication tag, NIST SP 800-38D §5.2.1.2. */
const TAG_BYTES = 16;

/** Hashes, HMACs and AES-256-GCM of the platform. */
export class RealCrypto implements Crypto, Cipher {
  hash(algorithm: HashAlgorithm, data: Uint8Array): Uint8Array {
    return new Uint8Array(createHash(algorithm).update(data).digest());
  }

  hmac(algorithm: HashAlgorithm, key: Uint8Array, data: Uint8Array): Uint8Array {
    return new Uint8Array(createHmac(algorithm, key).update(data).digest());
  }

  equal(a: Uint8Array, b: Uint8Array): boolean {
    return a.length === b.length && timingSafeEqual(a, b);
  }

  seal(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array): Uint8Array {
    const cipher = createCipheriv(CIPHER, key, nonce);
    const chunks = [cipher.update(plain), cipher.final(), cipher.getAuthTag()];
    return new Uint8Array(Buffer.concat(chunks));
  }

  unseal(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array): Uint8Array | null {
    if (sealed.length < TAG_BYTES) return null;
    const at = sealed.length - TAG_BYTES;
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(sealed.subarray(at));
    try {
      const chunks = [decipher.update(sealed.subarray(0, at)), decipher.final()];
      return new Uint8Array(Buffer.concat(chunks));
    } catch {
      // The one thing that `final` throws for: the tag does not fit.
      return null;
    }
  }
}

/** Cryptographically strong randomness. */
export class RealRandom implements Random {
  /** 53 random bits, as Math.random has. */
  next(): number {
    const bytes = randomBytes(8);
    return Number(bytes.readBigUInt64BE() >> 11n) / 2 ** 53;
  }

  bytes(count: number): Uint8Array {
    return new Uint8Array(randomBytes(count));
  }

  uuid(): string {
    return randomUUID();
  }
}
