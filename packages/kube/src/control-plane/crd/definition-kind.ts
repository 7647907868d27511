/**
 * The kind apiextensions.k8s.io/v1 CustomResourceDefinition. Names and conditions are decided in
 * the write itself, so that a definition is served as soon as its creation is answered.
 */
import { CUSTOM_RESOURCE_DEFINITION } from "../../objects/kinds.ts";
import { listAt, objectAt, textAt } from "../json/json.ts";
import { column, NAME_COLUMN } from "../objects/columns.ts";
import { PLAIN_KIND, type ServedKind, type StoredObject } from "../objects/served-kind.ts";
import { schemaOf } from "../schema/schema-table.ts";
import { definitionErrors } from "./definition-check.ts";
import { withStatus } from "./definition-status.ts";
import type { RuleCompiler } from "./rule-compiler.ts";
import { JSON_SCHEMA } from "./schema-schema.ts";

/**
 * Holds a definition until its objects are gone (apiextensions-apiserver
 * `CustomResourceCleanupFinalizer`).
 */
export const CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

const NAMES = schemaOf(
  "Names of the kind.",
  `
  plural!                   | Name in paths; lower case.
  singular                  | Name for people; default: the kind in lower case.
  shortNames [] list=atomic | Short names.
  kind!                     | Name in objects; CamelCase.
  listKind                  | Name of lists; default: the kind and List.
  categories [] list=atomic | Groups of kinds, e.g. all.
  `,
);

const SCHEMA = schemaOf(
  "Defines a kind.",
  `
  spec!                            | What is wanted.
    group!                         | Group of the kind.
    names! Names                   | Its names.
    scope!                         | Cluster or Namespaced.
    versions! []                   | Its versions.
      name!                        | E.g. v1alpha1.
      served! bool                 | True = it has paths.
      storage! bool                | True = objects are kept so; exactly one version is.
      deprecated bool              | True = its use is warned of.
      deprecationWarning           | Text of that warning.
      schema                       | What is validated.
        openAPIV3Schema JsonSchema | Schema of the objects.
      subresources                 | Parts with paths of their own.
        status open                | The status.
        scale open                 | The replicas; kept, not served here.
      additionalPrinterColumns []  | Columns that kubectl shows.
        name!                      | Head of the column.
        type!                      | integer, number, string, boolean or date.
        format                     | Format of the type.
        description                | For people.
        priority int32             | 0 = always shown.
        jsonPath!                  | Path of the cell.
      selectableFields []          | Fields that a field selector may use.
        jsonPath!                  | Path of the field.
    conversion                     | How objects get from one version to another.
      strategy!                    | None; Webhook is not served here.
      webhook open                 | Not served here.
    preserveUnknownFields bool     | Not allowed.
  status                           | What is.
    conditions [] list=map:type    | Conditions.
      type!                        | Kind of the condition.
      status!                      | True, False or Unknown.
      lastTransitionTime time      | When the status changed last.
      reason                       | Machine readable cause.
      message                      | For people.
    acceptedNames Names            | The names that are served.
    storedVersions []              | Versions that objects were ever kept in.
  `,
  { Names: NAMES, JsonSchema: JSON_SCHEMA },
);

/** The kind; rules in CEL are compiled with `compiler`. */
export function definitionKind(compiler: RuleCompiler): ServedKind {
  return {
    ...PLAIN_KIND,
    ref: CUSTOM_RESOURCE_DEFINITION,
    kept: CUSTOM_RESOURCE_DEFINITION,
    singular: "customresourcedefinition",
    shortNames: ["crd", "crds"],
    categories: ["api-extensions"],
    hasStatus: true,
    generation: "counted",
    finalizer: CLEANUP_FINALIZER,
    schema: SCHEMA,
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
