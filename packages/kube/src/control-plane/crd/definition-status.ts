/**
 * The status of a definition: its names are accepted unless its group is built in, and the
 * conditions follow (apiextensions-apiserver pkg/controller/status, /establish, /finalizer). Pure.
 */
import { isObject, type JsonObject, listAt, objectAt, textAt, valueAt } from "../json/json.ts";
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
    ...(isBuiltIn ? [NAMES_REFUSED, NOT_ESTABLISHED] : [NAMES_ACCEPTED, ESTABLISHED]),
    ...(object.metadata.deletionTimestamp === undefined ? [] : [TERMINATING]),
  ];
  const status = {
    ...objectAt(object, "status"),
    acceptedNames: isBuiltIn ? { plural: "", kind: "" } : objectAt(object, "spec", "names"),
    conditions: conditions.map((each) => dated(each, previous, context.now)),
    storedVersions: storedVersions(object),
  };
  return { ...object, status };
}

const condition = (type: string, status: string, reason: string, message: string): JsonObject => ({
  type,
  status,
  reason,
  message,
});
const NAMES_ACCEPTED = condition("NamesAccepted", "True", "NoConflicts", "no conflicts found");
const NAMES_REFUSED = condition(
  "NamesAccepted",
  "False",
  "PluralConflict",
  "the group is built in",
);
const ESTABLISHED = condition(
  "Established",
  "True",
  "InitialNamesAccepted",
  "the initial names have been accepted",
);
const NOT_ESTABLISHED = condition(
  "Established",
  "False",
  "NotAccepted",
  "not all names are accepted",
);
const TERMINATING = condition(
  "Terminating",
  "True",
  "InstanceDeletionInProgress",
  "CustomResource deletion is in progress",
);

/** The time stays while the status does. */
function dated(each: JsonObject, previous: StoredObject | null, now: string): JsonObject {
  const had = listAt(previous, "status", "conditions")
    .filter(isObject)
    .find((one) => one["type"] === each["type"] && one["status"] === each["status"]);
  return { lastTransitionTime: textAt(had, "lastTransitionTime") || now, ...each };
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
