/** A zone: its key, the input that opens it, and its zone cuts. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { NameScope } from "../../model/external-dns-rules.ts";
import type { Zone } from "../../model/zone.ts";
import type { Ownership } from "../../ownership/ownership.ts";
import type { PlanRules } from "../../plan/rules.ts";
import type { ProviderSession } from "../../providers/provider.ts";

/** A way into a zone: the account that shows it. Several ways may lead into one zone (Z-18). */
export interface ZoneKey {
  /** Account id: equal for equal provider type, settings and secret. */
  readonly account: string;
  readonly zone: string;
}

/** Equal for equal keys; for maps. */
export function zoneKeyText({ account, zone }: ZoneKey): string {
  return `${account}|${zone}`;
}

/** True for the same zone of the same account. */
export function isSameZone(a: ZoneKey, b: ZoneKey): boolean {
  return a.account === b.account && a.zone === b.zone;
}

/** Why nothing goes through a way. */
export interface WayFailure {
  /** `MaybeSameZone` = it is not proven where it leads (Z-18); else that of the failed call. */
  readonly code: string;
  readonly message: string;
}

/** What is known of a way before anything is read or written through it. */
export interface WayFacts {
  /** Creation of the oldest DNSProvider of the account, Unix milliseconds. */
  readonly sinceMs: number;
  /** Its DNSProviders are in trusted namespaces (Z-29): it goes before those that are not. */
  readonly isTrusted: boolean;
  /** Its DNSProviders, `namespace/name`, the oldest first. */
  readonly providers: readonly string[];
  /** DNSProviders that a person declared, on the oldest one, to lead into the same zones. */
  readonly sameAs: readonly string[];
  /** The same, to lead into other zones. */
  readonly otherThan: readonly string[];
}

/**
 * What an opened zone works with. The session is shared by all zones of its account and not closed
 * by the engine.
 */
export interface OpenZoneInput
  extends Pick<PlanRules, "policy" | "adoption" | "managedTypes" | "defaultTtlSeconds"> {
  readonly key: ZoneKey;
  readonly zone: Zone;
  readonly session: ProviderSession;
  readonly ownership: Ownership;
  /** Names outside of it keep what they have; absent = all are in. */
  readonly scope?: NameScope;
  /**
   * Objects of one kind with one name, in whatever namespaces and clusters, make one record set
   * (ADR 0126); default false.
   */
  readonly joins?: boolean;
  /** Private addresses go into public zones, too (ADR 0120); default false. */
  readonly allowsPrivateTargets?: boolean;
  /** Asked anew each time; absent = nothing is known of the way. */
  readonly facts?: () => WayFacts;
  /** Called when nothing goes through the way any more, and why, or something does (null). */
  readonly onTrouble?: (why: WayFailure | null) => void;
}

/** Where the authority for a name passes on, as one zone holds it (RFC 9499 §7, zone cut). */
export interface ZoneCut {
  /**
   * The topmost delegation at or above the name; the zone's own apex when it answers for the name
   * itself.
   */
  readonly at: DnsName;
  /** Name servers there: values of its NS record set, sorted. */
  readonly servers: readonly string[];
}

/** What the DNSProviders of a zone say about its tenants (Z-26, Z-28). */
export interface ZoneTenancy {
  /** Every tenant may publish beside any other. */
  readonly sharedNames: boolean;
  /** Zone cuts, wildcards and `_…` names that are allowed although others have names there. */
  readonly delegations: readonly DnsName[];
  /** Namespaces of the DNSProviders. */
  readonly namespaces: readonly string[];
}

/** Where the DNSProviders say nothing. */
export const NO_TENANCY: ZoneTenancy = { sharedNames: false, delegations: [], namespaces: [] };
