/** What an open zone holds, for the way in. Only reads. */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { ZoneReading, ZoneRecord } from "../../inbound/zone-view.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

type ReadZone = Pick<ZoneActor, "apex" | "zoneInput" | "state" | "zoneFailure" | "identity">;

/** The zone of this apex or id. A failure since the last reading makes it unread (Z-1). */
export function readingOf(zones: readonly ReadZone[], zone: string): ZoneReading {
  const found = zones.filter((one) => one.apex === zone || one.zoneInput.zone.id === zone);
  const [one, other] = found;
  if (one === undefined)
    return { unread: `no DNSProvider leads into a zone ${zone}; correct --import, or make one` };
  if (other !== undefined) {
    const ids = found.map(({ zoneInput }) => zoneInput.zone.id).join(", ");
    return { unread: `several zones are ${zone}; write the id of one in --import: ${ids}` };
  }
  const { state, zoneFailure, identity, apex } = one;
  if (zoneFailure !== null) return { unread: zoneFailure.message };
  if (state === null) return { unread: "the zone is being loaded" };
  // An answer without any record is no zone: it has at least its name servers.
  if (state.owned.allNames === 0) return { unread: "the zone has no records at all" };
  const names = function* (): Iterable<DnsName> {
    for (const name of state.owned.names()) yield trustedDnsName(name);
  };
  return {
    view: {
      apex,
      id: one.zoneInput.zone.id,
      readAtMs: state.readAtMs,
      names,
      at: (name) => state.owned.at(name).flatMap((set) => recordOf(set, identity.owners)),
    },
  };
}

function recordOf(
  { data, marker }: OwnedRecordSet,
  owners: ReadonlySet<string>,
): readonly ZoneRecord[] {
  if (data === null) return [];
  if (marker === null) return [{ set: data, marker: null }];
  const { owner, cluster, resource } = marker;
  return [{ set: data, marker: { isOwn: owners.has(owner), cluster, resource } }];
}
