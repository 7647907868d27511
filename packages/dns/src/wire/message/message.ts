/**
 * DNS messages as values (RFC 1035 §4.1, RFC 2136 §2, RFC 6891, RFC 8945) with the numbers of their
 * codes (RFC 6895). The codecs are in the other files of this folder.
 */
import type { DnsName } from "../../names/dns-name.ts";
import type { RecordType } from "../../rdata/rdata-format.ts";
import { registry } from "../../rdata/type-numbers.ts";

/** Classes, 16 bits. */
export const CLASSES = registry("CLASS", { IN: 1, CH: 3, NONE: 254, ANY: 255 });

/** Opcodes, 4 bits. */
export const OPCODES = registry("OPCODE", { QUERY: 0, NOTIFY: 4, UPDATE: 5 });

const ERRORS = {
  ...{ NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 },
  ...{ YXDOMAIN: 6, YXRRSET: 7, NXRRSET: 8, NOTAUTH: 9, NOTZONE: 10 },
};

/** Response codes: 12 bits of header and OPT. */
export const RCODES = registry("RCODE", { ...ERRORS, BADVERS: 16 });

/** RFC 8945 §3: in the error field of TSIG 16 means BADSIG, not BADVERS. */
export const TSIG_ERRORS = registry("RCODE", {
  ...ERRORS,
  ...{ BADSIG: 16, BADKEY: 17, BADTIME: 18, BADTRUNC: 22 },
});

/** RFC 1035 §3.2.4, RFC 2136 §2.4 (NONE, ANY); other numbers as `CLASS<n>`. */
export type DnsClass = ReturnType<typeof CLASSES.of>;

/** RFC 6895 §2.2; other numbers as `OPCODE<n>`. */
export type Opcode = ReturnType<typeof OPCODES.of>;

/** RFC 6895 §2.3, and those of TSIG's error field (RFC 8945 §3); other numbers as `RCODE<n>`. */
export type Rcode = ReturnType<typeof RCODES.of | typeof TSIG_ERRORS.of>;

/** One entry of the question (zone) section. */
export interface Question {
  readonly name: DnsName;
  readonly type: RecordType;
  readonly class: DnsClass;
}

/** One resource record. */
export interface ResourceRecord {
  readonly name: DnsName;
  readonly type: RecordType;
  readonly class: DnsClass;
  /** 0 to 2^31-1 seconds. */
  readonly ttlSeconds: number;
  /**
   * Canonical presentation rdata; names in it absolute without trailing dot. Null = rdlength 0 (RFC
   * 2136 §2.4, §2.5).
   */
  readonly data: string | null;
}

/** EDNS(0), RFC 6891 §6.1. */
export interface Edns {
  readonly udpPayloadBytes: number;
  readonly dnssecOk: boolean;
  readonly version: number;
}

/**
 * A message. In UPDATE the sections are zone, prerequisite, update, additional. TSIG is not here:
 * see tsig/.
 */
export interface Message {
  /** 0 to 65535. */
  readonly id: number;
  readonly response: boolean;
  readonly opcode: Opcode;
  readonly authoritative: boolean;
  readonly truncated: boolean;
  readonly recursionDesired: boolean;
  readonly recursionAvailable: boolean;
  readonly rcode: Rcode;
  readonly question: readonly Question[];
  readonly answer: readonly ResourceRecord[];
  readonly authority: readonly ResourceRecord[];
  readonly additional: readonly ResourceRecord[];
  readonly edns: Edns | null;
}

/** Bytes a message may have over TCP (two-byte length prefix, RFC 1035 §4.2.2). */
export const MESSAGE_BYTES_MAX = 65_535;
/** Bytes of a UDP message without EDNS, RFC 1035 §4.2.1. */
export const UDP_BYTES_WITHOUT_EDNS = 512;
