/**
 * Routing policies as objects ask for them: `spec.routingPolicy` of a DNSEntry, the same as JSON in
 * an annotation (Gardener docs, "Routing policy"), and the properties of an external-dns endpoint
 * (its AWS tutorial, "Routing policies"). Reads only; what a provider takes is said by its `audit`.
 */
import { ROUTING_ANNOTATION } from "../../model/annotation-keys.ts";
import { compareText } from "../../model/dns-name.ts";
import type { KubeObject } from "../../model/kubernetes.ts";
import { fieldsOf, objectKeyOf, textOf } from "../../model/object-fields.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet, PolicyMember } from "../../model/record-set.ts";
import { fail, ok, type Result } from "../../model/result.ts";
import type { Found } from "../source.ts";
import { annotationField } from "./annotations.ts";
import { heldItems, waitReason } from "./found.ts";

/** What is wrong with one field of a policy; `field` is empty for the policy as a whole. */
export interface PolicyTrouble {
  readonly field: "" | "type" | "setIdentifier" | "parameters";
  readonly message: string;
}

/** Reads a policy object. Null = absent or empty: the record set is plain. */
export function readRoutingPolicy(value: unknown): Result<PolicyMember | null, PolicyTrouble> {
  const fields = fieldsOf(value);
  if (Object.keys(fields).length === 0)
    return value === undefined || value === null || isEmpty(value) ? ok(null) : fail(NO_OBJECT);
  const unknown = Object.keys(fields).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    const message = `a routing policy has no field ${unknown}; it has ${KEYS.join(", ")}`;
    return fail({ field: "", message });
  }
  const type = textOf(fields["type"]) ?? "";
  if (type === "")
    return fail({ field: "type", message: "the routing policy has no type; write e.g. weighted" });
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

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

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

/**
 * What was found, with the policy that the object's annotation says for each of its names. One that
 * cannot be read holds them: without it they would answer for all members.
 */
export function withRoutingPolicy(
  object: KubeObject,
  found: Found<DesiredRecordSet>,
): Found<DesiredRecordSet> {
  const text = object.metadata.annotations?.[ROUTING_ANNOTATION]?.trim() ?? "";
  if (text === "" || found.items.length === 0) return found;
  const read = parsed(text);
  if (read.ok) {
    const member = read.value;
    if (member === null) return found;
    return { ...found, items: found.items.map((item) => ({ ...item, ...member })) };
  }
  const problem = {
    code: "InvalidRoutingPolicy",
    subject: resourceOf(objectKeyOf(object, "")),
    message: read.error,
    field: annotationField(ROUTING_ANNOTATION),
  };
  const held = heldItems(found, waitReason(problem.code));
  return { ...held, problems: [...found.problems, problem] };
}

function parsed(text: string): Result<PolicyMember | null> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail('it is not JSON; write {"type":…,"setIdentifier":…,"parameters":{…}}');
  }
  const read = readRoutingPolicy(value);
  return read.ok ? read : fail(read.error.message);
}
