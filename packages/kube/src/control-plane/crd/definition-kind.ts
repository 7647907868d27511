/**
 * The kind apiextensions.k8s.io/v1 CustomResourceDefinition. Names and conditions are decided in
 * the write itself, so that a definition is served as soon as its creation is answered.
 */
import { CUSTOM_RESOURCE_DEFINITION } from "../../objects/kinds.ts";
import { type JsonObject, listAt, objectAt, textAt, valueAt } from "../json/json.ts";
import { builtInKind } from "../kinds/built-in-kind.ts";
import { column, NAME_COLUMN } from "../objects/columns.ts";
import type { AdmitContext, StoredObject } from "../objects/served-kind.ts";
import { definitionErrors } from "./definition-check.ts";

/**
 * Holds a definition until its objects are gone (apiextensions-apiserver
 * `CustomResourceCleanupFinalizer`).
 */
export const CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

/** The kind. */
export const DEFINITION_KIND = builtInKind(CUSTOM_RESOURCE_DEFINITION, {
  shortNames: ["crd", "crds"],
  categories: ["api-extensions"],
  hasStatus: true,
  generation: "counted",
  finalizer: CLEANUP_FINALIZER,
  columns: [
    NAME_COLUMN,
    column("Created At", (each) => each.metadata.creationTimestamp ?? "", { type: "date" }),
  ],
  defaults: withDefaults,
  admit: withStatus,
  check: definitionErrors,
});

/** apiextensions/v1 defaults: names that follow from the kind, and no conversion. */
function withDefaults(each: StoredObject): StoredObject {
  const spec = objectAt(each, "spec");
  const given = objectAt(spec, "names");
  const kind = textAt(given, "kind");
  const names = {
    ...given,
    singular: textAt(given, "singular") || kind.toLowerCase(),
    listKind: textAt(given, "listKind") || `${kind}List`,
  };
  const versions = listAt(spec, "versions");
  return {
    ...each,
    spec: { ...spec, names, versions, conversion: spec["conversion"] ?? { strategy: "None" } },
  };
}

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
