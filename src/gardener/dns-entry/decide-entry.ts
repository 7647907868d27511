/**
 * What to do about a DNSEntry: which zones it contributes to, which state it shows, whether its
 * finalizer is added or removed. States are Gardener's with two changes: a mistake keeps records
 * (Z-5), and a deletion never waits for ever (Z-19). Pure.
 */

import {
  type Assignment,
  isSameZone,
  type NewContribution,
  newContributions,
} from "../../controllers/publication/assignments.ts";
import { withOwner } from "../../controllers/zone-choice/provider-facts.ts";
import type { Selection } from "../../controllers/zone-choice/select-provider.ts";
import { noteOf } from "../../controllers/zone-choice/zone-notes.ts";
import type { DnsName } from "../../model/dns-name.ts";
import { pausedBy } from "../../model/pause-annotation.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { ZoneNote } from "../../model/zone-note.ts";
import type { Found } from "../../sources/source.ts";
import type { Contribution } from "../../sync/contract/contribution.ts";
import type { NameReport } from "../../sync/contract/contribution-report.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import { withCurrentRequests } from "./current-requests.ts";
import { decideDeletion } from "./decide-entry-deletion.ts";
import type { EntryState, EntryStatus } from "./entry.ts";
import { type EntryContext, type EntryDecision, NO_DECISION, zonesOf } from "./entry-context.ts";
import { isLookingUp, lookedUpItems, lookupStatus } from "./entry-lookups.ts";
import { entryStateOf, mistakeOf, PUBLISHING, type ShownState, WAITING } from "./entry-state.ts";
import { handOver, publisherNote } from "./hand-over.ts";
import { isOfOtherType } from "./is-of-other-type.ts";
import { leaveFormerZones } from "./leave-former-zones.ts";
import { isServedByOthers, leftText } from "./other-class.ts";
import { stateEvent } from "./state-event.ts";
import { unservedText } from "./unserved-text.ts";
import { foundFor, withTtl } from "./wanted-record-sets.ts";

/**
 * Decides about one entry. The same context gives the same decision; after it was carried out
 * there is nothing to do.
 */
export function decideEntry(context: EntryContext): EntryDecision {
  const { entry } = context;
  if (!entry.isOfClass) return decideOtherClass(context);
  if (isOfOtherType(context)) return { ...NO_DECISION, unassign: assignedZones(context) };
  if (entry.deletingSinceMs !== null) return decideDeletion(context);
  return withCurrentRequests(context, decideAlive(context));
}

function decideAlive(context: EntryContext): EntryDecision {
  const { found } = context;
  // A spec that validates may come with a remark about an annotation that counts as not given.
  if (found.items.length === 0)
    return /* clause: invalid-entry-keeps-records */ decideInvalid(context);
  return decideValid(context, found.items);
}

/**
 * Controllers of another class are responsible: records stay, our finalizer is removed. What we
 * last wrote of the entry is not true any more, unless those have taken it already.
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
 * Z-5: records stay as the last valid generation had them. After a restart that generation is
 * unknown; then an incomplete contribution protects the existing records. A generation that was
 * never published is replaced by an incomplete contribution too: its record sets must not block
 * those of other objects.
 */
function decideInvalid(context: EntryContext): EntryDecision {
  const { entry, found, assignments } = context;
  const zones = zonesOf(context).filter(({ key }) => {
    const assignment = assignments.find((candidate) => isSameZone(candidate.key, key));
    return assignment === undefined || isNotPublished(assignment);
  });
  const send = zones.map((zone) => contributionTo(zone, contributionOf(context, found)));
  const state = wasApplied(context) ? "Stale" : "Invalid";
  const finalizer = send.length > 0 && !entry.hasFinalizer ? "add" : null;
  return shown(context, { state, ...mistakeOf(found) }, { send, finalizer });
}

/** The zone has reported on the entry, and a name of it is not published. */
function isNotPublished({ report }: Assignment): boolean {
  const states = (report?.names ?? []).map(entryStateOf);
  return states.some((published) => published !== null && published.state !== "Ready");
}

/**
 * The spec is valid: contributes to the zone that serves it. If no zone is known now and none was
 * since the start, its names are protected all the same: its provider may fail, be unlisted yet, or
 * be created again.
 */
function decideValid(context: EntryContext, items: readonly DesiredRecordSet[]): EntryDecision {
  const decision = decideBySelection(context, items);
  const { selection, assignments, entry } = context;
  const isServed = selection.kind !== "none" || entry.status.zone !== null;
  if (selection.kind === "zone" || assignments.length > 0 || !isServed) return decision;
  const wanted = foundFor(context, lookedUpItems(context, items));
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
      return decideThrottled(context, selection.againAfterMs);
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

/** What is published stays as it is until the change is taken; Gardener's words. */
function decideThrottled(context: EntryContext, againAfterMs: number): EntryDecision {
  const decision = shown(context, { state: "Pending", message: "provider throttled" });
  return { ...decision, againAfterMs };
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
 * After a restart an entry holds the addresses that its source object had, until that object is
 * listed. The object may have lost its address since: records that were removed after the grace
 * must not be created again, and no address may be published that never was (Z-1, Z-4). An entry
 * that was Ready in this generation is published at once, so that it is repaired while the object's
 * cluster cannot be reached.
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
  const ttl = selection.provider.defaultTtlSeconds ?? context.defaultTtlSeconds;
  const resolved = lookedUpItems(context, items).map((item) =>
    withOwner(withTtl(item, ttl), /* clause: entry-has-provider-owner-id */ selection.provider),
  );
  const contribution = contributionOf(context, foundFor(context, resolved));
  const assignment = context.assignments.find((candidate) =>
    isSameZone(candidate.key, selection.key),
  );
  const report = freshReport(context, assignment, items[0]?.name);
  const published = publishedState(context, report);
  const isPublished = published?.state === "Ready";
  const { key, zone } = selection;
  const former = leaveFormerZones(context, items, {
    contribution,
    key,
    apex: zone.name,
    isPublished,
  });
  const note = noteOf(selection);
  const zoneStatus: Partial<EntryStatus> = former.isDone ? note : {};
  const effective = report === null ? {} : effectiveOf(report, resolved);
  // Of several accounts of one zone, the last one that is told writes to it.
  const send = [...former.send, { key: selection.key, zone: selection.zone.name, contribution }];
  const shownState =
    published === null
      ? pendingState(context, assignment !== undefined)
      : withRefusal(context, withPause(context, published));
  // After a restart a zone may be read before its entries: names that they list are wanted.
  const unwanted = context.unwantedRecords.filter(({ name }) =>
    items.every((item) => item.name !== name),
  );
  const held = [...unwanted, ...former.held];
  return {
    ...shown(context, withRemarks(context, withHeldRecord(shownState, held)), {
      send,
      status: { ...zoneStatus, ...effective, ...lookupStatus(items) },
    }),
    ...promise(context.entry, note, resolved[0]?.owner ?? context.ownerId),
    unassign: former.unassign,
  };
}

/** The finalizer and the first zone are stored before anything is contributed (Z-19). */
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

/** An annotation that cannot be read has no effect; the message says so. */
function withRemarks({ found, lookedUp }: EntryContext, shownState: ShownState): ShownState {
  const remarks = (lookedUp ?? found).problems.map(
    ({ field, message }) => `; ${field}: ${message}`,
  );
  return { ...shownState, message: `${shownState.message}${remarks.join("")}` };
}

/** An entry is not Ready while a record that it no longer wants is held. */
function withHeldRecord(shownState: ShownState, [first]: readonly NameReport[]): ShownState {
  const held = first === undefined ? null : entryStateOf(first);
  if (shownState.state !== "Ready" || first === undefined || held === null) return shownState;
  const message = `${shownState.message}; its former record ${first.name} is held: ${held.message}`;
  return { ...held, message };
}

/** A paused entry says so, also while no change of it is held. */
function withPause({ found, entry }: EntryContext, shownState: ShownState): ShownState {
  if (found.paused === undefined || shownState.state !== "Ready") return shownState;
  return { ...shownState, message: `${shownState.message}; paused by ${pausedBy(entry.object)}` };
}

/** What is published is not what its source object wants. */
function withRefusal({ refused }: EntryContext, shownState: ShownState): ShownState {
  if (refused === null || shownState.state !== "Ready") return shownState;
  return {
    state: "Stale",
    message: `does not follow its object: ${refused}`,
    code: "WriteRefused",
  };
}

/** In a zone that cannot be read, what was published before still counts as published. */
function publishedState(context: EntryContext, report: NameReport | null): ShownState | null {
  if (report === null || isLookingUp(context)) return null;
  const isPublished = report.isPublished ?? wasApplied(context);
  return entryStateOf({ ...report, isPublished });
}

/** The report about this name and this generation of the entry, or null. */
function freshReport(
  context: EntryContext,
  assignment: Assignment | undefined,
  name: DnsName | undefined,
): NameReport | null {
  const report = assignment?.report ?? null;
  if (report === null || report.generation < context.entry.generation) return null;
  return report.names.find((candidate) => candidate.name === name) ?? null;
}

/** Until a report comes. An entry that was published before (a restart) keeps its state. */
function pendingState(context: EntryContext, isAssigned: boolean): ShownState {
  const { status, generation } = context.entry;
  const wasPublished = status.observedGeneration === generation && KEPT.has(status.state);
  if (wasPublished) return { state: asState(status.state), message: status.message ?? "" };
  const message = isAssigned ? PUBLISHING : WAITING;
  return { state: "Pending", message };
}

const KEPT: ReadonlySet<string> = new Set(["Ready", "Stale"]);

function asState(text: string): EntryState {
  return text === "Ready" ? "Ready" : "Stale";
}

/** Records of the entry may exist: its status or a report says so. */
function wasApplied(context: EntryContext): boolean {
  if ((context.entry.status.targets ?? []).length > 0) return true;
  return context.assignments.some(
    (assignment) => assignment.report?.names.some((name) => name.isPublished) === true,
  );
}

function contributionOf(context: EntryContext, found: Found<DesiredRecordSet>): Contribution {
  const { key, generation } = context.entry;
  return { object: key, generation, found, deleting: false };
}

function contributionTo(
  zone: Pick<NewContribution, "key" | "zone">,
  contribution: Contribution,
): NewContribution {
  return { key: zone.key, zone: zone.zone, contribution };
}

/** Effective targets and TTL: as published, or as desired if the report has no record sets. */
function effectiveOf(report: NameReport, items: readonly DesiredRecordSet[]): Partial<EntryStatus> {
  if (report.isPublished === null) return {};
  if (report.state !== "published" && !report.isPublished) return { targets: null, ttl: null };
  const sets = report.sets.length > 0 ? report.sets : items;
  return {
    targets: sets.flatMap((set) => set.values),
    ttl: sets[0]?.ttlSeconds ?? null,
  };
}

interface ShownOptions {
  readonly send?: readonly NewContribution[];
  readonly status?: Partial<EntryStatus>;
  readonly finalizer?: "add" | null;
}

/** A decision that shows a state; fields of the status that `options` does not name stay. */
function shown(
  context: EntryContext,
  shownState: ShownState,
  options: ShownOptions = {},
): EntryDecision {
  const { entry, assignments } = context;
  const { state, message, code = null, isMistake = false } = shownState;
  const status: EntryStatus = {
    ...entry.status,
    ...options.status,
    ...{ state, message },
    observedGeneration: entry.generation,
  };
  return {
    ...NO_DECISION,
    finalizer: options.finalizer ?? null,
    status,
    cause: { code, isMistake },
    send: newContributions(options.send ?? [], assignments),
    event: stateEvent(entry.status, shownState),
  };
}
