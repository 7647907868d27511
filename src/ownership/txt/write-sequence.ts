/**
 * The order of the writes of one name (Z-10): as one group for a provider that takes marker and
 * data together, or as a sequence of single writes that may end after each of them. Pure; decides
 * nothing about what is written.
 *
 * `h1`, `h2`: hashes of the data that a pending marker names (pending.ts).
 *
 *   create   marker +h1 ─► data ─► final marker
 *   update   marker h1+h2 ─► data ─► final marker
 *   remove   marker h1+ ─► data ─► no marker
 *   retype   both markers ─► old data ─► new data ─► final marker ─► no old marker
 *            where both may exist together: new data ─► old data
 */
import { distinctBy } from "@zonekeeper/base/grouped-by";
import type { Change, ChangeGroup } from "../../plan/changes.ts";
import { LATE_CALL_MS } from "../../plan/pending.ts";
import { inGroupOrder, isRemoval } from "../shared/write-order.ts";
import { excludes } from "./marker-collisions.ts";

/** All writes of one name. */
export interface NameWrites {
  readonly data: readonly Change[];
  /** Pending markers that go before the data; empty on atomic providers. */
  readonly before: readonly Change[];
  /** Final markers, and removals of markers. */
  readonly markers: readonly Change[];
  /** True when an earlier call whose answer was lost may still write data of these markers. */
  readonly maybeLate: boolean;
  /**
   * Markers of other names that make room (Z-11): each creates its copy and removes the old one.
   */
  readonly moves: readonly Change[];
}

/** One write and what follows it. */
/**
 * Removals first, data before its marker; then markers before their data: no prefix leaves data
 * unmarked (Z-10).
 */
export function asOneGroup({ data, markers, moves }: NameWrites): readonly Change[] {
  return inGroupOrder(data, distinctWrites([...markers, ...moves]));
}

/**
 * The writes in sequence: after each of them all data of ours has a marker, and old data is removed
 * as late as new data allows.
 */
function inSequence({ data, before, markers, moves }: NameWrites): readonly Change[] {
  const created = data.flatMap((change) => (change.op === "create" ? [change.next] : []));
  const isInTheWay = (change: Change): boolean =>
    change.op === "remove" && created.some((next) => excludes(next, change.previous));
  const going = [...markers, ...moves].filter(isRemoval);
  return distinctWrites([
    ...before,
    ...moves.filter(isKept),
    ...data.filter(isInTheWay),
    ...going.filter(isInTheWay),
    ...data.filter(isKept),
    ...data.filter(isRemoval),
    ...markers.filter(isKept),
    ...going,
  ]);
}

function isKept(change: Change): boolean {
  return change.op !== "remove";
}

/**
 * Two keys may share a legacy marker: it is removed or rewritten once, and so is what had to go
 * before the data.
 */
function distinctWrites(writes: readonly Change[]): readonly Change[] {
  return distinctBy(writes, (write) => JSON.stringify(write));
}

/** The next write of the sequence as a group of its own. */
export function oneStep(
  writes: NameWrites,
): Pick<ChangeGroup, "changes"> & Partial<Pick<ChangeGroup, "rest" | "resumes">> {
  const [write, ...later] = inSequence(writes);
  if (write === undefined) return { changes: [] };
  const { before, data, markers, maybeLate } = writes;
  // The first write of `before` replaces the marker that it compares; any other write depends on a
  // marker that its call does not compare.
  const resumes = before.length === 0 || isRemoval(write);
  // Only markers are left to remove, and a late call may still write their data.
  const isIdle = maybeLate && before.length === 1 && data.length === 0 && markers.every(isRemoval);
  const rest = { writes: later, afterMs: isIdle ? LATE_CALL_MS : 0 };
  const more = { ...(later.length === 0 ? {} : { rest }), ...(resumes ? { resumes } : {}) };
  return { changes: [write], ...more };
}
