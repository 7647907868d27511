/**
 * Whole listings by numbered pages. Records that come or go between two pages move the others: a
 * listing that does not add up is begun anew, and one that never does is an error (Z-6).
 */
import { fieldsOf, textOf } from "../../model/object-fields.ts";
import { incomplete } from "../shared/call-rules.ts";
import type { CloudflareApi } from "./api.ts";
import { LISTINGS_MAX, PAGES_MAX } from "./limits.ts";

/** What to list. */
export interface ListingRequest {
  readonly path: string;
  readonly perPage: number;
  readonly query?: Readonly<Record<string, string>>;
  /** What it is, for messages: `the zone example.org`. */
  readonly what: string;
  readonly signal: AbortSignal;
  /** Awaited before each call but the first. */
  readonly pace: () => Promise<void>;
}

/** All items, and the calls that it took. */
export interface Listing {
  readonly items: readonly unknown[];
  readonly calls: number;
}

/** Complete or thrown. */
export async function listAll(api: CloudflareApi, request: ListingRequest): Promise<Listing> {
  let calls = 0;
  for (let listing = 0; listing < LISTINGS_MAX; listing++) {
    if (listing > 0) await request.pace();
    const found = await listOnce(api, request);
    calls += found.calls;
    if (found.isWhole) return { items: found.items, calls };
  }
  throw incomplete(`${request.what} changes while it is listed`);
}

async function listOnce(
  api: CloudflareApi,
  { path, perPage, query = {}, what, signal, pace }: ListingRequest,
): Promise<Listing & { readonly isWhole: boolean }> {
  const items: unknown[] = [];
  const totals = new Set<number>();
  for (let page = 1; page <= PAGES_MAX; page++) {
    if (page > 1) await pace();
    const answer = await api.list(path, { page, perPage, query }, signal);
    items.push(...answer.items);
    if (answer.total !== null) totals.add(answer.total);
    if (answer.isLast) return { items, calls: page, isWhole: page === 1 || addsUp(items, totals) };
  }
  throw incomplete(`the listing of ${what} has no end`);
}

/** Each item once, and as many as every page said. */
function addsUp(items: readonly unknown[], totals: ReadonlySet<number>): boolean {
  const ids = new Set(items.map((item) => textOf(fieldsOf(item)["id"])));
  if (ids.size !== items.length || totals.size > 1) return false;
  const [total] = totals;
  return total === undefined || total === items.length;
}
