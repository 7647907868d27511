/**
 * What an actor remembers about single names: which are due, which must be read first, failures and
 * open plans. State only; decides nothing.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Random } from "@zonekeeper/base/ports/random";
import { KeyedBackOff } from "@zonekeeper/base/timing/back-off";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { ChangeGroup, NamePlan } from "../../plan/changes.ts";
import { Receipts } from "../calls/receipts.ts";
import { RecentCalls } from "../calls/recent-calls.ts";
import type { SyncSettings } from "../contract/settings.ts";
import { AnswerTimes } from "./answer-times.ts";
import { AwaitedNames } from "./awaited-names.ts";
import type { Failure } from "./name-report.ts";
import { OwnWrites } from "./own-writes.ts";
import { UnansweredCalls } from "./unanswered-calls.ts";
import { writtenKeys } from "./written-keys.ts";

/** Memory of one zone by name; bounded by the names that are desired or owned. */
export class NameLedger {
  readonly #dirty = new Set<DnsName>();
  /** Due names whose input changed: they are taken before the others. */
  readonly #edited = new Set<DnsName>();
  /** Names that must be read first, with the raw names that their last call may have written. */
  readonly #unread = new Map<DnsName, ReadonlySet<string>>();
  /** Names of the present round that have no plan yet. */
  readonly #taken = new Set<DnsName>();
  readonly #isolated = new Set<string>();
  /** Names that were just written as planned, and which parts of them. */
  readonly #written = new Map<string, ReadonlySet<string>>();
  /** When names were written that were not read since, by the monotonic clock. */
  readonly #unproven = new Map<DnsName, number>();
  /** Written names that were read and are to be written again; until a reading agrees. */
  readonly #diverging = new Set<string>();
  /** The last confirmed step of names in the middle of a sequence. */
  readonly #steps = new Map<string, string>();
  /** Names that were not planned since their input changed. */
  readonly #unplanned = new Set<string>();
  #hasPlanned = false;
  readonly #plans = new Map<string, NamePlan>();
  readonly #failures = new Map<string, Failure>();
  readonly #clock: Clock;
  readonly #backOff: KeyedBackOff;
  /** Writes that the server has confirmed. */
  readonly recent: RecentCalls;
  /** Own writes that no comparison protected (Z-27). */
  readonly own = new OwnWrites();
  /** Changes that not all servers of the provider may have yet. */
  readonly receipts = new Receipts();
  /** Rounds in a row that sent nothing since what they had read was old when their turn came. */
  lateRounds = 0;
  /** Names whose records stay until other names are published. */
  readonly awaited = new AwaitedNames();
  /** How long changes of objects wait for their answer. */
  readonly answers: AnswerTimes;
  /** Calls that may take effect later. */
  readonly unanswered: UnansweredCalls;

  constructor(clock: Clock, random: Random, settings: SyncSettings) {
    this.#clock = clock;
    this.recent = new RecentCalls(clock);
    this.answers = new AnswerTimes(clock);
    this.unanswered = new UnansweredCalls(clock);
    const range = { firstMs: settings.retryFirstMs, maxMs: settings.retryMostMs };
    this.#backOff = new KeyedBackOff(clock, random, range);
  }

  /** Names whose group failed on a precondition after a fresh read: their batches are split. */
  get isolated(): ReadonlySet<string> {
    return this.#isolated;
  }

  /** Makes the name due. `edited`: its input changed, so that earlier failures no longer count. */
  mark(name: DnsName, edited: boolean): void {
    if (edited) {
      this.#backOff.excuse(name);
      this.#isolated.delete(name);
      this.#written.delete(name);
      this.#diverging.delete(name);
      this.#steps.delete(name);
      this.#unplanned.add(name);
      this.#edited.add(name);
      this.answers.edited(name);
    }
    this.#dirty.add(name);
  }

  /** True when the input of a due name changed and the name may be tried now. */
  get hasEdits(): boolean {
    return this.#dueEdits(1).length > 0;
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
    const edits = this.#dueEdits(most);
    for (const name of edits) this.#take(name);
    const due = [...edits];
    for (const name of this.#dirty) {
      if (due.length >= most) break;
      if (this.#backOff.waitMs(name) > 0) continue;
      due.push(name);
      this.#take(name);
    }
    return due;
  }

  #dueEdits(most: number): readonly DnsName[] {
    const due: DnsName[] = [];
    for (const name of this.#edited) {
      if (due.length >= most) break;
      if (this.#backOff.waitMs(name) === 0) due.push(name);
    }
    return due;
  }

  #take(name: DnsName): void {
    this.#dirty.delete(name);
    this.#edited.delete(name);
    this.#taken.add(name);
    this.answers.taken(name);
  }

  /** Whether the next act on the name must be a read (S12). */
  mustRead(name: DnsName): boolean {
    return this.#unread.has(name);
  }

  /** Raw names to read in addition to those that its view is made of. */
  alsoToRead(name: DnsName): ReadonlySet<string> {
    return this.#unread.get(name) ?? new Set();
  }

  /** The name was read. */
  wasRead(name: DnsName): void {
    this.#unread.delete(name);
    this.#unproven.delete(name);
  }

  /**
   * The whole zone was read, or all that has changed in it, by a call that began then. What was
   * written before and did not move is as it was written.
   */
  wasAllRead(beganAtMs: number, moved: Iterable<DnsName>): void {
    if (this.#unproven.size === 0) return;
    const differing = new Set(moved);
    for (const [name, atMs] of this.#unproven) {
      if (atMs >= beganAtMs) continue;
      this.#unproven.delete(name);
      if (!differing.has(name) && !this.#dirty.has(name)) this.#agrees(name);
    }
  }

  /** A reading shows what is wanted: only that ends the back-off of what the provider changes. */
  #agrees(name: DnsName): void {
    this.#written.delete(name);
    if (this.#diverging.delete(name)) this.#backOff.clear(name);
  }

  /** Notes a plan; one without changes and holds is forgotten. */
  remember(plan: NamePlan): void {
    this.#taken.delete(plan.name);
    this.awaited.remember(plan);
    // A name that was marked again meanwhile was planned from outdated input.
    if (!this.#dirty.has(plan.name)) this.#unplanned.delete(plan.name);
    if (plan.changes.length === 0) {
      this.answers.dropped(plan.name);
      this.#failures.delete(plan.name);
      this.#steps.delete(plan.name);
      if (!this.#unproven.has(plan.name)) this.#agrees(plan.name);
    }
    if (plan.changes.length === 0 && plan.holds.length === 0) this.#plans.delete(plan.name);
    else this.#plans.set(plan.name, plan);
  }

  /**
   * True when the name was just written as planned and its new plan writes a part of it again: the
   * provider changes what it is given (D35). The name then backs off instead of being written for
   * ever.
   */
  isNotConverging(plan: NamePlan): boolean {
    const written = this.#written.get(plan.name);
    if (written === undefined) return false;
    if (![...writtenKeys(plan)].some((part) => written.has(part))) return false;
    this.#written.delete(plan.name);
    this.#failAsNotConverging(plan.name);
    return true;
  }

  #failAsNotConverging(name: DnsName): void {
    this.#diverging.add(name);
    this.fail(name, {
      code: "NotConverging",
      message:
        "the zone shows other data than was written, because the provider or somebody else changes it; the write is repeated after a back-off",
    });
  }

  /**
   * The group was written. `check`: read the name before it is planned again. A write that a
   * reading has refuted before proves nothing: its back-off goes on (D35). If steps of the
   * sequence remain (Z-10), the name is read in any case, and its plan stays open until the last
   * step is confirmed.
   */
  applied(group: ChangeGroup, check: boolean): void {
    const { name, rest } = group;
    this.recent.applied(name);
    if (rest === undefined) this.#finished(name);
    else this.#steps.set(name, textOf(group));
    this.#unproven.set(name, this.#clock.monotonicMs());
    if (!this.#diverging.has(name)) this.#backOff.clear(name);
    if (rest !== undefined && rest.afterMs > 0) this.#backOff.postpone(name, rest.afterMs);
    this.#isolated.delete(name);
    this.#failures.delete(name);
    if (check || rest !== undefined) this.#unread.set(name, new Set());
    this.#dirty.add(name);
  }

  /**
   * Own writes at the name were taken back: it is read, and planned after its back-off. `failure`:
   * what is reported until then, at least for `atLeastMs`; null = nothing.
   */
  withdrew(name: DnsName, failure: Failure | null, atLeastMs: number): void {
    this.recent.applied(name);
    this.#written.delete(name);
    this.#steps.delete(name);
    this.#failures.delete(name);
    this.#unread.set(name, new Set());
    if (failure === null) this.retryHeld(name);
    else this.fail(name, failure, atLeastMs);
  }

  #finished(name: DnsName): void {
    // If the name was edited during its call, the next plan does not prove that it diverges.
    const plan = this.#plans.get(name);
    const isFirst = !this.#failures.has(name) || this.#diverging.has(name);
    if (isFirst && !this.#edited.has(name)) {
      const before = this.#written.get(name) ?? [];
      this.#written.set(
        name,
        new Set([...before, ...(plan === undefined ? [] : writtenKeys(plan))]),
      );
    }
    this.#steps.delete(name);
    if (plan !== undefined) this.#plans.set(name, { ...plan, changes: [] });
  }

  /**
   * True when this step of a sequence was just confirmed and is planned again. The name backs off,
   * as for `isNotConverging`.
   */
  isRepeatedStep(group: ChangeGroup): boolean {
    const last = this.#steps.get(group.name);
    this.#steps.delete(group.name);
    if (last === undefined || last !== textOf(group)) return false;
    this.#failAsNotConverging(group.name);
    return true;
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
   * The known state of the name, and of the raw names that its call `wrote`, may be wrong: read
   * them before the next plan. `isolate`: split its batch. Answers whether it was isolated before.
   */
  requireRead(name: DnsName, wrote: ReadonlySet<string> = new Set(), isolate = false): boolean {
    const before = this.#isolated.has(name);
    this.#unread.set(name, new Set([...this.alsoToRead(name), ...wrote]));
    if (isolate) this.#isolated.add(name);
    this.#dirty.add(name);
    return before;
  }

  /** Whether the name has been planned since its input changed. */
  isPlanned(name: string): boolean {
    return !this.#unplanned.has(name);
  }

  /** Whether every name has. */
  get isAllPlanned(): boolean {
    return this.#unplanned.size === 0;
  }

  /** A round was planned, the first of which is whole. */
  roundPlanned(): void {
    this.#hasPlanned = true;
  }

  /** Whether a round was planned: until then nothing is known of what is to be done. */
  get hasPlanned(): boolean {
    return this.#hasPlanned;
  }

  /** True when the name is due, has a plan or a failure, or must be read. */
  isOpen(name: DnsName): boolean {
    return (
      this.#dirty.has(name) ||
      this.#plans.has(name) ||
      this.#unread.has(name) ||
      this.#failures.has(name) ||
      this.#unplanned.has(name)
    );
  }

  /** Every name that `isOpen` may answer true for, each at most once. */
  openNames(): ReadonlySet<DnsName> {
    const names = new Set<DnsName>([...this.#dirty, ...this.#unread.keys()]);
    for (const memory of [this.#plans.keys(), this.#failures.keys(), this.#unplanned])
      for (const name of memory) names.add(trustedDnsName(name));
    return names;
  }

  /** The last plan that still has changes or holds, or null. */
  planAt(name: string): NamePlan | null {
    return this.#plans.get(name) ?? null;
  }

  /** Every open plan, sorted by name. */
  openPlans(): readonly NamePlan[] {
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
  failureAt(name: string): Failure | null {
    return this.#failures.get(name) ?? null;
  }

  /** Milliseconds until a failing name is tried again; null = it does not fail. */
  nextTryMs(name: string): number | null {
    return this.#failures.has(name) ? this.#backOff.waitMs(name) : null;
  }
}

function textOf({ changes }: ChangeGroup): string {
  return JSON.stringify(changes);
}
