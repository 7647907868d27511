/** The Random port over the system's generator; bytes are fit for keys. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Random } from "@zonekeeper/base/ports/random";

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
