/**
 * What objects want, as rows of ids (numbers of interned texts) and back: one row for each desired
 * record set. Only contributions that want record sets and nothing else become rows; the few with
 * waiting names or problems, and those that are incomplete, deleting or moved away stay objects.
 */
import { type ObjectKey, resourceOf } from "../../../model/provenance.ts";
import type { DesiredRecordSet } from "../../../model/record-set.ts";
import { type Contribution, isWithdrawn } from "../../contract/contribution.ts";
import { keyAt, keyCells, releaseKey } from "./key-cells.ts";
import { NO_ROW, type RowTable } from "./row-table.ts";
import { NONE } from "./text-pool.ts";
import { bodyOf, bodyText, type ZoneTexts } from "./zone-texts.ts";

/** Cells of a row. Name, type and set identifier stand side by side. */
export const WANTED = {
  nextAtName: 0,
  nextOfObject: 1,
  object: 2,
  name: 3,
  /** NONE: the object lists the name, and more about it is in its contribution. */
  type: 4,
  set: 5,
  /** Seconds; NO_TTL = the object sets none; smaller = none, and the cell encodes `ttlOnCreate`. */
  ttl: 6,
  body: 7,
  owner: 8,
  /** The object in markers (`kind/namespace/name`); its cluster is the next cell. */
  resource: 9,
  cluster: 10,
  createdHigh: 11,
  createdLow: 12,
  /** As the provider reads it back; NONE = not known yet. */
  normalizedBody: 13,
  normalizedTtl: 14,
} as const;

/** Cells in a row. */
export const WANTED_WIDTH = 15;

/** The object sets no TTL. */
export const NO_TTL = -1;

/** The cell for a `ttlOnCreate` of 0; N seconds are this minus N. */
const TTL_ON_CREATE = -2;

const TWO_TO_32 = 0x1_0000_0000;

/** True when the contribution can become rows and come back unchanged. */
export function isBulk(contribution: Contribution): boolean {
  const { object, generation, found } = contribution;
  const { items, waiting, problems, complete } = found;
  if (isWithdrawn(contribution) || !complete || items.length === 0) return false;
  if (waiting.length > 0 || problems.length > 0) return false;
  if (found.paused !== undefined || found.objectTransfer !== undefined) return false;
  return isWhole(generation) && isSplittable(object) && items.every(isBulkItem);
}

function isBulkItem(item: DesiredRecordSet): boolean {
  if (item.transfer !== undefined) return false;
  const seconds = item.ttlSeconds ?? item.ttlOnCreate ?? 0;
  const hasRoom = seconds >= 0 && seconds < 2 ** 31 + TTL_ON_CREATE;
  return hasRoom && isWhole(item.createdAtMs) && isSplittable(item.provenance);
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/**
 * Kinds and namespaces have no slash in Kubernetes; with one, `kind/namespace/name` could not be
 * split again.
 */
function isSplittable({ kind, namespace }: ObjectKey): boolean {
  return !kind.includes("/") && !namespace.includes("/");
}

/** A whole number, 0 to 2^53-1, as two cells. */
export function cellsOf(value: number): readonly [high: number, low: number] {
  return [Math.floor(value / TWO_TO_32), (value % TWO_TO_32) | 0];
}

/** The number in two cells. */
export function numberIn(high: number, low: number): number {
  return high * TWO_TO_32 + (low >>> 0);
}

/** The object of a resource that `isBulk` let pass. */
export function objectIn(resource: string, cluster: string): ObjectKey {
  const [kind = "", namespace = ""] = resource.split("/", 2);
  return { cluster, kind, namespace, name: resource.slice(kind.length + namespace.length + 2) };
}

/** Cells of an item; each id is counted once. */
export function itemCells(
  item: DesiredRecordSet,
  object: number,
  texts: ZoneTexts,
): readonly number[] {
  const { ttlSeconds, ttlOnCreate } = item;
  const createTtl = ttlOnCreate === undefined ? NO_TTL : TTL_ON_CREATE - ttlOnCreate;
  return [
    ...[NO_ROW, NO_ROW, object],
    ...keyCells(item, texts),
    ...[ttlSeconds ?? createTtl, texts.bodies.intern(bodyText(item))],
    item.owner === null ? NONE : texts.symbols.intern(item.owner),
    texts.resources.intern(resourceOf(item.provenance)),
    texts.symbols.intern(item.provenance.cluster),
    ...cellsOf(item.createdAtMs),
    ...[NONE, NO_TTL],
  ];
}

/** Cells of a mention: a name that a contribution lists which is kept as an object. */
export function mentionCells(name: string, object: number, texts: ZoneTexts): readonly number[] {
  const key = [texts.names.intern(name), NONE, NONE];
  const nothing = [NO_TTL, NONE, NONE, NONE, NONE, 0, 0, NONE, NO_TTL];
  return [NO_ROW, NO_ROW, object, ...key, ...nothing];
}

/** The item of a row that is no mention. */
export function itemAt(rows: RowTable, row: number, texts: ZoneTexts): DesiredRecordSet {
  const ttl = rows.get(row, WANTED.ttl);
  const owner = rows.get(row, WANTED.owner);
  const resource = texts.resources.textOf(rows.get(row, WANTED.resource));
  const cells = [rows.get(row, WANTED.createdHigh), rows.get(row, WANTED.createdLow)] as const;
  // No spread: a million of these are made, and a literal makes each of them in one go.
  const { name, type, setIdentifier } = keyAt({ rows, row, column: WANTED.name }, texts);
  const body = bodyOf(texts.bodies.textOf(rows.get(row, WANTED.body)));
  const item: DesiredRecordSet = {
    name,
    type,
    setIdentifier,
    ttlSeconds: ttl < 0 ? null : ttl,
    values: body.values,
    properties: body.properties,
    routingPolicy: body.routingPolicy,
    provenance: objectIn(resource, texts.symbols.textOf(rows.get(row, WANTED.cluster))),
    owner: owner === NONE ? null : texts.symbols.textOf(owner),
    createdAtMs: numberIn(...cells),
  };
  return ttl < NO_TTL ? { ...item, ttlOnCreate: TTL_ON_CREATE - ttl } : item;
}

/** Counts every id of a row once less. */
export function releaseItem(rows: RowTable, row: number, texts: ZoneTexts): void {
  releaseKey({ rows, row, column: WANTED.name }, texts);
  texts.bodies.release(rows.get(row, WANTED.body));
  texts.bodies.release(rows.get(row, WANTED.normalizedBody));
  texts.symbols.release(rows.get(row, WANTED.owner));
  texts.symbols.release(rows.get(row, WANTED.cluster));
  texts.resources.release(rows.get(row, WANTED.resource));
}
