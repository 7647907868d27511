/**
 * What the actor of a zone remembers about single names: which are due (to be planned), edited (due
 * because an object changed), open (with a plan that has changes or holds), failing (they back off)
 * or must be read first. State only; decides nothing.
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import { compareText } from "@zonekeeper/base/compare-text";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Random } from "@zonekeeper/base/ports/random";
import { KeyedBackOff } from "@zonekeeper/base/timing/back-off";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { ChangeGroup, NamePlan } from "../../plan/changes.ts";
import { holdChanges } from "../../plan/hold-at.ts";
import type { SyncSettings } from "../contract/settings.ts";
import type { OpenName } from "../contract/zone-status.ts";
import { AnswerTimes } from "./answer-times.ts";
import { Receipts, UnansweredCalls } from "./last-calls.ts";
import { isNothing, isOpen, type NameNotes, NOTHING, writtenKeys } from "./name-notes.ts";
import type { Failure } from "./name-report.ts";
import { OwnWrites } from "./own-writes.ts";
import { AwaitedNames } from "./renamed-names.ts";

const NONE: ReadonlySet<string> = new Set();
/** Names at most of which the time of the last write is remembered. */
const WRITTEN_MAX = 10_000;

/** Memory of one zone by name; bounded by the names that are desired or owned. */
export class NameLedger {
  /** Names that are due. */
  readonly #dirty = new Set<DnsName>();
  /** Due names whose input changed: they are taken before the others. */
  readonly #edited = new Set<DnsName>();
  /** Names of the present round that have no plan yet. */
  readonly #taken = new Set<DnsName>();
  /** Names of which there is something to remember. */
  readonly #notes = new Map<string, NameNotes>();
  #unplannedCount = 0;
  readonly #clock: Clock;
  readonly #settings: SyncSettings;
  readonly #backOff: KeyedBackOff;
  /** When names were last written with success, Unix milliseconds; for people. */
  readonly writtenAtMs = new BoundedMap<string, number>(WRITTEN_MAX);
  /** What our calls wrote where the back end compared nothing (Z-27). */
  readonly own = new OwnWrites();
  /** Changes that not all servers of the provider may have yet. */
  readonly receipts = new Receipts();
  /** The first round, which plans every name, was planned: before, it is not known what is due. */
  hasPlanned = false;
  /** Rounds in a row that sent nothing because their readings were too old by then. */
  lateRounds = 0;
  /** Names whose records stay until other names are published. */
  readonly awaited = new AwaitedNames();
  /** How long changes of objects wait for their answer, and which names drifted. */
  readonly answers: AnswerTimes;
  /** Calls that may take effect later. */
  readonly unanswered: UnansweredCalls;

  constructor(clock: Clock, random: Random, settings: SyncSettings) {
    this.#clock = clock;
    this.#settings = settings;
    this.answers = new AnswerTimes(clock);
    this.unanswered = new UnansweredCalls(clock);
    const range = { firstMs: settings.retryFirstMs, maxMs: settings.retryMostMs };
    this.#backOff = new KeyedBackOff(clock, random, range);
  }

  /** Its group failed on a precondition after a fresh read: it is sent in a batch of its own. */
  isIsolated(name: string): boolean {
    return this.#of(name).isIsolated;
  }

  #of(name: string): NameNotes {
    return this.#notes.get(name) ?? NOTHING;
  }

  #note(name: string, change: Partial<NameNotes>): void {
    const before = this.#of(name);
    const changed = { ...before, ...change };
    const sinceMs = before.openSinceMs ?? this.#clock.nowMs();
    const next = { ...changed, openSinceMs: changed.plan === null ? null : sinceMs };
    this.#unplannedCount += Number(next.isUnplanned) - Number(before.isUnplanned);
    if (isNothing(next)) this.#notes.delete(name);
    else this.#notes.set(name, next);
  }

  /** Makes the name due. `edited`: its input changed, so that earlier failures no longer count. */
  mark(name: DnsName, edited: boolean): void {
    if (edited) {
      this.#backOff.excuse(name);
      this.#note(name, {
        isIsolated: false,
        written: null,
        isDiverging: false,
        step: null,
        isUnplanned: true,
      });
      this.#edited.add(name);
      this.answers.edited(name);
    }
    this.#dirty.add(name);
  }

  /** True when the input of a due name changed and the name may be tried now. */
  get hasEdits(): boolean {
    for (const name of this.#edited) if (this.#backOff.waitMs(name) === 0) return true;
    return false;
  }

  /** Names to take for a round that is not whole. */
  get roundMax(): number {
    const { namesPerRoundMax, editedPerRoundMax } = this.#settings;
    return this.hasEdits ? editedPerRoundMax : namesPerRoundMax;
  }

  /** True when no name is due. */
  get isClean(): boolean {
    return this.#dirty.size === 0;
  }

  /** Milliseconds until the first dirty name may be tried; infinite when there is none. */
  soonestMs(): number {
    let soonest = Number.POSITIVE_INFINITY;
    for (const name of this.#dirty) {
      soonest = Math.min(soonest, this.#backOff.waitMs(name));
      if (soonest === 0) return 0;
    }
    return soonest;
  }

  /** The input of the name changed since it was taken: its plan is outdated. */
  isEdited(name: DnsName): boolean {
    return this.#edited.has(name);
  }

  /** Takes at most `most` names that are due, edited ones first. */
  takeDue(most: number): readonly DnsName[] {
    this.#taken.clear();
    const due: DnsName[] = [];
    for (const names of [this.#edited, this.#dirty])
      for (const name of names) {
        if (due.length >= most) break;
        if (this.#backOff.waitMs(name) > 0) continue;
        due.push(name);
        for (const set of [this.#dirty, this.#edited]) set.delete(name);
        this.#taken.add(name);
        this.answers.taken(name);
      }
    return due;
  }

  /** Whether the next act on the name must be a read (S12). */
  mustRead(name: DnsName): boolean {
    return this.#of(name).unread !== null;
  }

  /** Names of the zone to read in addition to the name itself and those of its markers. */
  alsoToRead(name: DnsName): ReadonlySet<string> {
    return this.#of(name).unread ?? NONE;
  }

  /** The name was read. */
  wasRead(name: DnsName): void {
    this.#note(name, { unread: null, unprovenSinceMs: null });
  }

  /**
   * The whole zone was read, or all that has changed in it, by a call that began at `beganAtMs`
   * (monotonic). Names that were written before it and are not among `moved` are as written.
   */
  wasAllRead(beganAtMs: number, moved: Iterable<DnsName>): void {
    const proven: string[] = [];
    for (const [name, { unprovenSinceMs }] of this.#notes)
      if (unprovenSinceMs !== null && unprovenSinceMs < beganAtMs) proven.push(name);
    if (proven.length === 0) return;
    const differing = new Set<string>(moved);
    for (const name of proven) {
      const isAgreed = !differing.has(name) && !this.#dirty.has(trustedDnsName(name));
      this.#note(name, { unprovenSinceMs: null, ...(isAgreed && this.#agreed(name)) });
    }
  }

  /**
   * A reading agrees with what is wanted: only that ends the back-off of a name that the provider
   * changes after each write.
   */
  #agreed(name: string): Pick<NameNotes, "written" | "isDiverging"> {
    if (this.#of(name).isDiverging) this.#backOff.clear(name);
    return { written: null, isDiverging: false };
  }

  /** Notes a plan; one without changes and holds is forgotten. */
  remember(plan: NamePlan): void {
    const { name, changes, holds } = plan;
    this.#taken.delete(name);
    this.awaited.remember(plan);
    const { isUnplanned, unprovenSinceMs } = this.#of(name);
    const isDone = changes.length === 0;
    if (isDone) this.answers.dropped(name, holds.length > 0);
    this.#note(name, {
      // A name that became due again meanwhile was planned from outdated input.
      isUnplanned: isUnplanned && this.#dirty.has(name),
      plan: isDone && holds.length === 0 ? null : plan,
      ...(isDone && { failure: null, step: null }),
      ...(isDone && unprovenSinceMs === null && this.#agreed(name)),
    });
  }

  /**
   * True when the name was just written as planned and its new plan writes a part of it again: the
   * provider changes what it is given. The name then backs off instead of being written for ever.
   */
  isNotConverging(plan: NamePlan): boolean {
    const { written } = this.#of(plan.name);
    if (written === null) return false;
    if (!writtenKeys(plan).some((part) => written.includes(part))) return false;
    this.#note(plan.name, { written: null });
    this.#failAsNotConverging(plan.name);
    return true;
  }

  /**
   * The plan, with all changes as holds where somebody else takes our writes back again and again.
   * A plan that only removes is not held: an object gave its names up.
   */
  holdFought(plan: NamePlan): NamePlan {
    const isRemoval = plan.changes.every(({ change }) => change?.op === "remove");
    if (isRemoval || /* clause: fights-end */ !this.answers.isFought(plan.name)) return plan;
    this.retryHeld(plan.name);
    const message =
      "somebody else changed the record five times within an hour, each time after it had been corrected; it is left as it is for now";
    return holdChanges(plan, { code: "Fighting", message });
  }

  #failAsNotConverging(name: DnsName): void {
    this.#note(name, { isDiverging: true });
    const message =
      "the zone shows other data than was written, because the provider or somebody else changes it; the write is repeated after a back-off";
    this.fail(name, { code: "NotConverging", message });
  }

  /**
   * The group was written. `check`: read the name before it is planned again. Where a reading
   * showed other data after an earlier write, this one proves nothing: the back-off goes on. If
   * steps of a sequence remain (Z-10), the name is read in any case, and its plan stays open until
   * the last step is confirmed.
   */
  applied(group: ChangeGroup, check: boolean): void {
    const { name, rest } = group;
    this.writtenAtMs.set(name, this.#clock.nowMs());
    if (rest === undefined) this.#finished(name);
    else this.#note(name, { step: stepText(group) });
    if (!this.#of(name).isDiverging) this.#backOff.clear(name);
    if (rest !== undefined && rest.afterMs > 0) this.#backOff.postpone(name, rest.afterMs);
    this.#note(name, {
      unprovenSinceMs: this.#clock.monotonicMs(),
      isIsolated: false,
      failure: null,
      ...((check || rest !== undefined) && { unread: NONE }),
    });
    this.#dirty.add(name);
  }

  /**
   * Own writes at the name were taken back: it is read, and planned after its back-off. `failure`:
   * what is reported until then, at least for `atLeastMs`; null = nothing.
   */
  withdrew(name: DnsName, failure: Failure | null, atLeastMs: number): void {
    this.writtenAtMs.set(name, this.#clock.nowMs());
    this.#note(name, { written: null, step: null, failure: null, unread: NONE });
    if (failure === null) this.retryHeld(name);
    else this.fail(name, failure, atLeastMs);
  }

  #finished(name: DnsName): void {
    // If the name was edited during its call, the next plan does not prove that it diverges.
    const { plan, failure, isDiverging, written } = this.#of(name);
    const isFirst = failure === null || isDiverging;
    if (isFirst && !this.#edited.has(name))
      this.#note(name, {
        written: [...new Set([...(written ?? []), ...(plan === null ? [] : writtenKeys(plan))])],
      });
    this.#note(name, { step: null, plan: plan === null ? null : { ...plan, changes: [] } });
  }

  /**
   * True when this step of a sequence was just confirmed and is planned again. The name backs off,
   * as for `isNotConverging`.
   */
  isRepeatedStep(group: ChangeGroup): boolean {
    const { step } = this.#of(group.name);
    this.#note(group.name, { step: null });
    if (step === null || step !== stepText(group)) return false;
    this.#failAsNotConverging(group.name);
    return true;
  }

  /** The last try failed; the name is tried again after its back-off. */
  fail(name: DnsName, failure: Failure, atLeastMs = 0): void {
    this.#backOff.failed(name, atLeastMs);
    this.#note(name, { failure });
    this.#dirty.add(name);
  }

  /** Makes a name with held changes due again after its back-off, without any other event. */
  retryHeld(name: DnsName): void {
    this.#backOff.failed(name);
    this.#dirty.add(name);
  }

  /**
   * The known state of the name, and of the names that its call `wrote` (markers included), may be
   * wrong: they are read before the next plan. `isolate`: the group is sent in a batch of its own
   * from now on. Answers whether it was isolated before.
   */
  requireRead(name: DnsName, wrote: ReadonlySet<string> = new Set(), isolate = false): boolean {
    const { isIsolated } = this.#of(name);
    const unread = new Set([...this.alsoToRead(name), ...wrote]);
    this.#note(name, { unread, isIsolated: isIsolated || isolate });
    this.#dirty.add(name);
    return isIsolated;
  }

  /** Whether the name has been planned since its input changed. */
  isPlanned(name: string): boolean {
    return !this.#of(name).isUnplanned;
  }

  /** Whether every name has been planned since its input changed. */
  get isAllPlanned(): boolean {
    return this.#unplannedCount === 0;
  }

  /** True when the name is due, has a plan or a failure, or must be read. */
  isOpen(name: DnsName): boolean {
    return this.#dirty.has(name) || isOpen(this.#of(name));
  }

  /** Every name that `isOpen` may answer true for, each at most once. */
  openNames(): ReadonlySet<DnsName> {
    const names = new Set(this.#dirty);
    for (const [name, notes] of this.#notes) if (isOpen(notes)) names.add(trustedDnsName(name));
    return names;
  }

  /** Whether no name is open. */
  get isAtRest(): boolean {
    for (const notes of this.#notes.values()) if (isOpen(notes)) return false;
    return this.isClean;
  }

  /** The last plan that still has changes or holds, or null. */
  planAt(name: string): NamePlan | null {
    return this.#of(name).plan;
  }

  /** Since when it has such a plan, Unix milliseconds; null = it has none. */
  openSinceMs(name: string): number | null {
    return this.#of(name).openSinceMs;
  }

  /** Every open plan, sorted by name. */
  openPlans(): readonly OpenName[] {
    const plans = [...this.#notes.values()].flatMap(({ plan, openSinceMs }) =>
      plan === null || openSinceMs === null ? [] : [{ ...plan, openSinceMs }],
    );
    return plans.sort((a, b) => compareText(a.name, b.name));
  }

  /** Names with a held change, and those whose present plan may still become one. */
  heldNames(): readonly DnsName[] {
    const held = this.openPlans().filter((plan) => plan.holds.length > 0);
    return [...new Set([...held.map(({ name }) => name), ...this.#taken])];
  }

  /** False when the plan of the name holds nothing; for `heldNames` one by one. */
  mayBeHeld(name: DnsName): boolean {
    return this.#of(name).plan !== null || this.#taken.has(name);
  }

  /** The last failure, or null. */
  failureAt(name: string): Failure | null {
    return this.#of(name).failure;
  }

  /** Milliseconds until a failing name is tried again; null = it does not fail. */
  nextTryMs(name: string): number | null {
    return this.failureAt(name) === null ? null : this.#backOff.waitMs(name);
  }
}

function stepText({ changes }: ChangeGroup): string {
  return JSON.stringify(changes);
}
