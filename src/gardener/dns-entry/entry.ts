/**
 * A DNSEntry as its controller reads it: identity, life cycle and status. The source `dnsentry`
 * reads its spec.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, numberOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import { hasFinalizer } from "../../controllers/objects/finalizers.ts";
import { WANTED_AGAIN_ANNOTATION } from "../../model/annotation-keys.ts";
import {
  type DnsClasses,
  type Finalizers,
  finalizersOf,
  isOfClass,
} from "../../model/dns-class.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import { isReleased } from "../../model/object-annotations.ts";
import type { ObjectKey } from "../../model/provenance.ts";
import { readZoneNote, type ZoneNote } from "../../model/zone-note.ts";

/** States of an entry; empty = no controller has written one yet. */
export type EntryState = "" | "Pending" | "Ready" | "Error" | "Stale" | "Invalid" | "Deleting";

/** `status` of a DNSEntry; null = absent. */
export interface EntryStatus {
  readonly state: string;
  readonly message: string | null;
  readonly observedGeneration: number | null;
  /** `namespace/name` of the DNSProvider. */
  readonly provider: string | null;
  readonly providerType: string | null;
  /** Zone id. Stored before the first contribution to the zone, here or as a note. */
  readonly zone: string | null;
  /** Seconds, effective. */
  readonly ttl: number | null;
  /** Seconds between look-ups of its host names; null while none is looked up. */
  readonly cnameLookupInterval: number | null;
  /** Effective values; TXT values are in double quotes. */
  readonly targets: readonly string[] | null;
}

/** A DNSEntry. */
export interface Entry {
  readonly object: KubeObject;
  readonly key: ObjectKey;
  readonly generation: number;
  readonly isOfClass: boolean;
  readonly finalizers: Finalizers;
  readonly hasFinalizer: boolean;
  /** Unix milliseconds of the deletionTimestamp; null = alive. */
  readonly deletingSinceMs: number | null;
  /**
   * The annotation `RELEASE_ANNOTATION` says that its deletion need not wait: its records may stay.
   */
  readonly isReleased: boolean;
  /**
   * The annotation says that its source object still lists the name, so that the process that made
   * the entry will create it again (Z-30).
   */
  readonly isWantedAgain: boolean;
  readonly status: EntryStatus;
}

/** Reads an entry of `cluster`, seen by the controllers of `classes`. */
export function readEntry(object: KubeObject, cluster: string, classes: DnsClasses): Entry {
  const { metadata } = object;
  const finalizers = finalizersOf(classes);
  return {
    object,
    key: objectKeyOf(object, cluster),
    generation: metadata.generation ?? 0,
    isOfClass: isOfClass(object, classes),
    finalizers,
    hasFinalizer: hasFinalizer(object, finalizers),
    deletingSinceMs: timeOf(metadata.deletionTimestamp),
    isReleased: isReleased(object),
    isWantedAgain: isWantedAgain(object),
    status: readStatus(object),
  };
}

/**
 * The entry, with the zone of its note in its status where that names none. A note without our
 * finalizer is ignored: another set of controllers wrote it, or the object was restored from a
 * backup.
 */
export function withNotedZone(entry: Entry, isBelieved: (note: ZoneNote) => boolean): Entry {
  if (entry.status.zone !== null || !entry.hasFinalizer) return entry;
  const note = readZoneNote(entry.object);
  if (note === null || !isBelieved(note)) return entry;
  return /* clause: noted-zone-is-the-zone */ { ...entry, status: { ...entry.status, ...note } };
}

/**
 * True = the process that made the entry, which somebody deletes, says that it creates it again.
 */
export function isWantedAgain({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[WANTED_AGAIN_ANNOTATION] === "true";
}

function timeOf(timestamp: string | undefined): number | null {
  if (timestamp === undefined) return null;
  const parsed = Date.parse(timestamp);
  return Number.isNaN(parsed) ? 0 : parsed;
}

/** The content of the status of an entry. */
export function readStatus(object: KubeObject): EntryStatus {
  const status = fieldsOf(object["status"]);
  return {
    state: textOf(status["state"]) ?? "",
    message: textOf(status["message"]),
    observedGeneration: numberOf(status["observedGeneration"]),
    provider: textOf(status["provider"]),
    providerType: textOf(status["providerType"]),
    zone: textOf(status["zone"]),
    ttl: numberOf(status["ttl"]),
    cnameLookupInterval: numberOf(status["cnameLookupInterval"]),
    targets: status["targets"] === undefined ? null : textsOf(status["targets"]),
  };
}

/** The status is to name another zone. */
export function isZoneChanged({ status }: Entry, next: EntryStatus | null): boolean {
  return next !== null && (status.provider !== next.provider || status.zone !== next.zone);
}
