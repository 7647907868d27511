/**
 * Name, type and set identifier of a record set as three cells that stand side by side in a row.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet, RecordSetKey } from "../../../model/record-set.ts";
import type { RowTable } from "./row-table.ts";
import { NONE } from "./text-pool.ts";
import { bodyOfCut, type ZoneTexts } from "./zone-texts.ts";

/** The cells of a key, each id counted once. No set identifier is NONE. */
export function keyCells(
  { name, type, setIdentifier }: RecordSetKey,
  { names, symbols }: ZoneTexts,
): readonly [name: number, type: number, set: number] {
  const set = setIdentifier === null ? NONE : symbols.intern(setIdentifier);
  return [names.intern(name), symbols.intern(type), set];
}

/** The position of the cells of a key. */
export interface CellPosition {
  readonly rows: RowTable;
  readonly row: number;
  /** Column of the name. */
  readonly column: number;
}

/** The key in the cells at this position. */
export function keyAt(
  { rows, row, column }: CellPosition,
  { names, symbols }: ZoneTexts,
): RecordSetKey {
  const set = rows.get(row, column + 2);
  return {
    name: trustedDnsName(names.textOf(rows.get(row, column))),
    type: symbols.textOf(rows.get(row, column + 1)),
    setIdentifier: set === NONE ? null : symbols.textOf(set),
  };
}

/** Counts the ids of a key once less. */
export function releaseKey(
  { rows, row, column }: CellPosition,
  { names, symbols }: ZoneTexts,
): void {
  names.release(rows.get(row, column));
  symbols.release(rows.get(row, column + 1));
  symbols.release(rows.get(row, column + 2));
}

/**
 * The record set in the cells at this position: key, TTL and body. No spread: millions of these
 * are made.
 */
export function recordSetAt(
  position: CellPosition,
  texts: ZoneTexts,
  hole: number = NONE,
): RecordSet {
  const { name, type, setIdentifier } = keyAt(position, texts);
  const { rows, row, column } = position;
  const body = bodyOfCut({ body: rows.get(row, column + 4), hole }, texts);
  return {
    name,
    type,
    setIdentifier,
    ttlSeconds: rows.get(row, column + 3),
    values: body.values,
    properties: body.properties,
    routingPolicy: body.routingPolicy,
  };
}
