/**
 * The kind apiextensions.k8s.io/v1 CustomResourceDefinition. Names and conditions are decided in
 * the write itself, so that a definition is served as soon as its creation is answered.
 */
import { CUSTOM_RESOURCE_DEFINITION } from "../../objects/kinds.ts";
import { listAt, objectAt, textAt } from "../json/json.ts";
import { builtInKind } from "../kinds/built-in-kind.ts";
import { column, NAME_COLUMN } from "../objects/columns.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { definitionErrors } from "./definition-check.ts";
import { withStatus } from "./definition-status.ts";

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
