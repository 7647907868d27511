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
export async function marksAt(
  actor: ZoneActor,
  name: DnsName,
  ours: Owners,
): Promise<readonly MarkerRecord[]> {
  const { state, setup, apex } = actor;
  if (state === null) return [];
  if (fenceNamesOf(apex)(name)) return fencesAt(actor, name, ours);
  const views = setup.ownership.affected(name).flatMap((one) => state.owned.at(one));
  const scene = { ownership: setup.ownership, views, owners: ours.owners };
  const marks: MarkerRecord[] = [];
  for (const set of state.table.at(name)) {
    const record = views.find(({ data }) => data !== null && isSameKey(data, set));
    // Whatever its text says, a record with a marker of its own is a user's.
    if (record !== undefined && record.marker !== null) continue;
    const mark = await markOf(set, scene);
    if (record === undefined || mark.is === "marker") marks.push(mark);
  }
  return marks;
}

const NOBODY = { of: [], whose: null, owner: null, resource: null, format: null } as const;

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
    .map((set) => ({ ...NOBODY, set, is: "fence", whose, fence: parseFence(set) }));
}

interface MarkScene {
  readonly ownership: Ownership;
  /** Everything that something at the name may speak for. */
  readonly views: readonly OwnedRecordSet[];
  readonly owners: ReadonlySet<string>;
}

async function markOf(set: RecordSet, scene: MarkScene): Promise<MarkerRecord> {
  const permitted = scene.views.filter(({ permit }) => isThis(permit?.record ?? null, set));
  if (permitted.length > 0) return { ...NOBODY, set, is: "permit", of: permitted.map(plainKey) };
  const said = await saidBy(set, scene);
  if (said.length === 0) return { ...NOBODY, set, is: "unknown" };
  const counting = said.filter((one) => isThis(markerAt(one, scene)?.record ?? null, set));
  return counting.length > 0
    ? markerMark(set, counting, scene)
    : { ...markerMark(set, said, scene), ...besides(said, scene) };
}

/**
 * What a record set says as a marker, read as if it were the only one: of several markers of a
 * record the view of the zone keeps one. Empty = it is none.
 */
async function saidBy(set: RecordSet, { ownership, views }: MarkScene): Promise<readonly Marked[]> {
  const data = views.flatMap((view) => view.data ?? []).filter((one) => !isSameKey(one, set));
  const own = await ownership.read([set, ...data]);
  const said = own.filter((view): view is Marked => isThis(view.marker?.record ?? null, set));
  return said.length > 0 ? said : (ownership.markerOfOtherFormat?.(set, data) ?? []);
}

function markerMark(set: RecordSet, said: readonly Marked[], { owners }: MarkScene): MarkerRecord {
  const [first] = said;
  const base = { ...NOBODY, set, is: "marker" as const, of: said.map(plainKey) };
  // Markers in one record set that give the record to several owners.
  if (first === undefined || first.owners !== undefined) return base;
  const { owner, resource, format = null } = first.marker;
  return { ...base, whose: owners.has(owner) ? "ours" : "another", owner, resource, format };
}

/** Where the markers stand that count for these records. */
function besides(said: readonly Marked[], scene: MarkScene): Pick<MarkerRecord, "beside"> {
  const names = said.flatMap((one) => markerAt(one, scene)?.record?.name ?? []);
  return names.length === 0 ? {} : { beside: [...new Set(names)] };
}

/** The marker that counts; null = none does. */
function markerAt(key: OwnedRecordSet, { views }: MarkScene): OwnedRecordSet["marker"] {
  return views.find((view) => view.marker !== null && isSameKey(view, key))?.marker ?? null;
}

function isThis(record: RecordSet | null, set: RecordSet): boolean {
  return record !== null && isSameKey(record, set);
}
