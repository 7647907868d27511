/**
 * Owned record sets (data with its marker, the record that states the owner) as rows of ids and
 * back. A marker with no other labels than owner, resource and cluster costs no text of its own but
 * its raw form, which the zone's table shares.
 */
import type { RecordSet } from "../../../model/record-set.ts";
import type { Marker, OwnedRecordSet } from "../../../plan/changes.ts";
import { hasSequence } from "../../../plan/pending.ts";
import { keyAt, keyCells, recordSetAt, releaseKey } from "./key-cells.ts";
import { NO_ROW, type RowTable } from "./row-table.ts";
import { NONE } from "./text-pool.ts";
import { bodyText, internCut, type ZoneTexts } from "./zone-texts.ts";

/**
 * Cells of a row. Ids are NONE where something is null. Name, type, set identifier, TTL and body
 * stand side by side.
 */
export const OWNED = {
  nextAtName: 0,
  nextOfResource: 1,
  flags: 2,
  name: 3,
  type: 4,
  set: 5,
  ttl: 6,
  body: 7,
  owner: 8,
  resource: 9,
  cluster: 10,
  labels: 11,
  markerName: 12,
  markerType: 13,
  markerSet: 14,
  markerTtl: 15,
  markerBody: 16,
  /** JSON of rare fields (`Extras`); NONE = it has none of them. */
  extras: 17,
} as const;

/** Cells in a row. */
export const OWNED_WIDTH = 18;

/** Bits of `OWNED.flags`. */
export const FLAG = {
  /** It has a marker of ours, and none of another owner. */
  ownedByUs: 1,
  /** It has a marker of ours; it may have markers of other owners, too. */
  claimed: 2,
  contested: 4,
  data: 8,
  marker: 16,
  /** The marker is a record in the zone. */
  record: 32,
  /** The marker has labels of a sequence (Z-10). */
  sequence: 64,
  /** The marker proves no ownership, for this reason or one of the next. */
  forged: 128,
  unreadable: 256,
  unsigned: 512,
  /** There is a permit for it. */
  permit: 1024,
  /** The marker is for any object. */
  anyObject: 2048,
  ambiguous: 4096,
  /** Another marker of the data names another object. */
  staleCopy: 8192,
} as const;

const NO_RECORD = [NONE, NONE, NONE, 0, NONE];
const NO_MARKER = [NONE, NONE, NONE, NONE, ...NO_RECORD];

/**
 * Cells of an owned record set; each id is counted once. `own`: the flags `ownedByUs` and
 * `claimed`, where they apply.
 */
export function ownedCells(set: OwnedRecordSet, own: number, texts: ZoneTexts): readonly number[] {
  const { data, marker } = set;
  const extras = extrasOf(set);
  const body = data === null ? NONE : texts.bodies.intern(bodyText(data));
  return [
    ...[NO_ROW, NO_ROW, flagsOf(set, own)],
    ...keyCells(set, texts),
    ...[data?.ttlSeconds ?? 0, body],
    ...(marker === null ? NO_MARKER : markerCells(marker, texts)),
    extras === null ? NONE : texts.symbols.intern(JSON.stringify(extras)),
  ];
}

type Extras = Pick<OwnedRecordSet, "owners" | "permit" | "foreignValues"> & Pick<Marker, "format">;

function extrasOf({ owners, permit, foreignValues, marker }: OwnedRecordSet): Extras | null {
  const format = marker?.format;
  const all = [owners, permit, foreignValues, format];
  if (all.every((one) => one === undefined)) return null;
  return {
    ...(foreignValues === undefined ? {} : { foreignValues }),
    ...(owners === undefined ? {} : { owners }),
    ...(permit === undefined ? {} : { permit }),
    ...(format === undefined ? {} : { format }),
  };
}

function flagsOf({ contested, data, marker, permit }: OwnedRecordSet, own: number): number {
  const permitted = permit === undefined ? 0 : FLAG.permit;
  const both = own | permitted | (contested ? FLAG.contested : 0) | (data === null ? 0 : FLAG.data);
  if (marker === null) return both;
  const { record, labels } = marker;
  const isInZone = record === null ? 0 : FLAG.record;
  const step = hasSequence(labels) ? FLAG.sequence : 0;
  const forAny = marker.anyObject === true ? FLAG.anyObject : 0;
  const staleCopy = marker.hasStaleCopy === true ? FLAG.staleCopy : 0;
  const trouble = marker.trouble === undefined ? 0 : TROUBLE_FLAGS[marker.trouble];
  return both | FLAG.marker | isInZone | step | forAny | staleCopy | trouble;
}

const TROUBLE_FLAGS = {
  MarkerForged: FLAG.forged,
  MarkerUnsigned: FLAG.unsigned,
  MarkerUnreadable: FLAG.unreadable,
  MarkerAmbiguous: FLAG.ambiguous,
} as const;

function troubleIn(flags: number): Pick<Marker, "trouble"> {
  if ((flags & FLAG.forged) !== 0) return { trouble: "MarkerForged" };
  if ((flags & FLAG.unsigned) !== 0) return { trouble: "MarkerUnsigned" };
  if ((flags & FLAG.ambiguous) !== 0) return { trouble: "MarkerAmbiguous" };
  return (flags & FLAG.unreadable) === 0 ? {} : { trouble: "MarkerUnreadable" };
}

/** The owned record set of a row. */
export function ownedAt(rows: RowTable, row: number, texts: ZoneTexts): OwnedRecordSet {
  const flags = rows.get(row, OWNED.flags);
  const { name, type, setIdentifier } = keyAt({ rows, row, column: OWNED.name }, texts);
  const hasData = (flags & FLAG.data) !== 0;
  const set: OwnedRecordSet = {
    name,
    type,
    setIdentifier,
    data: hasData ? recordSetAt({ rows, row, column: OWNED.name }, texts) : null,
    marker: (flags & FLAG.marker) === 0 ? null : markerAt(rows, row, texts),
    contested: (flags & FLAG.contested) !== 0,
  };
  const id = rows.get(row, OWNED.extras);
  if (id === NONE) return set;
  const { format, ...extras }: Extras = JSON.parse(texts.symbols.textOf(id));
  const { marker } = set;
  if (format === undefined || marker === null) return { ...set, ...extras };
  return { ...set, ...extras, marker: { ...marker, format } };
}

/** Counts every id of a row once less. */
export function releaseOwned(rows: RowTable, row: number, texts: ZoneTexts): void {
  releaseKey({ rows, row, column: OWNED.name }, texts);
  releaseKey({ rows, row, column: OWNED.markerName }, texts);
  texts.bodies.release(rows.get(row, OWNED.body));
  texts.bodies.release(rows.get(row, OWNED.markerBody));
  texts.resources.release(rows.get(row, OWNED.resource));
  texts.symbols.release(rows.get(row, OWNED.owner));
  texts.symbols.release(rows.get(row, OWNED.cluster));
  texts.symbols.release(rows.get(row, OWNED.labels));
  texts.symbols.release(rows.get(row, OWNED.extras));
}

function markerCells(marker: Marker, texts: ZoneTexts): readonly number[] {
  const { owner, resource, cluster, labels, record } = marker;
  const { symbols, resources } = texts;
  return [
    symbols.intern(owner),
    resource === null ? NONE : resources.intern(resource),
    cluster === null ? NONE : symbols.intern(cluster),
    isPlain(marker) ? NONE : symbols.intern(JSON.stringify(labels)),
    ...(record === null ? NO_RECORD : keyCells(record, texts)),
    ...(record === null ? [] : [record.ttlSeconds, markerBody(record, resource, texts)]),
  ];
}

function markerAt(rows: RowTable, row: number, texts: ZoneTexts): Marker {
  const symbolAt = (column: number): string | null => {
    const id = rows.get(row, column);
    return id === NONE ? null : texts.symbols.textOf(id);
  };
  const id = rows.get(row, OWNED.resource);
  const owner = symbolAt(OWNED.owner) ?? "";
  const resource = id === NONE ? null : texts.resources.textOf(id);
  const cluster = symbolAt(OWNED.cluster);
  const text = symbolAt(OWNED.labels);
  const labels: Marker["labels"] =
    text === null ? plainLabels({ owner, resource, cluster }) : JSON.parse(text);
  const flags = rows.get(row, OWNED.flags);
  const isInZone = (flags & FLAG.record) !== 0;
  const record = isInZone ? recordSetAt({ rows, row, column: OWNED.markerName }, texts, id) : null;
  const forAny: Pick<Marker, "anyObject"> =
    (flags & FLAG.anyObject) === 0 ? {} : { anyObject: true };
  const staleCopy: Pick<Marker, "hasStaleCopy"> =
    (flags & FLAG.staleCopy) === 0 ? {} : { hasStaleCopy: true };
  return { owner, resource, cluster, labels, record, ...forAny, ...staleCopy, ...troubleIn(flags) };
}

type PlainFields = Pick<Marker, "owner" | "resource" | "cluster">;

/** Id of the raw form, cut where its resource is the one in the marker; else of the whole text. */
function markerBody(record: RecordSet, resource: string | null, texts: ZoneTexts): number {
  const { body, hole } = internCut(record, texts);
  const isOwn = hole === NONE || texts.resources.textOf(hole) === resource;
  texts.resources.release(hole);
  if (isOwn) return body;
  texts.bodies.release(body);
  return texts.bodies.intern(bodyText(record));
}

/** True when the labels say what the rest of the marker says, and nothing else. */
function isPlain(marker: Marker): boolean {
  const plain = plainLabels(marker);
  const keys = Object.keys(marker.labels);
  const isPlainLabel = (key: string) => marker.labels[key] === plain[key];
  return keys.length === Object.keys(plain).length && keys.every(isPlainLabel);
}

function plainLabels({ owner, resource, cluster }: PlainFields): Readonly<Record<string, string>> {
  return {
    owner,
    ...(resource === null ? {} : { resource }),
    ...(cluster === null ? {} : { cluster }),
  };
}
