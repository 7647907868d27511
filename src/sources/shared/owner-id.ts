/**
 * The owner id that an annotation says (Gardener external-dns-management): whose the records of the
 * object are. A DNSOwner switches it on; until then they are held.
 */

import type { KubeObject } from "../../model/kubernetes.ts";
import { ownerIdOf } from "../../model/owner-id.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found, Source } from "../source.ts";

/** What was found, with that id where an item has none. */
export function withOwnerId(
  object: KubeObject,
  found: Found<DesiredRecordSet>,
): Found<DesiredRecordSet> {
  const owner = ownerIdOf(object);
  if (owner === null || found.items.length === 0) return found;
  return { ...found, items: found.items.map((item) => ({ ...item, owner: item.owner ?? owner })) };
}

/** The source with this id for all its records, whatever objects say; null = as they say. */
export function withOwnerFor(source: Source, owner: string | null): Source {
  if (owner === null) return source;
  return {
    ...source,
    endpoints: (object, view) => {
      const found = source.endpoints(object, view);
      return { ...found, items: found.items.map((item) => ({ ...item, owner })) };
    },
  };
}
