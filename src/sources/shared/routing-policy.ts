/** The routing policy that an annotation says as JSON (Gardener docs, "Routing policy"). */
import { jsonIn } from "@zonekeeper/base/json-text";
import { fail, type Result } from "@zonekeeper/base/result";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { ROUTING_ANNOTATION } from "../../model/annotation-keys.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import { resourceOf } from "../../model/provenance.ts";
import { readRoutingPolicy } from "../../model/record-attributes.ts";
import type { DesiredRecordSet, PolicyMember } from "../../model/record-set.ts";
import type { Found } from "../source.ts";
import { annotationField } from "./annotations.ts";
import { heldItems, listsNames, PROBLEM_WAIT } from "./found.ts";

/**
 * What was found, with the policy that the object's annotation says for each of its names. One that
 * cannot be read holds them: without it they would answer for all members.
 */
export function withRoutingPolicy(
  object: KubeObject,
  found: Found<DesiredRecordSet>,
): Found<DesiredRecordSet> {
  const text = object.metadata.annotations?.[ROUTING_ANNOTATION]?.trim() ?? "";
  if (text === "" || !listsNames(found)) return found;
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
  const held = heldItems(found, PROBLEM_WAIT);
  // clause: unreadable-policy-removes-nothing
  return { ...held, problems: [...found.problems, problem] };
}

function parsed(text: string): Result<PolicyMember | null> {
  const value = jsonIn(text);
  if (value === undefined)
    return fail('it is not JSON; write {"type":…,"setIdentifier":…,"parameters":{…}}');
  const read = readRoutingPolicy(value);
  return read.ok ? read : fail(read.error.message);
}
