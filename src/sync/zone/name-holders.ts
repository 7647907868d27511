/**
 * Which tenants (namespaces of clusters) have or want record sets at a name, for the judgement of
 * names around it (Z-26, Z-28). Pure reading.
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

/** What is known of a zone while a name around others is judged. */
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
  /** Its object, `kind/namespace/name`; null = not known. */
  readonly object: string | null;
  /** Null = not known: the record has no marker of ours. */
  readonly tenant: Tenant | null;
  /** The input of `mayShareName` and `permits`; null = only its own tenant may share the name. */
  readonly holding: Holding | null;
}

/** A test whether a holder is of another tenant, or of none that is known. */
export function isForeignTo(tenant: Tenant): (holder: Holder) => boolean {
  // clause: foreign-record-holds-name
  return (holder) => holder.tenant === null || !isSameTenant(holder.tenant, tenant);
}

/**
 * What exists at the name: record sets, or else a marker of record sets of other names. Left out:
 * the record set that `desired` would replace, and its marker.
 */
export function existingAt(
  name: DnsName,
  context: NeighbourContext,
  desired: RecordSetKey | null = null,
): readonly Holder[] {
  const { state, ownership } = context;
  const stays = (set: OwnedRecordSet): boolean =>
    desired === null || set.data === null || !isSameKey(set, desired);
  const sets = state.owned.at(name);
  if (sets.length > 0) return sets.filter(stays).map((set) => holderOf(set, context));
  if (state.table.at(name).length === 0) return [];
  const text = `the marker at ${name}`;
  // Record sets of other names whose markers are at this one.
  const marked = ownership
    .affected(name)
    .flatMap((one) => state.owned.at(one))
    .filter(({ marker }) => marker?.record?.name === name);
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
