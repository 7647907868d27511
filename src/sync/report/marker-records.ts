/**
 * The records at a name that are no user's, each with the record sets that it applies to: ownership
 * markers (which state an owner), permits (which let another object claim a record) and fences
 * (which say what installation writes). What the registry reads of a zone, its view, hides them;
 * `explain` shows them at their own names. Decides nothing.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { asPlain, isSameKey, plainKey, type RecordSet } from "../../model/record-set.ts";
import type { Ownership } from "../../ownership/ownership.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import type { Marked } from "../../plan/rights.ts";
import { fenceName, fenceNamesOf, parseFences } from "../contract/fence-record.ts";
import type { MarkerRecord } from "../contract/name-explanation.ts";
import type { Identity } from "../zone/name-planner.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

/** Our owner ids. */
type Owners = Pick<Identity, "owners">;

/**
 * These records, in the order of the zone's record sets; empty also until the zone is loaded. A
 * fence is read from the zone now: throws OperationError if that fails.
 */
export async function markerRecordsAt(
  actor: ZoneActor,
  name: DnsName,
  identity: Owners,
): Promise<readonly MarkerRecord[]> {
  const { state, zoneInput, apex } = actor;
  if (state === null) return [];
  if (fenceNamesOf(apex)(name)) return fencesAt(actor, name, identity);
  const views = zoneInput.ownership.affected(name).flatMap((one) => state.owned.at(one));
  const context = { ownership: zoneInput.ownership, views, owners: identity.owners };
  const marks: MarkerRecord[] = [];
  for (const set of state.table.at(name)) {
    const record = views.find(({ data }) => isThis(data, set));
    // A record with a marker is a user's, even if its text has the form of a marker.
    if (record !== undefined && record.marker !== null) continue;
    const mark = await describeSet(set, context);
    if (record === undefined || mark.is === "marker") marks.push(mark);
  }
  return marks;
}

const UNOWNED = { of: [], whose: null, owner: null, resource: null, format: null } as const;

/** Fences, read from the zone now: people see them as they are, not as batches compare them. */
async function fencesAt(
  actor: ZoneActor,
  name: DnsName,
  { owners }: Owners,
): Promise<readonly MarkerRecord[]> {
  const known = [...owners, ...actor.fences.waiting.keys()];
  const owner = known.find((one) => fenceName(actor.apex, one) === name) ?? null;
  const whose = owner !== null && owners.has(owner) ? "ours" : "another";
  const sets = await actor.readNow([name]);
  return sets
    .filter((set) => set.name === name)
    .flatMap((set) =>
      (parseFences(set) ?? [null]).map(
        (fence) => ({ ...UNOWNED, set, is: "fence", whose, owner, fence }) as const,
      ),
    );
}

interface MarkerContext {
  readonly ownership: Ownership;
  /** Every record set that a marker at the name may apply to. */
  readonly views: readonly OwnedRecordSet[];
  readonly owners: ReadonlySet<string>;
}

async function describeSet(set: RecordSet, context: MarkerContext): Promise<MarkerRecord> {
  const permitted = context.views.filter(({ permit }) => isThis(permit?.record ?? null, set));
  if (permitted.length > 0) return { ...UNOWNED, set, is: "permit", of: permitted.map(plainKey) };
  const marked = await readAsMarker(set, context);
  if (marked.length === 0) return { ...UNOWNED, set, is: "unknown" };
  const counting = marked.filter((one) => isThis(markerAt(one, context)?.record ?? null, set));
  return counting.length > 0
    ? describeMarker(set, counting, context)
    : { ...describeMarker(set, marked, context), ...countingMarkers(marked, context) };
}

/**
 * The record sets that `set` marks, read as if it were their only marker, because the zone's view
 * keeps only one of several markers of a record. Empty = it is no marker.
 */
async function readAsMarker(
  set: RecordSet,
  { ownership, views }: MarkerContext,
): Promise<readonly Marked[]> {
  const data = views.flatMap((view) => view.data ?? []).filter((one) => !isSameKey(one, set));
  const own = await ownership.read([set, ...data]);
  const marked = own.filter((view): view is Marked => isThis(view.marker?.record ?? null, set));
  return marked.length > 0 ? marked : (ownership.otherFormats?.markersIn(set, data) ?? []);
}

function describeMarker(
  set: RecordSet,
  marked: readonly Marked[],
  { owners }: MarkerContext,
): MarkerRecord {
  const [first] = marked;
  const base = { ...UNOWNED, set, is: "marker" as const, of: marked.map(plainKey) };
  // Several markers in one record set name different owners.
  if (first === undefined || first.owners !== undefined) return base;
  const { owner, resource, format = null } = first.marker;
  return { ...base, whose: owners.has(owner) ? "ours" : "another", owner, resource, format };
}

/** Names of the markers that count for these records. */
function countingMarkers(
  marked: readonly Marked[],
  context: MarkerContext,
): Pick<MarkerRecord, "beside"> {
  const names = marked.flatMap((one) => markerAt(one, context)?.record?.name ?? []);
  return names.length === 0 ? {} : { beside: [...new Set(names)] };
}

/** The marker that counts; null = none does. */
function markerAt(key: OwnedRecordSet, { views }: MarkerContext): OwnedRecordSet["marker"] {
  return views.find((view) => view.marker !== null && isSameKey(view, key))?.marker ?? null;
}

function isThis(record: RecordSet | null, set: RecordSet): boolean {
  return record !== null && isSameKey(asPlain(record), set);
}
