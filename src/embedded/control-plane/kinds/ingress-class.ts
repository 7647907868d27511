/** networking.k8s.io/v1 IngressClass: which controller serves an Ingress. */
import { INGRESS_CLASS } from "../../../model/kinds.ts";
import type { FieldError } from "../errors/api-error.ts";
import { textAt } from "../json/json.ts";
import { AGE_COLUMN, column, NAME_COLUMN } from "../objects/columns.ts";
import { PLAIN_KIND, type ServedKind, type StoredObject } from "../objects/served-kind.ts";
import { checkOneOf } from "../schema/address-rules.ts";
import { object, text } from "../schema/schema.ts";

const parameters = object(
  "An object with settings of the controller.",
  {
    apiGroup: text("Its API group; empty = core."),
    kind: text("Its kind."),
    name: text("Its name."),
    namespace: text("Its namespace; for the scope Namespace only."),
    scope: text("Cluster or Namespace.", { default: "Cluster" }),
  },
  { required: ["kind", "name"] },
);

/** Classes; columns as `printIngressClass` of kubernetes pkg/printers/internalversion. */
export const INGRESS_CLASS_KIND: ServedKind = {
  ...PLAIN_KIND,
  ref: INGRESS_CLASS,
  singular: "ingressclass",
  generation: "counted",
  schema: object("A class of Ingresses.", {
    spec: object("What is wanted.", {
      controller: text("Name of the controller, e.g. example.org/controller."),
      parameters,
    }),
  }),
  columns: [
    NAME_COLUMN,
    column("Controller", (each) => textAt(each, "spec", "controller")),
    column("Parameters", shownParameters),
    AGE_COLUMN,
  ],
  check: checkIngressClass,
};

/** `Kind.group/name`. */
function shownParameters(each: StoredObject): string {
  const kind = textAt(each, "spec", "parameters", "kind");
  if (kind === "") return "<none>";
  const group = textAt(each, "spec", "parameters", "apiGroup");
  const name = textAt(each, "spec", "parameters", "name");
  return group === "" ? `${kind}/${name}` : `${kind}.${group}/${name}`;
}

/**
 * networking/validation `ValidateIngressClass`: the controller is a domain-prefixed path and never
 * changes.
 */
function checkIngressClass(
  each: StoredObject,
  previous: StoredObject | null,
): readonly FieldError[] {
  const field = "spec.controller";
  const value = textAt(each, "spec", "controller");
  const errors = [...checkController(value), ...checkParameters(each)];
  if (previous !== null && value !== textAt(previous, "spec", "controller"))
    errors.push({ field, reason: "FieldValueInvalid", value, detail: "field is immutable" });
  return errors;
}

/** Characters of a controller name at most. */
const CONTROLLER_MAX = 250;

function checkController(value: string): readonly FieldError[] {
  const field = "spec.controller";
  if (value === "") return [{ field, reason: "FieldValueRequired", detail: "" }];
  if (value.length > CONTROLLER_MAX)
    return [
      {
        field,
        reason: "FieldValueTooLong",
        value: "",
        detail: `may not be more than ${CONTROLLER_MAX} bytes`,
      },
    ];
  if (/^[a-z0-9][-a-z0-9.]*\/\S+$/.test(value)) return [];
  const detail = 'must be a domain-prefixed path (such as "acme.io/foo")';
  return [{ field, reason: "FieldValueInvalid", value, detail }];
}

/** A namespace goes with the scope Namespace and with no other. */
function checkParameters(each: StoredObject): readonly FieldError[] {
  if (textAt(each, "spec", "parameters", "kind") === "") return [];
  const scope = textAt(each, "spec", "parameters", "scope");
  const namespace = textAt(each, "spec", "parameters", "namespace");
  const where = "spec.parameters";
  const errors = [...checkOneOf(scope, `${where}.scope`, ["Cluster", "Namespace"])];
  if (scope === "Namespace" && namespace === "")
    errors.push({
      field: `${where}.namespace`,
      reason: "FieldValueRequired",
      detail: "`parameters.scope` is set to 'Namespace'",
    });
  if (scope === "Cluster" && namespace !== "")
    errors.push({
      field: `${where}.namespace`,
      reason: "FieldValueForbidden",
      detail: "`parameters.scope` is set to 'Cluster'",
    });
  return errors;
}
