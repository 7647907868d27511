/**
 * Whole listings by pages (Z-6): by what each says of the next one, or by numbers. Nothing here
 * knows an API.
 */
import { numberOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { incomplete } from "./failed-calls.ts";

/** All items, and the calls that it took. */
export interface Listing<T = unknown> {
  readonly items: readonly T[];
  readonly calls: number;
}

/** How pages are asked for; `pace` is awaited before each but the first. */
export interface Pacing {
  readonly pace: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Pages of one listing. */
const PAGES_MAX = 10_000;

/** A page that says where the listing goes on; null = it is the last one. */
export interface LinkedPage<T, C> {
  readonly items: readonly T[];
  readonly next: C | null;
}

/** Complete or thrown. `page`: null = the first one; `pace` is awaited before each further one. */
export async function listLinked<T, C>(
  page: (next: C | null) => Promise<LinkedPage<T, C>>,
  pace: () => Promise<void>,
): Promise<Listing<T>> {
  const items: T[] = [];
  let next: C | null = null;
  for (let calls = 1; calls <= PAGES_MAX; calls++) {
    if (calls > 1) await pace();
    const found: LinkedPage<T, C> = await page(next);
    items.push(...found.items);
    next = found.next;
    if (next === null) return { items, calls };
  }
  throw new Error("the listing has no end");
}

/** Each item as it was read. One that cannot be read is no free name: the listing is incomplete. */
export function allOf<T>(
  items: readonly unknown[],
  read: (item: unknown) => T | null,
  what: string,
): readonly T[] {
  return items.map((item) => {
    const found = read(item);
    if (found !== null) return found;
    throw incomplete(`${what} cannot be read: a record of the answer lacks its id, name or type`);
  });
}

/** Numbers may come as text; null = there is none. */
export function countOf(value: unknown): number | null {
  return numberOf(value) ?? (/^\d+$/.test(textOf(value) ?? "") ? Number(value) : null);
}

/** The items of a page. */
export function itemsOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error("the answer holds no list");
  return value;
}

/** One page of a listing by numbers. */
export interface Page {
  readonly items: readonly unknown[];
  readonly isLast: boolean;
  /** Items of all pages; null = the answer does not say. */
  readonly total: number | null;
}

/** What to list. */
export interface PagedListing {
  /** What it is, for messages: `the zone example.org`. */
  readonly what: string;
  /** Pages are numbered from 1. */
  readonly page: (number: number) => Promise<Page>;
  /** What an item is known by; null = it has no id. */
  readonly idOf: (item: unknown) => string | null;
  /** Awaited before each call but the first. */
  readonly pace: () => Promise<void>;
}

/**
 * Complete or thrown. Things that come or go between two pages move the others: each item must be
 * there once, and as many as every page said.
 */
export async function listNumbered({ what, page, idOf, pace }: PagedListing): Promise<Listing> {
  const totals = new Set<number>();
  const found = await listLinked(async (next: number | null) => {
    const number = next ?? 1;
    const { items, isLast, total } = await page(number);
    if (total !== null) totals.add(total);
    return { items, next: isLast ? null : number + 1 };
  }, pace);
  const { length: count } = found.items;
  const isEachOnce = new Set(found.items.map(idOf)).size === count;
  if (isEachOnce && [...totals].every((total) => total === count)) return found;
  throw incomplete(`${what} changes while it is listed`);
}
