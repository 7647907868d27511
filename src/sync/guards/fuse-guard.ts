/**
 * The fuse of one zone (SAFETY Z-16): keeps its counters where a restart finds them, and stores
 * them before anything that they let pass is sent. While they cannot be read or stored nothing is
 * removed. The arithmetic is plan/fuse.ts.
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
  /** Version and configuration of ours as one text; a change arms the rule for updates. */
  readonly version: string;
  /** Removals that each have their own DELETED event trip from this many on; default 10 (Z-16). */
  readonly strongMin?: number;
  /** Removals that were held because the counters could not be read may be tried again. */
  readonly onStateReadable: () => void;
}

/** Milliseconds between two looks for counters that could not be read. */
export const STATE_RETRY_MS = 10_000;

/**
 * How long the first plan of a process is taken to last (Z-16, ADR 0019), in milliseconds: a zone
 * is often read before its objects have said what they want, and of many objects the last one
 * speaks minutes after the first.
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
   * `asker` = the account whose plans these are, where several show the zone; absent = there is one
   * only.
   */
  admit(
    plans: readonly NamePlan[],
    zone: ZoneCounts,
    account: object = this,
  ): Promise<readonly NamePlan[]> {
    return this.#inTurn(() => this.#admit(plans, this.#contextOf(zone, account), account));
  }

  /**
   * The account shows the zone no more: what it asked for is forgotten with the next plan of its
   * name.
   */
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
   * What reads the counters and writes them again does so alone: one of two at once would be lost.
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
   * Written down also where nothing is planned any more; what fails here is done by the next plan.
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
   * What is made new is wanted by this very version: a change there is an edit (bounded by the
   * names of the zone).
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

  /** Counters that make no sense are no counters of zero: a person has to look. */
  #parse(text: string): FuseState {
    try {
      return readFuse(text);
    } catch {
      throw new OperationError({
        code: "StateUnusable",
        message: `what is stored as ${this.#options.key} is not readable; delete it to begin a new window`,
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

  /** What is stored counts, not what was in memory: it is read again before anything is removed. */
  #loseState(why: string): string {
    const { log, key } = this.#options;
    this.#state = null;
    if (this.#stateTrouble === null)
      log.error("counters of the fuse are out of reach", { key, why });
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
    this.#options.log.info("counters of the fuse are back", { key: this.#options.key });
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
 * Throws for what is no state of a fuse. Earlier versions kept approved removals and updates as one
 * list, `approved`, which does not say what was approved: it is none, and who meant a removal is
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

/** Additions go on; updates are looked at as after a change of version, each time anew. */
function withoutState(
  plans: readonly NamePlan[],
  context: FuseContext,
  why: string,
): readonly NamePlan[] {
  const { isFirstPlan: _, ...alone } = context;
  return applyFuse(newFuse(), withoutRemovals(plans, why), alone).plans;
}
