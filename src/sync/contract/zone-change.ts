/** Changes that a zone has taken from us, as the log, the journal and the API show them. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RoutingPolicy } from "../../model/record-set.ts";

/** Data of a record set. */
export interface RecordData {
  readonly values: readonly string[];
  readonly ttlSeconds: number;
  /** Properties of the provider; absent = none. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Absent = none. */
  readonly routingPolicy?: RoutingPolicy;
}

/** One record set that a zone has taken from us. */
export interface ZoneChange {
  /** When its outcome was known; Unix milliseconds. */
  readonly atMs: number;
  /** Apex. */
  readonly zone: DnsName;
  readonly name: DnsName;
  readonly type: string;
  /** Absent = it has none. */
  readonly setIdentifier?: string;
  /** `marker`: its data stay, and its ownership record is another. */
  readonly is: "created" | "changed" | "removed" | "marker";
  /** Absent = there was none, or it is not touched. */
  readonly before?: RecordData;
  /** Absent = there is none any more, or it is not touched. */
  readonly after?: RecordData;
  /** Owner ids of the ownership record before and after, where `is` is `marker`; empty = none. */
  readonly owners?: readonly [before: string, after: string];
  /** `kind/namespace/name` of the object that gets the record, or had it; empty = not known. */
  readonly object: string;
  /** Cluster of the object; absent = not known. */
  readonly cluster?: string;
  /** Owner id of the ownership record after the change, or before a removal; absent = none. */
  readonly owner?: string;
  /** `metadata.generation` of the object that contributed it; absent = it contributes no more. */
  readonly generation?: number;
  /** Field manager that had edited the object last; absent = not known, or it is this program. */
  readonly editor?: string;
  /**
   * `edit`: an object was new, changed or ended. `order`: a person ordered it (ownership, approval
   * without an object). `drift`: the zone was not as objects want it, and no object had changed.
   * `undo`: a person took an earlier change back.
   */
  readonly cause: "edit" | "order" | "drift" | "undo";
  /** Code of the reason, or of the proof of a removal: `ValueChanged`, `deleted-object` … */
  readonly why: string;
  /** Hash of the set that a person approved, with this change in it; absent = none was asked. */
  readonly hash?: string;
  /** DNSProviders of the account, `namespace/name`; empty where they are not known. */
  readonly providers: readonly string[];
  /** Milliseconds of the call. */
  readonly callMs: number;
  /** Milliseconds from the change of an object to the server's answer; absent = none changed. */
  readonly answeredMs?: number;
}

/** Which changes are asked for. */
export interface ChangeQuery {
  /** Apex; null = all zones. */
  readonly zone: DnsName | null;
  /** At this name; null = all names. */
  readonly name: DnsName | null;
  /** Unix milliseconds; null = as old as there are. */
  readonly sinceMs: number | null;
  /** Changes of the set that a person approved by this hash; null or absent = any. */
  readonly hash?: string | null;
  /** Whether who asks sees the change; absent = each is seen. */
  readonly isShown?: (change: ZoneChange) => boolean;
  /** The newest ones; at least 1. */
  readonly limit: number;
}

/** The newest first. */
export interface ChangeHistory {
  readonly changes: readonly ZoneChange[];
  /** There are older ones that match. */
  readonly isCut: boolean;
  /** Why changes may be missing, by zone; sorted. */
  readonly troubles: readonly string[];
}

/** Where none is kept. */
export const NO_HISTORY: ChangeHistory = { changes: [], isCut: false, troubles: [] };
