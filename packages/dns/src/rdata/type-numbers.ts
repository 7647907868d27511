/**
 * The mnemonics of the numbers of an IANA registry (RFC 6895), and those of record types (§3.1);
 * every other type is `TYPE<n>` (RFC 3597 §5).
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { RecordType } from "./rdata-format.ts";

/**
 * One registry. A number without a mnemonic is written as the prefix of the registry and the
 * number, such as `TYPE65280` (RFC 3597 §5).
 */
export interface Registry<Name extends string, Prefix extends string> {
  of(number: number): Name | `${Prefix}${number}`;
  /** The number of a mnemonic or of `<prefix><0 to 65535>`; null when it is neither. */
  numberOf(mnemonic: string): number | null;
}

/** The registry with these mnemonics; numbers have 16 bits. */
export function registry<Name extends string, Prefix extends string>(
  prefix: Prefix,
  numbers: Readonly<Record<Name, number>>,
): Registry<Name, Prefix> {
  const byName = new Map<string, number>();
  const byNumber = new Map<number, Name>();
  for (const name in numbers) {
    byName.set(name, numbers[name]);
    byNumber.set(numbers[name], name);
  }
  const unnamed = new RegExp(`^${prefix}(\\d{1,5})$`);
  return {
    of: (number) => byNumber.get(number) ?? `${prefix}${number}`,
    numberOf: (mnemonic) => {
      const number = byName.get(mnemonic) ?? Number(unnamed.exec(mnemonic)?.[1] ?? Number.NaN);
      return number <= 65_535 ? number : null;
    },
  };
}

const TYPES = registry("TYPE", {
  ...{ A: 1, NS: 2, MD: 3, MF: 4, CNAME: 5, SOA: 6, MB: 7, MG: 8, MR: 9, NULL: 10, WKS: 11 },
  ...{ PTR: 12, HINFO: 13, MINFO: 14, MX: 15, TXT: 16, RP: 17, AFSDB: 18, SIG: 24, KEY: 25 },
  ...{ AAAA: 28, LOC: 29, SRV: 33, NAPTR: 35, CERT: 37, DNAME: 39, OPT: 41, DS: 43, SSHFP: 44 },
  ...{ RRSIG: 46, NSEC: 47, DNSKEY: 48, NSEC3: 50, NSEC3PARAM: 51, TLSA: 52, SMIMEA: 53 },
  ...{ CDS: 59, CDNSKEY: 60, OPENPGPKEY: 61, CSYNC: 62, ZONEMD: 63, SVCB: 64, HTTPS: 65 },
  ...{ SPF: 99, TKEY: 249, TSIG: 250, IXFR: 251, AXFR: 252, ANY: 255, URI: 256, CAA: 257 },
});

/** The mnemonic of a number; `TYPE<n>` where there is none here. */
export const typeOfNumber = (number: number): RecordType => TYPES.of(number);

/** The number of a mnemonic or `TYPE<n>` (0 to 65535); null when it is neither. */
export const numberOfType = (type: RecordType): number | null => TYPES.numberOf(type);

/** Reads a type as people write it; any case, and `TYPE1` becomes `A`. */
export function parseRecordType(text: string): Result<RecordType> {
  const number = numberOfType(text.trim().toUpperCase());
  return number === null
    ? fail(`"${text}" is no record type; write a mnemonic such as A or TXT, or TYPE<number>`)
    : ok(typeOfNumber(number));
}

/**
 * Types that only occur in questions or beside messages, never in a zone (RFC 6895 §3.1: 41, 249 to
 * 255).
 */
export function isMetaType(type: RecordType): boolean {
  const number = numberOfType(type);
  return number === null || number === 0 || number === 41 || (number >= 128 && number <= 255);
}
