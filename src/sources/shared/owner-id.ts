/**
 * The owner id that an annotation says (Gardener external-dns-management): whose the records of the
 * object are. A DNSOwner switches it on; until then they are held.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { objectKeyOf } from "../../model/kinds.ts";
import {
  isOwnerId,
  OWNER_ID_ANNOTATION,
  OWNER_ID_FORM,
  ownerIdOf,
} from "../../model/object-annotations.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found, Source } from "../source.ts";
import { annotationField } from "./annotations.ts";
import { heldItems, listsNames, PROBLEM_WAIT } from "./found.ts";
import { quoted } from "./read-name.ts";

/** What was found, with that id where an item has none. One that none can have holds them. */
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
    return { ...heldItems(found, PROBLEM_WAIT), problems: [...found.problems, problem] };
  }
  return { ...found, items: found.items.map((item) => ({ ...item, owner: item.owner ?? owner })) };
}

/** The source with this id for all its records, whatever objects say; null = as they say. */
export function withOwnerFor(source: Source, owner: string | null): Source {
  if (/* clause: target-owner-id-applies */ owner === null) return source;
  return {
    ...source,
    endpoints: (object, view) => {
      const found = source.endpoints(object, view);
      // clause: target-owner-id-comes-first
      return { ...found, items: found.items.map((item) => ({ ...item, owner })) };
    },
  };
}
