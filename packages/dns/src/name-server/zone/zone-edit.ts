/**
 * Makes the next version of a zone from an earlier one, with the difference (RFC 2136 §3.6, RFC
 * 1995 §4). Holds no rules about who may change what: those are in update/.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { groupedBy } from "@zonekeeper/base/grouped-by";
import { invariant } from "@zonekeeper/base/invariant";
import { type DnsName, isAtOrBelow, parentOf } from "../../names/dns-name.ts";
import { canonicalValues } from "../../rdata/index.ts";
import type { RecordType } from "../../rdata/rdata-format.ts";
import { formatSoa, isSerialNewer, nextSerial, parseSoaFields } from "../../rdata/soa.ts";
import { BucketMap } from "./bucket-map.ts";
import {
  findSet,
  recordsOf,
  type TypeSet,
  type ZoneNode,
  type ZoneRecord,
  type ZoneRecordSet,
  ZoneVersion,
} from "./zone-version.ts";

/**
 * The changes of one version, as IXFR sends them (RFC 1995 §4). SOA records are kept apart from the
 * others.
 */
export interface ZoneDelta {
  readonly fromSoa: ZoneRecord;
  readonly toSoa: ZoneRecord;
  readonly removed: readonly ZoneRecord[];
  readonly added: readonly ZoneRecord[];
}

/** A finished edit. `delta` is null, and `version` the one before, when nothing differs. */
export interface ZoneChange {
  readonly version: ZoneVersion;
  readonly delta: ZoneDelta | null;
}

/** A change in the making. Not to be used after `finish`. */
export class ZoneEdit {
  readonly #base: ZoneVersion;
  readonly #nodes = new Map<DnsName, ZoneNode | undefined>();
  #recordCount: number;

  constructor(base: ZoneVersion) {
    this.#base = base;
    this.#recordCount = base.recordCount;
  }

  /** The sets at a name as the edit has them now; empty when there are none. */
  setsAt(name: DnsName): readonly TypeSet[] {
    return this.#node(name)?.sets ?? [];
  }

  /** One set as the edit has it now. */
  set(name: DnsName, type: RecordType): TypeSet | undefined {
    return findSet(this.setsAt(name), type);
  }

  /** Number of records as the edit has them now, the SOA included. */
  get recordCount(): number {
    return this.#recordCount;
  }

  /** Puts a set in the place of the one of its type; without values it removes that. */
  put(name: DnsName, set: TypeSet): void {
    const before = this.setsAt(name);
    const rest = before.filter((other) => other.type !== set.type);
    const values = canonicalValues(set.values);
    const sets = values.length === 0 ? rest : [...rest, { ...set, values }];
    this.#recordCount += values.length - (findSet(before, set.type)?.values.length ?? 0);
    this.#putNode(name, {
      sets: sets.toSorted((a, b) => compareText(a.type, b.type)),
      children: this.#node(name)?.children ?? 0,
    });
  }

  /** Removes a set; nothing happens when there is none. */
  remove(name: DnsName, type: RecordType): void {
    if (this.set(name, type) !== undefined) this.put(name, { type, ttlSeconds: 0, values: [] });
  }

  /**
   * The next version. Its serial is raised unless the edit has put a later one itself (RFC 2136
   * §3.6).
   */
  finish(): ZoneChange {
    // Records other than the SOA, in the order in which their names were first touched.
    const names = [...this.#nodes.keys()];
    const setsBefore = (name: DnsName) => this.#base.node(name)?.sets ?? [];
    const removed = names.flatMap((name) =>
      missingRecords(name, setsBefore(name), this.setsAt(name)),
    );
    const added = names.flatMap((name) =>
      missingRecords(name, this.setsAt(name), setsBefore(name)),
    );
    const soa = this.set(this.#base.apex, "SOA");
    const data = soa?.values[0];
    invariant(soa !== undefined && data !== undefined, "an edit keeps the SOA");
    const sameSoa =
      soa.ttlSeconds === this.#base.soaRecord.ttlSeconds && data === this.#base.soaRecord.data;
    if (removed.length === 0 && added.length === 0 && sameSoa)
      return { version: this.#base, delta: null };
    this.#raiseSerial(soa, data);
    const version = this.finishAsLoaded();
    const delta = { fromSoa: this.#base.soaRecord, toSoa: version.soaRecord, removed, added };
    return { version, delta };
  }

  /** The version with its serial as it is: for loading a zone, not for changing it. */
  finishAsLoaded(): ZoneVersion {
    return new ZoneVersion(this.#base.apex, this.#base.nodes.with(this.#nodes), this.#recordCount);
  }

  /** RFC 2136 §3.6: unless the update itself has put a later serial. */
  #raiseSerial(set: TypeSet, data: string): void {
    const soa = parseSoaFields(data);
    invariant(soa.ok, "an edit keeps a sound SOA");
    const present = this.#base.soa.serial;
    if (isSerialNewer(soa.value.serial, present)) return;
    const next = formatSoa({ ...soa.value, serial: nextSerial(present) });
    this.put(this.#base.apex, { ...set, values: [next] });
  }

  /** The node as the edit has it now. */
  #node(name: DnsName): ZoneNode | undefined {
    return this.#nodes.has(name) ? this.#nodes.get(name) : this.#base.node(name);
  }

  /**
   * Writes a node, or takes it out when it has become empty, and tells its parent, which may do the
   * same.
   */
  #putNode(name: DnsName, node: ZoneNode): void {
    const apex = this.#base.apex;
    const stays = node.sets.length > 0 || node.children > 0 || name === apex;
    const stood = this.#node(name) !== undefined;
    this.#nodes.set(name, stays ? node : undefined);
    const parent = parentOf(name);
    if (stays === stood || name === apex || parent === null) return;
    invariant(isAtOrBelow(parent, apex), "an edit touches names of its zone only");
    const children = (this.#node(parent)?.children ?? 0) + (stays ? 1 : -1);
    this.#putNode(parent, { sets: this.setsAt(parent), children });
  }
}

/** What keeps record sets from being a zone, for people; null when nothing does. */
export function zoneTrouble(apex: DnsName, sets: readonly ZoneRecordSet[]): string | null {
  const outside = sets.find((set) => !isAtOrBelow(set.name, apex));
  if (outside !== undefined) return `${outside.name} does not lie in the zone ${apex}`;
  const soas = sets.filter((set) => set.type === "SOA");
  const [value, ...others] = soas.flatMap((set) => set.values);
  if (soas[0]?.name !== apex || value === undefined || others.length > 0)
    return `the zone ${apex} needs exactly one SOA, at its apex`;
  const soa = parseSoaFields(value);
  return soa.ok ? null : `the SOA of ${apex} cannot be read: ${soa.error}`;
}

/**
 * Further faults of a new zone: a CNAME with other data, two CNAMEs or DNAMEs
 * (RFC 2181 §10.1, RFC 6672 §2.4).
 */
export function aliasTrouble(sets: readonly ZoneRecordSet[]): string | null {
  const atName = groupedBy(sets, ({ name }) => name);
  for (const { name, type, values } of sets) {
    if (type !== "CNAME" && type !== "DNAME") continue;
    if (values.length > 1) return `${name} has ${values.length} records of type ${type}; leave one`;
    if (type === "CNAME" && atName.get(name)?.length !== 1)
      return `${name} has a CNAME beside other records; leave one or the other`;
  }
  return null;
}

/**
 * A version from scratch. `zoneTrouble` must have found nothing in `sets`.
 */
export function zoneFrom(apex: DnsName, sets: Iterable<ZoneRecordSet>): ZoneVersion {
  const all = [...sets];
  const soa = all.find((set) => set.name === apex && set.type === "SOA");
  invariant(soa !== undefined, "a zone has an SOA");
  const soaSet: TypeSet = { type: "SOA", ttlSeconds: soa.ttlSeconds, values: soa.values };
  const seed = BucketMap.empty<DnsName, ZoneNode>().with(
    new Map([[apex, { sets: [soaSet], children: 0 }]]),
  );
  const edit = new ZoneEdit(new ZoneVersion(apex, seed, 1));
  for (const { name, type, ttlSeconds, values } of all)
    if (type !== "SOA") edit.put(name, { type, ttlSeconds, values });
  return edit.finishAsLoaded();
}

/** Records of `sets` that `others` does not have with the same TTL. The SOA is left out. */
function missingRecords(
  name: DnsName,
  sets: readonly TypeSet[],
  others: readonly TypeSet[],
): readonly ZoneRecord[] {
  return sets.flatMap((set) => {
    if (set.type === "SOA") return [];
    const other = findSet(others, set.type);
    const kept = other?.ttlSeconds === set.ttlSeconds ? new Set(other.values) : new Set<string>();
    return recordsOf(name, set).filter((record) => !kept.has(record.data));
  });
}
