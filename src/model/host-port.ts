/**
 * Addresses of servers as people write them: `host`, `host:port`, `[v6]`, `[v6]:port` or a bare
 * IPv6 address. Pure.
 */
import { ipv4Bytes, ipv6Bytes } from "@zonekeeper/dns/rdata/addresses";

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
  return ipv4Bytes(text) !== null || ipv6Bytes(text) !== null;
}
