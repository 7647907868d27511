/**
 * Who has or wants record sets at a name, as other names see it (Z-26, Z-28). Pure reading.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { resourceOf } from "../../model/provenance.ts";
import { isSameKey, type RecordSetKey } from "../../model/record-set.ts";
import type { Ownership } from "../../ownership/ownership.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import {
  type Holding,
  holdingIn,
  holdingOf,
  isSameTenant,
  type Tenant,
} from "../../plan/tenants.ts";
import { collectTransfers } from "../../plan/transfer-requests.ts";
import type { DesiredIndex } from "../cache/desired-index.ts";
import type { ZoneState } from "../cache/zone-state.ts";
import type { ZoneTenancy } from "../contract/zone.ts";

/** What is read. */
export interface NeighbourContext {
  readonly apex: DnsName;
  readonly index: DesiredIndex;
  readonly state: ZoneState;
  readonly ownership: Pick<Ownership, "affected">;
  readonly tenancy: ZoneTenancy;
  readonly mainOwner: string;
}

/** A record set, a marker or an object at a name. */
export interface Holder {
  /** For people: `A www.example.org (dnsentry/ta/www)`. */
  readonly text: string;
  /** Its object as people name it; null = nobody that we know. */
  readonly object: string | null;
  /** Null = nobody that we know. */
  readonly tenant: Tenant | null;
  /** What decides whether it is shared; null = nothing shares it but its own tenant. */
  readonly holding: Holding | null;
}

/** Whether the record set belongs to nobody that we know, or to another tenant. */
export function isForeignTo(tenant: Tenant): (holder: Holder) => boolean {
  // clause: foreign-record-holds-name
  return (holder) => holder.tenant === null || !isSameTenant(holder.tenant, tenant);
}

/**
 * What exists at the name: record sets, or else a marker of record sets of other names. The record
 * set that `desired` would replace is none, nor is its marker.
 */
export function existingAt(
  name: DnsName,
  context: NeighbourContext,
  desired: RecordSetKey | null = null,
): readonly Holder[] {
  const { state } = context;
  const stays = (set: OwnedRecordSet): boolean =>
    desired === null || set.data === null || !isSameKey(set, desired);
  const sets = state.owned.at(name);
  if (sets.length > 0) return sets.filter(stays).map((set) => holderOf(set, context));
  if (state.table.at(name).length === 0) return [];
  const text = `the marker at ${name}`;
  const marked = markedBy(name, context);
  if (marked.length === 0) return [{ text, object: null, tenant: null, holding: null }];
  return marked.filter(stays).map((set) => ({ ...holderOf(set, context), text }));
}

/** What objects want at the name, also while they wait for an address. */
export function wantedAt(name: DnsName, context: NeighbourContext): readonly Holder[] {
  const wanted = context.index.wanted(name);
  return context.index.objectsAt(name).map((tenant) => {
    const object = resourceOf(tenant);
    const desired = wanted.find(({ provenance }) => provenance === tenant);
    const holding = desired === undefined ? null : holdingOf(desired, context.mainOwner);
    return { text: `${name} (${object})`, object, tenant, holding };
  });
}

/** Records under the name mark record sets of other names. */
function markedBy(name: DnsName, { ownership, state }: NeighbourContext) {
  return ownership
    .affected(name)
    .flatMap((one) => state.owned.at(one))
    .filter(({ marker }) => marker?.record?.name === name);
}

function holderOf(set: OwnedRecordSet, { index, state }: NeighbourContext): Holder {
  const { name, type, marker } = set;
  const object = marker?.resource ?? null;
  const text = `${type} ${name} (${object ?? "no known owner"})`;
  const unowned = { text, object: null, tenant: null, holding: null };
  if (marker === null || !state.owned.isOwnedByUs(set)) return unowned;
  const objectTransfers = index.objectTransfersAt(name, [marker]);
  const known = collectTransfers(index.wanted(name), { objectTransfers });
  const holding = holdingIn({ ...set, marker }, known);
  return holding === null ? unowned : { text, object, tenant: holding.tenant, holding };
}
