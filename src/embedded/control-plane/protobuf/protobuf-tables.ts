/**
 * Field numbers of the messages that kubectl 1.32 and newer send as protobuf: k8s.io/api core/v1,
 * networking/v1, authorization/v1 and authentication/v1, `generated.proto`.
 */
import type { Field, FieldTable } from "./protobuf-reader.ts";

const text = (name: string): Field => ({ name, type: "text" });
const texts = (name: string): Field => ({ name, type: "text", repeated: true });
const integer = (name: string): Field => ({ name, type: "integer" });
const flag = (name: string): Field => ({ name, type: "boolean", keepsZero: true });
const textMap = (name: string): Field => ({ name, type: "text-map" });
const one = (name: string, fields: FieldTable): Field => ({ name, type: "message", fields });
const many = (name: string, fields: FieldTable): Field => ({
  name,
  type: "message",
  repeated: true,
  fields,
});

const OBJECT_META: FieldTable = {
  1: text("name"),
  2: text("generateName"),
  3: text("namespace"),
  5: text("uid"),
  6: text("resourceVersion"),
  7: integer("generation"),
  8: { name: "creationTimestamp", type: "time" },
  9: { name: "deletionTimestamp", type: "time" },
  10: integer("deletionGracePeriodSeconds"),
  11: textMap("labels"),
  12: textMap("annotations"),
  13: many("ownerReferences", {
    1: text("kind"),
    3: text("name"),
    4: text("uid"),
    5: text("apiVersion"),
    6: flag("controller"),
    7: flag("blockOwnerDeletion"),
  }),
  14: texts("finalizers"),
};
const METADATA = one("metadata", OBJECT_META);

const SERVICE_PORT: FieldTable = {
  1: text("name"),
  2: text("protocol"),
  3: integer("port"),
  4: { name: "targetPort", type: "int-or-text" },
  5: integer("nodePort"),
  6: text("appProtocol"),
};

const SERVICE_SPEC: FieldTable = {
  1: many("ports", SERVICE_PORT),
  2: textMap("selector"),
  3: text("clusterIP"),
  4: text("type"),
  5: texts("externalIPs"),
  7: text("sessionAffinity"),
  8: text("loadBalancerIP"),
  9: texts("loadBalancerSourceRanges"),
  10: text("externalName"),
  11: text("externalTrafficPolicy"),
  12: integer("healthCheckNodePort"),
  13: { name: "publishNotReadyAddresses", type: "boolean" },
  14: one("sessionAffinityConfig", { 1: one("clientIP", { 1: integer("timeoutSeconds") }) }),
  17: text("ipFamilyPolicy"),
  18: texts("clusterIPs"),
  19: texts("ipFamilies"),
  20: flag("allocateLoadBalancerNodePorts"),
  21: text("loadBalancerClass"),
  22: text("internalTrafficPolicy"),
  23: text("trafficDistribution"),
};

const INGRESS_BACKEND: FieldTable = {
  3: one("resource", { 1: text("apiGroup"), 2: text("kind"), 3: text("name") }),
  4: one("service", { 1: text("name"), 2: one("port", { 1: text("name"), 2: integer("number") }) }),
};

const INGRESS_PATHS: FieldTable = {
  1: many("paths", { 1: text("path"), 2: one("backend", INGRESS_BACKEND), 3: text("pathType") }),
};

const INGRESS_SPEC: FieldTable = {
  1: one("defaultBackend", INGRESS_BACKEND),
  2: many("tls", { 1: texts("hosts"), 2: text("secretName") }),
  3: many("rules", {
    1: text("host"),
    // IngressRuleValue is embedded in Go: in JSON its fields are fields of the rule.
    2: { ...one("", { 1: one("http", INGRESS_PATHS) }), inline: true },
  }),
  4: text("ingressClassName"),
};

const INGRESS_CLASS_SPEC: FieldTable = {
  1: text("controller"),
  2: one("parameters", {
    1: text("apiGroup"),
    2: text("kind"),
    3: text("name"),
    4: text("scope"),
    5: text("namespace"),
  }),
};

const ACCESS_SPEC: FieldTable = {
  1: one("resourceAttributes", {
    1: text("namespace"),
    2: text("verb"),
    3: text("group"),
    4: text("version"),
    5: text("resource"),
    6: text("subresource"),
    7: text("name"),
  }),
  2: one("nonResourceAttributes", { 1: text("path"), 2: text("verb") }),
};

/** Messages by `apiVersion/kind`. */
export const PROTOBUF_TABLES: Readonly<Record<string, FieldTable>> = {
  "v1/Namespace": {
    1: METADATA,
    2: one("spec", { 1: texts("finalizers") }),
    3: one("status", { 1: text("phase") }),
  },
  "v1/Secret": {
    1: METADATA,
    2: { name: "data", type: "bytes-map" },
    3: text("type"),
    4: textMap("stringData"),
    5: flag("immutable"),
  },
  "v1/ConfigMap": {
    1: METADATA,
    2: textMap("data"),
    3: { name: "binaryData", type: "bytes-map" },
    4: flag("immutable"),
  },
  "v1/Service": { 1: METADATA, 2: one("spec", SERVICE_SPEC) },
  "networking.k8s.io/v1/Ingress": { 1: METADATA, 2: one("spec", INGRESS_SPEC) },
  "networking.k8s.io/v1/IngressClass": { 1: METADATA, 2: one("spec", INGRESS_CLASS_SPEC) },
  "authorization.k8s.io/v1/SelfSubjectAccessReview": { 1: METADATA, 2: one("spec", ACCESS_SPEC) },
  "authorization.k8s.io/v1/SelfSubjectRulesReview": {
    1: METADATA,
    2: one("spec", { 1: text("namespace") }),
  },
  "authentication.k8s.io/v1/SelfSubjectReview": { 1: METADATA },
};
