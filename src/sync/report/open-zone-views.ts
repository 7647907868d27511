/** What open zones hold, for imports. Only reads. */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { ViewedZone, ZoneRecord } from "../../inbound/zone-view.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import type { ZoneViews } from "../contract/publish-engine.ts";
import type { ZoneChange } from "../contract/zone-change.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

type ViewListener = Parameters<ZoneViews["onChange"]>[0];
type OpenZone = Pick<ZoneActor, "apex" | "zoneInput" | "state" | "zoneFailure" | "identity">;

/** The views of the open zones of one engine. */
export class OpenZoneViews implements ZoneViews {
  readonly #zones: () => readonly OpenZone[];
  readonly #listeners = new Set<ViewListener>();

  constructor(zones: () => readonly OpenZone[]) {
    this.#zones = zones;
  }

  /** Records of the zone may have changed, it has taken changes of ours, or it is closed. */
  changed(
    { apex, zoneInput }: OpenZone,
    names: Iterable<DnsName> | "all",
    taken?: readonly ZoneChange[],
  ): void {
    for (const listener of this.#listeners) listener(apex, zoneInput.zone.id, names, taken);
  }

  onChange(listener: ViewListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A failure since the last answer makes the zone unread (Z-1). */
  view(zone: string): ViewedZone {
    const found = this.#zones().filter(
      (one) => one.apex === zone || one.zoneInput.zone.id === zone,
    );
    const [one, other] = found;
    if (one === undefined)
      return {
        unread: `no DNSProvider leads into a zone ${zone} now; mend the one that should (kubectl get dnsproviders -A), or correct --import`,
      };
    if (other !== undefined) {
      const ids = found.map(({ zoneInput }) => zoneInput.zone.id).join(", ");
      return { unread: `several zones are ${zone}; write the id of one in --import: ${ids}` };
    }
    const { state, zoneFailure, zoneInput, identity, apex } = one;
    if (zoneFailure !== null) return { unread: zoneFailure.message };
    if (state === null) return { unread: "the zone is being loaded" };
    return {
      view: {
        apex,
        id: zoneInput.zone.id,
        readAtMs: state.readAtMs,
        names: () => [...state.owned.names()].map(trustedDnsName),
        at: (name) => state.owned.at(name).flatMap((set) => recordOf(set, identity.owners)),
      },
    };
  }
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
