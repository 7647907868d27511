/** networking.k8s.io/v1 IngressClass: which controller serves an Ingress. */
import { INGRESS_CLASS } from "../../objects/kinds.ts";
import { textAt } from "../json/json.ts";
import { AGE_COLUMN, column, columnAt, NAME_COLUMN } from "../objects/columns.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { builtInKind } from "./built-in-kind.ts";
import { absent, all, immutable, matches, oneOf, required, when } from "./rules.ts";

const hasScope =
  (scope: string) =>
  (each: StoredObject): boolean =>
    textAt(each, "spec", "parameters", "scope") === scope;
const NAMESPACE_FIELD = "spec.parameters.namespace";

/** Classes; columns as `printIngressClass` of kubernetes pkg/printers/internalversion. */
export const INGRESS_CLASS_KIND = builtInKind(INGRESS_CLASS, {
  generation: "counted",
  columns: [
    NAME_COLUMN,
    columnAt("Controller", ".spec.controller"),
    column("Parameters", shownParameters),
    AGE_COLUMN,
  ],
  // networking/validation `ValidateIngressClass`.
  check: all(
    required("spec.controller"),
    matches(
      "spec.controller",
      /^(?=.{1,250}$)[a-z0-9][-a-z0-9.]*\/\S+$/,
      'must be a domain-prefixed path (such as "acme.io/foo")',
    ),
    oneOf("spec.parameters.scope", ["Cluster", "Namespace"]),
    when(
      hasScope("Namespace"),
      required(NAMESPACE_FIELD, "`parameters.scope` is set to 'Namespace'"),
    ),
    when(hasScope("Cluster"), absent(NAMESPACE_FIELD, "`parameters.scope` is set to 'Cluster'")),
    immutable("spec.controller"),
  ),
});

/** `Kind.group/name`. */
function shownParameters(each: StoredObject): string {
  const part = (field: string): string => textAt(each, "spec", "parameters", field);
  if (part("kind") === "") return "<none>";
  const kind = part("apiGroup") === "" ? part("kind") : `${part("kind")}.${part("apiGroup")}`;
  return `${kind}/${part("name")}`;
}
