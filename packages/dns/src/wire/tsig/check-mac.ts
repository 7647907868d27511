/**
 * Checks that are the same for requests and answers (RFC 8945 §5.2.1 to §5.2.3): length, value and
 * time of a MAC.
 */
import { computeMac, type TsigScope } from "./tsig-chain.ts";
import { macBytesMin, type TsigCrypto, type TsigKey, tsigFacts } from "./tsig-key.ts";
import type { TsigRecord } from "./tsig-record.ts";

/** A MAC to check. */
export interface MacCheck {
  readonly prior: Uint8Array | null;
  readonly messages: readonly Uint8Array[];
  readonly tsig: TsigRecord;
  readonly scope: TsigScope;
}

/**
 * `FORMERR`: its length is impossible or below the floor. `BADSIG`: it is wrong. Null = it is
 * right.
 */
export function macTrouble(
  key: TsigKey,
  crypto: TsigCrypto,
  check: MacCheck,
): "FORMERR" | "BADSIG" | null {
  const { mac } = check.tsig;
  const { macBytes } = tsigFacts(key.algorithm);
  if (mac.length > macBytes || mac.length < macBytesMin(macBytes)) return "FORMERR";
  const right = computeMac(key, crypto, check).subarray(0, mac.length);
  return crypto.equal(right, mac) ? null : "BADSIG";
}

/** True when the time differs from our clock by at most its fudge (RFC 8945 §5.2.3). */
export function isTimely(tsig: TsigRecord, nowSeconds: number): boolean {
  return Math.abs(nowSeconds - tsig.timeSeconds) <= tsig.fudgeSeconds;
}

/**
 * True when the MAC is cut shorter than the key allows: BADTRUNC, checked last (RFC 8945 §5.2.4).
 */
export function isTruncatedTooFar(key: TsigKey, tsig: TsigRecord): boolean {
  return tsig.mac.length < (key.macBytes ?? 0);
}
