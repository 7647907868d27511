/**
 * The kind apiextensions.k8s.io/v1 CustomResourceDefinition. Names and conditions are decided in
 * the write itself, so that a definition is served as soon as its creation is answered.
 */
import { CUSTOM_RESOURCE_DEFINITION } from "../../../model/kinds.ts";
import { listAt, objectAt, textAt } from "../json/json.ts";
import { column, NAME_COLUMN } from "../objects/columns.ts";
import { PLAIN_KIND, type ServedKind, type StoredObject } from "../objects/served-kind.ts";
import { boolean, integer, list, object, text, time } from "../schema/schema.ts";
import { definitionErrors } from "./definition-check.ts";
import { withStatus } from "./definition-status.ts";
import type { RuleCompiler } from "./rule-compiler.ts";
import { OPEN_API_SCHEMA } from "./schema-schema.ts";

/**
 * Holds a definition until its objects are gone (apiextensions-apiserver
 * `CustomResourceCleanupFinalizer`).
 */
export const CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

const names = (description: string) =>
  object(
    description,
    {
      plural: text("Name in paths; lower case."),
      singular: text("Name for people; default: the kind in lower case."),
      shortNames: list("Short names.", text("A name."), { "x-kubernetes-list-type": "atomic" }),
      kind: text("Name in objects; CamelCase."),
      listKind: text("Name of lists; default: the kind and List."),
      categories: list("Groups of kinds, e.g. all.", text("A name."), {
        "x-kubernetes-list-type": "atomic",
      }),
    },
    { required: ["plural", "kind"] },
  );

const printerColumn = object(
  "A column that kubectl shows.",
  {
    name: text("Head of the column."),
    type: text("integer, number, string, boolean or date."),
    format: text("Format of the type."),
    description: text("For people."),
    priority: integer("0 = always shown.", { format: "int32" }),
    jsonPath: text("Where the cell stands."),
  },
  { required: ["name", "type", "jsonPath"] },
);

const subresources = object("Parts with paths of their own.", {
  status: object("The status.", {}, { "x-kubernetes-preserve-unknown-fields": true }),
  scale: object(
    "The replicas.",
    {
      specReplicasPath: text("Where the wanted number stands."),
      statusReplicasPath: text("Where the present number stands."),
      labelSelectorPath: text("Where the selector stands."),
    },
    { required: ["specReplicasPath", "statusReplicasPath"] },
  ),
});

const version = object(
  "One version.",
  {
    name: text("E.g. v1alpha1."),
    served: boolean("True = it has paths."),
    storage: boolean("True = objects are kept so; exactly one version is."),
    deprecated: boolean("True = its use is warned of."),
    deprecationWarning: text("What is said then."),
    schema: object("What is validated.", { openAPIV3Schema: OPEN_API_SCHEMA }),
    subresources,
    additionalPrinterColumns: list("Columns.", printerColumn),
    selectableFields: list(
      "Fields that a field selector may use.",
      object("A field.", { jsonPath: text("Where it stands.") }, { required: ["jsonPath"] }),
    ),
  },
  { required: ["name", "served", "storage"] },
);

const conversion = object(
  "How objects get from one version to another.",
  {
    strategy: text("None; Webhook is not served here."),
    webhook: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
  { required: ["strategy"] },
);

const condition = object(
  "One condition.",
  {
    type: text("Kind of the condition."),
    status: text("True, False or Unknown."),
    lastTransitionTime: time("When the status changed last."),
    reason: text("Machine readable cause."),
    message: text("For people."),
  },
  { required: ["type", "status"] },
);

const content = object(
  "Defines a kind.",
  {
    spec: object(
      "What is wanted.",
      {
        group: text("Group of the kind."),
        names: names("Its names."),
        scope: text("Cluster or Namespaced."),
        versions: list("Its versions.", version),
        conversion,
        preserveUnknownFields: boolean("Not allowed."),
      },
      { required: ["group", "names", "scope", "versions"] },
    ),
    status: object("What is.", {
      conditions: list("Conditions.", condition, {
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["type"],
      }),
      acceptedNames: names("The names that are served."),
      storedVersions: list("Versions that objects were ever kept in.", text("A version.")),
    }),
  },
  { required: ["spec"] },
);

/** The kind; rules in CEL are compiled with `compiler`. */
export function definitionKind(compiler: RuleCompiler): ServedKind {
  return {
    ...PLAIN_KIND,
    ref: CUSTOM_RESOURCE_DEFINITION,
    singular: "customresourcedefinition",
    shortNames: ["crd", "crds"],
    categories: ["api-extensions"],
    hasStatus: true,
    generation: "counted",
    finalizer: CLEANUP_FINALIZER,
    schema: content,
    columns: [
      NAME_COLUMN,
      column("Created At", (each) => each.metadata.creationTimestamp ?? "", { type: "date" }),
    ],
    defaults: withDefaults,
    admit: withStatus,
    check: (each, previous) => definitionErrors(each, previous, compiler),
  };
}

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
