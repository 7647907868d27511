/**
 * Markers at the name of a record that is to be created, which the planner does not see (Z-11). A
 * marker of ours moves: it is removed there and created at another name, in the same group. Any
 * other marker holds the record.
 */

import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { isSameKey, type RecordSet, recordSetKeyText } from "../../model/record-set.ts";
import type { Change } from "../../plan/changes.ts";
import { type AnsweringZone, answersAt, mayCoexist } from "../../plan/coexistence.ts";
import type { PresentSets } from "../../plan/preconditions.ts";
import { ANY_TYPE } from "../../plan/rights.ts";
import type { Blocker } from "../../plan/rules.ts";
import { nameInUse } from "../shared/held-group.ts";
import { encodeMarker } from "./encode-marker.ts";
import type { FoldedKey, MarkerEntry } from "./fold-markers.ts";
import { chooseMarkerName } from "./marker-location.ts";
import type { WriteOptions } from "./marker-writes.ts";

/** What is known where markers have to move. */
export interface CollisionContext {
  readonly present: PresentSets;
  /** Record sets that may be in the way; `present`, or a part of it. */
  readonly obstacles: PresentSets;
  readonly options: WriteOptions;
  /** Keys of every name that a marker at `set`'s name may label. */
  readonly keysAround: (set: RecordSet) => readonly FoldedKey[];
  readonly isOwnedByUs: (owner: string) => boolean;
}

/**
 * True when `set` must be removed before `created` can exist: the same key, or a type that excludes
 * the other. `zone` absent = the types answer as the standards say.
 */
export function excludes(created: RecordSet, set: RecordSet, zone?: AnsweringZone): boolean {
  const answers = zone === undefined ? {} : answersAt(created.name, zone);
  return created.name === set.name && !mayCoexist(created, set, answers);
}

/** The writes that make room for what is created, or why there is no room. */
export function makeRoom(
  writes: readonly Change[],
  context: CollisionContext,
): { readonly moves: readonly Change[] } | Blocker {
  const going = writes.flatMap((write) => (write.op === "remove" ? [write.previous] : []));
  const moves: Change[] = [];
  for (const set of inTheWay(writes, context)) {
    if (going.some((gone) => isSameKey(gone, set))) continue;
    const moved = move(set, context);
    if ("code" in moved) return moved;
    moves.push(...moved.moves);
  }
  return { moves };
}

/** Record sets in the way of creates; those that the group replaces are taken as they will be. */
function inTheWay(
  writes: readonly Change[],
  { obstacles, options }: CollisionContext,
): readonly RecordSet[] {
  const after = new Map(
    writes.flatMap((write) =>
      write.op === "replace" ? [[recordSetKeyText(write.previous), write.next] as const] : [],
    ),
  );
  return writes.flatMap((write) =>
    write.op === "create"
      ? obstacles
          .at(write.next.name)
          .filter((set) => excludes(write.next, after.get(recordSetKeyText(set)) ?? set, options))
      : [],
  );
}

/**
 * Moves a marker of ours to a name of its own for each key that it is for; any other record set is
 * a blocker. The data of such a key may be missing, in the middle of a sequence (Z-10).
 */
function move(
  set: RecordSet,
  context: CollisionContext,
): { readonly moves: readonly Change[] } | Blocker {
  const held = context.keysAround(set).flatMap((key) => {
    if (key.type === ANY_TYPE) return [];
    const entry = key.markers.find(({ record }) => isSameKey(record, set));
    return entry === undefined ? [] : [{ key, entry }];
  });
  const movable = held.every(({ entry }) => context.isOwnedByUs(entry.owner) && !entry.shared);
  if (held.length === 0 || !movable) return nameInUse(set);
  const creates: Change[] = [];
  // A sequence that was interrupted may have left a copy (Z-10).
  const uncopied = ({ key }: { readonly key: FoldedKey }) =>
    !key.markers.some((one) => !isSameKey(one.record, set) && context.isOwnedByUs(one.owner));
  for (const { key, entry } of held.filter(uncopied)) {
    const markerName = chooseMarkerName(key, {
      ...context.options,
      present: context.present,
      avoid: set.name,
    });
    if ("trouble" in markerName) return { code: "NoMarkerPossible", message: markerName.trouble };
    const values = copied(key, { entry, markerName: markerName.name }, context.options);
    if (values === null) return { code: "MarkerTooLong", message: `${set.name} cannot move` };
    creates.push({ op: "create", next: { ...set, name: markerName.name, values } });
  }
  return { moves: [{ op: "remove", previous: set }, ...creates] };
}

/** The values of the marker at its new name, signed anew for that name; null = they do not fit. */
function copied(
  key: FoldedKey,
  { entry, markerName }: { readonly entry: MarkerEntry; readonly markerName: DnsName },
  options: WriteOptions,
): readonly string[] | null {
  if (options.signing === null) return entry.record.values;
  const value = encodeMarker({ labels: entry.labels, key, markerName, found: entry }, options);
  return value === null ? null : [value];
}
