/** Which of an object's names go to which zone. Pure; an object may list names of many zones. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { otherClusterText, otherRealmText } from "../../controllers/zone-choice/applicant.ts";
import { withOwner } from "../../controllers/zone-choice/provider-facts.ts";
import type { Selection } from "../../controllers/zone-choice/select-provider.ts";
import type { Provenance } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { type Found, listedNames } from "../../sources/source.ts";
import { type ZoneKey, zoneKeyText } from "../../sync/contract/zone.ts";

/** The contribution to one zone. */
export interface ZonePart {
  readonly key: ZoneKey;
  /** Its apex. */
  readonly zone: DnsName;
  readonly found: Found<DesiredRecordSet>;
}

/** The contributions by zone (key: account and zone), and the names without a zone. */
export interface Split {
  readonly zones: ReadonlyMap<string, ZonePart>;
  /** A message for each name without a zone. */
  readonly unserved: readonly string[];
  /**
   * False when a name could not be read, or it is not known whether a zone serves it: absence of a
   * name proves nothing.
   */
  readonly isComplete: boolean;
  /** Paused objects that the names come from; absent = none is paused (as in `Found`). */
  readonly paused?: readonly Provenance[];
}

/**
 * Assigns each name to the one zone that serves it. If it is not known whether a zone serves some
 * name, all contributions are incomplete, so that nothing is removed (Z-1). A name that certainly
 * no zone serves only gets a message. `cluster`: the further cluster of the object; null = our own.
 */
export function splitByZone(
  found: Found<DesiredRecordSet>,
  select: (name: DnsName) => Selection,
  cluster: string | null = null,
): Split {
  const selections = new Map([...listedNames(found)].map((name) => [name, select(name)]));
  const isComplete =
    found.complete &&
    [...selections.values()].every(({ kind }) => kind === "zone" || kind === "none");
  const zones = new Map<string, ZonePart>();
  for (const selection of selections.values()) {
    if (selection.kind !== "zone") continue;
    const { provider } = selection;
    const isInZone = ({ name }: { readonly name: DnsName }) => {
      const chosen = selections.get(name);
      return chosen?.kind === "zone" && zoneKeyText(chosen.key) === zoneKeyText(selection.key);
    };
    zones.set(zoneKeyText(selection.key), {
      key: selection.key,
      zone: selection.zone.name,
      found: {
        items: found.items.filter(isInZone).map((item) => {
          // Without a TTL, none is desired: the provider's is for new records only (Z-21).
          const ttl = item.ttlSeconds === null ? provider.defaultTtlSeconds : null;
          const timed = ttl === null ? item : { ...item, ttlOnCreate: ttl };
          return withOwner(timed, /* clause: zone-record-has-provider-owner-id */ provider);
        }),
        waiting: found.waiting.filter(isInZone),
        problems: [],
        complete: isComplete,
        ...(found.paused === undefined ? {} : { paused: found.paused }),
        ...(found.objectTransfer === undefined ? {} : { objectTransfer: found.objectTransfer }),
      },
    });
  }
  const unserved = [...selections].flatMap(([name, selection]) => {
    if (selection.kind === "invalid") return [`${name}: ${selection.message}`];
    if (selection.kind !== "none") return [];
    const { otherCluster, otherRealm, isByFlags } = selection;
    if (otherCluster !== undefined && cluster !== null)
      return [`${name}: ${otherClusterText(name, otherCluster, cluster)}`];
    if (otherRealm !== undefined) return [`${name}: ${otherRealmText(name, otherRealm)}`];
    return [`${name}: ${isByFlags === true ? NO_ZONE_BY_FLAGS : NO_PROVIDER}`];
  });
  const paused = found.paused === undefined ? {} : { paused: found.paused };
  return { zones, unserved, isComplete, ...paused };
}

const NO_PROVIDER = "no DNSProvider that this object may use serves it; create one for its zone";
const NO_ZONE_BY_FLAGS =
  "no zone that the account of --provider shows, and the filters of zones and domains let through, holds it; widen --domain-filter, --zone-id-filter or the filter of zone types, or leave the name to another installation";
