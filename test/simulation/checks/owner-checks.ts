/** ADR 0050 at each write: what carries an owner id that is off stays as it is. */
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { DNS_OWNER } from "../../../src/model/kinds.ts";
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { Instance } from "../world/instance.ts";
import { claimOf, claimsOf, contentText, isFurtherId, markerNames } from "../world/zone-truth.ts";
import { Violation } from "./checks.ts";

/** Milliseconds after which what was sent before has arrived. */
const ARRIVED_MS = 60_000;

/** One write by a process. */
export interface OwnerWrite {
  readonly before: readonly RecordSet[];
  readonly after: readonly RecordSet[];
  /** The cluster as the process sees it. */
  readonly view: ClusterView;
  /** Virtual milliseconds. */
  readonly atMs: number;
}

/**
 * Throws a violation. Answers whether there was something to look at: the id has been off for a
 * while, the process knows that, and records carry it.
 */
export function checkSwitchedOff({ ownerId }: Instance, write: OwnerWrite): boolean {
  const { view, atMs } = write;
  if (ownerId.isOn || atMs - ownerId.sinceMs < ARRIVED_MS) return false;
  const seen = view.list(DNS_OWNER);
  const seesOn =
    seen.state === "value" && seen.value.some(({ spec }) => fieldsOf(spec)["active"] === true);
  if (seen.state !== "value" || seesOn) return false;
  const [before, after] = [furtherSets(write.before), furtherSets(write.after)];
  const changed = [...before].filter((text) => !after.has(text));
  const made = [...after].filter((text) => !before.has(text));
  if (changed.length + made.length > 0)
    throw new Violation(
      `F24: what carries an owner id that is off was changed: -[${changed.join("; ")}] +[${made.join("; ")}]`,
    );
  return before.size > 0;
}

/** Texts of the markers that state a further id, and of the data below them. */
function furtherSets(sets: readonly RecordSet[]): ReadonlySet<string> {
  const markers = sets.filter((set) => isFurtherId(claimOf(set)?.ownerId ?? ""));
  const names = new Set<string>(markers.map(({ name }) => name));
  const data = claimsOf(sets)
    .filter(({ set, isMarker }) => !isMarker && markerNames(set).some((name) => names.has(name)))
    .map(({ set }) => set);
  return new Set([...markers, ...data].map(contentText));
}
