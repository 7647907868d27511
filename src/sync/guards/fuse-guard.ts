/**
 * The innermost guard: the fuse of one zone (Z-16, order: guard.ts). It holds removals and updates
 * beyond its limits as sets, which a person approves by their hashes. Its counters are stored
 * before an admitted change is sent. While they cannot be read or stored, every removal is held.
 * The arithmetic is plan/fuse.ts.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import { Turns } from "@zonekeeper/base/turns";
import type { FuseLimits } from "../../model/fuse-limits.ts";
import { recordSetKeyText } from "../../model/record-set.ts";
import type { NamePlan } from "../../plan/changes.ts";
import {
  approveFuse,
  FREEZE_AFTER_MS,
  freezeQuiet,
  freezesAtMs,
  heldSets,
} from "../../plan/fuse.ts";
import { isFirstContact } from "../../plan/fuse-first-contact.ts";
import { endFirstPlan, firstSets } from "../../plan/fuse-first-plan.ts";
import { applyFuse, type FuseContext, withoutRemovals } from "../../plan/fuse-plans.ts";
import { type FuseState, type HeldSet, newFuse, readFuse, without } from "../../plan/fuse-state.ts";
import type { StateStore } from "../../ports/stores.ts";
import { FirstPlan } from "./first-plan.ts";
import { type HeldListeners, tellHeld } from "./fuse-log.ts";
import type { Guard, ZoneCounts } from "./guard.ts";

/** What a fuse works with. */
export interface FuseGuardOptions extends HeldListeners {
  /** Unique for the zone and the owner, e.g. `fuse/dev-1/example.org`. */
  readonly key: string;
  readonly state: StateStore;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Our version and configuration as one text; another text arms the rule for updates. */
  readonly version: string;
  /** Absent = those of Z-16. */
  readonly limits?: FuseLimits;
  /**
   * True for a preview namespace, whose strongly proven removals are not counted; absent = none.
   */
  readonly isEphemeral?: (namespace: string) => boolean;
  /**
   * A held set is frozen, approved or dissolved, or the counters can be read again: enqueue what
   * is held.
   */
  readonly onReleased: () => void;
}

/** Milliseconds between two tries to read the counters. */
export const STATE_RETRY_MS = 10_000;

/** One zone's fuse. Not for two writers of one key. */
export class FuseGuard implements Guard {
  readonly #options: FuseGuardOptions;
  #state: FuseState | null = null;
  #stored = "";
  /** Why counters cannot be read or stored; null = they can. */
  #stateTrouble: string | null = null;
  #retryTimer: Timer | null = null;
  /** Counters are read and written by one caller at a time: of two one change would be lost. */
  readonly #turns = new Turns();
  #isClosed = false;
  readonly #firstPlan: FirstPlan;
  readonly #former = new FormerHashes();
  #freezing: Timer | null = null;
  #telling: Timer | null = null;
  /** Record sets made while the first plan lasts, by `recordSetKeyText`; empty afterwards. */
  readonly #madeHere = new Set<string>();

  /** Wall clock minus monotonic clock when this process began, milliseconds. */
  readonly #offsetMs: number;

  constructor(options: FuseGuardOptions) {
    this.#options = options;
    this.#offsetMs = options.clock.nowMs() - options.clock.monotonicMs();
    this.#firstPlan = new FirstPlan({
      clock: options.clock,
      isContact: () => this.#state !== null && isFirstContact(this.#state),
      // Its end is stored by this timer, so that no further plan is needed.
      onOver: () =>
        void this.#turns.take(() => this.#update((state) => endFirstPlan(state, options.version))),
    });
  }

  admit(plans: readonly NamePlan[], zone: ZoneCounts): Promise<readonly NamePlan[]> {
    this.#firstPlan.observe(zone.readProgress);
    return this.#turns.take(() => this.#admit(plans, this.#contextOf(zone)));
  }

  async #admit(plans: readonly NamePlan[], context: FuseContext): Promise<readonly NamePlan[]> {
    if (this.#stateTrouble !== null) return withoutState(plans, context, this.#stateTrouble);
    try {
      const before = await this.#load();
      const fused = applyFuse(before, plans, context);
      await this.#store(fused.state);
      this.#freezeLater(fused.state);
      this.#tellLater(before, fused.state);
      // An item that left the growing set whose name is not planned in this call: it may go now.
      const { state, isPlanned } = fused;
      const left = without(without(before.later, state.later), state.frozen?.items ?? []);
      if (left.some(({ name }) => !isPlanned(name))) this.#options.onReleased();
      this.#noteMade(fused.plans);
      return fused.plans;
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      return withoutState(plans, context, this.#loseState(messageOf(error)));
    }
  }

  /** Approves the held set with this hash; false when there is none. */
  approve(hash: string): Promise<boolean> {
    return this.#turns.take(() => this.#approve(hash));
  }

  async #approve(hash: string): Promise<boolean> {
    const next = approveFuse(await this.#load(), hash, this.#firstPlan.lasts());
    if (next === null) return false;
    await this.#store(next);
    this.#options.log.info("held set approved by a person", { zone: this.#options.zone, hash });
    this.#options.onReleased();
    return true;
  }

  heldSets(): readonly HeldSet[] {
    return this.#state === null ? [] : this.#former.in(heldSets(this.#state));
  }

  isMet(): boolean {
    return this.#state?.met === true;
  }

  removalTrouble(): string | null {
    return this.#stateTrouble;
  }

  close(): void {
    this.#isClosed = true;
    this.#retryTimer?.cancel();
    this.#firstPlan.close();
    this.#freezing?.cancel();
    this.#telling?.cancel();
  }

  /** Freezes the set that grows once nothing joins it; its holds then show the final hash. */
  #freezeLater(state: FuseState): void {
    const { clock } = this.#options;
    const atMs = freezesAtMs(state);
    this.#freezing?.cancel();
    this.#freezing = null;
    if (atMs === null || this.#isClosed) return;
    const freeze = async (): Promise<void> => {
      if (await this.#update((one) => freezeQuiet(one, this.#nowMs()))) this.#options.onReleased();
    };
    this.#freezing = clock.setTimer(
      Math.max(0, atMs - this.#nowMs()),
      () => void this.#turns.take(freeze),
    );
  }

  /** Plans the held names again after a set of a first plan grew: their holds show an old hash. */
  #tellLater(before: FuseState, after: FuseState): void {
    const hashes = new Set(firstSets(after).map(({ hash }) => hash));
    const isSame = firstSets(before).every(({ hash }) => hashes.has(hash));
    if (hashes.size === 0 || isSame || this.#isClosed) return;
    const { clock, onReleased } = this.#options;
    this.#telling?.cancel();
    this.#telling = clock.setTimer(FREEZE_AFTER_MS, onReleased);
  }

  /** False = nothing was changed, or not stored; the next plan makes and stores the change. */
  async #update(change: (state: FuseState) => FuseState): Promise<boolean> {
    if (this.#isClosed || this.#state === null) return false;
    const next = change(this.#state);
    if (next === this.#state) return false;
    try {
      await this.#store(next);
      return true;
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      return false;
    }
  }

  /** Does not jump with the wall clock: removals that passed would be forgotten (Z-16). */
  #nowMs(): number {
    return this.#offsetMs + this.#options.clock.monotonicMs();
  }

  #contextOf(zone: ZoneCounts): FuseContext {
    const { version, limits, isEphemeral } = this.#options;
    return {
      ...zone,
      version,
      ...(limits === undefined ? {} : { limits }),
      ...(isEphemeral === undefined ? {} : { isEphemeral }),
      isAllRead: zone.readProgress?.() !== null,
      nowMs: this.#nowMs(),
      isFirstPlan: this.#firstPlan.lasts(),
      isMadeHere: (key) => this.#madeHere.has(recordSetKeyText(key)),
    };
  }

  /**
   * Remembers record sets that this version created: a later change of them is an edit. Bounded by
   * the names of the zone.
   */
  #noteMade(plans: readonly NamePlan[]): void {
    if (!this.#firstPlan.lasts()) this.#madeHere.clear();
    else
      for (const { key, change } of plans.flatMap(({ changes }) => changes))
        if (change?.op === "create") this.#madeHere.add(recordSetKeyText(key));
  }

  async #load(): Promise<FuseState> {
    if (this.#state !== null) return this.#state;
    const text = await this.#options.state.read(this.#options.key);
    this.#state = text === null ? newFuse() : this.#parse(text);
    this.#stored = text ?? "";
    tellHeld(this.#options, { before: null, after: this.#state });
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
    tellHeld(this.#options, { before: this.#state, after: state });
    this.#former.note(this.#state, state);
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
      this.#retryTimer = this.#options.clock.setTimer(
        STATE_RETRY_MS,
        () => void this.#turns.take(() => this.#retry()),
      );
    return why;
  }

  /** Reads the counters and writes them unchanged: only then can the next count be stored. */
  async #retry(): Promise<void> {
    try {
      const state = await this.#load();
      await this.#options.state.write(this.#options.key, JSON.stringify(state));
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      this.#loseState(messageOf(error));
      return;
    }
    this.#noteStateTrouble(null);
    this.#options.log.info("fuse counters can be read and stored again", {
      key: this.#options.key,
    });
    if (!this.#isClosed) this.#options.onReleased();
  }

  #noteStateTrouble(stateTrouble: string | null): void {
    const { metrics, zone } = this.#options;
    this.#stateTrouble = stateTrouble;
    metrics.gauge("zonekeeper_fuse_blind", stateTrouble === null ? 0 : 1, { zone });
  }
}

/** Admits creations, holds removals, and judges updates as after a change of version. */
function withoutState(
  plans: readonly NamePlan[],
  context: FuseContext,
  why: string,
): readonly NamePlan[] {
  const { isFirstPlan: _, ...alone } = context;
  const known = { ...alone, wasMet: true };
  return applyFuse(newFuse(), withoutRemovals(plans, why), known).plans;
}

// The hashes that held sets had before they grew: a person may approve one that was shown. In
// memory alone.

/** Former hashes of a zone at most; of more, the oldest are forgotten. */
const FORMER_MAX = 100;

/** A hash, and one item of the set that had it. */
interface FormerHash {
  readonly hash: string;
  readonly itemId: string;
}

/** The former hashes of one zone. */
class FormerHashes {
  #former: readonly FormerHash[] = [];

  /** Notes hashes that sets had before the counters changed and do not have after it. */
  note(before: FuseState | null, after: FuseState): void {
    if (before === null) return;
    const hashes = new Set(heldSets(after).map(({ hash }) => hash));
    const gone = heldSets(before).filter(({ hash }) => !hashes.has(hash));
    const former = gone.map(({ hash, items }) => ({ hash, itemId: items[0]?.id ?? "" }));
    this.#former = [...this.#former, ...former].slice(-FORMER_MAX);
  }

  /** The sets with their former hashes, the oldest first. */
  in(sets: readonly HeldSet[]): readonly HeldSet[] {
    if (this.#former.length === 0) return sets;
    return sets.map((set) => {
      const ids = new Set(set.items.map(({ id }) => id));
      const former = this.#former.filter(
        ({ hash, itemId }) => hash !== set.hash && ids.has(itemId),
      );
      return former.length === 0 ? set : { ...set, formerHashes: former.map(({ hash }) => hash) };
    });
  }
}
