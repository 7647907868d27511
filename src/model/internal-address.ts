/**
 * Addresses to which objects of a cluster may not lead this program (Z-29): what they reach depends
 * on where the program runs, not on who asks. Pure.
 */
import { ipv4Bytes, ipv6Bytes } from "@zonekeeper/dns/rdata/addresses";

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
