/**
 * A DNSEntry that goes from one set of controllers to another one with an owner id of its own
 * (ADR 0077). The taking set notes its owner id; the leaving set keeps its finalizer and permits
 * that owner id to claim the records of the entry, until none of them is ours. It never writes
 * data, and removes it only at names that the spec has no more: what it says now is published by
 * the other set. Pure.
 */

import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { type Assignment, newContributions } from "../../controllers/publication/assignments.ts";
import { PUBLISHER_ANNOTATION } from "../../model/annotation-keys.ts";
import { CLASS_ANNOTATION, classOf } from "../../model/dns-class.ts";
import { isOwnerId } from "../../model/owner-id.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { noteAnnotation } from "../../model/zone-note.ts";
import { type Found, NOTHING, objectTransferOf } from "../../sources/source.ts";
import { HANDING_OVER } from "../../sync/contract/withdrawn.ts";
import { withOriginals } from "./copied-originals.ts";
import type { Entry } from "./entry.ts";
import {
  type EntryContext,
  type EntryDecision,
  NO_DECISION,
  type StatusZone,
} from "./entry-context.ts";
import type { EntryControllerOptions } from "./entry-controller-options.ts";
import { isServedByOthers } from "./other-class.ts";

/** What is stored at the entry in one write with the finalizer. */
export function promisedAnnotations({
  note,
  publisher,
}: Pick<EntryDecision, "note" | "publisher">): Readonly<Record<string, string>> {
  return {
    /* clause: note-comes-with-finalizer */ ...(note === null ? {} : noteAnnotation(note)),
    /* clause: publisher-is-noted */ ...(publisher === null
      ? {}
      : { [PUBLISHER_ANNOTATION]: publisher }),
  };
}

/**
 * The note that another set had the entry and `ownerId` has it now, for its present class; null =
 * none is to be written. Of two installations of one class the first one has it: each would correct
 * the other one without an end.
 */
export function publisherNote(entry: Entry, ownerId: string): string | null {
  const { object, hasFinalizer, status } = entry;
  const noted = notedPublisher(entry);
  // clause: first-of-the-class-is-noted
  if (hasFinalizer && noted?.dnsClass === classOf(object)) return null;
  // clause: former-publisher-is-noted-anew
  const isKnown = hasFinalizer ? noted !== null : status.zone !== null;
  return isKnown || isServedByOthers(entry) ? `${ownerId} ${classOf(object)}` : null;
}

/**
 * Owner id of the set that has taken the entry from that of `ownerId`; null = none has, or it is
 * being deleted, where each set removes its own records.
 */
export function successorOf(entry: Entry, ownerId: string): string | null {
  if (entry.isOfClass || entry.deletingSinceMs !== null || !isServedByOthers(entry)) return null;
  const noted = notedPublisher(entry);
  if (noted?.dnsClass !== classOf(entry.object)) return null;
  return noted.owner === ownerId ? null : noted.owner;
}

/** Who noted last that it has the entry, and for which class; null = nobody. */
function notedPublisher({ object }: Entry) {
  const noted = object.metadata.annotations?.[PUBLISHER_ANNOTATION] ?? "";
  const [owner = "", dnsClass = ""] = noted.split(" ");
  return isOwnerId(owner) ? { owner, dnsClass } : null;
}

/** What spec and originals of an entry say; of one that a successor has, names and permit. */
export function foundIn(
  object: KubeObject,
  successor: string | null,
  options: Pick<EntryControllerOptions, "source" | "view" | "dnsClasses" | "targetNamespace">,
): Found<DesiredRecordSet> {
  const { source, view, dnsClasses } = options;
  if (successor === null) return withOriginals(object, source.endpoints(object, view), options);
  return handedOver(source.endpoints(asOfClass(object, dnsClasses[0]), view), successor);
}

/** The entry as the source reads it that knows one class. */
function asOfClass(object: KubeObject, dnsClass: string): KubeObject {
  const { metadata } = object;
  const annotations = { ...metadata.annotations, [CLASS_ANNOTATION]: dnsClass };
  return { ...object, metadata: { ...metadata, annotations } };
}

/**
 * What the former publisher says of the entry: its names wait, and the successor may claim what its
 * object has there. At other names what is ours is not wanted any more. A pause stands.
 */
function handedOver(found: Found<DesiredRecordSet>, successor: string): Found<DesiredRecordSet> {
  const request = objectTransferOf(found);
  if (request === null) return { ...NOTHING, complete: false };
  const { object, transfer } = request;
  const names = new Set([...found.items, ...found.waiting].map(({ name }) => name));
  const permit = { owner: successor, resource: resourceOf(object) };
  return {
    ...NOTHING,
    /* clause: former-name-is-for-the-left-set */ complete: found.complete,
    /* clause: left-set-wants-no-record */ waiting: [...names].map((name) => ({
      name,
      reason: HANDING_OVER,
      provenance: object,
    })),
    objectTransfer: {
      object,
      transfer: { ...transfer, claim: false, /* clause: left-set-permits */ permit },
    },
    ...(found.paused === undefined ? {} : { paused: found.paused }),
  };
}

/**
 * Hands over what this set has of an entry; null = nothing (more) is to be handed over. An entry
 * without our finalizer had a class in between that nobody serves.
 */
export function handOver(context: EntryContext): EntryDecision | null {
  const { entry, found, assignments, successor } = context;
  if (successor === null || !mayHaveRecords(context)) return null;
  const zones = assignments.length > 0 ? assignments : chosenZone(context);
  const { key: object, generation } = entry;
  const contribution = { object, generation, found, deleting: false };
  const send = newContributions(
    zones.map(({ key, zone }) => ({ key, zone, contribution })),
    assignments,
  );
  // clause: handed-over-when-nothing-is-left
  const isOver = send.length === 0 && assignments.every(hasNothing) && !isUndecided(context);
  return isOver ? null : { ...NO_DECISION, send };
}

function mayHaveRecords({ entry, assignments, unwantedRecords }: EntryContext): boolean {
  return (
    entry.hasFinalizer ||
    assignments.length > 0 ||
    /* clause: unwanted-records-are-handed-over */ unwantedRecords.length > 0
  );
}

/** After a restart the status names the zone of the other set. */
function chosenZone({ selection, statusZone }: EntryContext): readonly StatusZone[] {
  if (selection.kind === "zone") return [{ key: selection.key, zone: selection.zone.name }];
  return statusZone === null ? [] : [statusZone];
}

/** No zone is known yet, and one may be. */
function isUndecided({ assignments, selection }: EntryContext): boolean {
  return assignments.length === 0 && selection.kind !== "none";
}

/** No record of the entry is ours there any more. */
function hasNothing({ report }: Assignment): boolean {
  return report?.names.every(({ isPublished }) => isPublished === false) === true;
}
