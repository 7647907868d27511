/**
 * The innermost guard: the fuse of one zone (Z-16, order: guard.ts). It holds removals and
 * updates beyond its limits. Its counters are stored before an admitted change is sent. While they
 * cannot be read or stored, every removal is held. The arithmetic is plan/fuse.ts.
 */

import { isFields } from "../../model/object-fields.ts";
import { messageOf, OperationError } from "../../model/operation-error.ts";
import { type RecordSetKey, recordSetKeyText } from "../../model/record-set.ts";
import type { NamePlan } from "../../plan/changes.ts";
import {
  approveFuse,
  endFirstPlan,
  type FuseState,
  type HeldSet,
  heldSets,
  newFuse,
} from "../../plan/fuse.ts";
import { applyFuse, type FuseContext, withoutRemovals } from "../../plan/fuse-plans.ts";
import type { Clock, Timer } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { StateStore } from "../../ports/state-store.ts";
import type { Guard, ZoneCounts } from "./guard.ts";
import { RequestingAccounts } from "./requesting-accounts.ts";

/** What a fuse works with. */
export interface FuseGuardOptions {
  /** Unique for the zone and the owner, e.g. `fuse/dev-1/example.org`. */
  readonly key: string;
  /** Apex; a label of the metric. */
  readonly zone: string;
  readonly state: StateStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Our version and configuration as one text; another text arms the rule for updates. */
  readonly version: string;
  /** Removals that each have their own DELETED event trip from this many on; default 10 (Z-16). */
  readonly strongMin?: number;
  /** The counters can be read again: enqueue the removals that were held for their sake. */
  readonly onStateReadable: () => void;
}

/** Milliseconds between two tries to read the counters. */
export const STATE_RETRY_MS = 10_000;

/**
 * How long the first plan of a process lasts (Z-16, ADR 0019), in milliseconds. A zone is often
 * read before its objects are, and the last of many objects contributes minutes after the first.
 */
export const FIRST_PLAN_MS = 600_000;

/** One zone's fuse. Not for two writers of one key. */
export class FuseGuard implements Guard {
  readonly #options: FuseGuardOptions;
  #state: FuseState | null = null;
  #stored = "";
  /** Why counters cannot be read or stored; null = they can. */
  #stateTrouble: string | null = null;
  #retry: Timer | null = null;
  #turn: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** Monotonic; null = nothing was planned yet. */
  #beganMs: number | null = null;
  #firstPlan: Timer | null = null;
  /** Record sets made while the first plan lasts, by `recordSetKeyText`; empty afterwards. */
  readonly #madeHere = new Set<string>();
  readonly #requests = new RequestingAccounts();

  constructor(options: FuseGuardOptions) {
    this.#options = options;
  }

  /**
   * `account` = the account whose plans these are, where several show the zone; absent = there is
   * one only.
   */
  admit(
    plans: readonly NamePlan[],
    zone: ZoneCounts,
    account: object = this,
  ): Promise<readonly NamePlan[]> {
    return this.#inTurn(() => this.#admit(plans, this.#contextOf(zone, account), account));
  }

  /** The account closed the zone; the next plan of a name withdraws what it requested there. */
  forgetAccount(account: object): void {
    this.#requests.remove(account);
  }

  async #admit(
    plans: readonly NamePlan[],
    context: FuseContext,
    account: object,
  ): Promise<readonly NamePlan[]> {
    if (this.#stateTrouble !== null) return withoutState(plans, context, this.#stateTrouble);
    try {
      const fused = applyFuse(await this.#load(), plans, context);
      await this.#store(fused.state);
      this.#noteMade(fused.plans);
      this.#requests.note(account, fused);
      return fused.plans;
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      return withoutState(plans, context, this.#loseState(messageOf(error)));
    }
  }

  /**
   * Approves the frozen set with this hash; false when there is none. Its names must be planned
   * again.
   */
  approve(hash: string): Promise<boolean> {
    return this.#inTurn(() => this.#approve(hash));
  }

  async #approve(hash: string): Promise<boolean> {
    const next = approveFuse(await this.#load(), hash);
    if (next === null) return false;
    await this.#store(next);
    return true;
  }

  /**
   * Reads and writes the counters one caller at a time: of two at once one change would be lost.
   */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.then(nothing, nothing);
    return mine;
  }

  heldSets(): readonly HeldSet[] {
    return this.#state === null ? [] : heldSets(this.#state);
  }

  close(): void {
    this.#isClosed = true;
    this.#retry?.cancel();
    this.#firstPlan?.cancel();
  }

  #contextOf({ owned, ownedNames, ownedAt, isAsWanted }: ZoneCounts, account: object): FuseContext {
    const { clock, version, strongMin } = this.#options;
    const floor = strongMin === undefined ? {} : { strongMin };
    const inSync = isAsWanted === undefined ? {} : { isAsWanted };
    const isFirstPlan = this.#isFirstPlan();
    const isMadeHere = (key: RecordSetKey): boolean => this.#madeHere.has(recordSetKeyText(key));
    const first = { isFirstPlan, isMadeHere };
    return {
      owned,
      ownedNames,
      ownedAt,
      nowMs: clock.nowMs(),
      version,
      isAskedElsewhere: (item) => this.#requests.isRequestedByOther(account, item),
      ...first,
      ...floor,
      ...inSync,
    };
  }

  #isFirstPlan(): boolean {
    const { clock } = this.#options;
    const nowMs = clock.monotonicMs();
    if (this.#beganMs === null)
      this.#firstPlan = clock.setTimer(
        FIRST_PLAN_MS,
        () => void this.#inTurn(() => this.#endFirstPlan()),
      );
    this.#beganMs ??= nowMs;
    return nowMs - this.#beganMs < FIRST_PLAN_MS;
  }

  /**
   * Stores the end of the first plan also where nothing is planned any more; if that fails, the
   * next plan stores it.
   */
  async #endFirstPlan(): Promise<void> {
    if (this.#isClosed || this.#state === null) return;
    try {
      await this.#store(endFirstPlan(this.#state, this.#options.version));
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
    }
  }

  /**
   * Remembers record sets that this version created: a later change of them is an edit. Bounded by
   * the names of the zone.
   */
  #noteMade(plans: readonly NamePlan[]): void {
    if (!this.#isFirstPlan()) this.#madeHere.clear();
    else
      for (const { key, change } of plans.flatMap(({ changes }) => changes))
        if (change?.op === "create") this.#madeHere.add(recordSetKeyText(key));
  }

  async #load(): Promise<FuseState> {
    if (this.#state !== null) return this.#state;
    const text = await this.#options.state.read(this.#options.key);
    this.#state = text === null ? newFuse() : this.#parse(text);
    this.#stored = text ?? "";
    return this.#state;
  }

  /** Counters that cannot be parsed do not count as zero: a person has to decide. */
  #parse(text: string): FuseState {
    try {
      return readFuse(text);
    } catch {
      throw new OperationError({
        code: "StateUnusable",
        message: `the stored fuse counters ${this.#options.key} are not readable; delete them to begin a new window`,
        retry: "backoff",
      });
    }
  }

  async #store(state: FuseState): Promise<void> {
    const text = JSON.stringify(state);
    if (text !== this.#stored) await this.#options.state.write(this.#options.key, text);
    this.#state = state;
    this.#stored = text;
  }

  /** The stored counters decide, not those in memory: they are read before anything is removed. */
  #loseState(why: string): string {
    const { log, key } = this.#options;
    this.#state = null;
    if (this.#stateTrouble === null)
      log.error("fuse counters cannot be read or stored, so no record is removed", { key, why });
    this.#noteStateTrouble(why);
    if (!this.#isClosed)
      this.#retry = this.#options.clock.setTimer(
        STATE_RETRY_MS,
        () => void this.#inTurn(() => this.#retryRead()),
      );
    return why;
  }

  async #retryRead(): Promise<void> {
    try {
      await this.#load();
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      this.#loseState(messageOf(error));
      return;
    }
    this.#noteStateTrouble(null);
    this.#options.log.info("fuse counters can be read again", { key: this.#options.key });
    if (!this.#isClosed) this.#options.onStateReadable();
  }

  #noteStateTrouble(stateTrouble: string | null): void {
    const { metrics, zone } = this.#options;
    this.#stateTrouble = stateTrouble;
    metrics.gauge("zonekeeper_fuse_blind", stateTrouble === null ? 0 : 1, { zone });
  }
}

function nothing(): void {}

/**
 * Throws for a text that is no state of a fuse. Earlier versions kept approved removals and updates
 * in one list, `approved`. It does not tell the two apart, so it approves nothing here: a person is
 * asked again.
 */
function readFuse(text: string): FuseState {
  const empty = newFuse();
  const read: unknown = JSON.parse(text);
  if (!isFields(read)) throw new TypeError("no object");
  for (const field of ["samples", "passed", "later", ...APPROVALS] as const)
    if (read[field] !== undefined && !Array.isArray(read[field]))
      throw new TypeError(`${field} is no list`);
  const { approved: _, ...counters } = read;
  return { ...empty, ...counters };
}

const APPROVALS = ["approvedRemovals", "approvedUpdates"] as const;

/** Admits creations, holds removals, and judges updates as after a change of version. */
function withoutState(
  plans: readonly NamePlan[],
  context: FuseContext,
  why: string,
): readonly NamePlan[] {
  const { isFirstPlan: _, ...alone } = context;
  return applyFuse(newFuse(), withoutRemovals(plans, why), alone).plans;
}
