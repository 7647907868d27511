/**
 * What an annotation says of all records of an object: properties and a routing policy as JSON
 * (Gardener docs, "Routing policy"), and the owner id that says whose they are (Gardener
 * external-dns-management). What cannot be read holds the object's names: without its properties
 * or its policy, traffic would go another way.
 */
import { jsonIn } from "@zonekeeper/base/json-text";
import { fail, type Result } from "@zonekeeper/base/result";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { PROPERTIES_ANNOTATION, ROUTING_ANNOTATION } from "../../model/annotation-keys.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import {
  isOwnerId,
  OWNER_ID_ANNOTATION,
  OWNER_ID_FORM,
  ownerIdOf,
} from "../../model/object-annotations.ts";
import { resourceOf } from "../../model/provenance.ts";
import { readProperties, readRoutingPolicy } from "../../model/record-attributes.ts";
import type { DesiredRecordSet, PolicyMember } from "../../model/record-set.ts";
import type { Found } from "../source.ts";
import { annotationField, annotationProblem } from "./annotations.ts";
import { heldItems, listsNames } from "./found.ts";
import { quoted } from "./read-name.ts";

/** What was found, with the object's properties for every name. */
export function withProperties(
  object: KubeObject,
  found: Found<DesiredRecordSet>,
): Found<DesiredRecordSet> {
  const text = object.metadata.annotations?.[PROPERTIES_ANNOTATION]?.trim() ?? "";
  if (text === "" || !listsNames(found)) return found;
  const read = readProperties(text);
  if (!read.ok) {
    const fault = { code: "InvalidProperties", message: read.error };
    return heldItems(found, annotationProblem(object, PROPERTIES_ANNOTATION, fault));
  }
  const items = found.items.flatMap((item) =>
    aliased({ ...item, properties: { ...item.properties, ...read.value } }),
  );
  return { ...found, items };
}

/** An alias to a name is of both kinds of addresses, as that of a DNSEndpoint is. */
export function aliased(item: DesiredRecordSet): readonly DesiredRecordSet[] {
  if (item.type !== "CNAME" || item.properties["alias"] !== "true") return [item];
  return ["A", "AAAA"].map((type) => ({ ...item, type }));
}

/** What was found, with the policy that the object's annotation says for each of its names. */
export function withRoutingPolicy(
  object: KubeObject,
  found: Found<DesiredRecordSet>,
): Found<DesiredRecordSet> {
  const text = object.metadata.annotations?.[ROUTING_ANNOTATION]?.trim() ?? "";
  if (text === "" || !listsNames(found)) return found;
  const read = parsedPolicy(text);
  if (!read.ok) {
    const fault = { code: "InvalidRoutingPolicy", message: read.error };
    const problem = annotationProblem(object, ROUTING_ANNOTATION, fault);
    // clause: unreadable-policy-removes-nothing
    return heldItems(found, problem);
  }
  const member = read.value;
  if (member === null) return found;
  return { ...found, items: found.items.map((item) => ({ ...item, ...member })) };
}

function parsedPolicy(text: string): Result<PolicyMember | null> {
  const value = jsonIn(text);
  if (value === undefined)
    return fail('it is not JSON; write {"type":…,"setIdentifier":…,"parameters":{…}}');
  const read = readRoutingPolicy(value);
  return read.ok ? read : fail(read.error.message);
}

/**
 * What was found, with the object's owner id where an item has none. A DNSOwner switches the id on;
 * until then its records are held.
 */
export function withOwnerId(
  object: KubeObject,
  found: Found<DesiredRecordSet>,
): Found<DesiredRecordSet> {
  const owner = ownerIdOf(object);
  // clause: object-names-owner-id
  if (owner === null || !listsNames(found)) return found;
  if (/* clause: impossible-owner-id-is-a-mistake */ !isOwnerId(owner)) {
    const problem = {
      code: "InvalidOwnerId",
      subject: `${resourceOf(objectKeyOf(object, ""))} ${OWNER_ID_ANNOTATION}`,
      message: `${quoted(owner)} is no owner id: ${OWNER_ID_FORM}`,
      field: annotationField(OWNER_ID_ANNOTATION),
    };
    return heldItems(found, problem);
  }
  return { ...found, items: found.items.map((item) => ({ ...item, owner: item.owner ?? owner })) };
}
