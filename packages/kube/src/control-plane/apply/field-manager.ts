/**
 * Who owns which fields after a write. Updates own what they change; an apply owns the fields of
 * its configuration, removes fields that only it owned and no longer sends, and is refused where it
 * would change fields of other owners. Pure. Kubernetes, "Server-Side Apply"; structured-merge-diff
 * merge/update.go; apimachinery pkg/util/managedfields/internal.
 */
import { apiVersionOf } from "../../objects/kubernetes.ts";
import {
  defined,
  equalJson,
  isObject,
  type JsonObject,
  objectAt,
  valueAt,
  without,
} from "../json/json.ts";
import type { ServedKind } from "../objects/served-kind.ts";
import type { Schema } from "../schema/schema.ts";
import { applyConflict, type Conflict } from "./apply-errors.ts";
import {
  differenceBelow,
  differenceOf,
  equalSets,
  type FieldSet,
  intersectionOf,
  isEmptySet,
  NO_FIELDS,
  pathsOf,
  setOf,
  unionOf,
} from "./field-set.ts";
import { type Comparison, compareFields, fieldsOf, withNamedFields } from "./field-walk.ts";
import { withAllowedConflicts } from "./last-applied.ts";
import {
  capped,
  identityOf,
  isReset,
  type Managed,
  type ManagedEntry,
  type Manager,
  readManaged,
  writeManaged,
} from "./managed-fields.ts";
import { wholeSchema } from "./merge-rule.ts";
import { mergeConfiguration, withoutFields } from "./merge-values.ts";

/** The writer of fields, and the time of the write. */
export interface FieldAuthor extends Manager {
  /** RFC 3339, second precision. */
  readonly time: string;
}

/** A write that is not an apply. */
export interface UpdateRecord {
  /** Null = the object is being created. */
  readonly live: JsonObject | null;
  /** As the client wants it, with the managedFields that it sent, if any. */
  readonly next: JsonObject;
  readonly author: FieldAuthor;
}

/** An apply. */
export interface Application {
  /** Null = the object is being created. */
  readonly live: JsonObject | null;
  readonly config: JsonObject;
  readonly author: FieldAuthor;
  /** True = conflicts are won instead of refused. */
  readonly force: boolean;
}

/** The entries after an update, as `managedFields` has them; undefined = no field has an owner. */
export function recordUpdate(
  kind: ServedKind,
  update: UpdateRecord,
): readonly JsonObject[] | undefined {
  const { live, next, author } = update;
  const before = managedBefore(update);
  // An object without recorded owners gets none before the first apply
  // (skipnonapplied.go).
  if (before.size === 0 && live !== null) return undefined;
  const step = { from: live ?? unfilledObject(kind), to: next, author };
  return written(before, updated(kind, before, step), live);
}

/** The object after an apply, with its managedFields. Throws ApiError 409 for conflicts. */
export function applyConfiguration(kind: ServedKind, application: Application): JsonObject {
  const { live, config, author } = application;
  const schema = wholeSchema(kind);
  const current = stripped(live ?? blankObject(kind));
  const before = knownOwners(kind, application, current);
  const entry: ManagedEntry = {
    manager: { name: author.name, subresource: author.subresource },
    operation: "Apply",
    apiVersion: apiVersionOf(kind.ref),
    time: author.time,
    fields: differenceBelow(fieldsOf(schema, config), resetFields(kind, author.subresource)),
  };
  const identity = identityOf(entry);
  const last = before.get(identity)?.fields ?? NO_FIELDS;
  const managed = new Map(before).set(identity, entry);
  const merged = mergeConfiguration(schema, current, config);
  const next = pruned(schema, { merged, last, managed, config });
  const change = comparisonOf(kind, { from: current, to: next, author });
  const conflicts = conflictsOf(managed, identity, change);
  const refused = withAllowedConflicts(conflicts, { schema, live: current, author });
  if (!application.force && refused.length > 0) throw applyConflict(refused);
  const after = withOwn(withoutLost(managed, identity, change), identity, entry);
  const settled = equalJson(current, next) ? timed(after, identity, before) : after;
  const managedFields = written(before, settled, live);
  const metadata = { ...objectAt(next, "metadata"), managedFields };
  return { ...next, metadata: defined(metadata) };
}

/** The entries that a write begins with: the client's own, unless it sent none or may not say. */
function managedBefore({ live, next, author }: UpdateRecord): Managed {
  const sent = valueAt(next, "metadata", "managedFields");
  const known = readManaged(valueAt(live, "metadata", "managedFields")) ?? new Map();
  if (author.subresource !== "") return known;
  if (isReset(sent)) return new Map();
  const own = readManaged(sent);
  return own === null || own.size === 0 ? known : own;
}

/** An object without recorded owners gets an owner of all its fields first. */
function knownOwners(kind: ServedKind, application: Application, current: JsonObject): Managed {
  const { live, author } = application;
  const managed = readManaged(valueAt(live, "metadata", "managedFields")) ?? new Map();
  if (live === null || managed.size > 0) return managed;
  const before = { ...author, name: "before-first-apply" };
  return updated(kind, managed, { from: unfilledObject(kind), to: current, author: before });
}

interface UpdateStep {
  readonly from: JsonObject;
  readonly to: JsonObject;
  readonly author: FieldAuthor;
}

/** The entries after a change that is no apply. */
function updated(kind: ServedKind, managed: Managed, step: UpdateStep): Managed {
  const change = comparisonOf(kind, step);
  const won = withoutMetaFields(change.changed);
  const left = withoutLost(managed, null, change);
  if (isEmptySet(won)) return capped(left);
  const { name, subresource, time } = step.author;
  const entry: ManagedEntry = {
    manager: { name, subresource },
    operation: "Update",
    apiVersion: apiVersionOf(kind.ref),
    time,
    fields: won,
  };
  const identity = identityOf(entry);
  const had = left.get(identity)?.fields ?? NO_FIELDS;
  return capped(new Map(left).set(identity, { ...entry, fields: unionOf(had, won) }));
}

/** What a step changes, less what its subresource cannot. */
function comparisonOf(kind: ServedKind, step: UpdateStep): Comparison {
  const change = compareFields(wholeSchema(kind), stripped(step.from), stripped(step.to));
  const reset = resetFields(kind, step.author.subresource);
  return {
    changed: differenceBelow(change.changed, reset),
    removed: differenceBelow(change.removed, reset),
  };
}

/** Fields that others own and the change would set otherwise. */
function conflictsOf(managed: Managed, self: string, change: Comparison): readonly Conflict[] {
  return [...managed]
    .filter(([identity]) => identity !== self)
    .flatMap(([, owner]) =>
      pathsOf(intersectionOf(owner.fields, change.changed)).map((path) => ({ owner, path })),
    );
}

/** The entries of all but `self` without the fields that the change set or took away. */
function withoutLost(managed: Managed, self: string | null, change: Comparison): Managed {
  const lost = unionOf(change.changed, change.removed);
  const result = new Map<string, ManagedEntry>();
  for (const [identity, entry] of managed) {
    const fields = identity === self ? entry.fields : differenceOf(entry.fields, lost);
    if (!isEmptySet(fields)) result.set(identity, { ...entry, fields });
  }
  return result;
}

/** The entries with the applier's own one, or without it where the applier owns nothing. */
function withOwn(managed: Managed, identity: string, entry: ManagedEntry): Managed {
  const result = new Map(managed);
  const fields = withoutMetaFields(entry.fields);
  if (isEmptySet(fields)) result.delete(identity);
  else result.set(identity, { ...entry, fields });
  return result;
}

/** An apply that changes neither the object nor what it owns keeps its time. */
function timed(after: Managed, identity: string, before: Managed): Managed {
  const had = before.get(identity);
  const entry = after.get(identity);
  if (had === undefined || entry === undefined || had.apiVersion !== entry.apiVersion) return after;
  if (!equalSets(had.fields, entry.fields)) return after;
  return new Map(after).set(identity, { ...entry, time: had.time });
}

interface Pruning {
  readonly merged: unknown;
  /** What the applier owned before. */
  readonly last: FieldSet;
  /** All entries, the applier's new one among them. */
  readonly managed: Managed;
  readonly config: JsonObject;
}

/** Removes fields that the applier owned, no longer sends, and that have no other owner. */
function pruned(schema: Schema, pruning: Pruning): JsonObject {
  const { merged, managed, config } = pruning;
  const last = withNamedFields(schema, pruning.last);
  const all = withNamedFields(schema, fieldsOf(schema, merged));
  const owned = withNamedFields(
    schema,
    [...managed.values()].reduce((set, entry) => unionOf(set, entry.fields), NO_FIELDS),
  );
  const leftOf = (value: unknown): FieldSet => withNamedFields(schema, fieldsOf(schema, value));
  const first = withoutFields(schema, merged, last);
  const unowned = differenceOf(all, unionOf(leftOf(first), owned));
  const second = withoutFields(schema, merged, unowned);
  const gone = intersectionOf(differenceOf(all, leftOf(second)), last);
  const result = withoutFields(schema, merged, gone);
  // Once more: an empty map or list in the configuration must not be removed with its content.
  const whole = mergeConfiguration(schema, result, config);
  return isObject(whole) ? whole : config;
}

/** Fields that never get an owner: of stripmeta.go, and what only a deletion sets. */
function withoutMetaFields(fields: FieldSet): FieldSet {
  return differenceOf(fields, META_FIELDS);
}

const META_FIELDS: FieldSet = setOf([
  ["f:apiVersion"],
  ["f:kind"],
  ["f:metadata"],
  ...[
    ...["name", "namespace", "creationTimestamp", "selfLink", "uid", "generation"],
    ...["managedFields", "resourceVersion", "deletionTimestamp", "deletionGracePeriodSeconds"],
  ].map((name) => ["f:metadata", `f:${name}`]),
]);

/** What a write to this part cannot change (the strategies' GetResetFields). */
function resetFields(kind: ServedKind, subresource: string): FieldSet {
  if (subresource === "") return kind.hasStatus ? setOf([["f:status"]]) : NO_FIELDS;
  const names = ["metadata", ...Object.keys(kind.schema.properties ?? {})];
  return setOf(names.filter((name) => name !== "status").map((name) => [`f:${name}`]));
}

/**
 * What an object that is being created is compared with: built-in kinds have their structs from the
 * start.
 */
function blankObject(kind: ServedKind): JsonObject {
  const structs = Object.entries(kind.custom ? {} : (kind.schema.properties ?? {})).filter(
    ([, schema]) => schema.type === "object" && schema.properties !== undefined,
  );
  return { metadata: {}, ...Object.fromEntries(structs.map(([name]) => [name, {}])) };
}

/**
 * The same with the fields that such structs always show: required lists and structs are present
 * and empty.
 */
function unfilledObject(kind: ServedKind): JsonObject {
  const blank = blankObject(kind);
  const { properties = {} } = kind.schema;
  const filled = Object.keys(blank).map((name) => [name, unfilled(properties[name] ?? {})]);
  return kind.custom ? blank : { ...Object.fromEntries(filled), metadata: {} };
}

function unfilled(schema: Schema): JsonObject | null {
  if (schema.type !== "object" || schema.properties === undefined) return null;
  const { properties } = schema;
  const shown = (schema.required ?? []).flatMap((name) => {
    const field = properties[name] ?? {};
    const isContainer = field.type === "array" || field.properties !== undefined;
    return isContainer ? [[name, unfilled(field)]] : [];
  });
  return Object.fromEntries(shown);
}

/** The object without its record, which is not part of what is recorded. */
function stripped(object: JsonObject): JsonObject {
  return { ...object, metadata: without(objectAt(object, "metadata"), "managedFields") };
}

/**
 * The record as the object has it already when nothing changed in it, so that one list is shared.
 */
function written(
  before: Managed,
  after: Managed,
  live: JsonObject | null,
): readonly JsonObject[] | undefined {
  const known = valueAt(live, "metadata", "managedFields");
  const result = writeManaged(after);
  if (before.size === 0 || !Array.isArray(known) || !equalJson(known, result)) return result;
  return known.filter(isObject);
}
