/**
 * Rules of the names inside of a Service: ports, selector, alias, and what goes with its type.
 * Pure.
 */
import type { FieldError } from "../errors/api-error.ts";
import { isObject, listAt, objectAt, textAt, valueAt } from "../json/json.ts";
import type { StoredObject } from "../objects/served-kind.ts";

/** RFC 1123 §2.1 label and name (Kubernetes apimachinery pkg/util/validation). */
const LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
/** RFC 6335 §5.1 service name, with letters of both cases left to the label rule. */
const PORT_NAME = /^(?=.*[a-z])[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const KEY = /^(?:[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const LABEL_MAX = 63;
const PORT_NAME_MAX = 15;
const NAME_MAX = 253;

const AFFINITIES = ["ClientIP", "None"];

/** All field errors of these; ports, protocols and addresses have rules of their own. */
export function checkServiceNames(service: StoredObject): readonly FieldError[] {
  const spec = objectAt(service, "spec");
  const ports = listAt(spec, "ports");
  return [
    ...ports.flatMap((port, index) => checkPortNames(port, `spec.ports[${index}]`)),
    ...checkRepeatedNames(ports),
    ...checkSelector(spec["selector"]),
    ...checkAffinity(textAt(spec, "sessionAffinity")),
    ...checkAlias(spec),
    ...checkPolicy(spec),
  ];
}

function checkPortNames(port: unknown, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const name = textAt(port, "name");
  if (name !== "" && (!LABEL.test(name) || name.length > LABEL_MAX))
    errors.push(wrong(`${path}.name`, name, "must be a lowercase RFC 1123 label"));
  const target = valueAt(port, "targetPort");
  if (typeof target === "string" && (!PORT_NAME.test(target) || target.length > PORT_NAME_MAX))
    errors.push(
      wrong(`${path}.targetPort`, target, "must be the name of a port: at most 15 of a-z, 0-9, -"),
    );
  return errors;
}

function checkRepeatedNames(ports: readonly unknown[]): readonly FieldError[] {
  const names = ports.map((port) => textAt(port, "name"));
  return names.flatMap((name, index) =>
    name !== "" && names.indexOf(name) < index
      ? [
          {
            ...wrong(`spec.ports[${index}].name`, name, ""),
            reason: "FieldValueDuplicate" as const,
          },
        ]
      : [],
  );
}

function checkSelector(selector: unknown): readonly FieldError[] {
  const keys = isObject(selector) ? Object.keys(selector) : [];
  return keys
    .filter((key) => !KEY.test(key))
    .map((key) => wrong("spec.selector", key, "must be a label key"));
}

function checkAffinity(value: string): readonly FieldError[] {
  if (AFFINITIES.includes(value)) return [];
  const detail = `supported values: ${AFFINITIES.map((each) => JSON.stringify(each)).join(", ")}`;
  return [{ ...wrong("spec.sessionAffinity", value, detail), reason: "FieldValueNotSupported" }];
}

/** DNS records are made from it. A dot at its end is Kubernetes' own exception. */
function checkAlias(spec: unknown): readonly FieldError[] {
  const alias = textAt(spec, "externalName");
  if (textAt(spec, "type") !== "ExternalName" || alias === "") return [];
  const name = alias.replace(/\.$/, "");
  if (SUBDOMAIN.test(name) && name.length <= NAME_MAX) return [];
  return [wrong("spec.externalName", alias, "must be a lowercase RFC 1123 name")];
}

function checkPolicy(spec: unknown): readonly FieldError[] {
  const policy = textAt(spec, "externalTrafficPolicy");
  const isHidden = ["ClusterIP", "ExternalName"].includes(textAt(spec, "type"));
  if (policy === "" || !isHidden || listAt(spec, "externalIPs").length > 0) return [];
  const detail = "can only be set on NodePort and LoadBalancer Services and those with externalIPs";
  return [wrong("spec.externalTrafficPolicy", policy, detail)];
}

const wrong = (field: string, value: unknown, detail: string): FieldError => ({
  field,
  reason: "FieldValueInvalid",
  value,
  detail,
});
