/** What an entry wants in its zone. Pure. */
import { isRenamed } from "../../model/annotation-keys.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { type Found, objectTransferOf } from "../../sources/source.ts";
import type { EntryContext } from "./entry-context.ts";

/**
 * Z-21: a Service or Ingress that says no TTL has no wish, also by way of the entry that is made of
 * it: a record that another program wrote with its own TTL is left as it is.
 */
export function withTtl(item: DesiredRecordSet, ttl: number): DesiredRecordSet {
  if (item.ttlSeconds !== null) return item;
  const isGenerated = item.provenance.kind !== DNS_ENTRY.kind.toLowerCase();
  // clause: generated-entry-sets-no-ttl
  return isGenerated ? { ...item, ttlOnCreate: ttl } : { ...item, ttlSeconds: ttl };
}

/**
 * Z-4: if the source object has no address now, the name waits; addresses that the entry still
 * lists are not published again. Z-32: a name that its object has no more waits for the end.
 */
export function foundFor(
  { found, lookedUp, origin, entry }: EntryContext,
  items: readonly DesiredRecordSet[],
): Found<DesiredRecordSet> {
  const isAddressless = origin === "no-address";
  if (!isAddressless && !isRenamed(entry.object)) return { ...(lookedUp ?? found), items };
  const reason = isAddressless ? "NoTargets" : "RenamedUnpublished";
  const names = new Map(found.items.map(({ name, provenance }) => [name, provenance]));
  const waiting = [...names].map(([name, provenance]) => ({
    name,
    reason,
    provenance,
  }));
  const objectTransfer = objectTransferOf(found);
  return { ...found, items: [], waiting, ...(objectTransfer === null ? {} : { objectTransfer }) };
}
