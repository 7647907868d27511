/**
 * Packs groups into batches by a provider's limits. Groups that share an owner name, markers
 * included, never share a round (Z-11): the later one is planned anew when the zone shows
 * the earlier one.
 */
import type { RecordSet } from "../../model/record-set.ts";
import type { Change, ChangeGroup, Precondition } from "../../plan/changes.ts";
import type { BatchLimits, Capabilities } from "../../providers/provider.ts";
import { type AssertionCapabilities, assertionOf } from "./assertions.ts";

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

/** The capabilities that packing reads. */
export type PackCapabilities = AssertionCapabilities & Pick<Capabilities, "batch">;

/**
 * Fills batches up to the limits; a group that is over a limit by itself gets a batch of its own.
 * `compares`: what each batch asserts in addition.
 */
export function pack(
  groups: readonly ChangeGroup[],
  capabilities: PackCapabilities,
  compares: readonly Precondition[] = [],
): readonly Batch[] {
  const batches: ChangeGroup[][] = [];
  const first = compares
    .map((compare) => preconditionLoad(compare, NO_WRITES, capabilities))
    .reduce(sum, NO_LOAD);
  let open: ChangeGroup[] = [];
  let load = first;
  for (const group of groups) {
    const more = loadOf(group, capabilities);
    if (open.length > 0 && !isWithin(sum(load, more), capabilities.batch)) {
      batches.push(open);
      open = [];
      load = first;
    }
    open.push(group);
    load = sum(load, more);
  }
  if (open.length > 0) batches.push(open);
  return batches;
}

/** What a call holds, in the units of its limits. */
type Load = Readonly<Record<(typeof UNITS)[number], number>>;

const NO_LOAD: Load = {
  groups: 0,
  additions: 0,
  deletions: 0,
  values: 0,
  characters: 0,
  bytes: 0,
};
const NO_WRITES = { changes: [] };

function sum(a: Load, b: Load): Load {
  return {
    groups: a.groups + b.groups,
    additions: a.additions + b.additions,
    deletions: a.deletions + b.deletions,
    values: a.values + b.values,
    characters: a.characters + b.characters,
    bytes: a.bytes + b.bytes,
  };
}

const UNITS = ["groups", "additions", "deletions", "values", "characters", "bytes"] as const;

function isWithin(load: Load, limits: BatchLimits): boolean {
  return UNITS.every((unit) => load[unit] <= (limits[`${unit}Max`] ?? Number.POSITIVE_INFINITY));
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
  return group.preconditions.map(assertedName);
}

function assertedName(precondition: Precondition): string {
  if (precondition.is === "name-unused") return precondition.name;
  return precondition.is === "exact" ? precondition.set.name : precondition.key.name;
}

function loadOf(group: ChangeGroup, capabilities: PackCapabilities): Load {
  let load: Load = { ...NO_LOAD, groups: 1 };
  for (const change of group.changes) load = sum(load, changeLoad(change));
  for (const precondition of group.preconditions)
    load = sum(load, preconditionLoad(precondition, group, capabilities));
  return load;
}

function changeLoad(change: Change): Load {
  const added = change.op === "remove" ? NO_LOAD : { ...dataLoad(change.next), additions: 1 };
  const deleted = change.op === "create" ? NO_LOAD : { ...dataLoad(change.previous), deletions: 1 };
  return sum(added, deleted);
}

function preconditionLoad(
  precondition: Precondition,
  group: Pick<ChangeGroup, "changes">,
  capabilities: PackCapabilities,
): Load {
  switch (assertionOf(precondition, group, capabilities)) {
    case "implied":
    case "never":
      return NO_LOAD;
    case "sent":
      return sentLoad(precondition);
    case "rewritten": {
      if (precondition.is !== "exact") return NO_LOAD;
      const data = dataLoad(precondition.set);
      return sum({ ...data, additions: 1 }, { ...data, deletions: 1 });
    }
  }
}

function sentLoad(precondition: Precondition): Load {
  const data = precondition.is === "exact" ? dataLoad(precondition.set) : NO_LOAD;
  const bytes = assertedName(precondition).length + RECORD_BYTES + data.bytes;
  return { ...data, values: 1, bytes };
}

/**
 * The ends of a name, and type, class, TTL and length (RFC 1035 §3.2.1); besides what rdata may
 * take more than its text: `::` is 16 bytes.
 */
const RECORD_BYTES = 28;

/** Bytes are an upper estimate of the wire form. */
function dataLoad({ name, values }: RecordSet): Load {
  let characters = 0;
  for (const value of values) characters += value.length;
  const bytes = characters + values.length * (name.length + RECORD_BYTES);
  return { ...NO_LOAD, values: values.length, characters, bytes };
}
