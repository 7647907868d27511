/**
 * What the actor of a zone remembers about single names: a map or set for each subject, since of
 * most names there is nothing to remember, or one thing. State only; decides nothing.
 *
 *   mark        due: to be planned; edited where an object changed
 *   takeDue     taken: in the present round
 *   remember    open, while its plan has changes or holds; else all but its last write is forgotten
 *   applied, withdrew, fail, requireRead
 *               due again: to be planned once more, after its back-off, or after a read
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import { compareText } from "@zonekeeper/base/compare-text";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Random } from "@zonekeeper/base/ports/random";
import { KeyedBackOff } from "@zonekeeper/base/timing/back-off";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ChangeGroup, NamePlan } from "../../plan/changes.ts";
import { holdChanges } from "../../plan/hold-at.ts";
import type { SyncSettings } from "../contract/settings.ts";
import type { OpenName } from "../contract/zone-status.ts";
import { AnswerTimes } from "./answer-times.ts";
import { LastWrites, UnansweredCalls } from "./last-calls.ts";
import type { Failure } from "./name-report.ts";
import { OwnWrites } from "./own-writes.ts";
import { AwaitedNames } from "./renamed-names.ts";

/** A map or set by name. */
type Names = Pick<ReadonlyMap<DnsName, unknown>, "has" | "keys" | "size">;
const NONE: ReadonlySet<string> = new Set();
/** Names at most of which the time and the receipt of the last write are remembered. */
const WRITTEN_MAX = 10_000;

/** Memory of one zone by name; bounded by the names that are desired or owned. */
export class NameLedger {
  /** Names that are due. */
  readonly #dirty = new Set<DnsName>();
  /**
   * Due names whose input changed, with the monotonic time of the first change: they are taken
   * before the others.
   */
  readonly #edited = new Map<DnsName, number>();
  /** Names of the present round that have no plan yet. */
  readonly #taken = new Set<DnsName>();
  /** Names that were not planned since their input changed. */
  readonly #unplanned = new Set<DnsName>();
  /** The last plans that still have changes or holds. */
  readonly #plans = new Map<DnsName, OpenName>();
  readonly #failures = new Map<DnsName, Failure>();
  /** Names to read first, with others that their last call may have written (markers). */
  readonly #unread = new Map<DnsName, ReadonlySet<string>>();
  /** A name in one of these is open: a plan, a read or a try is due, or it is reported. */
  readonly #open: readonly Names[] = [
    ...[this.#dirty, this.#unplanned, this.#plans, this.#failures, this.#unread],
  ];
  /** Names whose group failed on a precondition after a fresh read. */
  readonly #isolated = new Set<DnsName>();
  readonly #writes = new LastWrites();
  readonly #backOff: KeyedBackOff;
  readonly #clock: Clock;
  readonly #settings: SyncSettings;
  /** When names were last written with success, Unix milliseconds; for people. */
  readonly writtenAtMs = new BoundedMap<DnsName, number>(WRITTEN_MAX);
  /** What our calls wrote where the back end compared nothing (Z-27). */
  readonly own = new OwnWrites();
  /** By which the provider is asked whether all its servers have the last change of a name. */
  readonly receipts = new BoundedMap<DnsName, string>(WRITTEN_MAX);
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
  isIsolated(name: DnsName): boolean {
    return this.#isolated.has(name);
  }

  /** Makes the name due. `edited`: its input changed, so that earlier failures no longer count. */
  mark(name: DnsName, edited: boolean): void {
    this.#dirty.add(name);
    if (!edited) return;
    this.#backOff.excuse(name);
    this.#isolated.delete(name);
    this.#writes.edited(name);
    this.#unplanned.add(name);
    if (!this.#edited.has(name)) this.#edited.set(name, this.#clock.monotonicMs());
  }

  /** True when the input of a due name changed and the name may be tried now. */
  get hasEdits(): boolean {
    for (const name of this.#edited.keys()) if (this.#backOff.waitMs(name) === 0) return true;
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
    for (const names of [this.#edited.keys(), this.#dirty])
      for (const name of names) {
        if (this.#taken.size >= most) break;
        if (this.#backOff.waitMs(name) > 0) continue;
        this.answers.taken(name, this.#edited.get(name) ?? null);
        this.#dirty.delete(name);
        this.#edited.delete(name);
        this.#taken.add(name);
      }
    return [...this.#taken];
  }

  /** Whether the next act on the name must be a read (S12). */
  mustRead(name: DnsName): boolean {
    return this.#unread.has(name);
  }

  /** Names of the zone to read in addition to the name itself and those of its markers. */
  alsoToRead(name: DnsName): ReadonlySet<string> {
    return this.#unread.get(name) ?? NONE;
  }

  /** The name was read. */
  wasRead(name: DnsName): void {
    this.#unread.delete(name);
    this.#writes.wasRead(name);
  }

  /**
   * The whole zone was read, or all that has changed in it, by a call that began at `beganAtMs`
   * (monotonic). Names that were written before it and are not among `moved` are as written.
   */
  wasAllRead(beganAtMs: number, moved: Iterable<DnsName>): void {
    const proven = this.#writes.unprovenBefore(beganAtMs);
    const differing = new Set(proven.length === 0 ? [] : moved);
    for (const name of proven) {
      this.#writes.wasRead(name);
      const isAgreed = !differing.has(name) && !this.#dirty.has(name);
      if (isAgreed && this.#writes.agreed(name)) this.#backOff.clear(name);
    }
  }

  /** Notes a plan; one without changes and holds is forgotten. */
  remember(plan: NamePlan): void {
    const { name, changes, holds } = plan;
    this.#taken.delete(name);
    this.awaited.remember(plan);
    // A name that became due again meanwhile was planned from outdated input.
    if (!this.#dirty.has(name)) this.#unplanned.delete(name);
    const isDone = changes.length === 0;
    const openSinceMs = this.openSinceMs(name) ?? this.#clock.nowMs();
    if (isDone && holds.length === 0) this.#plans.delete(name);
    else this.#plans.set(name, { name, changes, holds, openSinceMs });
    if (!isDone) return;
    this.answers.dropped(name, holds.length > 0);
    this.#failures.delete(name);
    if (this.#writes.plannedNothing(name)) this.#backOff.clear(name);
  }

  /**
   * True when the name was just written as planned and its new plan writes a part of it again: the
   * provider changes what it is given. The name then backs off instead of being written for ever.
   */
  isNotConverging(plan: NamePlan): boolean {
    const isRepeated = this.#writes.isRepeatedWrite(plan);
    if (isRepeated) this.#failAsNotConverging(plan.name);
    return isRepeated;
  }

  /**
   * True when this step of a sequence was just confirmed and is planned again. The name backs off,
   * as for `isNotConverging`.
   */
  isRepeatedStep(group: ChangeGroup): boolean {
    const isRepeated = this.#writes.isRepeatedStep(group);
    if (isRepeated) this.#failAsNotConverging(group.name);
    return isRepeated;
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
    const plan = this.#plans.get(name) ?? null;
    const isDiverging = this.#writes.isDiverging(name);
    // If the name was edited during its call, the next plan does not prove that it diverges.
    const isAsPlanned = (isDiverging || !this.#failures.has(name)) && !this.#edited.has(name);
    this.#writes.applied(group, isAsPlanned ? plan : null, this.#clock.monotonicMs());
    if (rest === undefined && plan !== null) this.#plans.set(name, { ...plan, changes: [] });
    this.writtenAtMs.set(name, this.#clock.nowMs());
    if (!isDiverging) this.#backOff.clear(name);
    if (rest !== undefined && rest.afterMs > 0) this.#backOff.postpone(name, rest.afterMs);
    this.#isolated.delete(name);
    this.#failures.delete(name);
    if (check || rest !== undefined) this.#unread.set(name, NONE);
    this.#dirty.add(name);
  }

  /**
   * Own writes at the name were taken back: it is read, and planned after its back-off. `failure`:
   * what is reported until then, at least for `atLeastMs`; null = nothing.
   */
  withdrew(name: DnsName, failure: Failure | null, atLeastMs: number): void {
    this.writtenAtMs.set(name, this.#clock.nowMs());
    this.#writes.withdrew(name);
    this.#failures.delete(name);
    this.#unread.set(name, NONE);
    if (failure === null) this.retryHeld(name);
    else this.fail(name, failure, atLeastMs);
  }

  /** The last try failed; the name is tried again after its back-off. */
  fail(name: DnsName, failure: Failure, atLeastMs = 0): void {
    this.#backOff.failed(name, atLeastMs);
    this.#failures.set(name, failure);
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
    const wasIsolated = this.#isolated.has(name);
    if (isolate) this.#isolated.add(name);
    this.#unread.set(name, new Set([...this.alsoToRead(name), ...wrote]));
    this.#dirty.add(name);
    return wasIsolated;
  }

  /** Whether the name has been planned since its input changed. */
  isPlanned(name: DnsName): boolean {
    return !this.#unplanned.has(name);
  }

  /** Whether every name has been planned since its input changed. */
  get isAllPlanned(): boolean {
    return this.#unplanned.size === 0;
  }

  /** True when the name is due, has a plan or a failure, or must be read. */
  isOpen(name: DnsName): boolean {
    return this.#open.some((names) => names.has(name));
  }

  /** Every name that `isOpen` may answer true for, each at most once. */
  openNames(): ReadonlySet<DnsName> {
    const all = new Set<DnsName>();
    for (const names of this.#open) for (const name of names.keys()) all.add(name);
    return all;
  }

  /** Whether no name is open. */
  get isAtRest(): boolean {
    return this.#open.every(({ size }) => size === 0);
  }

  /** The last plan that still has changes or holds, or null. */
  planAt(name: DnsName): NamePlan | null {
    return this.#plans.get(name) ?? null;
  }

  /** Since when it has such a plan, Unix milliseconds; null = it has none. */
  openSinceMs(name: DnsName): number | null {
    return this.#plans.get(name)?.openSinceMs ?? null;
  }

  /** Every open plan, sorted by name. */
  openPlans(): readonly OpenName[] {
    return [...this.#plans.values()].sort((a, b) => compareText(a.name, b.name));
  }

  /** Names with a held change, and those whose present plan may still become one. */
  heldNames(): readonly DnsName[] {
    const held = this.openPlans().filter((plan) => plan.holds.length > 0);
    return [...new Set([...held.map(({ name }) => name), ...this.#taken])];
  }

  /** False when the plan of the name holds nothing; for `heldNames` one by one. */
  mayBeHeld(name: DnsName): boolean {
    return this.#plans.has(name) || this.#taken.has(name);
  }

  /** The last failure, or null. */
  failureAt(name: DnsName): Failure | null {
    return this.#failures.get(name) ?? null;
  }

  /** Milliseconds until a failing name is tried again; null = it does not fail. */
  nextTryMs(name: DnsName): number | null {
    return this.#failures.has(name) ? this.#backOff.waitMs(name) : null;
  }
}
