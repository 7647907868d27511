/** Joins successive changes of the journal to one for each record set, for an undo. Pure. */
import { compareText } from "@zonekeeper/base/compare-text";
import { groupedBy } from "@zonekeeper/base/grouped-by";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { compareKeys, type RecordSetKey, recordSetKeyText } from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import type { UndoQuery } from "../contract/ownership-rows.ts";
import type { RecordData, ZoneChange } from "../contract/zone-change.ts";

/** Successive changes of one record set as one. */
export interface NetChange {
  readonly apex: DnsName;
  readonly key: RecordSetKey;
  /** Before the first of them; null = none. */
  readonly before: RecordData | null;
  /** After the last of them; null = none. */
  readonly after: RecordData | null;
  /** The last of them, which names the object and the owner. */
  readonly last: ZoneChange;
}

/** `changes`: those of the query, newest first. Left out: record sets that are as before. */
export function netChanges(changes: readonly ZoneChange[], query: UndoQuery): readonly NetChange[] {
  const byKey = groupedBy(changes, (change) => `${change.zone} ${recordSetKeyText(keyOf(change))}`);
  return chosen([...byKey.values()], query)
    .flatMap(netOf)
    .sort((a, b) => compareText(a.apex, b.apex) || compareKeys(a.key, b.key));
}

/** The changes of each record set that the query means, newest first. */
function chosen(
  histories: readonly (readonly ZoneChange[])[],
  { hash, sinceMs }: UndoQuery,
): readonly (readonly ZoneChange[])[] {
  if (hash !== null || sinceMs !== null) return histories;
  const last = histories.map((changes) => notUndone(changes).slice(0, 1));
  const latestMs = Math.max(...last.flat().map(({ atMs }) => atMs));
  // What one call wrote is one change of the name.
  return last.filter(([change]) => change?.atMs === latestMs);
}

/** Changes of data, without undos and the changes that these took back. */
function notUndone(changes: readonly ZoneChange[]): readonly ZoneChange[] {
  const ofData = changes.filter(isOfData);
  const left: ZoneChange[] = [];
  for (let at = 0; at < ofData.length; at++) {
    const change = ofData[at];
    if (change === undefined) break;
    if (change.cause !== "undo") {
      left.push(change);
      continue;
    }
    const rest = ofData.slice(at + 1);
    const first = rest.findIndex(({ before }) => isSameJson(before ?? null, change.after ?? null));
    if (first < 0) break;
    at += first + 1;
  }
  return left;
}

function netOf(changes: readonly ZoneChange[]): readonly NetChange[] {
  const ofData = changes.filter(isOfData);
  const [last] = changes;
  if (last === undefined || ofData.length === 0) return [];
  const before = ofData.at(-1)?.before ?? null;
  const after = ofData[0]?.after ?? null;
  if (isSameJson(before, after)) return [];
  return [{ apex: last.zone, key: keyOf(last), before, after, last }];
}

function isOfData({ is }: ZoneChange): boolean {
  return is !== "marker";
}

function keyOf({ name, type, setIdentifier }: ZoneChange): RecordSetKey {
  return { name, type, setIdentifier: setIdentifier ?? null };
}
