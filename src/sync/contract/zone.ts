/** A zone: its key, the input that opens it, and its zone cuts. */
import type { DnsName } from "../../model/dns-name.ts";
import type { Zone } from "../../model/zone.ts";
import type { Ownership } from "../../ownership/ownership.ts";
import type { Adoption, Policy } from "../../plan/rules.ts";
import type { ProviderSession } from "../../providers/provider.ts";

/** A zone of an account. */
export interface ZoneKey {
  /** Account id: equal for equal provider type, settings and secret. */
  readonly account: string;
  readonly zone: string;
}

/** Equal for equal keys; for maps. */
export function zoneKeyText({ account, zone }: ZoneKey): string {
  return `${account}|${zone}`;
}

/**
 * What an opened zone works with. The session is shared by all zones of its account and not closed
 * by the engine.
 */
export interface OpenZoneInput {
  readonly key: ZoneKey;
  readonly zone: Zone;
  readonly session: ProviderSession;
  readonly ownership: Ownership;
  readonly policy: Policy;
  readonly adoption: Adoption;
  readonly managedTypes: ReadonlySet<string>;
  /** Seconds. */
  readonly defaultTtlSeconds: number;
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
