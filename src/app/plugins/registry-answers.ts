/**
 * Whether what a registry of a plug-in answers can be an answer to what it was asked. It says whose
 * a record is, which nobody can check; that no record is lost, made up, or written without having
 * been planned can be. Null = it can be. Pure.
 */
import { fieldsOf, isFields } from "@zonekeeper/kube/objects/object-fields";
import {
  hasSameData,
  isSameKey,
  type RecordSet,
  type RecordSetKey,
} from "../../model/record-set.ts";
import type { Change, KeyChange, NamePlan } from "../../plan/changes.ts";
import { HOLD_REASONS } from "../../plan/hold-reasons.ts";
import {
  DNS_NAME,
  FLAG,
  FULL_TEXT,
  FUNCTION,
  LIST,
  OBJECT,
  oneOf,
  orAbsent,
  orNull,
  RECORD_SET,
  type Shape,
  TEXT,
  wrongElement,
  wrongField,
} from "./shape.ts";

const REGISTRY: Shape = {
  ...{ format: FULL_TEXT, read: FUNCTION, affected: FUNCTION, related: FUNCTION },
  ...{ prepare: FUNCTION, confirm: FUNCTION, zoneMarkers: orAbsent(OBJECT) },
  ...{ permits: orAbsent(OBJECT), migration: orAbsent(OBJECT), externalStore: orAbsent(OBJECT) },
};
const FEATURES: Readonly<Record<string, Shape>> = {
  zoneMarkers: {
    ...{ learn: FUNCTION, dependentNames: FUNCTION, refuses: FUNCTION, blockerOf: FUNCTION },
    beginnings: orAbsent(LIST),
  },
  permits: { namesOfPermits: FUNCTION },
  migration: { outdated: FUNCTION },
  externalStore: { refresh: FUNCTION, recordIntents: FUNCTION, resync: FUNCTION },
};

/** What was opened for a zone. */
export function wrongRegistry(registry: unknown): string | null {
  const wrong = wrongField(registry, REGISTRY, "registry");
  if (wrong !== null) return wrong;
  for (const [feature, shape] of Object.entries(FEATURES)) {
    const given = fieldsOf(registry)[feature];
    const missing = given === undefined ? null : wrongField(given, shape, `registry.${feature}`);
    if (missing !== null) return missing;
  }
  return null;
}

/** `self`: a name that must be among them; null = none. */
export function wrongNames(names: unknown, self: string | null): string | null {
  if (!Array.isArray(names)) return "it must be a list of names";
  const wrong = names.findIndex((name) => !isWritten(name));
  if (wrong >= 0) return `names[${wrong}] must be a name in lower case, without the last dot`;
  return self === null || names.includes(self) ? null : `${self} itself is missing`;
}

/** Names where a marker could be may be none that a zone can have: they are not found there. */
function isWritten(name: unknown): boolean {
  return (
    typeof name === "string" && /^[^.].*[^.]$|^[^.]$/.test(name) && name === name.toLowerCase()
  );
}

const BLOCKER: Shape = { code: oneOf(...Object.keys(HOLD_REASONS)), message: FULL_TEXT };

/** Null is an answer. */
export function wrongBlocker(blocker: unknown): string | null {
  return blocker === null ? null : wrongField(blocker, BLOCKER, "blocker");
}

const VIEW: Shape = {
  ...{ name: DNS_NAME, type: FULL_TEXT, setIdentifier: orNull(FULL_TEXT), contested: FLAG },
  ...{ data: orNull(OBJECT), marker: orNull(OBJECT), permit: orAbsent(OBJECT) },
  ...{ owners: orAbsent(LIST), foreignValues: orAbsent(LIST) },
};
const MARKER: Shape = {
  ...{ owner: TEXT, resource: orNull(TEXT), cluster: orNull(TEXT), labels: OBJECT },
  record: orNull(OBJECT),
};

/** `hasMarkers`: record sets of type TXT may be markers, which are no data. */
export function wrongViews(
  views: unknown,
  sets: readonly RecordSet[],
  hasMarkers: boolean,
): string | null {
  const wrong = wrongElement(views, VIEW, "views");
  if (wrong !== null || !Array.isArray(views)) return wrong;
  const given = new Map(sets.map((set) => [keyTextOf(set), set]));
  const left = new Map(given);
  for (const [index, view] of views.entries()) {
    const { data, marker, permit } = fieldsOf(view);
    const at = `views[${index}]`;
    const wrongMarker = marker === null ? null : wrongField(marker, MARKER, `${at}.marker`);
    if (wrongMarker !== null) return wrongMarker;
    const records = [data, fieldsOf(marker)["record"] ?? null, fieldsOf(permit)["record"] ?? null];
    if (records.some((one) => one !== null && !isGiven(one, given)))
      return `${at} has a record set that was not handed in`;
    if (data !== null && !left.delete(keyTextOf(data)))
      return `${at} has a record set that another view has, too`;
    if (data !== null && keyTextOf(data) !== keyTextOf(view)) return `${at}.data has another key`;
  }
  const lost = [...left.values()].find(({ type }) => !(hasMarkers && type === "TXT"));
  return lost === undefined ? null : `${lost.type} ${lost.name} is in no view`;
}

/** Markers and data may share a record set of type TXT: each has some of its values then. */
function isGiven(set: unknown, given: ReadonlyMap<string, RecordSet>): boolean {
  if (!isRecordSet(set)) return false;
  const whole = given.get(keyTextOf(set));
  if (whole === undefined) return false;
  if (set.type === "TXT") return set.values.every((value) => whole.values.includes(value));
  return hasSameData(set, whole) && set.ttlSeconds === whole.ttlSeconds;
}

function isRecordSet(value: unknown): value is RecordSet {
  return wrongField(value, RECORD_SET, "") === null;
}

function keyTextOf(value: unknown): string {
  const { name, type, setIdentifier } = fieldsOf(value);
  return JSON.stringify([name, type, setIdentifier]);
}

const GROUP: Shape = { name: DNS_NAME, keys: LIST, changes: LIST, preconditions: LIST };
const KEY_CHANGE: Shape = { key: OBJECT, reason: OBJECT, change: orNull(OBJECT) };
const HOLD: Shape = { ...BLOCKER, key: OBJECT };
const MOVES: Shape = { name: DNS_NAME, changes: LIST, holds: LIST };
const CHANGE: Shape = { op: oneOf("create", "replace", "remove") };
const REST: Shape = { writes: LIST };

/** Plan of moves of one name. */
export function wrongMoves(moves: unknown, name: string): string | null {
  const { changes, holds } = fieldsOf(moves);
  return (
    wrongField(moves, { ...MOVES, name: oneOf(name) }, "moves") ??
    wrongElement(changes, KEY_CHANGE, "changes") ??
    wrongElement(holds, HOLD, "holds")
  );
}

/** `near`: names where a marker of the plan may be. */
export function wrongPrepared(
  prepared: unknown,
  plan: NamePlan,
  near: readonly string[],
): string | null {
  const { ok, group, holds } = fieldsOf(prepared);
  if (typeof ok !== "boolean") return "ok must be true or false";
  const wrongHolds = holds === undefined && ok ? null : wrongElement(holds, HOLD, "holds");
  if (wrongHolds !== null) return wrongHolds;
  const held = listed(holds);
  if (!ok) return forgotten(plan, held);
  const { keys, changes, rest = null } = fieldsOf(group);
  const wrong =
    wrongField(group, { ...GROUP, name: oneOf(plan.name) }, "group") ??
    wrongElement(keys, KEY_CHANGE, "group.keys") ??
    wrongElement(changes, CHANGE, "group.changes") ??
    (rest === null ? null : wrongField(rest, REST, "group.rest")) ??
    wrongElement(fieldsOf(rest)["writes"] ?? [], CHANGE, "group.rest.writes");
  if (wrong !== null) return wrong;
  const writes = [...listed(changes), ...listed(fieldsOf(rest)["writes"])];
  return (
    writes.map((write) => unplanned(write, plan, near)).find((one) => one !== null) ??
    forgotten(plan, [...listed(keys), ...held])
  );
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What is neither written nor held would be said to be done. */
function forgotten({ changes }: NamePlan, answered: readonly unknown[]): string | null {
  const known = new Set(answered.map((one) => keyTextOf(fieldsOf(one)["key"])));
  const lost = changes.find(({ key }) => !known.has(keyTextOf(key)));
  return lost === undefined
    ? null
    : `${lost.key.type} ${lost.key.name} is neither written nor held`;
}

/** A write that is neither one of the plan nor of a marker near its name. */
function unplanned(write: unknown, plan: NamePlan, near: readonly string[]): string | null {
  const { op, previous, next } = fieldsOf(write);
  const sets = [op === "create" ? null : previous, op === "remove" ? null : next];
  if (!isChange(write) || sets.some((set) => set !== null && !isRecordSet(set)))
    return "a change lacks its record set";
  const key = write.op === "remove" ? write.previous : write.next;
  if (write.op === "replace" && !isSameKey(write.previous, key)) return "a change has two keys";
  if (plan.changes.some((planned) => isPlanned(write, key, planned))) return null;
  if (key.type === "TXT" && near.includes(key.name)) return null;
  return `${key.type} ${key.name} is written without having been planned`;
}

function isChange(value: unknown): value is Change {
  return isFields(value);
}

function isPlanned(write: Change, key: RecordSetKey, { key: at, change }: KeyChange): boolean {
  if (!isSameKey(key, at) || change === null) return false;
  if (write.op === "remove") return change.op !== "create";
  return change.op !== "remove" && hasSameData(write.next, change.next);
}
