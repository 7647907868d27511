/** Hostnames of routes and listeners, where `*.` stands for one or more labels (Gateway API). */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";

/** The more specific one of two that overlap; undefined = they do not. Null = any host. */
export function commonHost(a: DnsName | null, b: DnsName | null): DnsName | null | undefined {
  if (a === null || b === null) return a ?? b;
  if (covers(a, b)) return b;
  return covers(b, a) ? a : undefined;
}

function covers(wide: DnsName, host: DnsName): boolean {
  return wide === host || (wide.startsWith("*.") && host.endsWith(wide.slice(1)));
}
