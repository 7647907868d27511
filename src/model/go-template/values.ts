/**
 * Kubernetes objects as templates of Go see them: fields by their names in Go, whatever their
 * case; maps by their keys. A field that a kind may have is its zero value where it is absent, any
 * other one is a mistake. Pure.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { type Fields, isFields } from "@zonekeeper/kube/objects/object-fields";

/** What templates compute with. */
export type Value = string | number | boolean | null | readonly Value[] | Struct | GoMap;

/** Something with fields, of the API's types. */
export interface Struct {
  readonly shape: "struct";
  readonly fields: Fields;
}

/** Something with keys. */
export interface GoMap {
  readonly shape: "map";
  /** Of text an absent key is the empty text; of anything it has no value. */
  readonly of: "text" | "anything";
  readonly entries: Fields;
}

/** What cannot be computed: the object has a mistake, or the template. */
export class TemplateTrouble extends Error {}

/** `map[string]string` in the types of Kubernetes. */
const TEXT_MAPS: ReadonlySet<string> = new Set([
  ...["labels", "annotations", "selector", "matchlabels", "nodeselector"],
]);

/** By zero value, in lower case: fields of the API's types that are left out when empty. */
const ABSENT: ReadonlyMap<string, Value> = new Map(
  Object.entries({
    text: "name generatename namespace uid resourceversion kind apiversion clusterip externalname loadbalancerip type sessionaffinity externaltrafficpolicy ip hostname host hostip podip nodename subdomain podcidr providerid protocol secretname address phase dnsname recordtype",
    list: "ports externalips clusterips loadbalancersourceranges ipfamilies rules tls hosts ingress paths conditions addresses taints podcidrs finalizers hostnames servers gateways parentrefs parents endpoints podips hostips",
    none: "ingressclassname ipfamilypolicy loadbalancerclass internaltrafficpolicy defaultbackend http ipmode deletiontimestamp appprotocol allocateloadbalancernodeports service resource",
    map: [...TEXT_MAPS].join(" "),
    number: "port nodeport healthchecknodeport generation",
    flag: "unschedulable publishnotreadyaddresses",
    struct: "spec status loadbalancer",
  }).flatMap(([sort, names]) =>
    names.split(" ").map((name): [string, Value] => [name, zero(sort)]),
  ),
);

function zero(sort: string): Value {
  switch (sort) {
    case "text":
      return "";
    case "list":
      return [];
    case "map":
      return { shape: "map", of: "text", entries: {} };
    case "number":
      return 0;
    case "flag":
      return false;
    case "struct":
      return { shape: "struct", fields: {} };
    default:
      return null;
  }
}

/**
 * The object: its own fields, those of its metadata as Go embeds them, and `Object` and `Metadata`
 * as external-dns has them, with the keys of the API.
 */
export function rootOf(object: KubeObject): Struct {
  const { metadata, ...own } = object;
  const whole = { ObjectMeta: metadata, Object: { ...object }, Metadata: { ...metadata } };
  return { shape: "struct", fields: { ...metadata, ...own, ...whole } };
}

/** The value of a field or key; throws TemplateTrouble where there can be none. */
export function fieldIn(value: Value, name: string): Value {
  if (value === null) throw new TemplateTrouble(`.${name} is asked of what has no value`);
  if (typeof value !== "object" || !("shape" in value))
    throw new TemplateTrouble(`.${name} is asked of a ${nameOf(value)}, which has no fields`);
  return value.shape === "map" ? keyIn(value, name, "field") : memberOf(value, name);
}

function memberOf({ fields }: Struct, name: string): Value {
  const lower = name.toLowerCase();
  const key = Object.keys(fields).find((one) => one.toLowerCase() === lower);
  const found = key === undefined ? undefined : fields[key];
  if (found === undefined || found === null) {
    const absent = ABSENT.get(lower);
    if (absent === undefined) throw new TemplateTrouble(`there is no field .${name}`);
    return absent;
  }
  // Only RouteGroups have it as Go has it (`source/skipper_routegroup.go`).
  const isKeyed = name === "Metadata" && fields["kind"] !== "RouteGroup";
  const isUnstructured = name === "Object" || isKeyed;
  return isUnstructured ? anything(found) : typed(found, lower);
}

/** The value of a key; of an absent one the zero value, or trouble where a field is asked for. */
export function keyIn({ of, entries }: GoMap, key: string, how: "field" | "index"): Value {
  const found = Object.hasOwn(entries, key) ? entries[key] : undefined;
  if (found !== undefined)
    return of === "text" && typeof found === "string" ? found : anything(found);
  if (of === "text") return "";
  if (how === "field") throw new TemplateTrouble(`there is no key ${key}`);
  return null;
}

/** Lists in lists. */
const DEPTH_MAX = 10;

function typed(value: unknown, key: string): Value {
  if (Array.isArray(value))
    return value.map((one: unknown) => (Array.isArray(one) ? anything(one, 1) : typed(one, key)));
  if (!isFields(value)) return scalar(value);
  return TEXT_MAPS.has(key)
    ? { shape: "map", of: "text", entries: value }
    : { shape: "struct", fields: value };
}

/** A value of JSON without a type. */
export function anything(value: unknown, depth = 0): Value {
  if (depth > DEPTH_MAX) throw new TemplateTrouble("a list is nested too deeply");
  if (Array.isArray(value)) return value.map((one: unknown) => anything(one, depth + 1));
  return isFields(value) ? { shape: "map", of: "anything", entries: value } : scalar(value);
}

function scalar(value: unknown): string | number | boolean | null {
  const isOne =
    typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isOne ? value : null;
}

/** `text/template`, "IsTrue": empty is false, a struct is true. */
export function isTrue(value: Value): boolean {
  if (typeof value !== "object" || value === null) return Boolean(value);
  if (!("shape" in value)) return value.length > 0;
  return value.shape === "struct" || Object.keys(value.entries).length > 0;
}

/** As `fmt` prints it with `%v`; what has fields, or no value, is trouble. */
export function textOfValue(value: Value, depth = 0): string {
  if (value === null) throw new TemplateTrouble("what is printed has no value");
  if (typeof value !== "object") return String(value);
  if (depth > DEPTH_MAX) throw new TemplateTrouble("what is printed is nested too deeply");
  if (!("shape" in value)) return `[${value.map((one) => textOfValue(one, depth + 1)).join(" ")}]`;
  if (value.shape === "struct")
    throw new TemplateTrouble("what is printed has fields; name one of them");
  const { entries } = value;
  const texts = Object.keys(entries)
    .sort()
    .map((key) => `${key}:${textOfValue(keyIn(value, key, "index"), depth + 1)}`);
  return `map[${texts.join(" ")}]`;
}

/** For messages. */
export function nameOf(value: Value): string {
  if (value === null) return "nothing";
  if (typeof value === "string") return "text";
  if (typeof value !== "object") return typeof value === "number" ? "number" : "truth value";
  return "shape" in value ? (value.shape === "map" ? "map" : "struct") : "list";
}
