/** Who owns what in one zone, and which objects want it: what people look at before they order anything. Pure reading. */
import { compareText, type DnsName, isAtOrBelow, trustedDnsName } from "../model/dns-name.ts";
import { resourceOf } from "../model/provenance.ts";
import { isSameKey } from "../model/record-set.ts";
import type { OwnedRecordSet } from "../plan/changes.ts";
import { markerState } from "../plan/claims.ts";
import { isPending } from "../plan/pending.ts";
import { wouldAdopt } from "../plan/rights.ts";
import type { Adoption } from "../plan/rules.ts";
import type { RightsRow, ZoneRights } from "./contract.ts";
import type { DesiredIndex } from "./desired-index.ts";
import type { Identity } from "./name-planner.ts";
import type { ZoneActor } from "./zone-actor.ts";
import type { ZoneState } from "./zone-state.ts";

interface RightsScene {
  readonly state: ZoneState;
  readonly index: DesiredIndex;
  readonly identity: Identity;
  readonly adoption: Adoption;
}

/** Rights in every zone that was read and where the name may lie, sorted by zone. */
export function rightsIn(
  actors: readonly Pick<ZoneActor, "setup" | "state" | "index">[],
  identity: Identity,
  only: DnsName | null,
): readonly ZoneRights[] {
  return actors
    .flatMap(({ setup, state, index }) => {
      const { key, zone, adoption } = setup;
      if (state === null || (only !== null && !isAtOrBelow(only, zone.name))) return [];
      const rows = rightsRows({ state, index, identity, adoption }, only);
      const owners = [...identity.owners].sort(compareText);
      return [{ key, zone, owners, adoption: adoption.mode, rows }];
    })
    .sort((a, b) => compareText(a.key.zone, b.key.zone));
}

/** Every record set of a zone with its owner; sorted by name, then key. `only` = one name; null = all. */
function rightsRows(scene: RightsScene, only: DnsName | null): readonly RightsRow[] {
  const names = only === null ? [...scene.state.owned.names()].sort(compareText) : [only];
  return names.flatMap((name) => rowsAt(scene, trustedDnsName(name)));
}

function rowsAt(scene: RightsScene, name: DnsName): readonly RightsRow[] {
  const { state, index, identity, adoption } = scene;
  const wanted = index.wanted(name);
  return state.owned.at(name).map((one) => {
    const wish = wanted.find((candidate) => isSameKey(candidate, one));
    const { type, setIdentifier, data, permit } = one;
    return {
      ...{ name, type, setIdentifier, values: data?.values ?? null },
      whose: whoseIs(one, identity),
      ...markerOf(one),
      wantedBy: wish === undefined ? null : resourceOf(wish.provenance),
      isAdoptable: wish !== undefined && data !== null && wouldAdopt(data, wish, adoption),
      permit: permit === undefined ? null : { owner: permit.toOwner, resource: permit.toResource },
    };
  });
}

type MarkerPart = Pick<RightsRow, "owners" | "resource" | "marker" | "format" | "isPending">;

function markerOf({ owners, marker }: OwnedRecordSet): MarkerPart {
  if (marker === null) return { owners: [], resource: null, marker: null, isPending: false };
  return {
    owners: owners ?? [marker.owner],
    resource: marker.resource,
    marker: markerState(marker),
    ...(marker.format === undefined ? {} : { format: marker.format }),
    isPending: isPending(marker.labels),
  };
}

function whoseIs({ contested, marker }: OwnedRecordSet, { owners }: Identity): RightsRow["whose"] {
  if (contested) return "contested";
  if (marker === null) return "nobody";
  return owners.has(marker.owner) ? "ours" : "another";
}
