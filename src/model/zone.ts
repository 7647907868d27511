/** A zone as an account shows it. Identified by account and id, never by its name alone (Z-18). */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";

/** One zone of one account. */
export interface Zone {
  /** The provider's own id; for rfc2136 the zone's name. */
  readonly id: string;
  /** Apex. */
  readonly name: DnsName;
  /** Provider type, e.g. `rfc2136`. */
  readonly providerType: string;
  /** Where it is served, e.g. `127.0.0.1:53`; part of the zone's identity. */
  readonly endpoint: string;
  /** View or network the zone belongs to; empty when there is only one. */
  readonly view: string;
  /**
   * As the vendor calls it; absent = it says nothing. A private zone is not delegated to, and its
   * SOA and NS say nothing.
   */
  readonly visibility?: "public" | "private";
}

/**
 * The fields that identify a zone (Z-18), in their stored order; the view only where there is one.
 */
export function zoneIdentity({ providerType, endpoint, id, view }: Zone): readonly string[] {
  return view === "" ? [providerType, endpoint, id] : [providerType, endpoint, id, view];
}

/**
 * The identity as people read it, `rfc2136 192.0.2.53:53 example.org`; empty fields are left out.
 * The ConfigMap registry stores it, so it must not change.
 */
export function zoneText(zone: Zone): string {
  return zoneIdentity(zone)
    .filter((field) => field !== "")
    .join(" ");
}
