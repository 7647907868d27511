/**
 * Packs groups into batches by a provider's limits. Groups that touch a common owner name, markers included,
 * form one unit (Z-11); a unit is never split over two batches.
 */

import type { Change, ChangeGroup } from "../plan/changes.ts";
import type { Capabilities } from "../providers/provider.ts";

/** Groups that go together or not at all. */
export type Unit = readonly ChangeGroup[];

/** Units of one provider call, in order. */
export type Batch = readonly Unit[];

/** Groups that may go in one round, and those that have to wait for its outcome. */
export interface Parted {
  readonly now: readonly ChangeGroup[];
  readonly later: readonly ChangeGroup[];
}

/**
 * Of groups that write at one owner name the first goes now. The others were prepared against what stood there before
 * it, so that two markers, or a marker and a user's text, could end up in one record set (Z-11).
 */
export function partGroups(groups: readonly ChangeGroup[]): Parted {
  const taken = new Set<string>();
  const now: ChangeGroup[] = [];
  const later: ChangeGroup[] = [];
  for (const group of groups) {
    const names = writtenNames(group);
    const meets = names.some((name) => taken.has(name));
    for (const name of names) taken.add(name);
    (meets ? later : now).push(group);
  }
  return { now, later };
}

/** Joins groups whose write sets meet; keeps the order of first appearance. */
export function toUnits(groups: readonly ChangeGroup[]): readonly Unit[] {
  const unitOfName = new Map<string, ChangeGroup[]>();
  const units = new Set<ChangeGroup[]>();
  for (const group of groups) {
    const names = writeSet(group);
    const met = new Set([...names].flatMap((name) => unitOfName.get(name) ?? []));
    const joined = [...new Set([...names].map((name) => unitOfName.get(name)))].filter(
      (unit) => unit !== undefined,
    );
    for (const unit of joined) units.delete(unit);
    const unit = [...met, group];
    units.add(unit);
    for (const member of unit) for (const name of writeSet(member)) unitOfName.set(name, unit);
  }
  return [...units];
}

/** Fills batches up to the limits; a unit that is over a limit by itself gets a batch of its own. */
export function pack(units: readonly Unit[], limits: Capabilities["batch"]): readonly Batch[] {
  const batches: Unit[][] = [];
  let open: Unit[] = [];
  let load: Cost = { groups: 0, values: 0, bytes: 0 };
  for (const unit of units) {
    const cost = costOf(unit);
    if (open.length > 0 && !isWithin(sum(load, cost), limits)) {
      batches.push(open);
      open = [];
      load = { groups: 0, values: 0, bytes: 0 };
    }
    open.push(unit);
    load = sum(load, cost);
  }
  if (open.length > 0) batches.push(open);
  return batches;
}

interface Cost {
  readonly groups: number;
  readonly values: number;
  readonly bytes: number;
}

function sum(a: Cost, b: Cost): Cost {
  return { groups: a.groups + b.groups, values: a.values + b.values, bytes: a.bytes + b.bytes };
}

function isWithin(load: Cost, limits: Capabilities["batch"]): boolean {
  return (
    load.groups <= limits.groupsMax &&
    load.values <= limits.valuesMax &&
    load.bytes <= limits.bytesMax
  );
}

/** Every owner name a group writes or asserts. */
export function writeSet(group: ChangeGroup): ReadonlySet<string> {
  return new Set<string>([group.name, ...writtenNames(group)]);
}

/** Owner names of the writes alone. */
function writtenNames({ changes }: ChangeGroup): readonly string[] {
  return changes.map((change) => (change.op === "remove" ? change.previous : change.next).name);
}

/** What a unit costs in one call; bytes are an upper estimate of the wire form without compression. */
function costOf(unit: Unit): Cost {
  let values = 0;
  let bytes = 0;
  for (const group of unit) {
    for (const set of group.changes.flatMap(setsOf)) {
      values += set.values.length;
      bytes += set.values.reduce((sum, value) => sum + set.name.length + value.length + 14, 0);
    }
    for (const precondition of group.preconditions) {
      values += 1;
      const set = precondition.is === "exact" ? precondition.set : null;
      const body = set?.values.reduce((sum, v) => sum + set.name.length + v.length + 14, 0) ?? 0;
      bytes += body + 280;
    }
  }
  return { groups: unit.length, values, bytes };
}

function setsOf(change: Change): readonly { name: string; values: readonly string[] }[] {
  if (change.op === "create") return [change.next];
  if (change.op === "remove") return [change.previous];
  return [change.previous, change.next];
}
