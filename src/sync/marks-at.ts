/**
 * What stands at a name and is no record of a user: ownership markers, permits and fences, with what they speak for. The
 * owned view has folded them away; `explain` tells of them under their own names. Decides nothing.
 */
import type { DnsName } from "../model/dns-name.ts";
import { plainKey, type RecordSet, recordSetKeyText } from "../model/record-set.ts";
import type { OwnedRecordSet } from "../plan/changes.ts";
import type { MarkRecord } from "./contract.ts";
import { fenceNamesOf } from "./fence-record.ts";
import type { ZoneActor } from "./zone-actor.ts";

/** In the order of the zone's record sets; empty also until the zone is loaded. `owners`: the ids that are ours. */
export function marksAt(
  { state, setup, apex }: ZoneActor,
  name: DnsName,
  owners: ReadonlySet<string>,
): readonly MarkRecord[] {
  if (state === null) return [];
  const data = new Set(state.owned.at(name).flatMap((set) => keyOf(set.data)));
  const marks = state.table.at(name).filter((set) => !data.has(recordSetKeyText(set)));
  if (marks.length === 0) return [];
  if (fenceNamesOf(apex)(name)) return marks.map((set) => ({ ...NOBODY, set, is: "fence" }));
  const labelled = setup.ownership.affected(name).flatMap((one) => state.owned.at(one));
  return marks.map((set) => markOf(set, labelled, owners));
}

const NOBODY = { of: [], whose: null, owner: null, resource: null, format: null } as const;

function markOf(
  set: RecordSet,
  labelled: readonly OwnedRecordSet[],
  owners: ReadonlySet<string>,
): MarkRecord {
  const key = recordSetKeyText(set);
  const isThis = (record: RecordSet | null): boolean => keyOf(record).includes(key);
  const marked = labelled.filter(({ marker }) => isThis(marker?.record ?? null));
  const [first] = marked;
  if (first !== undefined && first.marker !== null) {
    const { owner, resource, format = null } = first.marker;
    const whose = owners.has(owner) ? "ours" : "another";
    return { set, is: "marker", of: marked.map(plainKey), whose, owner, resource, format };
  }
  const permitted = labelled.filter(({ permit }) => isThis(permit?.record ?? null));
  if (permitted.length > 0) return { ...NOBODY, set, is: "permit", of: permitted.map(plainKey) };
  // One of several markers of a record: the view keeps one of them.
  const other = labelled.filter(
    ({ contested, marker }) => contested || marker?.hasRemnant === true,
  );
  return { ...NOBODY, set, is: other.length > 0 ? "marker" : "unknown", of: other.map(plainKey) };
}

function keyOf(set: RecordSet | null): readonly string[] {
  return set === null ? [] : [recordSetKeyText(set)];
}
