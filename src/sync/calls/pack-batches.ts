/**
 * Packs groups into batches by a provider's limits. Groups that share an owner name, markers
 * included, never share a round (Z-11): the later one is planned anew when the zone shows
 * the earlier one.
 */
import type { Change, ChangeGroup, Precondition } from "../../plan/changes.ts";
import type { Capabilities } from "../../providers/provider.ts";

/** Groups of one provider call, in order. */
export type Batch = readonly ChangeGroup[];

/** Owner names that the groups of one round write or rest upon. */
export class Footprint {
  readonly #written = new Set<string>();
  readonly #asserted = new Set<string>();

  /** Takes the group in, or answers false when it meets one that is in already. */
  tryAdd(group: ChangeGroup): boolean {
    const written = writeSet(group);
    const asserted = assertedNames(group);
    const meets =
      [...written].some((name) => this.#written.has(name) || this.#asserted.has(name)) ||
      asserted.some((name) => this.#written.has(name));
    if (meets) return false;
    for (const name of written) this.#written.add(name);
    for (const name of asserted) this.#asserted.add(name);
    return true;
  }
}

/**
 * Fills batches up to the limits; a group that is over a limit by itself gets a batch of its own.
 */
export function pack(
  groups: readonly ChangeGroup[],
  limits: Capabilities["batch"],
): readonly Batch[] {
  const batches: ChangeGroup[][] = [];
  let open: ChangeGroup[] = [];
  let load: Cost = { groups: 0, values: 0, bytes: 0 };
  for (const group of groups) {
    const cost = costOf(group);
    if (open.length > 0 && !isWithin(sum(load, cost), limits)) {
      batches.push(open);
      open = [];
      load = { groups: 0, values: 0, bytes: 0 };
    }
    open.push(group);
    load = sum(load, cost);
  }
  if (open.length > 0) batches.push(open);
  return batches;
}

/** The limits of a batch that carries one more precondition. */
export function limitsWithPrecondition(
  precondition: Precondition,
  limits: Capabilities["batch"],
): Capabilities["batch"] {
  const { values, bytes } = preconditionCost(precondition);
  return {
    groupsMax: limits.groupsMax,
    valuesMax: limits.valuesMax - values,
    bytesMax: limits.bytesMax - bytes,
  };
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

/** Every owner name a group writes, its own included. */
export function writeSet(group: ChangeGroup): ReadonlySet<string> {
  return new Set<string>([group.name, ...writtenNames(group)]);
}

/** Owner names of the writes alone. */
function writtenNames({ changes }: ChangeGroup): readonly string[] {
  return changes.map((change) => (change.op === "remove" ? change.previous : change.next).name);
}

function assertedNames(group: ChangeGroup): readonly string[] {
  return group.preconditions.map((precondition) => {
    if (precondition.is === "name-unused") return precondition.name;
    return precondition.is === "exact" ? precondition.set.name : precondition.key.name;
  });
}

/**
 * What a group costs in one call; bytes are an upper estimate of the wire form without compression.
 */
function costOf(group: ChangeGroup): Cost {
  let values = 0;
  let bytes = 0;
  for (const set of group.changes.flatMap(setsOf)) {
    values += set.values.length;
    bytes += bytesOf(set);
  }
  for (const precondition of group.preconditions) {
    const cost = preconditionCost(precondition);
    values += cost.values;
    bytes += cost.bytes;
  }
  return { groups: 1, values, bytes };
}

function preconditionCost(precondition: Precondition): Omit<Cost, "groups"> {
  const data = precondition.is === "exact" ? bytesOf(precondition.set) : 0;
  return { values: 1, bytes: PRECONDITION_BYTES + data };
}

/** A name and a record without rdata, uncompressed. */
const PRECONDITION_BYTES = 280;
/** Type, class, TTL and lengths of a record on the wire, RFC 1035 §3.2.1. */
const RECORD_BYTES = 14;

function bytesOf(set: { readonly name: string; readonly values: readonly string[] }): number {
  return set.values.reduce((sum, value) => sum + set.name.length + value.length + RECORD_BYTES, 0);
}

function setsOf(change: Change): readonly { name: string; values: readonly string[] }[] {
  if (change.op === "create") return [change.next];
  if (change.op === "remove") return [change.previous];
  return [change.previous, change.next];
}
