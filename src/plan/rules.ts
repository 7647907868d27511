/** The rules for the plan of one name. A value: equal rules and records give an equal plan. */
import type { Provenance } from "../model/provenance.ts";
import {
  type DesiredRecordSet,
  type RecordSet,
  type RecordSetKey,
  recordSetKeyText,
} from "../model/record-set.ts";
import type { ObjectTransfer } from "../model/transfer-request.ts";
import type { TypeAnswers } from "../model/type-answers.ts";
import type { AbsenceProof, OwnedRecordSet } from "./changes.ts";
import type { HoldCode } from "./hold-reasons.ts";

/** Whether absence is proven, so that records that no object lists may be removed (Z-2, Z-3). */
export type AbsenceVerdict =
  | {
      readonly proven: true;
      readonly proof: AbsenceProof;
      /**
       * The object for which the DNSEntry of the object in the marker is published now; it has that
       * one's rank at the name (Z-15). Absent = there is none.
       */
      readonly successor?: Provenance;
    }
  /** `code`: `KindGone`, `NotSynced`, `NoTargets`, `SourceIncomplete`, `SourceAlive` … */
  | {
      readonly proven: false;
      readonly code: HoldCode;
      readonly message: string;
      /**
       * The object in the marker is proven not to want the record; only objects of another account
       * want the name. The record is kept while it is the last answer at the name, and removed once
       * a winner of this account is published. Absent = the record is kept in any case.
       */
      readonly unlessAnswered?: AbsenceProof;
    };

/** `sync`: create, update, remove. `upsert-only`: never remove. `create-only`: only create. */
export type Policy = "sync" | "upsert-only" | "create-only";

/** Whether an unmarked record at a desired key may be adopted (docs/safety.md#adoption). */
export type Adoption =
  | { readonly mode: "never" }
  /** When its data equals the desired data. */
  | { readonly mode: "equal" }
  /** There are no markers: equal data is published, and stays without an owner. */
  | { readonly mode: "unmarked" }
  /** When `keys` has its key, or its object lists exactly its values (`zonekeeper.dev/adopt`). */
  | { readonly mode: "listed"; readonly keys: readonly RecordSetKey[] };

/** A person's order for one record set; carried out only while the state they saw is unchanged. */
export type OrderedChange =
  /**
   * Take the record set over from its owner. `marker`: its exact state (`markerState` in
   * `plan/claims.ts`).
   */
  | {
      readonly is: "transfer";
      readonly marker: string;
      /**
       * Owner id whose markers are removed from a record that our owner id marks too; absent = the
       * record is not contested.
       */
      readonly ends?: string;
    }
  /** Adopt an unmarked record set. `values`: exactly its present values. */
  | { readonly is: "adopt"; readonly values: readonly string[] }
  /** Let an orphan go (Z-22): it is removed, or another object that wants it takes it over. */
  | { readonly is: "remove"; readonly marker: string }
  /** Release a record set of ours: its marker is removed, the data stays. */
  | { readonly is: "release"; readonly marker: string }
  /** Take a change of ours back, whatever objects want at the key. */
  | UndoOrder;

/**
 * Takes a change of ours back (ADR 0122): the record set `from`, as that change left it, becomes
 * `to`, as it was before. Null = no record set.
 */
export interface UndoOrder {
  readonly is: "undo";
  readonly from: RecordSet | null;
  readonly to: DesiredRecordSet | null;
}

/** Why a desired record set is held, whichever object wants it. */
export interface Blocker {
  readonly code: HoldCode;
  readonly message: string;
}

/** Which tenants may share one name (Z-28). */
export interface NameTenancy {
  /** `none`: the name has one tenant. `all`: its DNSProviders say that names are shared. */
  readonly sharing: "none" | "all";
  /** Namespaces whose objects come first: those of the DNSProviders, at the apex. */
  readonly firstNamespaces: readonly string[];
}

/** The input of the planner without the record sets. */
export interface PlanRules {
  /** Owner ids that are ours and active; rights exist for these markers only. */
  readonly owners: ReadonlySet<string>;
  /** Owner ids that are not ours yet, and why; absent = none. */
  readonly waitingOwners?: ReadonlyMap<string, Blocker>;
  /** Written into new markers when the desired set names no owner. Member of `owners`. */
  readonly mainOwner: string;
  readonly policy: Policy;
  readonly adoption: Adoption;
  /** Types that may be written; others are held as `UnmanagedType`. */
  readonly managedTypes: ReadonlySet<string>;
  /** Seconds; for creates without a desired TTL (Z-21). */
  readonly defaultTtlSeconds: number;
  /** Rank of a cluster in conflicts, 0 first; a cluster that is not listed comes last (Z-15). */
  readonly clusterRank: Readonly<Record<string, number>>;
  readonly absence: AbsenceVerdict;
  /**
   * Verdicts on single record sets, by `verdictKey`; `absence` counts for the others. An object
   * whose state is unknown must not keep the records of another object at the same name.
   */
  readonly absences?: ReadonlyMap<string, AbsenceVerdict>;
  /** The delegation (NS owner name) at or above this name inside the zone, or null (Z-18). */
  readonly delegatedAt: string | null;
  /** The name is a server of that delegation: its addresses here are glue. Absent = it is none. */
  readonly isGlue?: true;
  /**
   * By `recordSetKeyText` of a desired record set, why it cannot be created: a marker that cannot
   * move has its name (Z-11). Markers are not among the records of the name. Absent = no blockers.
   */
  readonly blockers?: ReadonlyMap<string, Blocker>;
  /**
   * Desired record sets that are refused in any case: texts in the form of a marker
   * (docs/safety.md#user-texts). Absent = none.
   */
  readonly refused?: ReadonlyMap<DesiredRecordSet, Blocker>;
  /** How types answer at this name (`answersAt`); absent = as the standards say. */
  readonly answers?: TypeAnswers;
  /** Filters of names leave the name out: its records stay, wanted or not. Absent = they do not. */
  readonly isOutOfScope?: true;
  /** Objects without a record are in external-dns's order (ADR 0126). Absent = the oldest first. */
  readonly joins?: true;
  /** The back end keeps the members of a routing policy in one record set, with one TTL. */
  readonly membersShareTtl?: true;
  /** Why no permit may be given or used in this zone, for people; absent = they may. */
  readonly noPermits?: string;
  /**
   * Transfer requests of objects without a desired record set here: those that wait, are deleted,
   * or cannot be read. For an object that is not listed nothing is known. Absent = none.
   */
  readonly objectTransfers?: readonly ObjectTransfer[];
  /** Absent = the name has one tenant (Z-28). */
  readonly tenancy?: NameTenancy;
  /** Orders by `recordSetKeyText`; absent = none. */
  readonly orders?: ReadonlyMap<string, OrderedChange>;
}

/**
 * The key of a verdict: of a record set, or of a marker without data. Both can exist at one key
 * (Z-10) and name different objects.
 */
export function verdictKey(set: VerdictSubject): string {
  const key = recordSetKeyText(set);
  return set.data === null ? `${key} (marker)` : key;
}

/** A key, with data or without. */
type VerdictSubject = Pick<OwnedRecordSet, keyof RecordSetKey | "data">;

/**
 * True unless it is proven that the object in the marker does not want the record set; objects of
 * another account may want it even then.
 */
export function mayObjectWant(
  absence: AbsenceVerdict,
): absence is Extract<AbsenceVerdict, { readonly proven: false }> {
  return !absence.proven && absence.unlessAnswered === undefined;
}

/** The verdict on one record set of ours. */
export function absenceOf(rules: PlanRules, set: VerdictSubject): AbsenceVerdict {
  return rules.absences?.get(verdictKey(set)) ?? rules.absence;
}
