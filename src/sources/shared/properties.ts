/** The properties that an annotation says as JSON, for every name of the object. */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { PROPERTIES_ANNOTATION } from "../../model/annotation-keys.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import { resourceOf } from "../../model/provenance.ts";
import { readProperties } from "../../model/record-attributes.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found } from "../source.ts";
import { annotationField } from "./annotations.ts";
import { heldItems, listsNames, PROBLEM_WAIT } from "./found.ts";

/**
 * What was found, with the object's properties. Ones that cannot be read hold its names: without
 * them its traffic would go another way.
 */
export function withProperties(
  object: KubeObject,
  found: Found<DesiredRecordSet>,
): Found<DesiredRecordSet> {
  const text = object.metadata.annotations?.[PROPERTIES_ANNOTATION]?.trim() ?? "";
  if (text === "" || !listsNames(found)) return found;
  const read = readProperties(text);
  if (read.ok) {
    const items = found.items.flatMap((item) =>
      aliased({ ...item, properties: { ...item.properties, ...read.value } }),
    );
    return { ...found, items };
  }
  const problem = {
    code: "InvalidProperties",
    subject: resourceOf(objectKeyOf(object, "")),
    message: read.error,
    field: annotationField(PROPERTIES_ANNOTATION),
  };
  return { ...heldItems(found, PROBLEM_WAIT), problems: [...found.problems, problem] };
}

/** An alias to a name is of both kinds of addresses, as that of a DNSEndpoint is. */
export function aliased(item: DesiredRecordSet): readonly DesiredRecordSet[] {
  if (item.type !== "CNAME" || item.properties["alias"] !== "true") return [item];
  return ["A", "AAAA"].map((type) => ({ ...item, type }));
}
