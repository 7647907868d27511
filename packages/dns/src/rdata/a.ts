/** A: an IPv4 address. RFC 1035 §3.4.1. */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { RdataFormat } from "./rdata-format.ts";

const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const ADDRESS = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);

/** The four bytes of a dotted IPv4 address without leading zeros, else null. */
export function ipv4Bytes(text: string): Uint8Array | null {
  return ADDRESS.test(text) ? new Uint8Array(text.split(".").map(Number)) : null;
}

/** The dotted text of four bytes: `192.0.2.1`. */
export function ipv4Text(bytes: Uint8Array): string {
  return bytes.join(".");
}

/** An address has one text, so that none is made anew. */
function parse(text: string): Result<string> {
  const trimmed = text.trim();
  return ADDRESS.test(trimmed)
    ? ok(trimmed)
    : fail(`"${text}" is no IPv4 address; write one such as 192.0.2.1`);
}

/** Type 1. */
export const A: RdataFormat = { type: "A", parse };
