/**
 * Routing policies as objects say them: `spec.routingPolicy` of a DNSEntry (Gardener docs, "Routing
 * policy"). Reads and writes the form only; what a provider takes is said by its `audit`.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { MERGED } from "./merged.ts";
import type { DesiredRecordSet, PolicyMember } from "./record-set.ts";

/** What is wrong with one field of a policy; `field` is empty for the policy as a whole. */
export interface PolicyTrouble {
  readonly field: "" | "type" | "setIdentifier" | "parameters";
  readonly message: string;
}

/** Reads a policy object. Null = absent or empty: the record set is plain. */
export function readRoutingPolicy(value: unknown): Result<PolicyMember | null, PolicyTrouble> {
  if (value === undefined || value === null) return ok(null);
  if (typeof value !== "object" || Array.isArray(value)) return fail(NO_OBJECT);
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
const NO_OBJECT: PolicyTrouble = {
  field: "",
  message: `a routing policy is an object with ${KEYS.join(", ")}`,
};

/** By code unit: equal policies have one text. */
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
