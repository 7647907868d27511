/**
 * SOA: the start of a zone of authority. RFC 1035 §3.3.13; serial arithmetic RFC 1982 §3.2;
 * negative TTL RFC 2308 §4.
 */
import { ok, type Result } from "@zonekeeper/base/result";
import { parseUnsigned, splitFields } from "./integer-text.ts";
import { parseRdataName } from "./name-text.ts";
import type { RdataFormat } from "./rdata-format.ts";

const U32_MAX = 4_294_967_295;
const NUMBERS = ["serial", "refresh", "retry", "expire", "minimum"] as const;

/** The fields of an SOA; numbers are unsigned 32 bits, times are seconds. */
export interface SoaFields {
  /** Primary server, canonical name text. */
  readonly primary: string;
  /** Mailbox of the responsible person as a name. */
  readonly mailbox: string;
  readonly serial: number;
  readonly refreshSeconds: number;
  readonly retrySeconds: number;
  readonly expireSeconds: number;
  /** TTL of negative answers (RFC 2308 §4). */
  readonly minimumSeconds: number;
}

/** Reads SOA rdata text. */
export function parseSoaFields(text: string): Result<SoaFields> {
  const fields = splitFields(text, ["primary", "mailbox", ...NUMBERS]);
  if (!fields.ok) return fields;
  const [primaryText = "", mailboxText = "", ...numberTexts] = fields.value;
  const primary = parseRdataName(primaryText);
  if (!primary.ok) return primary;
  const mailbox = parseRdataName(mailboxText);
  if (!mailbox.ok) return mailbox;
  const numbers: number[] = [];
  for (const [index, field] of NUMBERS.entries()) {
    const number = parseUnsigned(numberTexts[index] ?? "", U32_MAX, `the ${field}`);
    if (!number.ok) return number;
    numbers.push(number.value);
  }
  return ok(soaOf(primary.value, mailbox.value, numbers));
}

function soaOf(primary: string, mailbox: string, numbers: readonly number[]): SoaFields {
  const at = (index: number): number => numbers[index] ?? 0;
  return {
    primary,
    mailbox,
    serial: at(0),
    refreshSeconds: at(1),
    retrySeconds: at(2),
    expireSeconds: at(3),
    minimumSeconds: at(4),
  };
}

/** Canonical text of SOA fields. */
export function formatSoa(soa: SoaFields): string {
  return [
    soa.primary,
    soa.mailbox,
    soa.serial,
    soa.refreshSeconds,
    soa.retrySeconds,
    soa.expireSeconds,
    soa.minimumSeconds,
  ].join(" ");
}

/**
 * True when serial `a` is later than `b` in RFC 1982 §3.2; false when equal or when the comparison
 * is undefined.
 */
export function isSerialNewer(a: number, b: number): boolean {
  const distance = (a - b) >>> 0;
  return distance !== 0 && distance < 0x8000_0000;
}

/**
 * The serial after this one; 0 is skipped because some software reads it as "unset" (RFC 1982 §7).
 */
export function nextSerial(serial: number): number {
  const next = (serial + 1) >>> 0;
  return next === 0 ? 1 : next;
}

function parse(text: string): Result<string> {
  const fields = parseSoaFields(text);
  return fields.ok ? ok(formatSoa(fields.value)) : fields;
}

/** Type 6. */
export const SOA: RdataFormat = { type: "SOA", parse };
