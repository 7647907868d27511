/**
 * What stands at a name and is no record of a user: ownership markers, permits and fences, with
 * what they speak for. The owned view has folded them away; `explain` tells of them under their own
 * names. Decides nothing.
 */
import type { DnsName } from "../../model/dns-name.ts";
import { isSameKey, plainKey, type RecordSet } from "../../model/record-set.ts";
import type { Ownership } from "../../ownership/ownership.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import type { Marked } from "../../plan/rights.ts";
import { fenceName, fenceNamesOf, parseFence } from "../contract/fence-record.ts";
import type { MarkerRecord } from "../contract/name-explanation.ts";
import type { Identity } from "../zone/name-planner.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

/** Whose owner ids are ours. */
type Owners = Pick<Identity, "owners" | "mainOwner">;

/**
 * In the order of the zone's record sets; empty also until the zone is loaded. A fence is read from
 * the zone itself: throws OperationError where it cannot be.
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
    const record = views.find(({ data }) => data !== null && isSameKey(data, set));
    // Whatever its text says, a record with a marker of its own is a user's.
    if (record !== undefined && record.marker !== null) continue;
    const mark = await describeSet(set, context);
    if (record === undefined || mark.is === "marker") marks.push(mark);
  }
  return marks;
}

const UNOWNED = { of: [], whose: null, owner: null, resource: null, format: null } as const;

/** Batches compare what is known of a fence; people are shown what stands there now. */
async function fencesAt(
  actor: ZoneActor,
  name: DnsName,
  { mainOwner }: Owners,
): Promise<readonly MarkerRecord[]> {
  const whose = name === fenceName(actor.apex, mainOwner) ? "ours" : "another";
  const sets = await actor.readNow([name]);
  return sets
    .filter((set) => set.name === name)
    .map((set) => ({ ...UNOWNED, set, is: "fence", whose, fence: parseFence(set) }));
}

interface MarkerContext {
  readonly ownership: Ownership;
  /** Everything that something at the name may speak for. */
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
 * What a record set says as a marker, read as if it were the only one: of several markers of a
 * record the view of the zone keeps one. Empty = it is none.
 */
async function readAsMarker(
  set: RecordSet,
  { ownership, views }: MarkerContext,
): Promise<readonly Marked[]> {
  const data = views.flatMap((view) => view.data ?? []).filter((one) => !isSameKey(one, set));
  const own = await ownership.read([set, ...data]);
  const marked = own.filter((view): view is Marked => isThis(view.marker?.record ?? null, set));
  return marked.length > 0 ? marked : (ownership.markerOfOtherFormat?.(set, data) ?? []);
}

function describeMarker(
  set: RecordSet,
  marked: readonly Marked[],
  { owners }: MarkerContext,
): MarkerRecord {
  const [first] = marked;
  const base = { ...UNOWNED, set, is: "marker" as const, of: marked.map(plainKey) };
  // Markers in one record set that give the record to several owners.
  if (first === undefined || first.owners !== undefined) return base;
  const { owner, resource, format = null } = first.marker;
  return { ...base, whose: owners.has(owner) ? "ours" : "another", owner, resource, format };
}

/** Where the markers stand that count for these records. */
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
  return record !== null && isSameKey(record, set);
}
