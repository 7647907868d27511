/** networking.k8s.io/v1 Ingress: host names that lead to Services. */
import { INGRESS } from "../../../model/kinds.ts";
import type { FieldError } from "../errors/api-error.ts";
import { listAt, objectAt, textAt, valueAt } from "../json/json.ts";
import { AGE_COLUMN, column, NAME_COLUMN } from "../objects/columns.ts";
import { PLAIN_KIND, type ServedKind, type StoredObject } from "../objects/served-kind.ts";
import { integer, list, object, text } from "../schema/schema.ts";

/** networking/v1 IngressBackend: one of service and resource. */
const backend = object("Where requests go.", {
  service: object(
    "A Service of the same namespace.",
    {
      name: text("Its name."),
      port: object("Its port: name or number.", {
        name: text("Port name."),
        number: integer("Port number.", { format: "int32" }),
      }),
    },
    { required: ["name"] },
  ),
  resource: object(
    "Another object of the same namespace.",
    { apiGroup: text("API group."), kind: text("Kind."), name: text("Name.") },
    { required: ["kind", "name"], "x-kubernetes-map-type": "atomic" },
  ),
});

/** networking/v1 HTTPIngressPath. */
const path = object(
  "One path.",
  {
    path: text("Begins with a slash."),
    pathType: text("Exact, Prefix or ImplementationSpecific."),
    backend,
  },
  { required: ["backend"] },
);

/** networking/v1 IngressRule. */
const rule = object("One host.", {
  host: text("Host name; may begin with `*.`; empty = all hosts."),
  http: object("Its paths.", { paths: list("Paths in order.", path) }, { required: ["paths"] }),
});

/** An Ingress; a source of DNS names. */
export const INGRESS_KIND: ServedKind = {
  ...PLAIN_KIND,
  ref: INGRESS,
  singular: "ingress",
  shortNames: ["ing"],
  hasStatus: true,
  generation: "counted",
  schema: object("Hosts and paths that lead to Services.", {
    spec: object("What is wanted.", {
      ingressClassName: text("Which controller serves it."),
      defaultBackend: backend,
      tls: list(
        "Hosts with certificates.",
        object("Hosts of one certificate.", {
          hosts: list("Host names.", text("A host name.")),
          secretName: text("The Secret with the certificate."),
        }),
      ),
      rules: list("Hosts.", rule),
    }),
    status: object("What is.", {
      loadBalancer: object("The load balancer.", {
        ingress: list(
          "Its addresses.",
          object("An address.", {
            ip: text("IP address."),
            hostname: text("Host name."),
            ports: list(
              "State of each port.",
              object("A port.", {
                port: integer("Port number.", { format: "int32" }),
                protocol: text("TCP, UDP or SCTP."),
                error: text("What is wrong with it."),
              }),
            ),
          }),
        ),
      }),
    }),
  }),
  columns: [
    NAME_COLUMN,
    column("Class", (ingress) => className(ingress)),
    column("Hosts", (ingress) => hosts(ingress).join(",") || "*"),
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
  check: checkIngress,
};

/** The annotation is the way of Kubernetes before 1.18. */
function className(ingress: StoredObject): string {
  const annotated = ingress.metadata.annotations?.["kubernetes.io/ingress.class"];
  return textAt(ingress, "spec", "ingressClassName") || annotated || "<none>";
}

/** Rules without host are for all hosts and add nothing to show. */
function hosts(ingress: StoredObject): readonly string[] {
  return listAt(ingress, "spec", "rules")
    .map((each) => textAt(each, "host"))
    .filter((host) => host !== "");
}

/** Rules that DNS sources rely on: hosts are host names. */
function checkIngress(ingress: StoredObject): readonly FieldError[] {
  return [
    ...checkSpec(ingress),
    ...listAt(ingress, "spec", "rules").flatMap((each, index) =>
      checkRule(each, `spec.rules[${index}]`),
    ),
    ...listAt(ingress, "spec", "tls").flatMap((each, index) =>
      listAt(each, "hosts").flatMap((host, step) =>
        checkHost(String(host), `spec.tls[${index}].hosts[${step}]`),
      ),
    ),
  ];
}

function checkSpec(ingress: StoredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const backend = valueAt(ingress, "spec", "defaultBackend");
  if (backend !== undefined) errors.push(...checkBackend(backend, "spec.defaultBackend"));
  else if (listAt(ingress, "spec", "rules").length === 0)
    errors.push(invalid("spec", [], "either `defaultBackend` or `rules` must be specified"));
  const className = textAt(ingress, "spec", "ingressClassName");
  if (className !== "" && !HOST.test(className))
    errors.push(invalid("spec.ingressClassName", className, "must be a lowercase RFC 1123 name"));
  return errors;
}

function checkRule(rule: unknown, where: string): readonly FieldError[] {
  const errors: FieldError[] = [...checkHost(textAt(rule, "host"), `${where}.host`)];
  const paths = listAt(rule, "http", "paths");
  if (valueAt(rule, "http") !== undefined && paths.length === 0)
    errors.push({ field: `${where}.http.paths`, reason: "FieldValueRequired", detail: "" });
  for (const [step, one] of paths.entries())
    errors.push(...checkPath(one, `${where}.http.paths[${step}]`));
  return errors;
}

/** RFC 1123 host name, also below one leading `*`. */
const HOST = /^(?:\*\.)?[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;

/** Empty = all hosts. */
function checkHost(host: string, field: string): readonly FieldError[] {
  if (host === "") return [];
  if (ADDRESS.test(host)) return [invalid(field, host, "must be a DNS name, not an IP address")];
  if (HOST.test(host) && host.length <= 253) return [];
  const detail =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return [invalid(field, host, detail)];
}

/** One backend: a Service with a port by name or number, or another object. */
function checkBackend(backend: unknown, field: string): readonly FieldError[] {
  const service = valueAt(backend, "service");
  const hasResource = valueAt(backend, "resource") !== undefined;
  if (service === undefined)
    return hasResource ? [] : [invalid(field, "", "resource or service backend is required")];
  if (hasResource) return [invalid(field, "", "cannot set both resource and service backends")];
  const port = objectAt(service, "port");
  const hasName = textAt(port, "name") !== "";
  const hasNumber = Number(port["number"] ?? 0) !== 0;
  if (hasName && hasNumber) return [invalid(field, "", "cannot set both port name & port number")];
  if (hasName || hasNumber) return [];
  const detail = "port name or number is required";
  return [{ field, reason: "FieldValueRequired", detail }];
}

const PATH_TYPES = ["Exact", "ImplementationSpecific", "Prefix"];

/** Exact and Prefix need an absolute path; ImplementationSpecific may do without. */
function checkPath(value: unknown, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = textAt(value, "pathType");
  const text = textAt(value, "path");
  if (type === "")
    errors.push({
      field: `${field}.pathType`,
      reason: "FieldValueRequired",
      detail: "pathType must be specified",
    });
  else if (!PATH_TYPES.includes(type))
    errors.push({
      field: `${field}.pathType`,
      reason: "FieldValueNotSupported",
      value: type,
      detail: `supported values: ${PATH_TYPES.map((each) => JSON.stringify(each)).join(", ")}`,
    });
  if (!text.startsWith("/") && (type !== "ImplementationSpecific" || text !== ""))
    errors.push(invalid(`${field}.path`, text, "must be an absolute path"));
  return [...errors, ...checkBackend(valueAt(value, "backend"), `${field}.backend`)];
}

const invalid = (field: string, value: unknown, detail: string): FieldError => ({
  field,
  reason: "FieldValueInvalid",
  value,
  detail,
});
