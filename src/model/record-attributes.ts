/**
 * What record sets have besides plain DNS, as objects say it: a routing policy
 * (`spec.routingPolicy` of a DNSEntry; Gardener docs, "Routing policy"), and properties (an
 * annotation with JSON: `{"proxied":"true"}`). Reads and writes the form only; what a provider
 * takes is said by its `audit`.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { jsonIn } from "@zonekeeper/base/json-text";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type Fields, fieldsOf, isFields, textOf } from "@zonekeeper/kube/objects/object-fields";
import { type DesiredRecordSet, MERGED, type PolicyMember, type RecordSet } from "./record-set.ts";

/** What is wrong with one field of a policy; `field` is empty for the policy as a whole. */
export interface PolicyTrouble {
  readonly field: "" | "type" | "setIdentifier" | "parameters";
  readonly message: string;
}

/** Reads a policy object. Null = absent or empty: the record set is plain. */
export function readRoutingPolicy(value: unknown): Result<PolicyMember | null, PolicyTrouble> {
  if (value === undefined || value === null) return ok(null);
  if (typeof value !== "object" || Array.isArray(value)) return fail(NO_POLICY);
  const fields = fieldsOf(value);
  const keys = Object.keys(fields);
  if (keys.length === 0) return ok(null);
  const unknown = keys.find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    const message = `a routing policy has no field ${unknown}; it has ${KEYS.join(", ")}`;
    return fail({ field: "", message });
  }
  return readMember(fields);
}

function readMember(fields: Fields): Result<PolicyMember, PolicyTrouble> {
  const type = textOf(fields["type"]) ?? "";
  if (type === "")
    return fail({ field: "type", message: "the routing policy has no type; write e.g. weighted" });
  if (type === MERGED.type)
    return fail({
      field: "type",
      message: `no routing policy is called ${type}; to merge the records of several clusters write the annotation zonekeeper.dev/merge "true"`,
    });
  const setIdentifier = textOf(fields["setIdentifier"]) ?? "";
  if (setIdentifier === "")
    return fail({
      field: "setIdentifier",
      message: `the routing policy ${type} has no setIdentifier; give each member of the name its own`,
    });
  const parameters = Object.entries(fieldsOf(fields["parameters"]));
  const odd = parameters.find(([, text]) => typeof text !== "string");
  if (odd !== undefined) {
    const message = `the parameter ${odd[0]} of the routing policy is no text; write it in quotes`;
    return fail({ field: "parameters", message });
  }
  const texts = parameters.map(([key, text]): [string, string] => [key, String(text)]);
  return ok({ setIdentifier, routingPolicy: { type, parameters: sorted(texts) } });
}

const KEYS: readonly string[] = ["type", "setIdentifier", "parameters"];
const NO_POLICY: PolicyTrouble = {
  field: "",
  message: `a routing policy is an object with ${KEYS.join(", ")}`,
};

/** By code unit: what is equal has one text. */
function sorted(entries: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  return Object.fromEntries([...entries].sort(([a], [b]) => compareText(a, b)));
}

/** As a DNSEntry's spec has it, with keys in the order that an API server gives them. */
export function routingPolicyFields({ setIdentifier, routingPolicy }: PolicyMember): object {
  const { type, parameters } = routingPolicy;
  return { parameters: sorted(Object.entries(parameters)), setIdentifier, type };
}

/** The policy that a record set has; null = none. */
export function memberOf({
  setIdentifier,
  routingPolicy,
}: Pick<DesiredRecordSet, "setIdentifier" | "routingPolicy">): PolicyMember | null {
  return setIdentifier === null || routingPolicy === null ? null : { setIdentifier, routingPolicy };
}

type Properties = RecordSet["properties"];

/** `false` and an empty text are what is without the property. */
export function readProperties(text: string): Result<Properties> {
  const value = jsonIn(text);
  if (!isFields(value)) return fail(NO_PROPERTIES);
  const entries = Object.entries(value);
  const odd = entries.find(([, one]) => typeof one !== "string");
  if (odd !== undefined) return fail(`the property ${odd[0]} is no text; write it in quotes`);
  const texts = entries.map(([key, one]): [string, string] => [key, String(one)]);
  return ok(sorted(texts.filter(([, one]) => one !== "" && one !== "false")));
}

const NO_PROPERTIES = 'it is no JSON object; write e.g. {"proxied":"true"}';

/** As `readProperties` reads it; equal properties have one text. Null = there are none. */
export function propertiesText(properties: Properties): string | null {
  const entries = Object.entries(properties);
  return entries.length === 0 ? null : JSON.stringify(sorted(entries));
}
