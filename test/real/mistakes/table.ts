/** The table of mistakes, in the order of the page, and the zones that its rows need. */
import { ENTRY_ZONES, NAME_MISTAKES, TARGET_MISTAKES } from "./entry-mistakes.ts";
import type { Mistake } from "./mistake.ts";
import { LAST_MISTAKES, OPERATION_MISTAKES, OPERATION_ZONES } from "./operation-mistakes.ts";
import { LOST_PROVIDER_MISTAKES, PROVIDER_MISTAKES, ZONES } from "./provider-mistakes.ts";
import { SOURCE_MISTAKES } from "./source-mistakes.ts";

/** Rows of one chapter of the page. */
export interface Chapter {
  readonly title: string;
  readonly rows: readonly Mistake[];
}

/** In the order of the page. */
export const CHAPTERS: readonly Chapter[] = [
  { title: "DNSProvider, Secret and name server", rows: PROVIDER_MISTAKES },
  { title: "A DNSProvider that worked", rows: LOST_PROVIDER_MISTAKES },
  { title: "Targets of a DNSEntry", rows: TARGET_MISTAKES },
  { title: "Names and fields of a DNSEntry", rows: NAME_MISTAKES },
  { title: "Services and Ingresses", rows: SOURCE_MISTAKES },
  { title: "Operation", rows: [...OPERATION_MISTAKES, ...LAST_MISTAKES] },
];

/** Zones besides the shared one. */
export const MISTAKE_ZONES: readonly string[] = [...ZONES, ...ENTRY_ZONES, ...OPERATION_ZONES];
