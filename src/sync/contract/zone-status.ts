/** A zone as `plan`, metrics and the web page show it. Types only. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Zone } from "../../model/zone.ts";
import type { NamePlan } from "../../plan/changes.ts";
import type { HeldSet } from "../../plan/fuse-state.ts";
import type { FenceStatus, OwnerFence } from "./fence-status.ts";
import type { ZoneKey } from "./zone.ts";

/** A set of changes that the fuse of a zone holds; a person approves it by its hash (Z-16). */
export interface HeldSetStatus {
  readonly hash: string;
  /** `next-removals` came while `removals` waited; its hash changes while more join it. */
  readonly kind: HeldSet["kind"];
  /** How many changes are in it. */
  readonly changes: number;
  /** How many of them are removals. */
  readonly removals: number;
  /** Hashes that it had before it grew: a person may approve one that was shown. */
  readonly formerHashes?: readonly string[];
  /** Since when its oldest change waits, in this process, Unix milliseconds; absent = not known. */
  readonly sinceMs?: number;
}

/** A name with changes or holds. */
export interface OpenName extends NamePlan {
  /** Since when, in this process, Unix milliseconds; absent = not known. */
  readonly openSinceMs?: number;
}

/** A name whose last change failed; it is tried again. */
export interface FailingName {
  readonly name: DnsName;
  readonly code: string;
  readonly message: string;
  /** Milliseconds until the next try; 0 = now. */
  readonly nextTryMs: number;
}

/** What an account's limits leave to the calls of a zone (Z-20). */
export interface BudgetUse {
  /** Share of the tightest limit that is used up, 0 to 1; 1 = the next call waits. */
  readonly usedRatio: number;
  /**
   * Milliseconds since the provider refused the first of calls in a row as too many; 0 = it takes
   * them.
   */
  readonly refusedMs: number;
}

/** A zone as `plan`, `explain` and the web page show it. */
export interface ZoneStatus {
  readonly key: ZoneKey;
  readonly zone: Zone;
  readonly state: "loading" | "ready" | "failed";
  /** Why nothing is written to the zone; null = it is not paused. */
  readonly paused: string | null;
  /**
   * Several record sets of a name change in one call; else one after the other, and a change of
   * type leaves a gap.
   */
  readonly isAtomic: boolean;
  /** Last failure of a load or null. */
  readonly message: string | null;
  /** Unix milliseconds of the last answer that what is known rests on; absent = not read yet. */
  readonly readAtMs?: number;
  /** Change token of that answer, such as the serial; absent = the provider has none. */
  readonly serial?: string;
  /** DNSProviders that lead into it, `namespace/name`; absent = not known. */
  readonly providers?: readonly string[];
  readonly ownedNames: number;
  readonly foreignNames: number;
  /** Names wait for their first plan: `open` lacks them. Absent = none does. */
  readonly isPlanning?: true;
  /** Sorted by name. */
  readonly open: readonly OpenName[];
  /** Names of `open` whose last change failed; absent = none. */
  readonly failing?: readonly FailingName[];
  /** Published names whose object has had no address for over an hour (Z-4). */
  readonly danglingNames: number;
  /** Why each removal is held (`FuseBlind`: the fuse cannot count); absent = it judges them. */
  readonly removalTrouble?: string;
  /** Budget of the account that reads go through. Absent = the zone is not open. */
  readonly budget?: BudgetUse;
  /** Sets that wait for a person's approval, in the order in which to approve them. */
  readonly heldSets: readonly HeldSetStatus[];
  /**
   * Asks a person whether our owner id was changed: all wanted records are there with one other
   * id. Absent = they are not.
   */
  readonly ownerQuestion?: string;
  /** Absent = there is no fence, because nobody else could write. */
  readonly fence?: FenceStatus;
  /** The fences of all owner ids that this installation has or waits for; absent = none. */
  readonly fences?: readonly OwnerFence[];
}

/** The part that says whether the next change of a zone would be written; no lists of names. */
export type ZoneHealth = Pick<
  ZoneStatus,
  | ("key" | "zone" | "state" | "message" | "paused" | "isPlanning")
  | ("fence" | "fences" | "removalTrouble")
>;
