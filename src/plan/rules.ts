/**
 * What the planner may do about one name. A value: the same rules and records give the same plan.
 */
import { type DesiredRecordSet, type RecordSetKey, recordSetKeyText } from "../model/record-set.ts";
import type { ObjectTransfer } from "../model/transfer-request.ts";
import type { AbsenceProof, OwnedRecordSet } from "./changes.ts";
import type { HoldCode } from "./hold-reasons.ts";

/** Whether a name of ours may lose records that nobody lists any more (Z-2, Z-3). */
export type AbsenceVerdict =
  | { readonly proven: true; readonly proof: AbsenceProof }
  /**
   * `code` is a hold reason: `KindGone`, `NotSynced`, `NoTargets`, `SourceIncomplete`,
   * `SourceAlive` …
   */
  | {
      readonly proven: false;
      readonly code: string;
      readonly message: string;
      /**
       * The object in the marker is proven not to want it, and only others keep it, which want the
       * name through another account: it is kept as the name's last answer, and goes where a wish
       * here has one. Absent = it stays in any case.
       */
      readonly unlessAnswered?: AbsenceProof;
    };

/** `sync`: create, update, remove. `upsert-only`: never remove. `create-only`: only create. */
export type Policy = "sync" | "upsert-only" | "create-only";

/** Whether a foreign record that stands at a wanted key may be taken over (DESIGN §6). */
export type Adoption =
  | { readonly mode: "never" }
  /** When its data equals what is wanted. */
  | { readonly mode: "equal" }
  /**
   * When the key is listed here, or its object lists exactly what stands (`zonekeeper.dev/adopt`).
   */
  | { readonly mode: "listed"; readonly keys: readonly RecordSetKey[] };

/**
 * What a person has ordered for one record set; carried out only while what they saw stands
 * unchanged.
 */
export type OrderedChange =
  /**
   * Take the record set over from its owner. `marker`: its exact state (`markerState` in
   * `plan/claims.ts`).
   */
  | {
      readonly is: "transfer";
      readonly marker: string;
      /**
       * Owner id whose markers go from a record that one of ours marks, too; absent = nobody
       * contests it.
       */
      readonly ends?: string;
    }
  /** Take a record set without a marker over. `values`: exactly what stands there. */
  | { readonly is: "adopt"; readonly values: readonly string[] }
  /** Give a record set of ours up: its marker goes, the data stays. */
  | { readonly is: "release"; readonly marker: string };

/** Why a wish is held, whoever wants it. */
export interface Blocker {
  readonly code: HoldCode;
  readonly message: string;
}

/** Everything the planner takes into account besides records. */
export interface PlanRules {
  /** Owner ids that are ours and active; rights exist for these markers only. */
  readonly owners: ReadonlySet<string>;
  /** Written into new markers when the desired set names no owner. Member of `owners`. */
  readonly mainOwner: string;
  readonly policy: Policy;
  readonly adoption: Adoption;
  /** Types that may be written; others are held as `UnmanagedType`. */
  readonly managedTypes: ReadonlySet<string>;
  /** Seconds; for creates without a wish (Z-21). */
  readonly defaultTtlSeconds: number;
  /** Rank of a cluster in conflicts, 0 first; a cluster that is not listed comes last (Z-15). */
  readonly clusterRank: Readonly<Record<string, number>>;
  readonly absence: AbsenceVerdict;
  /**
   * Verdicts on single record sets, by `verdictKey`; `absence` counts for the others. One object
   * that cannot be judged must not keep the records of another at the same name.
   */
  readonly absences?: ReadonlyMap<string, AbsenceVerdict>;
  /** The delegation (NS owner name) at or above this name inside the zone, or null (Z-18). */
  readonly delegatedAt: string | null;
  /**
   * By `recordSetKeyText` of a wish, why it cannot be created: a marker stands in its way that
   * cannot move (Z-11), and markers are no records of the name. Absent = nothing bars.
   */
  readonly blockers?: ReadonlyMap<string, Blocker>;
  /**
   * Wishes that nobody may have, whatever stands there: texts in the form of a marker (DESIGN §6).
   * Absent = none.
   */
  readonly refused?: ReadonlyMap<DesiredRecordSet, Blocker>;
  /** Why no permit may be given or used in this zone, for people; absent = they may. */
  readonly noPermits?: string;
  /**
   * What objects say about their records that no wish says: those that wait, are being deleted, or
   * cannot be read. An object that is not here was not heard, which says nothing. Absent = none.
   */
  readonly objectTransfers?: readonly ObjectTransfer[];
  /** Orders by `recordSetKeyText`; absent = none. */
  readonly orders?: ReadonlyMap<string, OrderedChange>;
}

/**
 * What a verdict is about: a record set, or a marker without one, which may stand beside the record
 * set of the same key (Z-10) and name another object.
 */
export function verdictKey(set: VerdictSubject): string {
  const key = recordSetKeyText(set);
  return set.data === null ? `${key} (marker)` : key;
}

/** Whatever has a key, and data or none. */
type VerdictSubject = Pick<OwnedRecordSet, keyof RecordSetKey | "data">;

/** The verdict on one record set of ours. */
export function absenceOf(rules: PlanRules, set: VerdictSubject): AbsenceVerdict {
  return rules.absences?.get(verdictKey(set)) ?? rules.absence;
}
