/**
 * F12: people and other controllers write into the zone what they like, but nothing under an owner
 * id of ours.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { Instance } from "./instance.ts";
import { NAMES } from "./users.ts";
import type { World } from "./world.ts";
import { claimsOf, FOREIGN_VALUE, isHandMade } from "./zone-truth.ts";

const OTHERS_MARKER =
  '"heritage=external-dns,external-dns/owner=other,external-dns/resource=service/x/y"';

/** One act of a stranger: makes something where nothing stands, or removes what is hand-made. */
export function meddle(world: World): void {
  const { random, zone } = world;
  const name = random.pick(NAMES);
  const isFree = zone.content.at(trustedDnsName(name)).length === 0;
  switch (random.below(5)) {
    case 0:
      if (isFree) zone.content.write([edit(name, "A", ["198.51.100.1"])]);
      return;
    case 1:
      if (isFree) zone.content.write([edit(name, "TXT", ['"by hand"'])]);
      return;
    case 2:
      if (isFree) createMarked(world, name);
      return;
    default:
      removeHandMade(world, name);
  }
}

/** A stranger takes this name, if nothing is there, or adds a value to the addresses there. */
export function takeName({ zone, random }: World, name: string): void {
  const present = zone.content.at(trustedDnsName(name));
  const addresses = present.find(({ type }) => type === "A");
  if (addresses !== undefined && random.chance(0.3)) {
    const values = [...new Set([...addresses.values, "198.51.100.1"])].sort();
    zone.content.write([{ key: addresses, next: { ...addresses, values } }]);
  }
  if (present.length > 0) return;
  const isAddress = random.chance(0.7);
  zone.content.write([
    isAddress ? edit(name, "A", ["198.51.100.1"]) : edit(name, "TXT", ['"by hand"']),
  ]);
}

/** A person's hand on a record or a marker of ours. */
export function meddleWithOwned({ random, zone, tally }: World, { owner }: Instance): void {
  const owned = claimsOf(zone.content.all()).filter((claim) => claim.owner === owner);
  const markers = owned.filter(({ isMarker }) => isMarker).map(({ set }) => set);
  const data = owned.filter(({ isMarker }) => !isMarker).map(({ set }) => set);
  if (markers.length === 0 || data.length === 0) return;
  const marker = random.pick(markers);
  switch (random.below(3)) {
    case 0:
      zone.content.write([{ key: random.pick(data), next: null }]);
      return;
    case 1: {
      tally.add("S16");
      const values = marker.values.map((v) => v.replace(`owner=${owner}`, "owner=other"));
      zone.content.write([{ key: marker, next: { ...marker, values } }]);
      return;
    }
    default:
      zone.content.write([
        { key: marker, next: { ...marker, values: [...marker.values, FOREIGN_VALUE] } },
      ]);
  }
}

/** What another controller of external-dns's kind writes. */
function createMarked({ zone }: World, name: string): void {
  const marker = name.startsWith("*.") ? `_owner.a._wildcard.${name.slice(2)}` : `a-${name}`;
  if (zone.content.at(trustedDnsName(marker)).length > 0) return;
  zone.content.write([edit(name, "A", ["198.51.100.2"]), edit(marker, "TXT", [OTHERS_MARKER])]);
}

/** Strangers clean up after themselves only. */
function removeHandMade({ zone }: World, name: string): void {
  const own = zone.content.at(trustedDnsName(name)).filter(isHandMade);
  zone.content.write(own.map((set) => ({ key: set, next: null })));
}

function edit(
  name: string,
  type: string,
  values: readonly string[],
): { key: RecordSet; next: RecordSet } {
  const set: RecordSet = {
    name: trustedDnsName(name),
    type,
    setIdentifier: null,
    ttlSeconds: 60,
    values,
    properties: {},
    routingPolicy: null,
  };
  return { key: set, next: set };
}
