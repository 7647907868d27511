/**
 * Hands a DNSEntry over from one set of controllers to another one that has an owner id of its own,
 * after its class changed (ADR 0077). The new set notes its owner id at the entry (publisher note).
 * The former set keeps its finalizer and permits that owner id to claim the records (`permit`),
 * until none of them is its own. It never changes their data; it removes only records at names that
 * the spec does not list any more, since the new set publishes all others. Pure.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { type Assignment, newContributions } from "../../controllers/publication/published-kind.ts";
import { PUBLISHER_ANNOTATION } from "../../model/annotation-keys.ts";
import { CLASS_ANNOTATION, classOf } from "../../model/dns-class.ts";
import { isOwnerId } from "../../model/object-annotations.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { noteAnnotation } from "../../model/zone-note.ts";
import { type Found, listedNames, NOTHING, objectTransferOf } from "../../sources/source.ts";
import { HANDING_OVER } from "../../sync/contract/contribution.ts";
import { withOriginals } from "./copied-originals.ts";
import type { Entry } from "./entry.ts";
import {
  type EntryContext,
  type EntryDecision,
  NO_DECISION,
  type StatusZone,
} from "./entry-context.ts";
import type { EntryControllerOptions } from "./entry-controller-options.ts";
import { isServedByOthers } from "./served-by-others.ts";

/** Annotations that are stored in one write with the finalizer. */
export function promisedAnnotations(
  decision: Pick<EntryDecision, "note" | "publisher">,
): Readonly<Record<string, string>> {
  const { note, publisher } = decision;
  return {
    /* clause: note-comes-with-finalizer */ ...(note === null ? {} : noteAnnotation(note)),
    /* clause: publisher-is-noted */ ...(publisher === null
      ? {}
      : { [PUBLISHER_ANNOTATION]: publisher }),
  };
}

/**
 * The publisher note to be written: another set had the entry, and `ownerId` publishes it now, for
 * its present class. Null = none is to be written. That another set had it shows in a finalizer of
 * another class (`isServedByOthers`), or, before ours is set, in a status that names a zone. Of two
 * installations of one class the first one keeps its note: else both would write notes without an
 * end.
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
 * Owner id of the set that publishes the entry now in place of `ownerId`'s; null = none does, or
 * the entry is being deleted, where each set removes its own records.
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

/**
 * The record sets that the entry lists, with the entries that it is a copy of in `succeeds`; if a
 * successor publishes it, only names and the permit.
 */
export function foundIn(
  object: KubeObject,
  successor: string | null,
  options: Pick<EntryControllerOptions, "source" | "view" | "dnsClasses" | "targetNamespace">,
): Found<DesiredRecordSet> {
  const { source, view, dnsClasses } = options;
  if (successor === null) return withOriginals(object, source.endpoints(object, view), options);
  return handedOver(source.endpoints(asOfClass(object, dnsClasses[0]), view), successor);
}

/** A copy of the entry with this class: the source reads only objects of ours. */
function asOfClass(object: KubeObject, dnsClass: string): KubeObject {
  const { metadata } = object;
  const annotations = { ...metadata.annotations, [CLASS_ANNOTATION]: dnsClass };
  return { ...object, metadata: { ...metadata, annotations } };
}

/**
 * The former publisher's contribution: the names wait (records stay, none is created), and the
 * successor may claim the records of the entry. Our records at other names are not wanted any more.
 * A pause stays in effect.
 */
function handedOver(found: Found<DesiredRecordSet>, successor: string): Found<DesiredRecordSet> {
  const request = objectTransferOf(found);
  if (request === null) return { ...NOTHING, complete: false };
  const { object, transfer } = request;
  const names = listedNames(found);
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
 * The decision while records are handed over; null = nothing (more) is to be handed over. An
 * entry without our finalizer may have had, in between, a class that nobody serves: then records
 * may be left that no entry wants (`unwantedRecords`).
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
  // No zone is known, but one may become known.
  const isUndecided = assignments.length === 0 && context.selection.kind !== "none";
  // clause: handed-over-when-nothing-is-left
  const isOver = send.length === 0 && assignments.every(hasNothing) && !isUndecided;
  return isOver ? null : { ...NO_DECISION, send };
}

function mayHaveRecords({ entry, assignments, unwantedRecords }: EntryContext): boolean {
  return (
    entry.hasFinalizer ||
    assignments.length > 0 ||
    /* clause: unwanted-records-are-handed-over */ unwantedRecords.length > 0
  );
}

/**
 * After a restart the status may name a zone that only the other set reaches: the selection goes
 * first.
 */
function chosenZone({ selection, statusZone }: EntryContext): readonly StatusZone[] {
  if (selection.kind === "zone") return [{ key: selection.key, zone: selection.zone.name }];
  return statusZone === null ? [] : [statusZone];
}

/** True = the zone reported that no record of the entry is ours any more. */
function hasNothing({ report }: Assignment): boolean {
  return report?.names.every(({ isPublished }) => isPublished === false) === true;
}
