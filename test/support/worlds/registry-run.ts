/**
 * The zone actor in its plainest form for a registry that keeps something outside of the zone: read
 * both, plan, prepare, begin, apply, confirm, name by name. Every call that leaves the process goes
 * through `Outside`, where it may break.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { DesiredRecordSet } from "../../../src/model/record-set.ts";
import type { Ownership } from "../../../src/ownership/ownership.ts";
import type { ChangeGroup, Hold, Outcome } from "../../../src/plan/changes.ts";
import { planName } from "../../../src/plan/plan.ts";
import type { PlanRules } from "../../../src/plan/rules.ts";
import { type RegistryStore, titleIn } from "../../../src/ports/stores.ts";
import type { ZoneModel } from "./zone-model.ts";

/**
 * What happens at one call: the process dies before or after its effect, its answer is lost, or
 * others act just before.
 */
export type CallTrouble =
  | { readonly kind: "crash-before" | "crash-after" | "lost-before" | "lost-after" }
  | { readonly kind: "meanwhile"; readonly act: () => Promise<void> };

/** The process is gone. */
export class Crash extends Error {}

/** Counts the writing calls of a process, and troubles one of them. */
export class Outside {
  calls = 0;
  readonly #at: number;
  readonly #trouble: CallTrouble | null;

  constructor(at = -1, trouble: CallTrouble | null = null) {
    this.#at = at;
    this.#trouble = trouble;
  }

  /** Answers null when the answer was lost. */
  async call<T>(effect: () => Promise<T> | T): Promise<T | null> {
    const trouble = this.calls++ === this.#at ? this.#trouble : null;
    if (trouble?.kind === "meanwhile") await trouble.act();
    if (trouble?.kind === "crash-before") throw new Crash();
    if (trouble?.kind === "lost-before") return null;
    const result = await effect();
    if (trouble?.kind === "crash-after") throw new Crash();
    return trouble?.kind === "lost-after" ? null : result;
  }

  /** The store as this process sees it. `lost`: what a lost answer throws. */
  storeOf(store: RegistryStore, lost: () => Error): RegistryStore {
    return {
      read: (name) => store.read(name),
      titleOf: (name) => titleIn(store, name),
      write: async (name, data, version) => {
        const written = await this.call(() => store.write(name, data, version));
        if (written === null) throw lost();
        return written;
      },
    };
  }
}

/** One process that works on a zone. */
export interface RegistryProcess {
  readonly zone: ZoneModel;
  readonly ownership: Ownership;
  readonly desired: readonly DesiredRecordSet[];
  readonly rules: PlanRules;
  readonly outside: Outside;
  /** Told of each group that took effect. */
  readonly onApplied?: (group: ChangeGroup) => void;
}

const ROUNDS_MAX = 12;

/**
 * Works until nothing is left to do; answers what is held then. Throws Crash when the process died.
 */
export async function runRegistry(one: RegistryProcess): Promise<readonly Hold[]> {
  const { ownership, zone } = one;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await ownership.externalStore?.refresh();
    await ownership.externalStore?.resync(zone.all());
    const { held, wrote } = await runRound(one);
    if (!wrote) return held;
  }
  throw new Error(`still writing after ${ROUNDS_MAX} rounds`);
}

async function runRound(one: RegistryProcess) {
  const { ownership, zone, desired, rules } = one;
  const owned = await ownership.read(zone.all());
  const held: Hold[] = [];
  let wrote = false;
  for (const name of [...new Set([...owned, ...desired].map((set) => set.name))].sort()) {
    const current = (await ownership.read(zone.all())).filter((set) => set.name === name);
    const wanted = desired.filter((set) => set.name === name);
    const plan = planName(name, wanted, current, rules);
    held.push(...plan.holds);
    if (plan.changes.length === 0) continue;
    const prepared = await ownership.prepare(plan, zone);
    held.push(...(prepared.holds ?? []));
    if (!prepared.ok) continue;
    await ownership.confirm(prepared.group, await sendGroup(prepared.group, one));
    wrote = true;
  }
  return { held, wrote };
}

async function sendGroup(group: ChangeGroup, one: RegistryProcess): Promise<Outcome> {
  const { name } = group;
  try {
    await one.ownership.externalStore?.recordIntents([group]);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { name, status: "retry", afterMs: null, message: error.message };
  }
  const applied = await one.outside.call(() => {
    const isApplied = one.zone.apply(group);
    if (isApplied) one.onApplied?.(group);
    return isApplied;
  });
  if (applied === null) return { name, status: "unknown", message: "the answer was lost" };
  if (applied) return { name, status: "applied" };
  return { name, status: "precondition-failed", message: "it is not as it was read" };
}
