/**
 * What one pass of the fuse judges, and its verdict. The fuse stops large removals until a person
 * approves them (fuse.ts); first contact: fuse-first-contact.ts. Types only.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { FuseLimits } from "../model/fuse-limits.ts";
import type { FuseItem, FuseState } from "./fuse-state.ts";

/** One pass over planned removals and updates. */
export interface FuseInput {
  /** Unix milliseconds. */
  readonly nowMs: number;
  /** Owned record sets in the zone now. */
  readonly owned: number;
  /** Owned record sets in the zone now whose objects are in this namespace. */
  readonly ownedIn: (namespace: string) => number;
  /**
   * The names that were planned for this call: an item that is held or approved at one of them and
   * is not among `removals` and `updates` any more is dropped.
   */
  readonly planned: Pick<ReadonlySet<DnsName>, "has">;
  readonly removals: readonly FuseItem[];
  readonly updates: readonly FuseItem[];
  /** True when no owned name would be left afterwards. */
  readonly losesLastName: boolean;
  /** Absent = FUSE_LIMITS. */
  readonly limits?: FuseLimits;
  /**
   * True for a preview namespace: its removals with a strong proof (`ProofStrength`) are not
   * counted. Absent = none.
   */
  readonly isEphemeral?: (namespace: string) => boolean;
  /** Changes with our version or configuration. */
  readonly version: string;
  /**
   * True while a process makes its first plan of the zone, in several calls, because its objects
   * are read one after the other. False = that is over; absent = this one call is all of it.
   */
  readonly isFirstPlan?: boolean;
  /**
   * The fence record in the zone says that first contact with the zone is over: an earlier process
   * of ours had it. Absent = it does not.
   */
  readonly wasMet?: boolean;
  /** Owner ids of DNSOwners that are on: each one has a first contact of its own. Absent = none. */
  readonly furtherOwners?: ReadonlySet<string>;
  /** The zone has records of this owner id. Absent = none of any further one. */
  readonly hasRecordsOf?: (owner: string) => boolean;
  /** Every kind was listed and every name planned. Absent = they were. */
  readonly isAllRead?: boolean;
}

/** Which removals and updates wait; all others may be made. */
export interface FuseVerdict {
  /** To be stored before anything of `input` is written. */
  readonly state: FuseState;
  /**
   * By the id of each waiting item, the hash that a person approves; "" for an item of the set that
   * still grows behind a frozen one (`heldSets` has its present hash).
   */
  readonly held: ReadonlyMap<string, string>;
}
