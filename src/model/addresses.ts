/**
 * IP addresses and servers as people write them: networks, which addresses objects of a cluster may
 * not lead this program to (Z-29), and hosts with ports. Pure.
 */
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

/** Metadata services that are not link-local: EC2 and GCE over IPv6. */
const METADATA = new Set(["fd00:ec2::254", "fd20:ce::254"].map((text) => String(ipv6Bytes(text))));
/** And over IPv4: Alibaba Cloud, Azure, Oracle Cloud. */
const METADATA_IPV4 = new Set(
  ["100.100.100.200", "168.63.129.16", "192.0.0.192"].map((text) => String(ipv4Bytes(text))),
);
const CARRIER_BYTES = 12;
/** `::a.b.c.d`, `::ffff:a.b.c.d` and NAT64 `64:ff9b::a.b.c.d` (RFC 4291 §2.5.5, RFC 6052 §2.1). */
const CARRIERS = ["::", "::ffff:0:0", "64:ff9b::"].map((text) => prefixOf(ipv6Bytes(text)));

/**
 * True for loopback, link-local, unspecified and metadata addresses, also where an IPv6 address
 * carries an IPv4 one, and for what is no address at all.
 */
export function isInternalAddress(text: string): boolean {
  const plain = text.split("%", 1)[0] ?? "";
  const ipv4 = ipv4Bytes(plain);
  if (ipv4 !== null) return isInternalIpv4(ipv4);
  const bytes = ipv6Bytes(plain);
  if (bytes === null || METADATA.has(String(bytes))) return true;
  if (CARRIERS.includes(prefixOf(bytes))) return isInternalIpv4(bytes.subarray(CARRIER_BYTES));
  const [first = 0, second = 0] = bytes;
  return first === 0xfe && (second & 0xc0) === 0x80;
}

/** True for `localhost` and loopback addresses: nobody on a network reads what is sent there. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || ipv4Bytes(host)?.[0] === 127;
}

/** 0.0.0.0/8 (and with it `::` and `::1`), 127.0.0.0/8, 169.254.0.0/16, metadata. */
function isInternalIpv4(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  if (first === 0 || first === 127 || (first === 169 && second === 254)) return true;
  return METADATA_IPV4.has(String(bytes));
}

function prefixOf(bytes: Uint8Array | null): string {
  return String(bytes?.subarray(0, CARRIER_BYTES));
}

/** A host with its port; a `SocketAddress` of the ports. */
export interface HostPort {
  /** An IP address without brackets, or a host name. */
  readonly host: string;
  /** 1 to 65535. */
  readonly port: number;
}

/** Reads one; `defaultPort` where none is written. Null = malformed. */
export function parseHostPort(text: string, defaultPort: number): HostPort | null {
  const match =
    /^\[([0-9a-f:.]+)\](?::(\d{1,5}))?$/i.exec(text) ??
    /^([^:[\]\s/]+)(?::(\d{1,5}))?$/.exec(text) ??
    /^([0-9a-f]*:[0-9a-f:.]+)$/i.exec(text);
  if (match === null) return null;
  const port = match[2] === undefined ? defaultPort : Number(match[2]);
  return port >= 1 && port <= 65_535 ? { host: match[1] ?? "", port } : null;
}

/** True for an IPv4 or IPv6 address without brackets and zone. */
export function isIpAddress(text: string): boolean {
  return bytesOf(text) !== null;
}
