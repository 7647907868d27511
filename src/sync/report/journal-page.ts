/** A page of the journal as text, and back: one JSON object, so that it is there whole or not. */
import { jsonIn } from "@zonekeeper/base/json-text";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ZoneChange } from "../contract/zone-change.ts";

/** Changes on one page. */
export const PAGE_CHANGES = 100;

/** Successive changes of one zone. */
export interface Page {
  /** Number of its first change, from 0; a multiple of PAGE_CHANGES. */
  readonly first: number;
  readonly changes: readonly ZoneChange[];
}

/** The page as text, without the zone, which is in the key of the store. */
export function pageText({ first, changes }: Page): string {
  return JSON.stringify({ first, changes: changes.map(({ zone: _, ...rest }) => rest) });
}

/** Null = not as this version writes it. */
export function pageOf(text: string, zone: DnsName): Page | null {
  const { first, changes }: Partial<Record<keyof Page, unknown>> = Object(jsonIn(text));
  if (typeof first !== "number" || !Array.isArray(changes) || !changes.every(isChange)) return null;
  return { first, changes: changes.map((change) => ({ zone, ...change })) };
}

/** True when the fields are there that all readers of changes need. */
function isChange(value: unknown): value is Omit<ZoneChange, "zone"> {
  const fields: Readonly<Record<string, unknown>> = Object(value);
  const { atMs, name, type, object, why, providers } = fields;
  const texts = [name, type, object, why];
  return (
    typeof atMs === "number" &&
    texts.every((one) => typeof one === "string") &&
    Array.isArray(providers)
  );
}
