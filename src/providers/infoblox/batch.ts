/**
 * Change groups to the operations of one transaction: deletions, then changes, then creations. What
 * leaves and what comes in its place is one change of an object, which keeps what people wrote
 * beside it. Pure.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Fields } from "@zonekeeper/kube/objects/object-fields";
import type { Change, ChangeGroup, Outcome } from "../../plan/changes.ts";
import { changedOutcome } from "../shared/failed-calls.ts";
import { type RecordsAt, valueChange } from "../shared/record-session.ts";
import { writtenSet } from "../shared/vendor-session.ts";
import { type KnownRecord, toObject } from "./convert.ts";
import { OBJECT_OF } from "./objects.ts";

/** In the order in which the Grid carries them out. */
const METHODS = ["DELETE", "PUT", "POST"] as const;

/** One operation, and the record that is there after it. */
export interface Operation {
  readonly method: (typeof METHODS)[number];
  /** A reference, or the kind of object to create. */
  readonly object: string;
  /** Null = a deletion. */
  readonly data: Fields | null;
  readonly name: DnsName;
  /** Its `ref` is that of the answer; null = it is gone. */
  readonly after: Omit<KnownRecord, "ref"> | null;
}

/** A transaction; `troubles`, by index = why groups cannot be sent. */
export interface Transaction {
  readonly operations: readonly Operation[];
  readonly troubles: ReadonlyMap<number, Outcome>;
}

/** All groups in one transaction. `creation`: what new objects get beside their values. */
export function toTransaction(
  groups: readonly ChangeGroup[],
  recordsAt: RecordsAt<KnownRecord>,
  creation: Fields,
): Transaction {
  const operations: Operation[] = [];
  const troubles = new Map<number, Outcome>();
  for (const [index, { name, changes }] of groups.entries())
    for (const change of changes) {
      const known = recordsAt(writtenSet(change).name);
      const trouble = troubleOf(change, known, name);
      if (trouble !== null && !troubles.has(index)) troubles.set(index, trouble);
      operations.push(...operationsOf(change, known, creation));
    }
  return {
    operations: METHODS.flatMap((method) => operations.filter((one) => one.method === method)),
    troubles,
  };
}

/** Null = the change can be sent. */
function troubleOf(
  change: Change,
  known: readonly KnownRecord[],
  name: ChangeGroup["name"],
): Outcome | null {
  const { before, lacksRecords } = valueChange(change, known);
  if (change.op === "replace" && lacksRecords)
    return changedOutcome(name, "a record that is to be replaced does not exist any more");
  const { type } = writtenSet(change);
  const next = change.op === "remove" ? [] : change.next.values;
  const readOnly = before.find(({ state }) => state === "readOnly");
  const disabled = known.find(
    (one) => one.type === type && one.state === "disabled" && next.includes(one.value),
  );
  const message = readOnly
    ? `the value ${readOnly.value} belongs to an object that is not written, such as a host record; remove that object, or use another name`
    : disabled &&
      `a disabled record with the value ${disabled.value} is there; enable it, or remove it`;
  return message === undefined
    ? null
    : { name, status: "rejected", code: "InfobloxReadOnly", message };
}

function operationsOf(
  change: Change,
  known: readonly KnownRecord[],
  creation: Fields,
): readonly Operation[] {
  const set = writtenSet(change);
  const plain = known.filter(({ state }) => state === "plain");
  const { staying, going, coming } = valueChange(change, plain);
  const { name, type, ttlSeconds } = set;
  const { object = "", isChangeable = false } = OBJECT_OF.get(type) ?? {};
  const pairs = isChangeable ? Math.min(going.length, coming.length) : 0;
  const ttl = { ttl: ttlSeconds, use_ttl: true };
  const written = (
    method: Operation["method"],
    of: string,
    data: Fields,
    value: string,
  ): Operation => {
    const after = { type, value, ttlSeconds, state: "plain" } as const;
    return { method, object: of, data, name, after };
  };
  return [
    ...staying
      .filter((record) => record.ttlSeconds !== ttlSeconds)
      .map(({ ref, value }) => written("PUT", ref, ttl, value)),
    ...coming.slice(0, pairs).map((value, at) => {
      return written("PUT", going[at]?.ref ?? "", toObject(set, value), value);
    }),
    ...going.slice(pairs).map(({ ref }): Operation => {
      return { method: "DELETE", object: ref, data: null, name, after: null };
    }),
    ...coming.slice(pairs).map((value) => {
      return written("POST", object, { name, ...creation, ...toObject(set, value) }, value);
    }),
  ];
}
