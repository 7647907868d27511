/**
 * The zone actor in its plainest form, for laws about planner and ownership: read, plan, prepare,
 * apply, name by name.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { DesiredRecordSet } from "../../../src/model/record-set.ts";
import { type Ownership, setsAround } from "../../../src/ownership/ownership.ts";
import type { ChangeGroup, Hold } from "../../../src/plan/changes.ts";
import { planName } from "../../../src/plan/plan.ts";
import type { PlanRules } from "../../../src/plan/rules.ts";
import type { ZoneModel } from "./zone-model.ts";

/** What is reconciled with what. */
export interface World {
  readonly zone: ZoneModel;
  readonly ownership: Ownership;
  readonly desired: readonly DesiredRecordSet[];
  readonly rules: PlanRules;
}

/** A prepared name. */
export interface Step {
  readonly name: DnsName;
  /** Null = held whole. */
  readonly group: ChangeGroup | null;
  readonly holds: readonly Hold[];
}

/** Reads what concerns one name, plans it and prepares its group. */
export async function step(name: DnsName, world: World): Promise<Step> {
  const { zone, ownership, desired, rules } = world;
  const current = (await ownership.read(setsAround(name, ownership, zone))).filter(
    (one) => one.name === name,
  );
  const wanted = desired.filter((one) => one.name === name);
  const plan = planName(name, wanted, current, rules);
  const prepared = await ownership.prepare(plan, zone);
  const holds = [...plan.holds, ...(prepared.holds ?? [])];
  return { name, group: prepared.ok ? prepared.group : null, holds };
}

/** One round over every name that is wanted or read; gives the groups that wrote something. */
export async function round(world: World): Promise<readonly ChangeGroup[]> {
  const owned = await world.ownership.read(world.zone.all());
  const names = new Set([...owned, ...world.desired].map((one) => one.name));
  const written: ChangeGroup[] = [];
  for (const name of [...names].sort()) {
    const { group } = await step(name, world);
    if (group === null || group.changes.length === 0) continue;
    if (!world.zone.apply(group))
      throw new Error(`${name}: a precondition failed with no other writer`);
    written.push(group);
  }
  return written;
}

/** Rounds until one writes nothing; throws when that takes more than `most`. */
export async function settle(world: World, most = 4): Promise<void> {
  for (let count = 0; count < most; count++) if ((await round(world)).length === 0) return;
  throw new Error(`still writing after ${most} rounds`);
}
