/**
 * networking.k8s.io/v1 Ingress: host names that lead to Services; and IngressClass: which
 * controller serves an Ingress.
 */
import { INGRESS, INGRESS_CLASS } from "../../objects/kinds.ts";
import { missing, wrong } from "../errors/api-error.ts";
import { listAt, objectAt, textAt, valueAt } from "../json/json.ts";
import { AGE_COLUMN, column, columnAt, NAME_COLUMN } from "../objects/columns.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { builtInKind } from "./built-in-kind.ts";
import {
  absent,
  all,
  immutable,
  matches,
  oneOf,
  passes,
  type Rule,
  required,
  valuesAt,
  when,
} from "./rules.ts";

/** RFC 1123 host name, also below one leading `*`. */
const HOST =
  /^(?=.{1,253}$)(?:\*\.)?[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;
const HOST_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";

/** Rules that DNS sources rely on: hosts are host names. */
const host = (path: string): readonly Rule[] => [
  passes(path, (value) => !ADDRESS.test(String(value)), "must be a DNS name, not an IP address"),
  passes(
    path,
    (value) => value === "" || ADDRESS.test(String(value)) || HOST.test(String(value)),
    HOST_TEXT,
  ),
];

const hasRules: Rule = (ingress) => {
  const isComplete =
    valueAt(ingress, "spec", "defaultBackend") !== undefined ||
    listAt(ingress, "spec", "rules").length > 0;
  const detail = "either `defaultBackend` or `rules` must be specified";
  return isComplete ? [] : [wrong("spec", [], detail)];
};

const hasPaths: Rule = (ingress) =>
  valuesAt(ingress, "spec.rules[].http")
    .filter(({ value }) => value !== undefined && listAt(value, "paths").length === 0)
    .map(({ field }) => missing(`${field}.paths`));

/** Exact and Prefix need an absolute path; ImplementationSpecific may do without. */
const absolutePaths: Rule = (ingress) =>
  valuesAt(ingress, "spec.rules[].http.paths[]")
    .filter(({ value }) => {
      const path = textAt(value, "path");
      const mayBeEmpty = textAt(value, "pathType") === "ImplementationSpecific";
      return !path.startsWith("/") && !(mayBeEmpty && path === "");
    })
    .map(({ field, value }) =>
      wrong(`${field}.path`, textAt(value, "path"), "must be an absolute path"),
    );

/** One backend: a Service with a port by name or number, or another object. */
const backend =
  (path: string): Rule =>
  (ingress) =>
    valuesAt(ingress, path)
      .filter(({ value }) => value !== undefined)
      .flatMap(({ field, value }) => {
        const fault = backendFault(value);
        if (fault === null) return [];
        return fault === NO_PORT ? [missing(field, fault)] : [wrong(field, "", fault)];
      });

const NO_PORT = "port name or number is required";

function backendFault(value: unknown): string | null {
  const service = valueAt(value, "service");
  const hasResource = valueAt(value, "resource") !== undefined;
  if (service === undefined) return hasResource ? null : "resource or service backend is required";
  if (hasResource) return "cannot set both resource and service backends";
  const hasName = textAt(service, "port", "name") !== "";
  const hasNumber = Number(valueAt(service, "port", "number") ?? 0) !== 0;
  if (hasName && hasNumber) return "cannot set both port name & port number";
  return hasName || hasNumber ? null : NO_PORT;
}

/** An Ingress; a source of DNS names. */
export const INGRESS_KIND = builtInKind(INGRESS, {
  shortNames: ["ing"],
  hasStatus: true,
  generation: "counted",
  columns: [
    NAME_COLUMN,
    column("Class", className),
    columnAt("Hosts", ".spec.rules[*].host", { empty: "*" }),
    column("Address", (ingress) =>
      listAt(ingress, "status", "loadBalancer", "ingress")
        .map((each) => textAt(each, "ip") || textAt(each, "hostname"))
        .join(","),
    ),
    column("Ports", (ingress) => (listAt(ingress, "spec", "tls").length > 0 ? "80, 443" : "80")),
    AGE_COLUMN,
  ],
  admit: (ingress) => ({
    ...ingress,
    spec: objectAt(ingress, "spec"),
    status: { loadBalancer: {}, ...objectAt(ingress, "status") },
  }),
  check: all(
    backend("spec.defaultBackend"),
    hasRules,
    passes(
      "spec.ingressClassName",
      (value) => value === "" || HOST.test(String(value)),
      "must be a lowercase RFC 1123 name",
    ),
    ...host("spec.rules[].host"),
    ...host("spec.tls[].hosts[]"),
    hasPaths,
    required("spec.rules[].http.paths[].pathType", "pathType must be specified"),
    oneOf("spec.rules[].http.paths[].pathType", ["Exact", "ImplementationSpecific", "Prefix"]),
    absolutePaths,
    backend("spec.rules[].http.paths[].backend"),
  ),
});

/** The annotation is the way of Kubernetes before 1.18. */
function className(ingress: StoredObject): string {
  const annotated = ingress.metadata.annotations?.["kubernetes.io/ingress.class"];
  return textAt(ingress, "spec", "ingressClassName") || annotated || "<none>";
}

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
