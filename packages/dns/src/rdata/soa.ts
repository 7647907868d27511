/**
 * SOA: the start of a zone of authority. RFC 1035 §3.3.13; serial arithmetic RFC 1982 §3.2;
 * negative TTL RFC 2308 §4.
 */
import { ok, type Result } from "@zonekeeper/base/result";
import type { RdataFormat } from "./rdata-format.ts";
import { host, rowFormat, uint32 } from "./row-format.ts";

/** Type 6. */
export const SOA: RdataFormat = rowFormat("SOA", [
  ...["primary", "mailbox"].map(host),
  ...["serial", "refresh", "retry", "expire", "minimum"].map(uint32),
]);

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
  const canonical = SOA.parse(text);
  if (!canonical.ok) return canonical;
  const [primary = "", mailbox = "", ...texts] = canonical.value.split(" ");
  const [serial = 0, refreshSeconds = 0, retrySeconds = 0, expireSeconds = 0, minimumSeconds = 0] =
    texts.map(Number);
  const times = { refreshSeconds, retrySeconds, expireSeconds, minimumSeconds };
  return ok({ primary, mailbox, serial, ...times });
}

/** The serial of an SOA record; null when its data is none. */
export function serialOf({ data }: { readonly data: string | null }): number | null {
  const soa = parseSoaFields(data ?? "");
  return soa.ok ? soa.value.serial : null;
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
