/**
 * The marker writes of one key: create, rewrite where it was found, remove exactly as it was read, or leave and
 * assert. Z-9, Z-11, Z-13. Decides nothing about data.
 */
import { resourceOf, shortResourceOf } from "../../model/provenance.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Change, KeyChange, MarkerWish, Precondition } from "../../plan/changes.ts";
import type { HoldCode } from "../../plan/hold-reasons.ts";
import type { PresentSets } from "../../plan/preconditions.ts";
import type { MarkerEntry } from "./fold.ts";
import { type PlaceOptions, placeFor } from "./place.ts";
import { formatMarker, MARKER_BYTES_MAX, type MarkerLabels, markerBytes } from "./value.ts";

/** What markers are written with. */
export interface WriteOptions extends PlaceOptions {
  /** Seconds of new markers. */
  readonly markerTtlSeconds: number;
  /** Whether markers carry `external-dns/cluster` (DESIGN §6). */
  readonly writeCluster: boolean;
}

/** Marker writes of one key with what they rest on, or why there can be none. */
export type MarkerDraft =
  | {
      readonly writes: readonly Change[];
      readonly preconditions: readonly Precondition[];
    }
  | Trouble;

/** Why a marker cannot be written; a hold reason and its message. */
export interface Trouble {
  readonly code: HoldCode;
  readonly message: string;
}

/** One key whose marker is to be settled. */
export interface MarkerTask {
  readonly change: KeyChange;
  /** Markers found for the key, best first. */
  readonly entries: readonly MarkerEntry[];
  /** The entries that have to go: all of a removed key, and those in whose place data will stand. */
  readonly obsolete: (entry: MarkerEntry) => boolean;
  readonly present: PresentSets;
}

/** Settles the marker of one key. */
export function draftMarker(task: MarkerTask, options: WriteOptions): MarkerDraft {
  const going = task.entries.filter(task.obsolete);
  const staying = task.entries.filter((entry) => !task.obsolete(entry));
  const shared = going.find((entry) => entry.shared);
  if (shared !== undefined) return sharedTrouble(shared);
  const removals = going.map((entry): Change => ({ op: "remove", previous: entry.record }));
  const { marker } = task.change;
  if (marker === null) return { writes: removals, preconditions: [] };
  const rest = marked(marker, { ...task, entries: staying }, options);
  return "code" in rest ? rest : { ...rest, writes: [...removals, ...rest.writes] };
}

function marked(wish: MarkerWish, task: MarkerTask, options: WriteOptions): MarkerDraft {
  const [found] = task.entries;
  const value = valueFor(wish, found?.labels ?? {}, options);
  if (value === null)
    return {
      code: "MarkerTooLong",
      message: "the marker does not fit 255 bytes of printable text",
    };
  return found === undefined ? placed(value, task, options) : rewritten(value, found);
}

/** Updated where it was found; the absence of a CNAME beside it is asserted with each write (Z-11). */
function rewritten(value: string, found: MarkerEntry): MarkerDraft {
  const { record } = found;
  if (found.value === value) return { writes: [], preconditions: [exactly(record)] };
  if (found.shared) return sharedTrouble(found);
  const next = { ...record, values: [value] };
  const cname = { name: record.name, type: "CNAME", setIdentifier: null };
  return {
    writes: [{ op: "replace", previous: record, next }],
    preconditions: [{ is: "absent", key: cname }],
  };
}

/** A new marker takes set identifier, policy and properties of its record, as external-dns does. */
function placed(
  value: string,
  { change, present }: MarkerTask,
  options: WriteOptions,
): MarkerDraft {
  const place = placeFor(change.key, { ...options, present, avoid: null });
  if ("trouble" in place) return { code: "NoMarkerPossible", message: place.trouble };
  const data = change.desired;
  const next: RecordSet = {
    name: place.name,
    type: "TXT",
    setIdentifier: change.key.setIdentifier,
    ttlSeconds: options.markerTtlSeconds,
    values: [value],
    properties: data?.properties ?? {},
    routingPolicy: data?.routingPolicy ?? null,
  };
  return { writes: [{ op: "create", next }], preconditions: [] };
}

/** Labels that only the program writes (DESIGN §6); others of a found marker are kept. */
const OWN_LABELS: ReadonlySet<string> = new Set(["owner", "resource", "cluster", "state", "sig"]);

/** The marker's text, with the short form of the resource where the long one does not fit (Z-13). */
function valueFor(wish: MarkerWish, found: MarkerLabels, options: WriteOptions): string | null {
  const kept = Object.entries(found).filter(([key]) => !OWN_LABELS.has(key));
  const cluster = options.writeCluster ? { cluster: wish.provenance.cluster } : {};
  const resources = [resourceOf(wish.provenance), shortResourceOf(wish.provenance)];
  return (
    resources
      .map((resource) =>
        formatMarker({ ...Object.fromEntries(kept), ...cluster, owner: wish.owner, resource }),
      )
      .find((value) => value !== null && markerBytes(value) <= MARKER_BYTES_MAX) ?? null
  );
}

/** A set with a stranger in it is left alone, whoever wrote the marker in it. */
export function sharedTrouble(entry: MarkerEntry): Trouble {
  const { name, type } = entry.record;
  const message = `our marker shares ${type} ${name} with another text: move that text to another name; the change is made by itself then`;
  return { code: "MarkerShared", message };
}

function exactly(set: RecordSet): Precondition {
  return { is: "exact", set };
}
