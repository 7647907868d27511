/** A zone as an account shows it. Identified by account and id, never by its name alone (Z-18). */
import type { DnsName } from "./dns-name.ts";

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
}
