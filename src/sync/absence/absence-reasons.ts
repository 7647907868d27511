/** The verdicts where absence is not proven, in words for people. */
import { RENAMED_TO_ANNOTATION } from "../../model/annotation-keys.ts";
import { resourceOf } from "../../model/provenance.ts";
import { type HoldCode, isHoldCode } from "../../plan/hold-reasons.ts";
import type { AbsenceVerdict } from "../../plan/rules.ts";
import type { ObjectObservation } from "../contract/object-observation.ts";
import { type AddressWait, NO_TARGETS } from "./address-waits.ts";
import type { AbsenceEntry } from "./name-listings.ts";

type Unproven = Extract<AbsenceVerdict, { proven: false }>;

/** The object of the entry lists the name, and cannot be read completely or waits for something. */
export function waitingVerdict({ object }: AbsenceEntry, code: string): AbsenceVerdict {
  return incompleteVerdict(resourceOf(object), code);
}

/** The reason of names that an entry has for an object which has others instead (Z-32). */
export const RENAMED = "RenamedUnpublished";

/** The entry stands for a name that its object has no more; it gives way to others. */
export function renamedVerdict({ object }: AbsenceEntry): AbsenceVerdict {
  const message = `${resourceOf(object)} ${FORMER_TEXT}; the record stays until then, or until another object has the name; ${NOTE_REMEDY}`;
  return { ...unproven(RENAMED, message), unlessAnswered: "object-omits-name" };
}

/** Of such an entry, after its name. */
export const FORMER_TEXT = `was made for a name that its object gave up for another one, which is not published yet, as its annotation ${RENAMED_TO_ANNOTATION} says`;

/** A process that made the entry, and knows better, writes the annotation again. */
export const NOTE_REMEDY = "if that is wrong, remove the annotation";

/** As `waitingVerdict`, of an object that is named as in markers. */
export function incompleteVerdict(who: string, reason: string): AbsenceVerdict {
  return unproven(
    isHoldCode(reason) ? reason : "SourceIncomplete",
    `${who} lists the name, but what it wants there is not known completely; the record stays`,
  );
}

/** The object has no address (Z-4). */
export function addressVerdict(
  entry: AbsenceEntry,
  { sinceMs, isDangling }: AddressWait,
): AbsenceVerdict {
  const since = new Date(sinceMs).toISOString();
  const text = `${resourceOf(entry.provenance)} has no address since ${since}; its record stays`;
  return unproven(NO_TARGETS, isDangling ? `dangling: ${text}` : text);
}

/** The object is assigned to another zone or account, or to none (Z-18). */
export function elsewhereVerdict(entry: AbsenceEntry): Unproven {
  const who = resourceOf(entry.object);
  return unproven(
    "WantedElsewhere",
    `${who} wants the name through another provider or zone; the record stays`,
  );
}

/** No cluster knows the object, and at least one that may hold it cannot tell. */
export function unknownVerdict(resource: string, observation: ObjectObservation): Unproven {
  const [why = "no cluster watches its kind"] = observation.flatMap((one) =>
    one.state === "unknown" ? one.message : [],
  );
  return unproven(
    "KindGone",
    `Whether ${resource} still exists is not known: ${why}; the record stays`,
  );
}

/** Nobody here was seen to want it (Z-22). */
export function orphanVerdict(resource: string): Unproven {
  return unproven(
    "Orphan",
    `The record has our owner id, and ${resource} was not seen here to list the name; it stays. What is known: zonekeeper ownership orphans. To remove it: zonekeeper ownership remove`,
  );
}

/** The object in a marker, of a cluster that nobody here serves. */
export interface UnservedObject {
  readonly resource: string;
  readonly cluster: string;
  /** DNSEntries here were made for objects of that cluster. */
  readonly hasEntries: boolean;
}

/** The cluster in the marker is none of those that are served (Z-30). */
export function clusterVerdict({ resource, cluster, hasEntries }: UnservedObject): Unproven {
  const wayOut = hasEntries
    ? "Other DNSEntries here are of that cluster: the record goes when one is made for this object, with the name, and deleted"
    : "zonekeeper plan says once for all such records what to do";
  return unproven(
    "ClusterUnknown",
    `Its marker is for ${resource} of the cluster ${cluster}, which is not served here; the record stays. ${wayOut}`,
  );
}

/** Not proven, with its reason. */
export function unproven(code: HoldCode, message: string): Unproven {
  return { proven: false, code, message };
}
