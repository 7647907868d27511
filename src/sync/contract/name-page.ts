/** Names of zones, a page at a time, for people who look for one. Types only. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ObjectMark } from "../../model/provenance.ts";

/**
 * `held`: a change is not made. `failing`: the last try failed. `pending`: it is to be made now.
 * `waiting`: an object lists it and has no address. `published`: our records answer; with a code,
 * something else is wanted there and held. `foreign`: records of others or of nobody, and nothing
 * of ours. `marker`: nothing but our marker is there.
 */
export const NAME_STATES = [
  "published",
  "held",
  "failing",
  "pending",
  "waiting",
  "foreign",
  "marker",
] as const;

/** The state of a name in a zone, as `NAME_STATES` explains it. */
export type NameState = (typeof NAME_STATES)[number];

/** Which names are asked for; null = any. */
export interface NameQuery {
  /** Apex. */
  readonly zone: DnsName | null;
  /** `held` also means published ones with a code. */
  readonly states: ReadonlySet<NameState> | null;
  /** Owner id in its marker. */
  readonly owner: string | null;
  /** Part of `kind/namespace/name` of who has it, or lists it and did not get it. */
  readonly object: string | null;
  /** Part of the name. */
  readonly text: string | null;
  /** Whether a name with these objects is shown; absent = every name is. */
  readonly isShown?: (objects: NameObjects) => boolean;
  /** Whether a row may tell of the object; absent = of each. */
  readonly isObjectShown?: (object: ObjectMark) => boolean;
  /** Names after it; null = from the first one on. */
  readonly after: NamePosition | null;
  /** Rows at most; at least 1. */
  readonly limit: number;
}

/** The objects that a name belongs to, over open zones. */
export interface NameObjects {
  /** Objects that list it. */
  readonly listed: readonly ObjectMark[];
  /** Objects in markers of ours; without a cluster = of any. */
  readonly marked: readonly ObjectMark[];
}

/** A place in the order of zones (by apex, then key) and names. */
export interface NamePosition {
  /** Opaque. */
  readonly zone: string;
  /** Empty = before the first one. */
  readonly name: string;
}

/** One name in one zone. */
export interface NameRow {
  /** Apex. */
  readonly zone: DnsName;
  readonly name: DnsName;
  readonly state: NameState;
  /** Code of the hold or the failure; empty = none. */
  readonly code: string;
  /** Why, for people; empty with an empty `code`. */
  readonly message: string;
  /** Owner id in its marker; empty = there is none. */
  readonly owner: string;
  /** `kind/namespace/name` of who wants it, else that of its marker; empty = neither. */
  readonly object: string;
  /** Cluster of the object; empty = not known. */
  readonly cluster: string;
  /** Objects that list it and do not have it, three at most. */
  readonly others: readonly string[];
  /** Record types that are there. */
  readonly types: readonly string[];
  /** The first values that are there, three at most. */
  readonly values: readonly string[];
  /** Since when it is not as wanted, in this process, RFC 3339; null = it is. */
  readonly since: string | null;
}

/** Rows of one answer, and where the next one begins. */
export interface NamePage {
  /** Names in the zones that are asked for, whatever the rest; null = a zone is not read yet. */
  readonly total: number | null;
  readonly rows: readonly NameRow[];
  /** Null = these were the last. A page may have fewer rows than asked for, and a next one. */
  readonly next: NamePosition | null;
}
