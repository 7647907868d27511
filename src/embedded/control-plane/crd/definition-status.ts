/**
 * The status of a definition: which names it gets beside the other definitions of its group, and
 * the conditions that follow (apiextensions-apiserver pkg/controller/status, /establish,
 * /finalizer). Pure.
 */
import { isObject, type JsonObject, listAt, objectAt, textAt, valueAt } from "../json/json.ts";
import type { AdmitContext, StoredObject } from "../objects/served-kind.ts";
import { conditionStatus, isEstablished, namesOf } from "./definition.ts";

/** Groups of built-in kinds: no definition may add to them. */
export const BUILT_IN_GROUPS: readonly string[] = [
  "apiextensions.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "coordination.k8s.io",
  "discovery.k8s.io",
  "networking.k8s.io",
];

/** The definition with its status. */
export function withStatus(
  object: StoredObject,
  previous: StoredObject | null,
  context: AdmitContext,
): StoredObject {
  const taken = takenNames(object, context);
  const conflict = firstConflict(object, taken);
  const acceptedNames = accepted(object, previous, taken);
  const wasEstablished = previous !== null && isEstablished(previous);
  const conditions = [
    namesAccepted(conflict),
    wasEstablished || conflict === null ? ESTABLISHED : NOT_ESTABLISHED,
    ...(object.metadata.deletionTimestamp === undefined ? [] : [TERMINATING]),
  ];
  const status = {
    ...objectAt(object, "status"),
    acceptedNames,
    conditions: conditions.map((each) => dated(each, previous, context.now)),
    storedVersions: storedVersions(object),
  };
  return { ...object, status };
}

/** True when names that were refused might be free now. */
export function waitsForNames(object: StoredObject): boolean {
  return conditionStatus(object, "NamesAccepted") === "False";
}

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

/** Names that others of the group have. */
interface TakenNames {
  /** Plural, singular and short names share the paths of kubectl. */
  readonly resources: ReadonlySet<string>;
  /** Kinds and kinds of lists. */
  readonly kinds: ReadonlySet<string>;
}

function takenNames(object: StoredObject, context: AdmitContext): TakenNames {
  const group = textAt(object, "spec", "group");
  const others = context
    .siblings()
    .filter(
      (each) =>
        each.metadata.name !== object.metadata.name && textAt(each, "spec", "group") === group,
    )
    .map((each) => namesOf(valueAt(each, "status", "acceptedNames")));
  return {
    resources: new Set(others.flatMap((each) => [each.plural, each.singular, ...each.shortNames])),
    kinds: new Set(others.flatMap((each) => [each.kind, each.listKind])),
  };
}

function firstConflict(object: StoredObject, taken: TakenNames): Conflict | null {
  const names = namesOf(valueAt(object, "spec", "names"));
  const group = textAt(object, "spec", "group");
  if (BUILT_IN_GROUPS.includes(group))
    return { reason: "PluralConflict", message: `the group "${group}" is built in` };
  const resources: readonly (readonly [string, string])[] = [
    ["PluralConflict", names.plural],
    ["SingularConflict", names.singular],
    ...names.shortNames.map((name) => ["ShortNamesConflict", name] as const),
  ];
  const kinds = [
    ["KindConflict", names.kind],
    ["ListKindConflict", names.listKind],
  ] as const;
  const found =
    resources.find(([, name]) => taken.resources.has(name)) ??
    kinds.find(([, name]) => taken.kinds.has(name));
  if (found === undefined) return null;
  return { reason: found[0], message: `"${found[1]}" is already in use` };
}

/** Names that are free replace those that were accepted before; others stay as they were. */
function accepted(
  object: StoredObject,
  previous: StoredObject | null,
  taken: TakenNames,
): JsonObject {
  const wanted = objectAt(object, "spec", "names");
  const had = objectAt(previous, "status", "acceptedNames");
  const isBuiltIn = BUILT_IN_GROUPS.includes(textAt(object, "spec", "group"));
  const one = (key: string, names: ReadonlySet<string>): unknown =>
    isBuiltIn || names.has(textAt(wanted, key)) ? (had[key] ?? "") : wanted[key];
  const isShortTaken = listAt(wanted, "shortNames").some((name) =>
    taken.resources.has(String(name)),
  );
  const lists = {
    shortNames: isShortTaken ? had["shortNames"] : wanted["shortNames"],
    categories: wanted["categories"],
  };
  const kept = Object.entries(lists).filter(([, value]) => Array.isArray(value));
  return {
    plural: one("plural", taken.resources),
    singular: one("singular", taken.resources),
    kind: one("kind", taken.kinds),
    listKind: one("listKind", taken.kinds),
    ...Object.fromEntries(kept),
  };
}

const ESTABLISHED = {
  type: "Established",
  status: "True",
  reason: "InitialNamesAccepted",
  message: "the initial names have been accepted",
};
const NOT_ESTABLISHED = {
  type: "Established",
  status: "False",
  reason: "NotAccepted",
  message: "not all names are accepted",
};
const TERMINATING = {
  type: "Terminating",
  status: "True",
  reason: "InstanceDeletionInProgress",
  message: "CustomResource deletion is in progress",
};

function namesAccepted(conflict: Conflict | null): JsonObject {
  const type = "NamesAccepted";
  if (conflict !== null) return { type, status: "False", ...conflict };
  return { type, status: "True", reason: "NoConflicts", message: "no conflicts found" };
}

/** The time stays while the status does. */
function dated(each: JsonObject, previous: StoredObject | null, now: string): JsonObject {
  const had = listAt(previous, "status", "conditions")
    .filter(isObject)
    .find((one) => one["type"] === each["type"] && one["status"] === each["status"]);
  return { lastTransitionTime: textAt(had, "lastTransitionTime") || now, ...each };
}

/**
 * Versions that were ever the storage version; whoever has rewritten all objects may take others
 * out.
 */
function storedVersions(object: StoredObject): readonly unknown[] {
  const storage = listAt(object, "spec", "versions")
    .filter((each) => valueAt(each, "storage") === true)
    .map((each) => textAt(each, "name"));
  const had = listAt(object, "status", "storedVersions");
  return [...had, ...storage.filter((name) => !had.includes(name))];
}
