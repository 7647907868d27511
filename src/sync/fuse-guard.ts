/**
 * The fuse of one zone (SAFETY Z-16): keeps its counters where a restart finds them, and stores them before anything
 * that they let pass is sent. The arithmetic is plan/fuse.ts.
 */
import type { NamePlan } from "../plan/changes.ts";
import { approveFuse, type FuseState, newFuse } from "../plan/fuse.ts";
import { throughFuse } from "../plan/fuse-plans.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { StateStore } from "../ports/state-store.ts";
import type { Guard, ZoneCounts } from "./guard.ts";

/** What a fuse works with. */
export interface FuseGuardOptions {
  /** Unique for the zone and the owner, e.g. `fuse/dev-1/example.org`. */
  readonly key: string;
  readonly state: StateStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Version and configuration of ours as one text; a change arms the rule for updates. */
  readonly version: string;
  /** Removals that each have their own DELETED event trip from this many on; default 10 (Z-16). */
  readonly strongMin?: number;
}

/** One zone's fuse. Not for two writers of one key. */
export class FuseGuard implements Guard {
  readonly #options: FuseGuardOptions;
  #state: FuseState | null = null;
  #stored = "";

  constructor(options: FuseGuardOptions) {
    this.#options = options;
  }

  async admit(plans: readonly NamePlan[], zone: ZoneCounts): Promise<readonly NamePlan[]> {
    const before = await this.#load();
    const { clock, version, strongMin } = this.#options;
    const { owned, ownedNames, ownedAt, isAsWanted } = zone;
    const floor = strongMin === undefined ? {} : { strongMin };
    const even = isAsWanted === undefined ? {} : { isAsWanted };
    const scene = { owned, ownedNames, ownedAt, nowMs: clock.nowMs(), version, ...floor, ...even };
    const fused = throughFuse(before, plans, scene);
    await this.#store(fused.state);
    return fused.plans;
  }

  /** Approves the frozen set with this hash; false when there is none. Its names must be planned again. */
  async approve(hash: string): Promise<boolean> {
    const next = approveFuse(await this.#load(), hash);
    if (next === null) return false;
    await this.#store(next);
    return true;
  }

  async #load(): Promise<FuseState> {
    if (this.#state !== null) return this.#state;
    const text = await this.#options.state.read(this.#options.key);
    this.#state = text === null ? newFuse() : this.#parse(text);
    this.#stored = text ?? "";
    return this.#state;
  }

  /** A state that cannot be read counts as a new fuse: its window begins now. */
  #parse(text: string): FuseState {
    try {
      return { ...newFuse(), ...JSON.parse(text) };
    } catch {
      this.#options.log.warn("fuse state is not readable; a new window begins", {
        key: this.#options.key,
      });
      return newFuse();
    }
  }

  async #store(state: FuseState): Promise<void> {
    this.#state = state;
    const text = JSON.stringify(state);
    if (text === this.#stored) return;
    await this.#options.state.write(this.#options.key, text);
    this.#stored = text;
  }
}
