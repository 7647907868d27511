/** What one pass of the fuse judges, and its verdict. Types only. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { FuseLimits } from "../model/fuse-limits.ts";
import type { FuseItem, FuseState } from "./fuse-state.ts";

/** One pass over planned removals and updates. */
export interface FuseInput {
  /** Unix milliseconds. */
  readonly nowMs: number;
  /** Owned record sets in the zone now. */
  readonly owned: number;
  /** Those of a namespace. */
  readonly ownedIn: (namespace: string) => number;
  /**
   * The names of this call: held and approved items of these names that are not planned any more
   * are dropped.
   */
  readonly planned: Pick<ReadonlySet<DnsName>, "has">;
  readonly removals: readonly FuseItem[];
  readonly updates: readonly FuseItem[];
  /** True when no owned name would be left afterwards. */
  readonly losesLastName: boolean;
  /** Absent = FUSE_LIMITS. */
  readonly limits?: FuseLimits;
  /** True for a preview namespace: its strong removals are not counted. Absent = none. */
  readonly isEphemeral?: (namespace: string) => boolean;
  /** Changes with our version or configuration. */
  readonly version: string;
  /**
   * Whether this call is a part of the first plan of a process: objects tell what they want one
   * after the other. False = that is over; absent = this one call is all of it.
   */
  readonly isFirstPlan?: boolean;
  /** A fence of ours says that first contact with the zone is over. Absent = it does not. */
  readonly wasMet?: boolean;
  /** Owner ids of DNSOwners that are on: each one meets the zone for itself. Absent = none. */
  readonly furtherOwners?: ReadonlySet<string>;
  /** The zone has records of this owner id. Absent = none of any further one. */
  readonly hasRecordsOf?: (owner: string) => boolean;
  /** Every kind was listed and every name planned. Absent = they were. */
  readonly isAllRead?: boolean;
}

/** What may go and what waits. */
export interface FuseVerdict {
  /** To be stored before anything of `input` is written. */
  readonly state: FuseState;
  /**
   * Hash to approve by item id; "" for the next set, which is not frozen yet (`heldSets` has its
   * hash of now).
   */
  readonly held: ReadonlyMap<string, string>;
}
