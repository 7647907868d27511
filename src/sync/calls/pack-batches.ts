/**
 * Packs groups into batches by a provider's limits. Groups that share an owner name, markers
 * included, never share a round (Z-11): the later one is planned anew when the zone shows
 * the earlier one.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
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

  /** Takes the group in; false = it shares a name with a group that is in already. */
  tryAdd(group: ChangeGroup): boolean {
    const written = writeSet(group);
    const asserted = group.preconditions.map(assertedName);
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
export type PackCapabilities = AssertionCapabilities &
  Pick<Capabilities, "batch"> & {
    /** The end of names that a message has once; absent = none. */
    readonly apex?: DnsName;
  };

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
    .reduce(sum, { ...NO_LOAD, compares: comparesIn({ changes: [], preconditions: compares }) });
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
  operations: 0,
  compares: 0,
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
    operations: a.operations + b.operations,
    compares: a.compares + b.compares,
    values: a.values + b.values,
    characters: a.characters + b.characters,
    bytes: a.bytes + b.bytes,
  };
}

const UNITS = [
  "groups",
  "additions",
  "deletions",
  "operations",
  "compares",
  "values",
  "characters",
  "bytes",
] as const;

function isWithin(load: Load, limits: BatchLimits): boolean {
  return UNITS.every((unit) => load[unit] <= (limits[`${unit}Max`] ?? Number.POSITIVE_INFINITY));
}

/** Every owner name a group writes, its own included. */
export function writeSet(group: ChangeGroup): ReadonlySet<string> {
  return new Set<string>([group.name, ...group.changes.map(writtenName)]);
}

function writtenName(change: Change): string {
  return (change.op === "remove" ? change.previous : change.next).name;
}

/** The owner name that a precondition is about. */
export function assertedName(precondition: Precondition): string {
  if (precondition.is === "name-unused") return precondition.name;
  return precondition.is === "exact" ? precondition.set.name : precondition.key.name;
}

function loadOf(group: ChangeGroup, capabilities: PackCapabilities): Load {
  const { batch, apex } = capabilities;
  let load: Load = { ...NO_LOAD, groups: 1, compares: comparesIn(group) };
  for (const change of group.changes) {
    // An added value replaces a removed one in one operation, unless the back end rewrites the
    // type.
    const { rewrittenTypes } = batch;
    const gone = change.op === "create" ? 0 : change.previous.values.length;
    const come = change.op === "remove" ? 0 : change.next.values.length;
    const { type } = change.op === "remove" ? change.previous : change.next;
    const operations = rewrittenTypes?.has(type) === true ? gone + come : Math.max(gone, come);
    const added =
      change.op === "remove" ? NO_LOAD : { ...dataLoad(change.next, apex), additions: 1 };
    const deleted =
      change.op === "create" ? NO_LOAD : { ...dataLoad(change.previous, apex), deletions: 1 };
    load = sum(load, { ...sum(added, deleted), operations });
  }
  for (const precondition of group.preconditions)
    load = sum(load, preconditionLoad(precondition, group, capabilities));
  return load;
}

/** Items that the preconditions compare; a name below another one is compared with that one. */
function comparesIn({ changes, preconditions }: Pick<ChangeGroup, "changes" | "preconditions">) {
  const names = new Set([...changes.map(writtenName), ...preconditions.map(assertedName)]);
  const isCovered = (name: string): boolean =>
    [...names].some((other) => name.endsWith(`.${other}`));
  const own = [...names].filter((name) => !isCovered(name)).length * COMPARES_OF_NAME;
  const exact = preconditions.flatMap((one) => (one.is === "exact" ? one.set.values : []));
  return own + exact.length;
}

/** The name's own record, and whatever else is there. */
const COMPARES_OF_NAME = 2;

function preconditionLoad(
  precondition: Precondition,
  group: Pick<ChangeGroup, "changes">,
  capabilities: PackCapabilities,
): Load {
  const { apex } = capabilities;
  const data = precondition.is === "exact" ? dataLoad(precondition.set, apex) : null;
  switch (assertionOf(precondition, group, capabilities)) {
    case "implied":
    case "never":
      return NO_LOAD;
    case "sent":
      return data ?? { ...NO_LOAD, values: 1, bytes: ownerBytes(assertedName(precondition), apex) };
    case "rewritten":
      return data === null ? NO_LOAD : sum({ ...data, additions: 1 }, { ...data, deletions: 1 });
  }
}

/** Type, class, TTL and length (RFC 1035 §3.2.1). */
const RECORD_BYTES = 10;
/** Bytes that rdata may be longer than its text: `::` is 16 bytes. */
const RDATA_BYTES_MORE = 16;
/** Types whose rdata is no longer than its text, or by the ends of one name. */
const RDATA_BYTES_MORE_OF: Readonly<Record<string, number>> = { A: 0, CNAME: 2, TXT: 0 };

/** Bytes of an owner name; one in the zone ends with a pointer to the apex (RFC 1035 §4.1.4). */
function ownerBytes(name: string, apex: string | undefined): number {
  const end = apex !== undefined && name.endsWith(`.${apex}`) ? apex.length : 0;
  return name.length - end + 2 + RECORD_BYTES;
}

/** Bytes are an upper estimate of the wire form. */
function dataLoad({ name, type, values }: RecordSet, apex: string | undefined): Load {
  let characters = 0;
  for (const value of values) characters += value.length;
  const each = ownerBytes(name, apex) + (RDATA_BYTES_MORE_OF[type] ?? RDATA_BYTES_MORE);
  const bytes = characters + values.length * each;
  return { ...NO_LOAD, values: values.length, characters, bytes };
}
