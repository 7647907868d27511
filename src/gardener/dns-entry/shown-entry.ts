/**
 * Decides what a DNSEntry shows: its state and message, the Event of a change, and the effective
 * values of its status. States are Gardener's. Pure.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { EventNote } from "@zonekeeper/kube/ports/cluster-writer";
import {
  type Assignment,
  type NewContribution,
  newContributions,
} from "../../controllers/publication/assignments.ts";
import { type ReportedState, reportedState } from "../../controllers/publication/reported-state.ts";
import { pausedBy } from "../../model/object-annotations.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found } from "../../sources/source.ts";
import type { NameReport } from "../../sync/contract/contribution.ts";
import type { EntryState, EntryStatus } from "./entry.ts";
import { type EntryContext, type EntryDecision, NO_DECISION } from "./entry-context.ts";

/** Message of an entry without a zone yet, while no cause is known. */
export const WAITING = "waiting for dns reconciliation";

/** Message of an entry that its zone has not published yet, while no cause is known. */
export const PUBLISHING = "dns entry is being published";

/** State and message of an entry, as its status shows them. */
export interface ShownState extends Omit<ReportedState, "state"> {
  readonly state: EntryState;
  /** True = only an edit of the entry helps. Absent = false. */
  readonly isMistake?: true;
}

/** The known facts of an entry in the zone that serves it. */
interface InZone {
  /** As its zone reported it; null = not yet. */
  readonly published: ShownState | null;
  /** True = the entry contributes to the zone. */
  readonly isAssigned: boolean;
  /** Records in former zones whose removal does not go on by itself. */
  readonly held: readonly NameReport[];
}

/** The state of an entry that a zone serves. */
export function stateInZone(
  context: EntryContext,
  items: readonly DesiredRecordSet[],
  { published, isAssigned, held }: InZone,
): ShownState {
  const state =
    published === null
      ? pendingState(context, isAssigned)
      : withRefusal(context, withPause(context, published));
  // After a restart a zone may report before the entry has contributed: a name that it lists is
  // wanted.
  const unwanted = context.unwantedRecords.filter(({ name }) =>
    items.every((item) => item.name !== name),
  );
  const shownState = withHeldRecord(state, [...unwanted, ...held]);
  // An annotation that cannot be read has no effect; the message says so.
  const remarks = (context.lookedUp ?? context.found).problems.map(
    ({ field, message }) => `; ${field}: ${message}`,
  );
  return { ...shownState, message: `${shownState.message}${remarks.join("")}` };
}

/**
 * The state by the zone's report; null = none yet. While the zone cannot be read, what was
 * published before counts as published.
 */
export function publishedState(
  context: EntryContext,
  report: NameReport | null,
): ShownState | null {
  if (report === null || isLookingUp(context)) return null;
  const isPublished = report.isPublished ?? wasApplied(context);
  return reportedState({ ...report, isPublished });
}

/** Its host names have no address yet, and no look-up has failed. */
function isLookingUp({ found, lookedUp }: EntryContext): boolean {
  return lookedUp?.items.length === 0 && lookedUp.problems.length === found.problems.length;
}

/** The report about this name and this generation of the entry, or null. */
export function freshReport(
  context: EntryContext,
  assignment: Assignment | undefined,
  name: DnsName | undefined,
): NameReport | null {
  const report = assignment?.report ?? null;
  if (report === null || report.generation < context.entry.generation) return null;
  return report.names.find((candidate) => candidate.name === name) ?? null;
}

/**
 * The state while there is no report. An entry that was published before a restart keeps its state.
 */
function pendingState(context: EntryContext, isAssigned: boolean): ShownState {
  const { status, generation } = context.entry;
  const { state } = status;
  const isKept = state === "Ready" || state === "Stale";
  if (status.observedGeneration === generation && isKept)
    return { state, message: status.message ?? "" };
  return { state: "Pending", message: isAssigned ? PUBLISHING : WAITING };
}

/** Records of the entry may exist: its status or a report says so. */
export function wasApplied(context: EntryContext): boolean {
  if ((context.entry.status.targets ?? []).length > 0) return true;
  return context.assignments.some(
    (assignment) => assignment.report?.names.some((name) => name.isPublished) === true,
  );
}

/** An entry is not Ready while a record that it no longer wants is held. */
function withHeldRecord(shownState: ShownState, [first]: readonly NameReport[]): ShownState {
  const held = first === undefined ? null : reportedState(first);
  if (shownState.state !== "Ready" || first === undefined || held === null) return shownState;
  const message = `${shownState.message}; its former record ${first.name} is held: ${held.message}`;
  return { ...held, message };
}

/** A paused entry says so, also while no change of it is held. */
function withPause({ found, entry }: EntryContext, shownState: ShownState): ShownState {
  if (found.paused === undefined || shownState.state !== "Ready") return shownState;
  return { ...shownState, message: `${shownState.message}; paused by ${pausedBy(entry.object)}` };
}

/** Stale where the cluster refuses to change the entry to what its source object wants. */
function withRefusal({ refused }: EntryContext, shownState: ShownState): ShownState {
  if (refused === null || shownState.state !== "Ready") return shownState;
  return {
    state: "Stale",
    message: `does not follow its object: ${refused}`,
    code: "WriteRefused",
  };
}

/** Effective targets and TTL: as published, or as desired if the report has no record sets. */
export function effectiveOf(
  report: NameReport | null,
  items: readonly DesiredRecordSet[],
): Partial<EntryStatus> {
  if (report === null || report.isPublished === null) return {};
  if (report.state !== "published" && !report.isPublished) return { targets: null, ttl: null };
  const sets = report.sets.length > 0 ? report.sets : items;
  return { targets: sets.flatMap((set) => set.values), ttl: sets[0]?.ttlSeconds ?? null };
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

/** Further parts of the decision, besides the state. */
export interface ShownOptions {
  readonly send?: readonly NewContribution[];
  readonly status?: Partial<EntryStatus>;
  readonly finalizer?: "add" | null;
}

/** A decision that shows a state; fields of the status that `options` does not name stay. */
export function shown(
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

/** The Event of a change of state or message; null = no change, or only to `Pending`. */
export function stateEvent(
  before: EntryStatus,
  after: { readonly state: EntryState; readonly message: string },
): EventNote | null {
  if (after.state === "" || after.state === "Pending") return null;
  if (before.state === after.state && before.message === after.message) return null;
  const isFine = after.state === "Ready" || after.state === "Deleting";
  return {
    type: isFine ? "Normal" : "Warning",
    reason: `DNSEntry${after.state}`,
    message: after.message,
  };
}
