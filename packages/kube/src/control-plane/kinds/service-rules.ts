/** The rules of Services beyond their schema (core/validation `ValidateService`). */
import { isQualifiedName } from "../../objects/name-rules.ts";
import { missing, wrong } from "../errors/api-error.ts";
import { listAt, objectAt, textAt, valueAt } from "../json/json.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { isIpv4, isIpv6 } from "../schema/schema-formats.ts";
import {
  ADDRESS_TEXT,
  address,
  all,
  distinct,
  LABEL,
  matches,
  named,
  oneOf,
  passes,
  portNumber,
  protocol,
  type Rule,
  required,
  when,
} from "./rules.ts";

/** RFC 6335 §5.1 service name. */
const PORT_NAME = /^(?=.{1,15}$)(?=.*[a-z])[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
/** RFC 1123 §2.1 name; a dot at its end is Kubernetes' own exception. */
const HOST_NAME =
  /^(?=.{1,254}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\.?$/;

const isAlias = (service: StoredObject): boolean =>
  textAt(service, "spec", "type") === "ExternalName";

/** A policy for traffic from outside needs a way in from outside. */
const isInternal = (service: StoredObject): boolean =>
  (isAlias(service) || textAt(service, "spec", "type") === "ClusterIP") &&
  listAt(service, "spec", "externalIPs").length === 0;

const hasPorts: Rule = (service) => {
  const isPortless = isAlias(service) || textAt(service, "spec", "clusterIP") === "None";
  return isPortless || listAt(service, "spec", "ports").length > 0 ? [] : [missing("spec.ports")];
};

const selectorKeys: Rule = (service) =>
  Object.keys(objectAt(service, "spec", "selector"))
    .filter((key) => !isQualifiedName(key))
    .map((key) => wrong("spec.selector", key, "must be a label key"));

/** An address that was given out stays, save when the Service becomes a mere alias. */
const keepsAddress: Rule = (service, previous) => {
  const before = textAt(previous, "spec", "clusterIP");
  const after = textAt(service, "spec", "clusterIP");
  const isKept = before === "" || before === after || isAlias(service);
  return isKept ? [] : [wrong("spec.clusterIP", after, "field is immutable")];
};

/** All of them. DNS records are made from addresses and aliases: nothing else may be there. */
export const SERVICE_RULES = all(
  oneOf("spec.type", ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"]),
  hasPorts,
  protocol("spec.ports[].protocol"),
  named("spec.ports"),
  portNumber("spec.ports[].port"),
  portNumber("spec.ports[].targetPort"),
  portNumber("spec.ports[].nodePort", 0),
  distinct("spec.ports[]", (port) => ({
    port: valueAt(port, "port"),
    protocol: textAt(port, "protocol"),
  })),
  address("spec.externalIPs[]"),
  address("status.loadBalancer.ingress[].ip"),
  passes(
    "spec.clusterIPs[]",
    (value) => value === "None" || isIpv4(String(value)) || isIpv6(String(value)),
    ADDRESS_TEXT,
  ),
  matches("spec.ports[].name", LABEL, "must be a lowercase RFC 1123 label"),
  matches(
    "spec.ports[].targetPort",
    PORT_NAME,
    "must be the name of a port: at most 15 of a-z, 0-9, -",
  ),
  distinct("spec.ports[].name"),
  selectorKeys,
  oneOf("spec.sessionAffinity", ["ClientIP", "None"]),
  when(isAlias, required("spec.externalName")),
  when(isAlias, matches("spec.externalName", HOST_NAME, "must be a lowercase RFC 1123 name")),
  when(
    isInternal,
    passes(
      "spec.externalTrafficPolicy",
      (value) => value === "",
      "can only be set on NodePort and LoadBalancer Services and those with externalIPs",
    ),
  ),
  keepsAddress,
);
