/** Keys and algorithms of TSIG (RFC 8945 §6). No function here formats a secret. */
import { type DnsName, trustedDnsName } from "../../names/dns-name.ts";

/**
 * Algorithms as configuration spells them. `hmac-md5` and `hmac-sha1` are for old servers only (RFC
 * 8945 §6).
 */
export type TsigAlgorithm =
  | "hmac-md5"
  | "hmac-sha1"
  | "hmac-sha224"
  | "hmac-sha256"
  | "hmac-sha384"
  | "hmac-sha512";

/** Hash names as the Crypto port spells them. */
export type TsigHash = "md5" | "sha1" | "sha224" | "sha256" | "sha384" | "sha512";

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

/** What TSIG needs of cryptography; the Crypto port fits. */
export interface TsigCrypto {
  /** RFC 2104. */
  hmac(hash: TsigHash, key: Uint8Array, data: Uint8Array): Uint8Array;
  /** Constant time for equal lengths; false for different ones. */
  equal(a: Uint8Array, b: Uint8Array): boolean;
}

/** How an algorithm is called on the wire and how long its MAC is. */
export interface TsigAlgorithmFacts {
  readonly algorithm: TsigAlgorithm;
  readonly hash: TsigHash;
  /** RFC 8945 §6; the old name of MD5 is the only one below another domain. */
  readonly wireName: DnsName;
  readonly macBytes: number;
}

const facts = (algorithm: TsigAlgorithm, hash: TsigHash, macBytes: number): TsigAlgorithmFacts => ({
  algorithm,
  hash,
  wireName: trustedDnsName(algorithm === "hmac-md5" ? "hmac-md5.sig-alg.reg.int" : algorithm),
  macBytes,
});

/** All algorithms, weakest first. */
export const TSIG_ALGORITHMS: readonly TsigAlgorithmFacts[] = [
  facts("hmac-md5", "md5", 16),
  facts("hmac-sha1", "sha1", 20),
  facts("hmac-sha224", "sha224", 28),
  facts("hmac-sha256", "sha256", 32),
  facts("hmac-sha384", "sha384", 48),
  facts("hmac-sha512", "sha512", 64),
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
  return found ?? facts("hmac-sha256", "sha256", 32);
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
