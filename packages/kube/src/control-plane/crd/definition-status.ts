/**
 * The status of a definition: its names are accepted unless its group is built in, and the
 * conditions follow (apiextensions-apiserver pkg/controller/status, /establish, /finalizer). Pure.
 */
import { type JsonObject, listAt, objectAt, textAt, valueAt } from "../json/json.ts";
import type { AdmitContext, StoredObject } from "../objects/served-kind.ts";

/** Groups of built-in kinds: no definition may add to them. */
export const BUILT_IN_GROUPS: readonly string[] = [
  "apiextensions.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "coordination.k8s.io",
  "discovery.k8s.io",
  "events.k8s.io",
  "networking.k8s.io",
];

/** The definition with its status. */
export function withStatus(
  object: StoredObject,
  previous: StoredObject | null,
  context: AdmitContext,
): StoredObject {
  const isBuiltIn = BUILT_IN_GROUPS.includes(textAt(object, "spec", "group"));
  const conditions = [
    ...(isBuiltIn ? REFUSED : ACCEPTED),
    ...(object.metadata.deletionTimestamp === undefined ? [] : TERMINATING),
  ];
  const status = {
    ...objectAt(object, "status"),
    acceptedNames: isBuiltIn ? { plural: "", kind: "" } : objectAt(object, "spec", "names"),
    conditions: conditions.map((each) => dated(each, previous, context.now)),
    storedVersions: storedVersions(object),
  };
  return { ...object, status };
}

type Condition = readonly [type: string, status: string, reason: string, message: string];

const ACCEPTED: readonly Condition[] = [
  ["NamesAccepted", "True", "NoConflicts", "no conflicts found"],
  ["Established", "True", "InitialNamesAccepted", "the initial names have been accepted"],
];
const REFUSED: readonly Condition[] = [
  ["NamesAccepted", "False", "PluralConflict", "the group is built in"],
  ["Established", "False", "NotAccepted", "not all names are accepted"],
];
const DELETION = "CustomResource deletion is in progress";
const TERMINATING: readonly Condition[] = [
  ["Terminating", "True", "InstanceDeletionInProgress", DELETION],
];

/** The time stays while the status does. */
function dated(
  [type, status, reason, message]: Condition,
  previous: StoredObject | null,
  now: string,
): JsonObject {
  const had = listAt(previous, "status", "conditions").find(
    (one) => textAt(one, "type") === type && textAt(one, "status") === status,
  );
  const lastTransitionTime = textAt(had, "lastTransitionTime") || now;
  return { lastTransitionTime, type, status, reason, message };
}

/**
 * Versions that were ever the storage version. A user who has rewritten all objects may remove old
 * ones.
 */
function storedVersions(object: StoredObject): readonly unknown[] {
  const storage = listAt(object, "spec", "versions")
    .filter((each) => valueAt(each, "storage") === true)
    .map((each) => textAt(each, "name"));
  const had = listAt(object, "status", "storedVersions");
  return [...had, ...storage.filter((name) => !had.includes(name))];
}
