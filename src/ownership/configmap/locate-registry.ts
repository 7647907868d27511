/**
 * Finds the registry objects of a zone (ADR 0022). They are found by the zone's text (endpoint, id
 * and view, Z-18). If the configuration called an old server by a new text, no objects would be
 * found and every record would seem to have no owner. So an object notes which zones of an apex
 * have a registry, and a zone without one is opened only when no noted registry claims records, or
 * a person wrote which one goes on here (`continues`).
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { fingerprint64 } from "../../model/fingerprint.ts";
import { type RegistryStore, type StoredObject, titleIn } from "../../ports/stores.ts";
import { objectsOf, RegistryRows, type RegistryRowsOptions } from "./registry-rows.ts";

/** Where the rows of a zone are kept. */
export type RegistryLocation = Pick<RegistryRowsOptions, "id" | "zone">;

/** The zone whose registry is looked for. */
export interface LocateOptions {
  readonly store: RegistryStore;
  readonly apex: DnsName;
  /** The zone's text, as people know it and unique among zones; no line breaks. */
  readonly zone: string;
}

/** Characters of the hash in object names of a zone. */
const ID_CHARS = 12;
/** Zones of one apex that are noted at most: views, networks, servers, and their former texts. */
const ZONES_MAX = 100;
/** References from one registry to the next that are followed. */
const STEPS_MAX = 8;

/** Zones that an error names. */
const KNOWN_SHOWN_MAX = 5;

/** Fields of the objects. */
const ZONE = "zone";
const CONTINUES = "continues";
const NAME = "name";
const ZONES = "zones";

/** Where the objects of a zone with this text are. */
export function locationOf(zone: string): RegistryLocation {
  return { id: idOf(zone), zone };
}

/**
 * The zone's own location, or the one that its root object continues; notes it for the apex. Throws
 * OperationError: of the store; `RegistryElsewhere` when the zone has no registry and that of
 * another zone of its apex claims records; `RegistryUnusable` when it continues a zone that was
 * never noted for this apex.
 */
export async function findRegistry({
  store,
  apex,
  zone,
}: LocateOptions): Promise<RegistryLocation> {
  const location = await followed(store, zone);
  const notes = await ZoneNotes.read(store, apex);
  // Only the notes know for which apex a text is.
  if (location.zone !== zone && !notes.zones.includes(location.zone)) {
    const list = notes.zones.slice(0, KNOWN_SHOWN_MAX).map((one) => `"${one}"`);
    const known = list.length === 0 ? "none is known" : `known are ${list.join(", ")}`;
    const why = `it continues "${location.zone}", which was never opened as a zone ${apex} (${known})`;
    throw unusable(store, objectsOf(idOf(zone)).root, why);
  }
  const { root, intents } = objectsOf(location.id);
  const isPresent = (await store.read(root)) !== null || (await store.read(intents)) !== null;
  const others = isPresent ? [] : notes.zones;
  for (const other of others)
    if (other !== location.zone && (await hasRights(store, other)))
      throw otherRegistryError(store, location, other);
  await notes.add(location.zone);
  return location;
}

/** A person wrote into the root which registry goes on here. */
async function followed(store: RegistryStore, zone: string): Promise<RegistryLocation> {
  let location = locationOf(zone);
  for (let step = 0; step <= STEPS_MAX; step++) {
    const next = (await store.read(objectsOf(location.id).root))?.data[CONTINUES];
    if (next === undefined) return location;
    location = locationOf(next.trim());
  }
  throw unusable(store, objectsOf(idOf(zone)).root, `it leads to more than ${STEPS_MAX} others`);
}

/** True when the registry claims records itself, and does not only continue another. */
async function hasRights(store: RegistryStore, zone: string): Promise<boolean> {
  const location = locationOf(zone);
  const root = await store.read(objectsOf(location.id).root);
  if (root?.data[CONTINUES] !== undefined) return false;
  const rows = new RegistryRows({ store, ...location });
  await rows.refresh();
  return rows.hasRights;
}

/** The object that notes which zones of an apex have or had a registry, as it was read. */
class ZoneNotes {
  readonly #store: RegistryStore;
  readonly #apex: DnsName;
  readonly #object: StoredObject | null;
  readonly zones: readonly string[];

  private constructor(store: RegistryStore, apex: DnsName, object: StoredObject | null) {
    this.#store = store;
    this.#apex = apex;
    this.#object = object;
    const lines = object?.data[ZONES]?.split("\n") ?? [];
    this.zones = lines.map((line) => line.trim()).filter((line) => line !== "");
  }

  static async read(store: RegistryStore, apex: DnsName): Promise<ZoneNotes> {
    const name = notesName(apex);
    const object = await store.read(name);
    const found = object === null ? apex : object.data[NAME];
    if (found !== apex) throw unusable(store, name, `it is about the name "${found ?? ""}"`);
    return new ZoneNotes(store, apex, object);
  }

  /** Notes a zone, before its registry is written. In a dry run nothing is noted. */
  async add(zone: string): Promise<void> {
    if (this.zones.includes(zone)) return;
    const name = notesName(this.#apex);
    if (this.zones.length >= ZONES_MAX)
      throw unusable(this.#store, name, `it has ${ZONES_MAX} zones; remove those that are no more`);
    const zones = [...this.zones, zone].join("\n");
    const data = { [NAME]: this.#apex, [ZONES]: zones };
    try {
      await this.#store.write(name, data, this.#object?.version ?? null);
    } catch (error) {
      if (!(error instanceof OperationError && error.code === "DryRun")) throw error;
    }
  }
}

function notesName(apex: DnsName): string {
  return `zones-${idOf(apex)}`;
}

function idOf(text: string): string {
  return fingerprint64(text).slice(0, ID_CHARS);
}

function otherRegistryError(
  store: RegistryStore,
  location: RegistryLocation,
  other: string,
): OperationError {
  const own = titleIn(store, objectsOf(location.id).root);
  const their = titleIn(store, objectsOf(idOf(other)).root);
  return new OperationError({
    code: "RegistryElsewhere",
    message: `the zone "${location.zone}" has no registry, and ${their} claims records of "${other}" for this owner; nothing is written to the zone until it is known whether both are one. If they are, create ${own} with the data ${ZONE}: "${location.zone}" and ${CONTINUES}: "${other}", or call the server what it was called before. If they are two zones, create it with ${ZONE}: "${location.zone}" and records: "[]"`,
    retry: "backoff",
  });
}

function unusable(store: RegistryStore, name: string, why: string): OperationError {
  return new OperationError({
    code: "RegistryUnusable",
    message: `${titleIn(store, name)} cannot be used: ${why}; nothing is written to the zone until it can. Correct it`,
    retry: "backoff",
  });
}
