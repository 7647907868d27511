/**
 * Who owns each record set of a zone, and which objects want it. People read these rows before they
 * give orders. Only reads, in slices.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { type Clock, Slices } from "@zonekeeper/base/ports/clock";
import { type DnsName, isAtOrBelow, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { isMarkOf, resourceOf } from "../../model/provenance.ts";
import { type DesiredRecordSet, hasSameData, isSameKey } from "../../model/record-set.ts";
import { ORPHANED } from "../../plan/absence-hold-reasons.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import { markerState } from "../../plan/claims.ts";
import { isPending } from "../../plan/pending.ts";
import { wouldAdopt } from "../../plan/rights.ts";
import type { Adoption } from "../../plan/rules.ts";
import type { DesiredIndex } from "../cache/desired-index.ts";
import type { ZoneState } from "../cache/zone-state.ts";
import { fenceName } from "../contract/fence-record.ts";
import type { OwnershipRow, ZoneOwnership } from "../contract/ownership-rows.ts";
import type { NameLedger } from "../zone/name-ledger.ts";
import type { Identity } from "../zone/name-planner.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";
import { fencesOf } from "./zone-status.ts";

interface OwnershipContext {
  readonly state: ZoneState;
  readonly index: DesiredIndex;
  /** What objects want through accounts (ways) that may lead into this very zone. */
  readonly beside: readonly DesiredIndex[];
  readonly identity: Identity;
  readonly adoption: Adoption;
  readonly ledger: Pick<NameLedger, "planAt">;
  readonly absences: ListOptions["absences"];
}

/** The part of a zone's actor that is read. */
type OwnershipZone = Pick<
  ZoneActor,
  "zoneInput" | "state" | "index" | "ledger" | "zoneFailure" | "identity" | "fences"
>;

interface ListOptions {
  readonly clock: Clock;
  readonly absences: {
    /** What is known of the object in the marker of an orphan, for people. */
    describe(orphan: OwnedRecordSet): string;
  };
  /** What objects want through accounts to this apex that are not proven to be another zone. */
  readonly unprovenIndexesAt: (apex: DnsName) => readonly DesiredIndex[];
}

/**
 * Ownership at these names (null = at all) in every open zone that could hold one of them, sorted
 * by zone, then name.
 */
export async function listOwnership(
  zones: readonly OwnershipZone[],
  names: ReadonlySet<DnsName> | null,
  { clock, absences, unprovenIndexesAt }: ListOptions,
): Promise<readonly ZoneOwnership[]> {
  const slices = new Slices(clock);
  const wanted = names === null ? null : [...names].sort(compareText);
  const found: ZoneOwnership[] = [];
  for (const actor of [...zones].sort(byZone)) {
    const { key, zone, adoption } = actor.zoneInput;
    const isMeant = wanted?.some((name) => isAtOrBelow(name, zone.name)) ?? true;
    if (!isMeant) continue;
    // Rows that were read before a failure are shown all the same; they may be old.
    const trouble =
      actor.zoneFailure?.message ?? (actor.state === null ? "the zone is being loaded" : null);
    const beside = unprovenIndexesAt(zone.name);
    const ofRecords = await rowsOfZone(actor, wanted, { beside, slices, absences });
    const rows = [...ofRecords, ...fenceRows(actor, wanted)];
    const owners = [...actor.identity.owners].sort(compareText);
    const { fences = [] } = fencesOf(actor);
    found.push({ key, zone, owners, fences, adoption: adoption.mode, trouble, rows });
  }
  return found;
}

function byZone({ zoneInput: a }: OwnershipZone, { zoneInput: b }: OwnershipZone): number {
  return compareText(a.key.zone, b.key.zone);
}

/** Fences of other installations whose owner id no record of the zone has. */
function fenceRows(
  { state, fences, zoneInput: { zone } }: OwnershipZone,
  wanted: readonly DnsName[] | null,
): readonly OwnershipRow[] {
  const asked = fences.others().filter(({ set }) => wanted?.includes(set.name) ?? true);
  if (state === null || asked.length === 0) return [];
  const owners = new Set<string>();
  for (const name of state.owned.names())
    for (const { marker } of state.owned.at(trustedDnsName(name)))
      if (marker !== null) owners.add(marker.owner);
  const used = new Set([...owners].map((owner) => fenceName(zone.name, owner)));
  return asked
    .filter(({ set }) => /* clause: fence-with-records-is-no-orphan */ !used.has(set.name))
    .map(({ set: { name, type, values }, domain, text }) => ({
      ...{ name, type, setIdentifier: null, values, whose: "another", owners: [domain] },
      ...{ resource: null, marker: text, isPending: false, wantedBy: null, isAdoptable: false },
      permit: null,
      orphan: `orphan: fence of the installation ${domain}; no record of the zone has its owner id. An installation that lives writes it again with its next change`,
    }));
}

/** Every record set at these names of a zone with its owner; `wanted` is sorted, null = all. */
async function rowsOfZone(
  { zoneInput: { adoption, zone }, state, index, ledger, identity }: OwnershipZone,
  wanted: readonly DnsName[] | null,
  {
    slices,
    ...others
  }: Pick<OwnershipContext, "beside" | "absences"> & {
    readonly slices: Slices;
  },
): Promise<readonly OwnershipRow[]> {
  if (state === null) return [];
  const context = { state, index, ledger, adoption, identity, ...others };
  const rows: OwnershipRow[] = [];
  // Names are gathered first: the zone may change between two slices.
  for (const name of wanted ?? [...state.owned.names()].sort(compareText)) {
    if (slices.isOver) await slices.next();
    const dnsName = trustedDnsName(name);
    if (isAtOrBelow(dnsName, zone.name)) rows.push(...rowsAt(context, dnsName));
  }
  return rows;
}

function rowsAt(context: OwnershipContext, name: DnsName): readonly OwnershipRow[] {
  const { state, index, beside, identity, adoption } = context;
  const wanted = index.wanted(name);
  const others = beside.flatMap((other) => other.wanted(name));
  return state.owned.at(name).map((one) => {
    const set = wanted.find((candidate) => isSameKey(candidate, one));
    const { type, setIdentifier, data, permit } = one;
    return {
      ...{ name, type, setIdentifier, values: data?.values ?? null },
      whose: whoseIs(one, identity),
      ...markerOf(one),
      wantedBy: set === undefined ? null : resourceOf(set.provenance),
      ...becomes(set, data),
      ...wantedWithoutProof(one, others),
      ...orphanOf(one, context),
      isAdoptable: set !== undefined && data !== null && wouldAdopt(data, set, adoption),
      permit: permit === undefined ? null : { owner: permit.toOwner, resource: permit.toResource },
    };
  });
}

/** The data that the object in `wantedBy` will write once the record is its own. */
function becomes(
  wanted: DesiredRecordSet | undefined,
  data: OwnedRecordSet["data"],
): Pick<OwnershipRow, "becomes"> {
  if (wanted === undefined || data === null) return {};
  const ttlSeconds = wanted.ttlSeconds ?? data.ttlSeconds;
  if (hasSameData(wanted, data) && ttlSeconds === data.ttlSeconds) return {};
  return { becomes: { values: wanted.values, ttlSeconds } };
}

function orphanOf(
  one: OwnedRecordSet,
  { ledger, absences }: OwnershipContext,
): Pick<OwnershipRow, "orphan"> {
  const holds = ledger.planAt(one.name)?.holds ?? [];
  const hold = holds.find(({ key, code }) => ORPHANED.has(code) && isSameKey(key, one));
  if (hold === undefined) return {};
  return { orphan: hold.code === "Orphan" ? absences.describe(one) : `orphan: ${hold.message}` };
}

function wantedWithoutProof(
  one: OwnedRecordSet,
  others: readonly DesiredRecordSet[],
): Pick<OwnershipRow, "wantedBeside"> {
  const sets = others.filter((set) => isSameKey(set, one));
  // If several objects want it, the one in the marker is named.
  const own = sets.find(({ provenance }) => isMarkOf(one.marker, provenance));
  const set = own ?? sets[0];
  return set === undefined ? {} : { wantedBeside: resourceOf(set.provenance) };
}

type MarkerPart = Pick<
  OwnershipRow,
  "owners" | "trouble" | "resource" | "marker" | "markerName" | "format" | "isPending"
>;

function markerOf({ owners, marker }: OwnedRecordSet): MarkerPart {
  if (marker === null) return { owners: [], resource: null, marker: null, isPending: false };
  return {
    owners: (owners ?? [marker.owner]).filter((owner) => owner !== ""),
    ...(marker.trouble === undefined ? {} : { trouble: marker.trouble }),
    resource: marker.resource,
    marker: markerState(marker),
    ...(marker.record === null ? {} : { markerName: marker.record.name }),
    ...(marker.format === undefined ? {} : { format: marker.format }),
    isPending: isPending(marker.labels),
  };
}

function whoseIs(
  { contested, marker }: OwnedRecordSet,
  { owners }: Identity,
): OwnershipRow["whose"] {
  if (contested) return "contested";
  if (marker === null) return "nobody";
  return owners.has(marker.owner) ? "ours" : "another";
}
