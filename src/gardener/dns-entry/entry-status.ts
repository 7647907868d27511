/**
 * From the report of a zone to the status of a DNSEntry: which report counts, the state that it
 * gives (Gardener's), what the entry itself adds, the Event of a change, the patch, and its write.
 * The steps before and after are those of every kind (controllers/publication).
 *
 *   zoneAnswer         the report on this generation of the entry ─► reportedState: Ready, Stale, …
 *   stateInZone        or what is kept while there is none; a pause, a refusal, a held record
 *   shown              the whole status, its cause, and the Event if state or message changed
 *   entryStatusPatch   conditions; null = the entry shows it already
 *   EntryStatusWriter  waits for the first report, and where two installations disagree (pace);
 *                      sends the merge patch, and knows the event of its own write again
 *
 * decide-entry.ts chooses the zone and calls the first three. The patch names no resourceVersion,
 * so it meets no conflict: what another writer puts into the status is an event, after which the
 * entry is decided again. A write that fails throws, and the queue repeats the entry after a back-
 * off.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterWriter, EventNote } from "@zonekeeper/kube/ports/cluster-writer";
import { type ConditionSpec, conditionsOf } from "../../controllers/objects/conditions.ts";
import { type LiveChecks, liveRequests } from "../../controllers/objects/live-checks.ts";
import { PendingWaits } from "../../controllers/objects/pending-waits.ts";
import { type StateCause, stateConditions } from "../../controllers/objects/state-conditions.ts";
import { ENTRY_PACE, StatusPace } from "../../controllers/objects/status-pace.ts";
import {
  ConditionsSupport,
  type PatchOptions,
  statusPatch,
} from "../../controllers/objects/status-patch.ts";
import { StatusWrites } from "../../controllers/objects/status-writes.ts";
import {
  type Assignment,
  type NewContribution,
  newContributions,
} from "../../controllers/publication/published-kind.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { pausedBy } from "../../model/object-annotations.ts";
import { type ObjectKey, objectKeyText } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { holdReason } from "../../plan/hold-reasons.ts";
import type { NameReport } from "../../sync/contract/contribution.ts";
import { isSameZone, type ZoneKey } from "../../sync/contract/zone.ts";
import type { Entry, EntryState, EntryStatus } from "./entry.ts";
import { type EntryContext, type EntryDecision, NO_DECISION } from "./entry-context.ts";

/** Message of an entry without a zone yet, while no cause is known. */
export const WAITING = "waiting for dns reconciliation";

/** Message of an entry that its zone has not published yet, while no cause is known. */
const PUBLISHING = "dns entry is being published";

/** State and message, as a status shows them. */
export interface ReportedState {
  readonly state: "Ready" | "Pending" | "Stale" | "Error";
  readonly message: string;
  /** Code of docs/reference/errors.md; absent = the state needs no further cause. */
  readonly code?: string;
}

/** State and message of an entry, as its status shows them. */
export interface ShownState extends Omit<ReportedState, "state"> {
  readonly state: EntryState;
  /** True = only an edit of the entry helps. Absent = false. */
  readonly isMistake?: true;
}

/** What the zone that serves an entry says of it. */
export interface ZoneAnswer {
  /** About this generation of the entry and its name; null = there is none yet. */
  readonly report: NameReport | null;
  /** The state by that report; null = none yet. */
  readonly published: ShownState | null;
  /** True = the entry contributes to the zone. */
  readonly isAssigned: boolean;
}

/**
 * What the zone says of the entry. A report of an older generation does not count, nor any while a
 * host name is looked up for the first time. While the zone cannot be read, what was published
 * before counts as published.
 */
export function zoneAnswer(
  context: EntryContext,
  zone: ZoneKey,
  name: DnsName | undefined,
): ZoneAnswer {
  const { entry, assignments, found, lookedUp } = context;
  const assignment = assignments.find(({ key }) => isSameZone(key, zone));
  const isFresh = (assignment?.report?.generation ?? -1) >= entry.generation;
  const names = isFresh ? (assignment?.report?.names ?? []) : [];
  const report = names.find((one) => one.name === name) ?? null;
  const isLookingUp =
    lookedUp?.items.length === 0 && lookedUp.problems.length === found.problems.length;
  const published =
    report === null || isLookingUp
      ? null
      : reportedState({ ...report, isPublished: report.isPublished ?? wasApplied(context) });
  return { report, published, isAssigned: assignment !== undefined };
}

/**
 * The state that a report gives to an object, of any kind: for a held change the reason of the hold
 * decides (plan/hold-reasons.ts). Null = it gives none: a change is not over (`pending`), or the
 * record was removed as wanted (`removed`).
 */
export function reportedState(report: NameReport): ReportedState | null {
  const { message } = report;
  const code = report.code === null ? {} : { code: report.code };
  switch (report.state) {
    case "published":
      return { state: "Ready", message: "dns entry active" };
    case "held": {
      const states = holdReason(report.code ?? "")?.states ?? { absent: "Error", present: "Stale" };
      const state = report.isPublished === true ? states.present : states.absent;
      return { state, message, ...code };
    }
    case "failed":
      return report.isPublished === true
        ? {
            state: "Stale",
            message: `${PRESERVED}${message === "" ? "" : `: ${message}`}`,
            ...code,
          }
        : { state: "Error", message, ...code };
    case "pending":
    case "removed":
      return null;
  }
}

/** Gardener's text, spelling included: tools match it. */
const PRESERVED = "errorneous entry preserved in provider";

/**
 * The state of an entry that a zone serves. `held`: records in former zones whose removal does not
 * go on by itself.
 */
export function stateInZone(
  context: EntryContext,
  items: readonly DesiredRecordSet[],
  { published, isAssigned }: ZoneAnswer,
  held: readonly NameReport[],
): ShownState {
  const state =
    published === null ? pendingState(context, isAssigned) : withOwnFacts(context, published);
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

/**
 * An entry that is published is Stale where the cluster refuses to change it to what its source
 * object wants; a paused one says so, also while no change of it is held.
 */
function withOwnFacts({ refused, found, entry }: EntryContext, published: ShownState): ShownState {
  if (published.state !== "Ready") return published;
  if (refused !== null) {
    const message = `does not follow its object: ${refused}`;
    return { state: "Stale", message, code: "WriteRefused" };
  }
  if (found.paused === undefined) return published;
  return { ...published, message: `${published.message}; paused by ${pausedBy(entry.object)}` };
}

/** Effective targets and TTL: as published; as desired where the report of that has no sets. */
export function effectiveOf(
  report: NameReport | null,
  items: readonly DesiredRecordSet[],
): Partial<EntryStatus> {
  if (report === null || report.isPublished === null) return {};
  const sets = report.state === "published" && report.sets.length === 0 ? items : report.sets;
  if (sets.length === 0) return { targets: null, ttl: null };
  return { targets: sets.flatMap((set) => set.values), ttl: sets[0]?.ttlSeconds ?? null };
}

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

/** The decided status. */
export interface DecidedStatus {
  readonly status: EntryStatus;
  readonly cause: StateCause;
  /** The condition Live; null = nobody asks for it. */
  readonly live: ConditionSpec | null;
}

/** The merge patch, or null when the object shows it already. */
export function entryStatusPatch(
  object: KubeObject,
  { status, cause, live }: DecidedStatus,
  options: PatchOptions,
): Readonly<Record<string, unknown>> | null {
  const current = fieldsOf(object["status"]);
  const { state, message } = status;
  const conditions = conditionsOf({
    current: current["conditions"],
    wanted: [
      ...stateConditions({ state, message: message ?? "", ...cause }, current),
      ...(live === null ? [] : [live]),
    ],
    generation: status.observedGeneration ?? 0,
    nowMs: options.nowMs,
  });
  return statusPatch(current, { ...status, conditions }, options);
}

/** Everything that a status is written with. */
export interface EntryStatusWriterOptions {
  readonly writer: ClusterWriter;
  readonly clock: Clock;
  readonly live: LiveChecks;
  /** Called when an entry is to be shown, now or after a while. */
  readonly again: (key: string, afterMs?: number) => void;
}

/** The facts of an entry that its status is to show. */
export interface ShownEntry {
  /** `namespace/name`. */
  readonly key: string;
  readonly entry: Entry;
  readonly decision: EntryDecision;
  readonly assignments: readonly Assignment[];
}

/** For all entries of one cluster. */
export class EntryStatusWriter {
  readonly #options: EntryStatusWriterOptions;
  readonly #pace: StatusPace;
  readonly #conditions = new ConditionsSupport();
  /** Entries without a state whose zone has not reported on them yet. */
  readonly #unheard: PendingWaits;
  /** Its writes, by which their watch events are known. */
  readonly own: StatusWrites;

  constructor(options: EntryStatusWriterOptions) {
    this.#options = options;
    this.#pace = new StatusPace(options.clock, ENTRY_PACE);
    this.#unheard = new PendingWaits(options.clock, options.again);
    this.own = new StatusWrites(options.again);
  }

  stop(): void {
    this.#unheard.stop();
  }

  forget(key: string, object: ObjectKey): void {
    this.#unheard.ended(key);
    this.own.forget(key);
    this.#options.live.forget(objectKeyText(object));
  }

  /**
   * Writes the decided status, if it differs. False = it must wait; `again` is called when it need
   * not. The status of an entry whose finalizer is removed never waits. Throws as the writer does.
   */
  async show(shown: ShownEntry): Promise<boolean> {
    const { key, entry, decision } = shown;
    const { status, cause, finalizer } = decision;
    this.own.decided(key);
    if (status === null) return true;
    const { clock, writer } = this.#options;
    const { keepsConditions } = this.#conditions;
    const options = { nowMs: clock.nowMs(), keepsConditions };
    const live = this.#live(shown, status);
    const patch = entryStatusPatch(entry.object, { status, cause, live }, options);
    if (patch !== null && finalizer !== "remove" && this.#mustWait(shown, status)) return false;
    this.#unheard.ended(key);
    if (patch === null) return true;
    this.#pace.wrote(key, versionOf(entry));
    const { namespace, name } = entry.key;
    const isSettled = status.state === "Ready" && isCarriedOut(decision);
    const written = await this.own.write(key, isSettled, () =>
      writer.patchStatus({ kind: DNS_ENTRY, namespace, name }, patch),
    );
    this.#conditions.wrote(patch, written);
    return true;
  }

  /** The condition Live; null = nobody asks for it. */
  #live({ key, entry, assignments }: ShownEntry, { state }: EntryStatus) {
    const { live, again } = this.#options;
    return live.conditionOf({
      id: objectKeyText(entry.key),
      object: entry.object,
      isReady: state === "Ready",
      requests: assignments.flatMap(({ report }) => liveRequests(report, entry.generation)),
      again: () => again(key),
    });
  }

  /**
   * True = the status must not be written yet: a first `Pending` without a cause, for most entries
   * are Ready within seconds, or one that exceeds the pace.
   */
  #mustWait({ key, entry }: ShownEntry, { state, message }: EntryStatus): boolean {
    const isNews = state !== "Pending" || (message !== WAITING && message !== PUBLISHING);
    if (entry.status.state === "" && !isNews && this.#unheard.waitMs(key) > 0) return true;
    const paceMs = this.#pace.waitMs(key, versionOf(entry));
    if (paceMs > 0) this.#options.again(key, paceMs);
    return paceMs > 0;
  }
}

/** True = the decision asks for nothing but the status. */
function isCarriedOut({ send, unassign, withoutZone, ...decision }: EntryDecision): boolean {
  const isElse = decision.finalizer !== null || decision.againAfterMs !== null;
  return send.length === 0 && unassign.length === 0 && withoutZone === null && !isElse;
}

function versionOf({ object, generation }: Entry): string {
  return `${object.metadata.uid}/${generation}`;
}
