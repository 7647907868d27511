/**
 * The registry interface: who owns what is read from and written to a zone. Opened once for a zone.
 */
import type { DnsName } from "../model/dns-name.ts";
import type { RecordSet } from "../model/record-set.ts";
import type {
  ChangeGroup,
  Hold,
  MarkerTarget,
  NamePlan,
  Outcome,
  OwnedRecordSet,
} from "../plan/changes.ts";
import type { Marked } from "../plan/rights.ts";
import type { Blocker } from "../plan/rules.ts";

/**
 * A group ready to apply, or the reason why its markers cannot be written (Z-11, Z-12, Z-13).
 * `holds` beside a group: changes of the plan that are not in it; absent = none.
 */
export type Prepared =
  | { readonly ok: true; readonly group: ChangeGroup; readonly holds?: readonly Hold[] }
  | { readonly ok: false; readonly holds: readonly Hold[] };

/** What the zone holds now, so that marker names can be checked for collisions (Z-11). */
export interface ZoneContent {
  /** Every record set at a name, markers included; empty = none. */
  at(name: string): readonly RecordSet[];
}

/** One registry format over one zone. */
export interface Ownership {
  /** For logs and `plan`: `txt`, `configmap`, … */
  readonly format: string;
  /**
   * True when permits and claims between instances work here (Z-13): they travel in the zone.
   * Absent = they do not.
   */
  readonly carriesPermits?: boolean;
  /**
   * Folds markers into the record sets they label. Markers are removed from the list; a TXT that is
   * nobody's marker stays as foreign data. Sorted by key. Never mutates its input.
   */
  read(sets: readonly RecordSet[]): Promise<readonly OwnedRecordSet[]>;
  /**
   * Before a reading is taken: learns from these record sets where the zone's markers may stand, so
   * that `affected` and `related` name those places. Absent = the format knows without.
   */
  survey?(sets: readonly RecordSet[]): void;
  /**
   * Names whose view may differ after a change at `name`: itself, and what a marker there labels.
   * Few.
   */
  affected(name: string): readonly string[];
  /**
   * What a record set says as a marker of a format that is not the zone's own, read as if it were
   * the only one: the record sets that it speaks for, with the format. `data` = what stands at the
   * names in `affected`. Empty = it is no such marker. Absent = no other format is known.
   */
  markerOfOtherFormat?(set: RecordSet, data: readonly RecordSet[]): readonly Marked[];
  /**
   * Names that must be read so that the view of `name` is complete: itself and every place of its
   * markers. Many.
   */
  related(name: string): readonly string[];
  /**
   * Names of those among these record sets that carry a right of their own: permits (Z-13). What is
   * `related` to them is to be read as well, for a marker may speak for them. Few. Absent = none
   * do.
   */
  permitsAmong?(sets: readonly RecordSet[]): readonly string[];
  /**
   * Names other than `name` whose view depends on whether data stands there, and the other way
   * round. Absent = none.
   */
  dependentNames?(name: string): readonly string[];
  /**
   * Why nobody may have this record set: its text has the form of a marker. Null = anybody may.
   * Absent = `prepare` says.
   */
  refuses?(recordSet: RecordSet): Blocker | null;
  /**
   * Why a record set could not be created now although no record bars it: a marker that cannot move
   * stands in its way (Z-11). Null = nothing. Absent = `prepare` holds it.
   */
  blockerOf?(created: RecordSet, content: ZoneContent): Blocker | null;
  /** Adds marker changes and preconditions; writes intents if the format has any. */
  prepare(plan: NamePlan, content: ZoneContent): Promise<Prepared>;
  /**
   * Marker-only changes for markers of ours at a name that do not have this form, and holds for
   * those that cannot be brought to it; both empty = they have it. Absent = the format has one
   * form.
   */
  outdated?(name: DnsName, content: ZoneContent, target: MarkerTarget): NamePlan;
  /**
   * Writes down what these groups are about to do, right before they are sent in one call. Throws
   * OperationError: then none of them is sent. No method = the format has no intents.
   */
  begin?(groups: readonly ChangeGroup[]): Promise<void>;
  /**
   * Tells what became of a prepared group; the view of its name is made anew afterwards. Never
   * throws OperationError.
   */
  confirm(group: ChangeGroup, outcome: Outcome): Promise<void>;
  /**
   * True when something besides the zone must be read (`refresh`) before anything else is written.
   * Absent = never.
   */
  readonly isStale?: boolean;
  /**
   * Before each complete reading is taken: reads what the format keeps outside of the zone. Answers
   * the names about which it says something else than before. Throws OperationError: then the
   * reading does not count.
   */
  refresh?(): Promise<readonly string[]>;
  /**
   * After each complete reading was taken: brings what is kept outside of the zone in line with it.
   * Never throws.
   */
  resync?(sets: readonly RecordSet[]): Promise<void>;
}

/** Every record set that the view of `name` is made of, each once. */
export function setsAround(
  name: string,
  ownership: Ownership,
  content: ZoneContent,
): readonly RecordSet[] {
  const near = ownership.related(name);
  const sets = near.flatMap((one) => content.at(one));
  const further = namesBehind(sets, near, ownership);
  return further.length === 0 ? sets : [...sets, ...further.flatMap((one) => content.at(one))];
}

/**
 * Names, besides those that were `read`, without which nobody knows what these record sets mean;
 * empty = none.
 */
export function namesBehind(
  sets: readonly RecordSet[],
  read: readonly string[],
  ownership: Ownership,
): readonly string[] {
  const permits = ownership.permitsAmong?.(sets) ?? [];
  if (permits.length === 0) return [];
  const known = new Set(read);
  const all = new Set(permits.flatMap((permit) => ownership.related(permit)));
  return [...all].filter((one) => !known.has(one));
}
