/** Networks of IP addresses in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3). Pure. */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { ipv4Bytes, ipv6Bytes } from "@zonekeeper/dns/rdata/addresses";

/** The addresses of one family whose first `prefixBits` bits are those of `bytes`. */
export interface AddressNet {
  readonly text: string;
  /** 4 or 16; those behind the prefix are 0. */
  readonly bytes: Uint8Array;
  readonly prefixBits: number;
}

/** Reads `10.0.0.0/8`. The error completes the sentence "… is not a network". */
export function parseAddressNet(text: string): Result<AddressNet> {
  const [address = "", length, ...rest] = text.trim().split("/");
  const bytes = bytesOf(address);
  if (bytes === null || rest.length > 0) return fail("write one such as 10.0.0.0/8 or fd00::/8");
  const bitsMax = bytes.length * 8;
  if (length === undefined || !/^\d{1,3}$/.test(length) || Number(length) > bitsMax)
    return fail(`its address is followed by / and a length of 0 to ${bitsMax}`);
  const prefixBits = Number(length);
  const first = bytes.map((byte, at) => byte & maskOf(at, prefixBits));
  if (String(first) !== String(bytes)) return fail(`its address has bits behind the prefix`);
  return ok({ text: text.trim(), bytes, prefixBits });
}

/** False for what is no address, and for one of the other family. */
export function isInNet(address: string, { bytes, prefixBits }: AddressNet): boolean {
  const asked = bytesOf(address);
  if (asked?.length !== bytes.length) return false;
  return bytes.every((byte, at) => byte === ((asked[at] ?? 0) & maskOf(at, prefixBits)));
}

/** The bits of byte `at` that belong to the prefix. */
function maskOf(at: number, prefixBits: number): number {
  const bits = Math.min(8, Math.max(0, prefixBits - 8 * at));
  return (0xff << (8 - bits)) & 0xff;
}

function bytesOf(address: string): Uint8Array | null {
  return ipv4Bytes(address) ?? ipv6Bytes(address);
}
