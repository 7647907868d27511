/** A: an IPv4 address. RFC 1035 §3.4.1. */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { RdataFormat } from "./rdata-format.ts";

const OCTET = /^(?:0|[1-9]\d{0,2})$/;

/** The four bytes of a dotted IPv4 address without leading zeros, else null. */
export function ipv4Bytes(text: string): Uint8Array | null {
  const octets = text.split(".");
  if (octets.length !== 4 || !octets.every((part) => OCTET.test(part) && Number(part) <= 255))
    return null;
  return Uint8Array.from(octets, Number);
}

/** The dotted text of four bytes: `192.0.2.1`. */
export function ipv4Text(bytes: Uint8Array): string {
  return bytes.join(".");
}

function parse(text: string): Result<string> {
  const bytes = ipv4Bytes(text.trim());
  return bytes === null
    ? fail(`"${text}" is no IPv4 address; write one such as 192.0.2.1`)
    : ok(ipv4Text(bytes));
}

/** Type 1. */
export const A: RdataFormat = { type: "A", parse };
