/** Changes that a person takes back (ADR 0122), as the engine shows them. Types only. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSetKey } from "../../model/record-set.ts";
import type { UndoOrder } from "../../plan/rules.ts";
import type { ZoneKey } from "./zone.ts";
import type { RecordData } from "./zone-change.ts";

/** Which changes; at least one of `name`, `hash` and `sinceMs` is given. */
export interface UndoQuery {
  /** Apex; null = all zones. */
  readonly zone: DnsName | null;
  /** At this name; without `hash` and `sinceMs` its last change that is not undone. */
  readonly name: DnsName | null;
  /** Changes of the set that a person approved by this hash; null = approved or not. */
  readonly hash: string | null;
  /** All since then, Unix milliseconds; null = of any time. */
  readonly sinceMs: number | null;
}

/** One record set with a change to take back. */
export interface UndoChoice {
  readonly apex: DnsName;
  readonly key: RecordSetKey;
  /** As our last change of those left it; null = without a record. */
  readonly from: RecordData | null;
  /** As it was before the first of them; null = without a record. */
  readonly to: RecordData | null;
  /** What is to be ordered, and in which zone; null = it is left as it is. */
  readonly order: { readonly zone: ZoneKey; readonly change: UndoOrder } | null;
  /** Why it is left; empty with an order. */
  readonly reason: string;
  /** It is left since it is as it was before. */
  readonly isSo: boolean;
  /** What would change it again once the pause ends, and what to do; null = nothing. */
  readonly again: string | null;
}

/** Sorted by zone, then key. */
export interface UndoPreview {
  readonly choices: readonly UndoChoice[];
  /** Why changes may be missing. */
  readonly troubles: readonly string[];
}
