/**
 * The zone actor in its plainest form over a provider that is not atomic (Z-10), with trouble at
 * one of its calls. It knows the zone from what it read and what was confirmed, as the real actor
 * does, and reads again when it must.
 */
import type { Change, ChangeGroup } from "../../../src/plan/changes.ts";
import { planName } from "../../../src/plan/plan.ts";
import type { World } from "./reconcile.ts";
import type { ZoneModel } from "./zone-model.ts";

/**
 * What goes wrong at a call: a crash before it, a lost answer, or somebody's write just before it.
 */
export type StepTrouble =
  | { readonly kind: "crash" | "lost-before" | "lost-after" }
  | { readonly kind: "foreign"; readonly change: Change };

/** How a run is watched and disturbed. */
export interface StepRunOptions {
  /** Trouble of the call with this number, from 0; null = none. */
  readonly trouble: (call: number) => StepTrouble | null;
  /** Called after each call that took effect. */
  readonly watch: (call: StepCall) => void;
}

/** One call that took effect. */
export interface StepCall {
  readonly group: ChangeGroup;
  /** The zone just before it, with what somebody wrote in that instant. */
  readonly before: ZoneModel;
  /** The zone without that. */
  readonly seen: ZoneModel;
}

const CALLS_MAX = 60;

/**
 * Works until nothing is left to do, and answers how many calls it took. Throws when there is no
 * end.
 */
export async function runSteps(world: World, options: StepRunOptions): Promise<number> {
  const { zone } = world;
  let belief = zone.copy();
  let calls = 0;
  let isFresh = true;
  for (;;) {
    const group = await nextGroup({ ...world, zone: belief });
    if (group === null && isFresh) return calls;
    // A reload, as it comes at times: what others wrote is seen.
    if (group === null) belief = zone.copy();
    isFresh = group === null;
    if (group === null) continue;
    if (calls >= CALLS_MAX) throw new Error(`still writing after ${calls} calls`);
    const isKnown = callOnce(zone, group, { ...options, call: calls++ });
    for (const change of group.changes) if (isKnown) belief.write(change);
    if (!isKnown || group.rest !== undefined) belief = zone.copy();
  }
}

/** The next step of the first name that has one. */
async function nextGroup({ ownership, zone, desired, rules }: World): Promise<ChangeGroup | null> {
  const current = await ownership.read(zone.all());
  const owned = current.filter(({ marker }) => rules.owners.has(marker?.owner ?? ""));
  for (const name of [...new Set([...owned, ...desired].map((one) => one.name))].sort()) {
    const plan = planName(
      name,
      desired.filter((one) => one.name === name),
      owned.filter((one) => one.name === name),
      rules,
    );
    if (plan.changes.length === 0) continue;
    const prepared = await ownership.prepare(plan, zone);
    if (prepared.ok && prepared.group.changes.length > 0) return prepared.group;
  }
  return null;
}

/** True when the caller learns that the group was applied. */
function callOnce(
  zone: ZoneModel,
  group: ChangeGroup,
  { trouble, watch, call }: StepRunOptions & { readonly call: number },
): boolean {
  const meets = trouble(call);
  if (meets?.kind === "crash" || meets?.kind === "lost-before") return false;
  const seen = zone.copy();
  if (meets?.kind === "foreign") zone.write(meets.change);
  const before = zone.copy();
  const applied = zone.apply(group);
  if (applied) watch({ group, before, seen });
  return applied && meets?.kind !== "lost-after";
}
