/**
 * Decides what to do about a DNSEntry: which zones get which contribution, and whether its
 * finalizer is added or removed; what its status shows then is in entry-status.ts. As Gardener does
 * it, with two changes: a mistake in the spec keeps records (Z-5), and a deletion never waits for
 * ever (Z-19). Pure.
 */
import type { Assignment } from "../../controllers/publication/published-kind.ts";
import { withOwner } from "../../controllers/zone-choice/provider-facts.ts";
import type { Selection } from "../../controllers/zone-choice/select-provider.ts";
import { noteOf } from "../../controllers/zone-choice/zone-notes.ts";
import { isRenamed } from "../../model/generated-entries.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { ZoneNote } from "../../model/zone-note.ts";
import { type Found, objectTransferOf } from "../../sources/source.ts";
import type { Contribution } from "../../sync/contract/contribution.ts";
import { isSameZone, type ZoneKey } from "../../sync/contract/zone.ts";
import { withCurrentRequests } from "./current-requests.ts";
import { decideDeletion } from "./decide-entry-deletion.ts";
import { type EntryContext, type EntryDecision, NO_DECISION, zonesOf } from "./entry-context.ts";
import {
  effectiveOf,
  reportedState,
  type ShownState,
  shown,
  stateInZone,
  WAITING,
  wasApplied,
  zoneAnswer,
} from "./entry-status.ts";
import { handOver, publisherNote } from "./hand-over.ts";
import { leaveFormerZones } from "./leave-former-zones.ts";
import { isOfOtherType, isServedByOthers, leftText } from "./served-by-others.ts";
import { unservedText } from "./unserved-text.ts";

/**
 * Decides about one entry. The same context gives the same decision; after it was carried out
 * there is nothing to do.
 */
export function decideEntry(context: EntryContext): EntryDecision {
  const { entry } = context;
  if (!entry.isOfClass) return decideOtherClass(context);
  if (isOfOtherType(context)) return { ...NO_DECISION, unassign: assignedZones(context) };
  if (entry.deletingSinceMs !== null) return decideDeletion(context);
  // Items decide, not problems: a valid spec may come with a problem of an annotation that is
  // ignored.
  const { found } = context;
  const decision =
    found.items.length === 0
      ? /* clause: invalid-entry-keeps-records */ decideInvalid(context)
      : decideValid(context, found.items);
  return withCurrentRequests(context, decision);
}

/**
 * The entry has a class of other controllers now: its records are handed over or stay, and our
 * finalizer is removed. The status that we wrote last is not true any more; we correct it unless
 * other controllers write it already.
 */
function decideOtherClass(context: EntryContext): EntryDecision {
  const { entry } = context;
  const handing = handOver(context);
  if (handing !== null) return handing;
  const unassign = assignedZones(context);
  if (!entry.hasFinalizer) return { ...NO_DECISION, unassign };
  const isForUsToSay = entry.deletingSinceMs === null && !isServedByOthers(entry);
  const decision = isForUsToSay
    ? notServed(context, "NotSelected", leftText(entry.object))
    : NO_DECISION;
  return { ...decision, finalizer: "remove", unassign };
}

function assignedZones({ assignments }: EntryContext): readonly ZoneKey[] {
  return assignments.map(({ key }) => key);
}

/**
 * A mistake in the spec removes nothing: records stay as the last valid generation had them (Z-5).
 * After a restart that generation is not known; then an incomplete contribution protects the
 * existing records. It also replaces a generation that was never published: that one must not keep
 * other objects from its names.
 */
function decideInvalid(context: EntryContext): EntryDecision {
  const { entry, found, assignments } = context;
  const zones = zonesOf(context).filter(({ key }) => {
    const assignment = assignments.find((candidate) => isSameZone(candidate.key, key));
    return assignment === undefined || isNotPublished(assignment);
  });
  const contribution = contributionOf(context, found);
  const send = zones.map(({ key, zone }) => ({ key, zone, contribution }));
  const state = wasApplied(context) ? "Stale" : "Invalid";
  const finalizer = send.length > 0 && !entry.hasFinalizer ? "add" : null;
  return shown(context, { state, ...mistakeOf(found) }, { send, finalizer });
}

/** Message and code of a spec that is not valid; only an edit of the entry helps. */
export function mistakeOf(found: Found<DesiredRecordSet>): Omit<ShownState, "state"> {
  const { problems, objectTransfer } = found;
  const [problem] = problems;
  const where = problem?.field === undefined ? "" : `${problem.field}: `;
  const released = objectTransfer?.transfer.release === true ? RELEASES : "";
  const message = `${where}${problem?.message ?? "not valid"}${released}`;
  return { message, isMistake: true, ...(problem && { code: problem.code }) };
}

const RELEASES = "; its annotation release asks to release its records";

/** True = the zone has reported on the entry that a name of it is not published. */
function isNotPublished({ report }: Assignment): boolean {
  const states = (report?.names ?? []).map(reportedState);
  return states.some((published) => published !== null && published.state !== "Ready");
}

/**
 * The spec is valid: contributes to the zone that serves it. If no zone is known now and none was
 * since the start, the entry contributes without a zone, which keeps its records in any zone: its
 * provider may fail, not be listed yet, or be created again.
 */
function decideValid(context: EntryContext, items: readonly DesiredRecordSet[]): EntryDecision {
  const decision = decideBySelection(context, items);
  const { selection, assignments, entry } = context;
  const isServed = selection.kind !== "none" || entry.status.zone !== null;
  if (selection.kind === "zone" || assignments.length > 0 || !isServed) return decision;
  const wanted = foundFor(context, context.lookedUp?.items ?? items);
  return { ...decision, withoutZone: contributionOf(context, wanted) };
}

function decideBySelection(
  context: EntryContext,
  items: readonly DesiredRecordSet[],
): EntryDecision {
  const { selection } = context;
  switch (selection.kind) {
    case "zone":
      return isPremature(context)
        ? decideUndecided(context, "")
        : decideInZone(context, items, selection);
    case "throttled":
      // What is published stays as it is until the change is taken.
      return {
        ...shown(context, { state: "Pending", message: selection.message }),
        againAfterMs: selection.againAfterMs,
      };
    case "full":
      return notServed(context, "QuotaReached", selection.message);
    case "undecided":
      return decideUndecided(context, selection.reason);
    case "invalid":
      // clause: unserved-entry-keeps-records
      return notServed(context, "ProviderNotReady", selection.message);
    case "none":
      return notServed(context, "NoProvider", unservedText(context, items));
  }
}

/** The cluster refused what the decision needs, and may take a status all the same. */
export function decideRefused(context: EntryContext, message: string): EntryDecision {
  return notServed(context, "WriteRefused", message);
}

function notServed(context: EntryContext, code: string, message: string): EntryDecision {
  return shown(context, { state: wasApplied(context) ? "Stale" : "Error", message, code });
}

/**
 * Writes and removes nothing. An entry that has a state keeps it.
 */
function decideUndecided(context: EntryContext, reason: string): EntryDecision {
  const { state } = context.entry.status;
  if (state !== "" && (state !== "Pending" || reason === "")) return NO_DECISION;
  const detail = reason === "" ? "" : `: ${reason}`;
  return shown(context, { state: "Pending", message: `${WAITING}${detail}` });
}

/**
 * True = the entry must not be published before its source object is known. After a restart an
 * entry has the addresses that the object had; the object may have lost them since, and a record
 * that was removed for that must not be created again (Z-1, Z-4). An entry that was Ready in this
 * generation is published at once, so that its record is repaired while the object's cluster cannot
 * be reached.
 */
function isPremature(context: EntryContext): boolean {
  const { status, generation } = context.entry;
  const wasPublishedSo = status.state === "Ready" && status.observedGeneration === generation;
  return (
    context.origin === "unlisted" &&
    context.assignments.length === 0 &&
    !(wasPublishedSo && wasApplied(context))
  );
}

function decideInZone(
  context: EntryContext,
  items: readonly DesiredRecordSet[],
  selection: Extract<Selection, { kind: "zone" }>,
): EntryDecision {
  const { key, zone, provider } = selection;
  const ttl = provider.defaultTtlSeconds ?? context.defaultTtlSeconds;
  const resolved = (context.lookedUp?.items ?? items).map((item) =>
    withOwner(withTtl(item, ttl), /* clause: entry-has-provider-owner-id */ provider),
  );
  const contribution = contributionOf(context, foundFor(context, resolved));
  const answer = zoneAnswer(context, key, items[0]?.name);
  const isPublished = answer.published?.state === "Ready";
  const target = { contribution, key, apex: zone.name, isPublished };
  const former = leaveFormerZones(context, items, target);
  const state = stateInZone(context, items, answer, former.held);
  const note = noteOf(selection);
  const status = {
    ...(former.isDone ? note : {}),
    ...effectiveOf(answer.report, resolved),
    cnameLookupInterval: items[0]?.lookup?.intervalSeconds ?? null,
  };
  // Last, since of several accounts of one zone the one that is contributed to last writes to it.
  const send = [...former.send, { key, zone: zone.name, contribution }];
  return {
    ...shown(context, state, { send, status }),
    ...promise(context.entry, note, resolved[0]?.owner ?? context.ownerId),
    unassign: former.unassign,
  };
}

/**
 * Lists what is to be stored at the entry before its first contribution (Z-19): our finalizer, the
 * zone, and that this set of controllers publishes it.
 */
function promise(
  entry: EntryContext["entry"],
  first: ZoneNote,
  ownerId: string,
): Pick<EntryDecision, "finalizer" | "note" | "publisher"> {
  const note = entry.status.zone === null ? first : null;
  const publisher = publisherNote(entry, ownerId);
  const isPromised = entry.hasFinalizer && note === null && publisher === null;
  return { finalizer: isPromised ? null : "add", note, publisher };
}

function contributionOf(context: EntryContext, found: Found<DesiredRecordSet>): Contribution {
  const { key, generation } = context.entry;
  return { object: key, generation, found, deleting: false };
}

/**
 * The default TTL is desired for entries that people write. An entry that was generated for an
 * object without a TTL desires none: the default is used when a record is created, and a record
 * that another program wrote with its own TTL is left as it is (Z-21).
 */
function withTtl(item: DesiredRecordSet, ttl: number): DesiredRecordSet {
  if (item.ttlSeconds !== null) return item;
  const isGenerated = item.provenance.kind !== DNS_ENTRY.kind.toLowerCase();
  // clause: generated-entry-sets-no-ttl
  return isGenerated ? { ...item, ttlOnCreate: ttl } : { ...item, ttlSeconds: ttl };
}

/**
 * The contribution's content. If the source object has no address now, the name waits, which keeps
 * a record but creates none with the addresses that the entry still lists (Z-4). The name of an
 * entry whose source object has been renamed waits for the end of the entry (Z-32).
 */
function foundFor(
  { found, lookedUp, origin, entry }: EntryContext,
  items: readonly DesiredRecordSet[],
): Found<DesiredRecordSet> {
  const isAddressless = origin === "no-address";
  if (!isAddressless && !isRenamed(entry.object)) return { ...(lookedUp ?? found), items };
  const reason = isAddressless ? "NoTargets" : "RenamedUnpublished";
  const names = new Map(found.items.map(({ name, provenance }) => [name, provenance]));
  const waiting = [...names].map(([name, provenance]) => ({ name, reason, provenance }));
  const objectTransfer = objectTransferOf(found);
  return { ...found, items: [], waiting, ...(objectTransfer === null ? {} : { objectTransfer }) };
}
