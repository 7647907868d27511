/**
 * `metadata.managedFields` read and written: who owns which fields, one entry for each manager,
 * operation and subresource (for updates each API version too). Pure. Kubernetes apimachinery
 * pkg/util/managedfields/internal/managedfields.go.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { isObject, type JsonObject, textAt } from "../json/json.ts";
import { type FieldSet, fromFieldsV1, toFieldsV1 } from "./field-set.ts";

/** The writer of fields. */
export interface Manager {
  /** Name; may be empty when a client gives none. */
  readonly name: string;
  /** Empty = the object itself. */
  readonly subresource: string;
}

/** One entry. */
export interface ManagedEntry {
  readonly manager: Manager;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  /** RFC 3339, second precision; empty = not known. */
  readonly time: string;
  readonly fields: FieldSet;
}

/** Entries by identity. */
export type Managed = ReadonlyMap<string, ManagedEntry>;

/** Entries of updates at most (DefaultMaxUpdateManagers). */
const UPDATE_MANAGERS_MAX = 10;

/** What tells entries apart: an applier is the same whatever version it applied. */
export function identityOf(entry: Omit<ManagedEntry, "fields" | "time">): string {
  const { manager, operation, apiVersion } = entry;
  const version = operation === "Apply" ? "" : apiVersion;
  return JSON.stringify([operation, manager.name, manager.subresource, version]);
}

/** The entries of a `managedFields` value; null = it cannot be read. Absent is empty. */
export function readManaged(value: unknown): Managed | null {
  if (value === undefined) return new Map();
  if (!Array.isArray(value)) return null;
  const managed = new Map<string, ManagedEntry>();
  for (const each of value) {
    const entry = readEntry(each);
    if (entry === null) return null;
    managed.set(identityOf(entry), entry);
  }
  return managed;
}

function readEntry(value: unknown): ManagedEntry | null {
  const operation = textAt(value, "operation");
  if (operation !== "Apply" && operation !== "Update") return null;
  const apiVersion = textAt(value, "apiVersion");
  const fields = fromFieldsV1(isObject(value) ? (value["fieldsV1"] ?? {}) : {});
  if (apiVersion === "" || textAt(value, "fieldsType") !== "FieldsV1" || fields === null)
    return null;
  const manager = { name: textAt(value, "manager"), subresource: textAt(value, "subresource") };
  return { manager, operation, apiVersion, time: textAt(value, "time"), fields };
}

/** True for `[]` and `[{}]`: the client removes all owners. */
export function isReset(value: unknown): boolean {
  if (!Array.isArray(value) || value.length > 1) return false;
  const [only]: readonly unknown[] = value;
  return only === undefined || (isObject(only) && Object.keys(only).length === 0);
}

/**
 * The value of `managedFields`, appliers first, then by time and name; undefined = there are no
 * entries.
 */
export function writeManaged(managed: Managed): readonly JsonObject[] | undefined {
  if (managed.size === 0) return undefined;
  return [...managed.values()].sort(compareEntries).map(writeEntry);
}

function writeEntry(entry: ManagedEntry): JsonObject {
  const { manager, operation, apiVersion, time, fields } = entry;
  return {
    ...(manager.name === "" ? {} : { manager: manager.name }),
    operation,
    apiVersion,
    ...(time === "" ? {} : { time }),
    fieldsType: "FieldsV1",
    fieldsV1: toFieldsV1(fields),
    ...(manager.subresource === "" ? {} : { subresource: manager.subresource }),
  };
}

const compareEntries = (a: ManagedEntry, b: ManagedEntry): number =>
  compareText(orderOf(a), orderOf(b));

/** No text has a NUL in it, so that the order of the first difference counts. */
const orderOf = ({ operation, time, manager, apiVersion }: ManagedEntry): string =>
  [operation, time, manager.name, apiVersion, manager.subresource].join("\0");

/**
 * At most `UPDATE_MANAGERS_MAX` entries of updates: the fields of the oldest have no owner then.
 */
export function capped(managed: Managed): Managed {
  const updates = [...managed].filter(([, entry]) => entry.operation === "Update");
  const surplus = Math.max(0, updates.length - UPDATE_MANAGERS_MAX);
  updates.sort(([, a], [, b]) => compareEntries(a, b));
  const result = new Map(managed);
  for (const [identity] of updates.slice(0, surplus)) result.delete(identity);
  return result;
}
