/** Keys and algorithms of TSIG (RFC 8945 §6). No function here formats a secret. */
import type { Crypto, HashAlgorithm } from "@zonekeeper/base/ports/crypto";
import { type DnsName, trustedDnsName } from "../../names/dns-name.ts";

/**
 * Algorithms as configuration spells them. `hmac-md5` and `hmac-sha1` are for old servers only (RFC
 * 8945 §6).
 */
export type TsigAlgorithm = `hmac-${HashAlgorithm}`;

/** A shared secret with its name. */
export interface TsigKey {
  readonly name: DnsName;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Uint8Array;
  /**
   * Bytes of a truncated MAC (RFC 8945 §5.2.2.1): bytes that are sent, and the fewest that are
   * accepted. Absent = not truncated.
   */
  readonly macBytes?: number;
}

/** What TSIG needs of cryptography. */
export type TsigCrypto = Pick<Crypto, "hmac" | "equal">;

/** How an algorithm is called on the wire and how long its MAC is. */
export interface TsigAlgorithmFacts {
  readonly algorithm: TsigAlgorithm;
  readonly hash: HashAlgorithm;
  /** RFC 8945 §6; the old name of MD5 is the only one below another domain. */
  readonly wireName: DnsName;
  readonly macBytes: number;
}

const facts = (hash: HashAlgorithm, macBytes: number): TsigAlgorithmFacts => ({
  algorithm: `hmac-${hash}`,
  hash,
  wireName: trustedDnsName(hash === "md5" ? "hmac-md5.sig-alg.reg.int" : `hmac-${hash}`),
  macBytes,
});

/** All algorithms, weakest first. */
export const TSIG_ALGORITHMS: readonly TsigAlgorithmFacts[] = [
  facts("md5", 16),
  facts("sha1", 20),
  facts("sha224", 28),
  facts("sha256", 32),
  facts("sha384", 48),
  facts("sha512", 64),
];

/**
 * Reads an algorithm as people write it: any case, trailing dot and MD5's long name tolerated. Null
 * = none.
 */
export function parseTsigAlgorithm(text: string): TsigAlgorithm | null {
  const folded = text.trim().toLowerCase().replace(/\.$/, "");
  const found = TSIG_ALGORITHMS.find(
    (each) => each.algorithm === folded || each.wireName === folded,
  );
  return found?.algorithm ?? null;
}

/** An algorithm, and how far its MAC is cut. */
export interface TsigScheme extends Pick<TsigKey, "algorithm" | "macBytes"> {}

/**
 * As `parseTsigAlgorithm`, with the bits of a truncated MAC at its end as BIND spells them:
 * `hmac-sha256-128`.
 */
export function parseTsigScheme(text: string): TsigScheme | null {
  const [, name = "", bits] = /^(.*?)(?:-(\d{2,3}))?\.?$/.exec(text.trim()) ?? [];
  const algorithm = parseTsigAlgorithm(name);
  if (algorithm === null || bits === undefined) return algorithm === null ? null : { algorithm };
  const macBytes = Number(bits) / 8;
  const full = tsigFacts(algorithm).macBytes;
  const isLegal = Number.isInteger(macBytes) && macBytes >= macBytesMin(full) && macBytes <= full;
  return isLegal ? { algorithm, macBytes } : null;
}

/** Facts of an algorithm; every one is in the table. */
export function tsigFacts(algorithm: TsigAlgorithm): TsigAlgorithmFacts {
  const found = TSIG_ALGORITHMS.find((each) => each.algorithm === algorithm);
  return found ?? facts("sha256", 32);
}

/**
 * Smallest MAC that may be accepted for an output of `macBytes`: 10 bytes and half of it (RFC 8945
 * §5.2.2.1).
 */
export function macBytesMin(macBytes: number): number {
  return Math.max(10, macBytes / 2);
}

/** Bytes that a TSIG record of this key adds to a message at most (with BADTIME's other data). */
export function tsigRecordBytesMax(key: TsigKey): number {
  const { wireName, macBytes } = tsigFacts(key.algorithm);
  const fixed = 10 + 6 + 2 + 2 + 2 + 2 + 2 + 6;
  return key.name.length + 2 + wireName.length + 2 + macBytes + fixed;
}
