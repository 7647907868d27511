/**
 * The permit writes of one key (SAFETY Z-13): given, taken back, used up. Decides nothing about who
 * may claim.
 */
import { type DnsName, parentOf } from "../../model/dns-name.ts";
import { invariant } from "../../model/invariant.ts";
import { isSameKey, plainKey, type RecordSet, type RecordSetKey } from "../../model/record-set.ts";
import type { Change, KeyChange, Precondition } from "../../plan/changes.ts";
import { asRead, type PresentSets, setAt } from "../../plan/preconditions.ts";
import { type FoldOptions, fold } from "./fold-markers.ts";
import type { Trouble } from "./marker-writes.ts";
import { markerName } from "./name-template.ts";
import { formatPermit, type PermitScope, permitName } from "./permit.ts";

/** Permit writes with what they rest on. */
export interface PermitDraft {
  readonly writes: readonly Change[];
  readonly preconditions: readonly Precondition[];
}

/** What permits are written with. */
export interface PermitScene extends PermitScope, FoldOptions {
  readonly present: PresentSets;
  /** Seconds of new permits. */
  readonly markerTtlSeconds: number;
}

const NOTHING: PermitDraft = { writes: [], preconditions: [] };

/**
 * Settles the permit of one key. A text that a marker speaks for is a user's: it gives no right,
 * and it is left alone.
 */
export function draftPermit(change: KeyChange, scene: PermitScene): PermitDraft | Trouble {
  const { permit, current } = change;
  if (permit === undefined) return NOTHING;
  if (permit.is === "given") return given(change, permit, scene);
  const record = current?.permit?.record;
  if (record === undefined) return NOTHING;
  const places = markerPlaces(record, scene);
  const standing = places.flatMap((key) => setAt(key, scene.present) ?? []);
  // Who takes over is told of any text there; what is only cleared away waits for markers alone.
  const trouble =
    permit.is === "used" ? usedTrouble(record, standing) : markedTrouble(record, standing, scene);
  if (trouble !== null) return { code: "ForeignRecord", message: trouble };
  return {
    writes: [{ op: "remove", previous: record }],
    preconditions: places.map((key) => asRead(key, scene.present)),
  };
}

/**
 * Where a marker would speak for the permit: then it is a text of a user, who must not give away
 * what is not theirs.
 */
function markerPlaces(record: RecordSetKey, scene: PermitScene): readonly RecordSetKey[] {
  return scene.layouts.flatMap((layout) => {
    const name = markerName(layout, { ...record, type: "TXT" }, scene.apex);
    return name === null ? [] : [{ ...plainKey(record), name, type: "TXT" }];
  });
}

function usedTrouble({ name }: RecordSet, [marker]: readonly RecordSet[]): string | null {
  if (marker === undefined) return null;
  return `the permit at ${name} is a text that somebody publishes (marker ${marker.name}); it gives no right`;
}

function markedTrouble(
  record: RecordSet,
  standing: readonly RecordSet[],
  scene: PermitScene,
): string | null {
  const said = fold([record, ...standing], scene).filter((one) => isSameKey(one, record));
  const marker = said.flatMap(({ markers }) => markers)[0];
  if (marker === undefined) return null;
  return `${record.name} is a name that somebody publishes a text at (marker ${marker.record.name}); no permit stands there`;
}

function given(
  change: KeyChange,
  to: { readonly owner: string; readonly resource: string },
  scene: PermitScene,
): PermitDraft | Trouble {
  const { key, current, marker } = change;
  invariant(marker !== null, "who permits keeps the record");
  const said = { owner: marker.owner, toOwner: to.owner, toResource: to.resource };
  const text = formatPermit(said, key, scene);
  if (text === null)
    return {
      code: "MarkerTooLong",
      message: "the permit does not fit 255 bytes of printable text",
    };
  const name = permitName(key, scene.apex);
  if (name === null)
    return {
      code: "NoMarkerPossible",
      message: `no permit can be written for ${key.name} ${key.type}: its name would be too long or outside the zone`,
    };
  const previous = current?.permit?.record ?? null;
  const next = permitRecord({ ...key, name, type: "TXT" }, text, { change, scene });
  const places = markerPlaces(next, scene);
  const standing = places.flatMap((place) => setAt(place, scene.present) ?? []);
  const trouble =
    troubleAt(next, { ...scene, key, previous }) ?? markedTrouble(next, standing, scene);
  if (trouble !== null) return { code: "NoMarkerPossible", message: trouble };
  const cname = { name, type: "CNAME", setIdentifier: null };
  const write: Change =
    previous === null ? { op: "create", next } : { op: "replace", previous, next };
  const grounds = places.map((place) => asRead(place, scene.present));
  return { writes: [write], preconditions: [{ is: "absent", key: cname }, ...grounds] };
}

/**
 * Set identifier, policy and properties are those of the record, as with its marker; the TTL stays
 * as it was found.
 */
function permitRecord(
  key: RecordSetKey,
  text: string,
  { change, scene }: { readonly change: KeyChange; readonly scene: PermitScene },
): RecordSet {
  const { current, desired } = change;
  invariant(desired !== null, "who permits wants the record");
  return {
    ...plainKey(key),
    ttlSeconds: current?.permit?.record.ttlSeconds ?? scene.markerTtlSeconds,
    values: [text],
    properties: desired.properties,
    routingPolicy: desired.routingPolicy,
  };
}

interface Place {
  readonly key: RecordSetKey;
  readonly present: PresentSets;
  readonly apex: DnsName;
  readonly previous: RecordSet | null;
}

/** Why no permit may stand there; null = it may. */
function troubleAt(next: RecordSet, { key, present, apex, previous }: Place): string | null {
  const there = present.at(next.name);
  const isOther = (set: RecordSet) => previous === null || !isSameKey(set, previous);
  if (there.some((set) => isOther(set) && ["CNAME", "TXT"].includes(set.type)))
    return `${next.name}, where the permit would stand, is taken`;
  // RFC 4592 §2.2.2: the names in between would exist and no longer be answered by the wildcard.
  if (next.name.endsWith(`.${key.name}`) && present.at(`*.${key.name}`).length > 0)
    return `a permit at ${next.name} would hide the wildcard *.${key.name}`;
  const cut = cutAbove(next.name, present, apex);
  return cut === null ? null : `${next.name} is not answered: the zone ends at ${cut}`;
}

/**
 * A delegation at or above the name, or a DNAME above it (RFC 1034 §4.3.2, RFC 6672 §2.4), inside
 * the zone.
 */
function cutAbove(name: DnsName, present: PresentSets, apex: DnsName): DnsName | null {
  for (let at: DnsName | null = name; at !== null && at !== apex; at = parentOf(at)) {
    const types = present.at(at).map((set) => set.type);
    if (types.includes("NS") || (at !== name && types.includes("DNAME"))) return at;
  }
  return null;
}
