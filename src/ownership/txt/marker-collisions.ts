/**
 * What stands where a record is wanted although the planner saw nothing there: markers (Z-11). Ours
 * move to another place in the same group; anything else holds the record.
 */
import type { DnsName } from "../../model/dns-name.ts";
import { isSameKey, type RecordSet } from "../../model/record-set.ts";
import type { Change } from "../../plan/changes.ts";
import { mayCoexist } from "../../plan/coexistence.ts";
import type { PresentSets } from "../../plan/preconditions.ts";
import { encoded } from "./encode-marker.ts";
import type { FoldedKey, MarkerEntry } from "./folded-key.ts";
import { placeFor } from "./marker-location.ts";
import type { Trouble, WriteOptions } from "./marker-writes.ts";

/** What moving needs to know. */
export interface CollisionScene {
  readonly present: PresentSets;
  /** What may stand in the way; `present`, or a part of it. */
  readonly standing: PresentSets;
  readonly options: WriteOptions;
  /** Keys of every name that a marker at `set`'s name could speak for. */
  readonly keysAround: (set: RecordSet) => readonly FoldedKey[];
  readonly isOwnedByUs: (owner: string) => boolean;
}

/**
 * True when `set` cannot stay if `created` is to stand: another type beside which it cannot, or the
 * same key.
 */
export function displaces(created: RecordSet, set: RecordSet): boolean {
  return created.name === set.name && !mayCoexist(created, set);
}

/** The writes that make room for what is created, or why there is no room. */
export function makeRoom(
  writes: readonly Change[],
  scene: CollisionScene,
): { readonly moves: readonly Change[] } | Trouble {
  const going = writes.flatMap((write) => (write.op === "remove" ? [write.previous] : []));
  const moves: Change[] = [];
  for (const set of inTheWay(writes, scene.standing)) {
    if (going.some((gone) => isSameKey(gone, set))) continue;
    const moved = move(set, scene);
    if ("code" in moved) return moved;
    moves.push(...moved.moves);
  }
  return { moves };
}

function inTheWay(writes: readonly Change[], standing: PresentSets): readonly RecordSet[] {
  return writes.flatMap((write) =>
    write.op === "create"
      ? standing.at(write.next.name).filter((set) => displaces(write.next, set))
      : [],
  );
}

/** Only a marker of ours that labels data moves, to a typed place of each key that it labels. */
function move(
  set: RecordSet,
  scene: CollisionScene,
): { readonly moves: readonly Change[] } | Trouble {
  const held = scene.keysAround(set).flatMap((key) => {
    const entry = key.data === null ? undefined : entryIn(key, set);
    return entry === undefined ? [] : [{ key, entry }];
  });
  const movable = held.every(({ entry }) => scene.isOwnedByUs(entry.owner) && !entry.shared);
  if (held.length === 0 || !movable) return inUse(set);
  const creates: Change[] = [];
  // A copy may stand already, from a sequence that was broken off (Z-10).
  const uncopied = ({ key }: { readonly key: FoldedKey }) =>
    !key.markers.some((one) => !isSameKey(one.record, set) && scene.isOwnedByUs(one.owner));
  for (const { key, entry } of held.filter(uncopied)) {
    const place = placeFor(key, { ...scene.options, present: scene.present, avoid: set.name });
    if ("trouble" in place) return { code: "NoMarkerPossible", message: place.trouble };
    const values = copied(key, { entry, place: place.name }, scene.options);
    if (values === null) return { code: "MarkerTooLong", message: `${set.name} cannot move` };
    creates.push({ op: "create", next: { ...set, name: place.name, values } });
  }
  return { moves: [{ op: "remove", previous: set }, ...creates] };
}

/** What it says, for its new place; a signature is for one place only. Null = it does not fit. */
function copied(
  key: FoldedKey,
  { entry, place }: { readonly entry: MarkerEntry; readonly place: DnsName },
  options: WriteOptions,
): readonly string[] | null {
  if (options.signing === null) return entry.record.values;
  const value = encoded({ labels: entry.labels, key, place, found: entry }, options);
  return value === null ? null : [value];
}

function entryIn(key: FoldedKey, set: RecordSet): MarkerEntry | undefined {
  return key.markers.find((entry) => isSameKey(entry.record, set));
}

function inUse(set: RecordSet): Trouble {
  return { code: "NameInUse", message: `${set.type} ${set.values.join(", ")} stands there` };
}
