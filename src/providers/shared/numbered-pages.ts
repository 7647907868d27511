/**
 * Whole listings by numbered pages. Things that come or go between two pages move the others: a
 * listing that does not add up is begun anew, and one that never does is an error (Z-6). Nothing
 * here knows an API.
 */
import { incomplete } from "./call-rules.ts";

/** One page of a listing. */
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

/** All items, and the calls that it took. */
export interface Listing {
  readonly items: readonly unknown[];
  readonly calls: number;
}

/** Pages of one listing. */
const PAGES_MAX = 10_000;
/** Times that a listing is begun anew because it changed meanwhile. */
const LISTINGS_MAX = 3;

/** Complete or thrown. */
export async function listPages(request: PagedListing): Promise<Listing> {
  let calls = 0;
  for (let listing = 0; listing < LISTINGS_MAX; listing++) {
    if (listing > 0) await request.pace();
    const found = await listOnce(request);
    calls += found.calls;
    if (found.isWhole) return { items: found.items, calls };
  }
  throw incomplete(`${request.what} changes while it is listed`);
}

async function listOnce(request: PagedListing): Promise<Listing & { readonly isWhole: boolean }> {
  const items: unknown[] = [];
  const totals = new Set<number>();
  for (let number = 1; number <= PAGES_MAX; number++) {
    if (number > 1) await request.pace();
    const page = await request.page(number);
    items.push(...page.items);
    if (page.total !== null) totals.add(page.total);
    if (page.isLast) return { items, calls: number, isWhole: addsUp(request, items, totals) };
  }
  throw incomplete(`the listing of ${request.what} has no end`);
}

/** Each item once, and as many as every page said. */
function addsUp(
  { idOf }: PagedListing,
  items: readonly unknown[],
  totals: ReadonlySet<number>,
): boolean {
  const ids = new Set(items.map(idOf));
  if (ids.size !== items.length || totals.size > 1) return false;
  const [total] = totals;
  return total === undefined || total === items.length;
}
