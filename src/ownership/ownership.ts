/**
 * The registry interface: reads from a zone, and writes to it, who owns each record set. Ownership
 * is stated by markers: TXT records of the zone, or rows outside of it. A marker labels the record
 * sets that it is for; the view of a name is its record sets with their owners. Opened once for a
 * zone.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
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
 * A group ready to apply, or the reason why its markers cannot be written (Z-11, Z-12, Z-13). A
 * group may come with `holds`: changes of the plan that are not in it; absent = none.
 */
export type Prepared =
  | { readonly ok: true; readonly group: ChangeGroup; readonly holds?: readonly Hold[] }
  | { readonly ok: false; readonly holds: readonly Hold[] };

/** The record sets of the zone now, so that marker names can be checked for collisions (Z-11). */
export interface ZoneContent {
  /** Every record set at a name, markers included; empty = none. */
  at(name: string): readonly RecordSet[];
  /**
   * Texts of `ZoneMarkers.beginnings` with which no name of the zone begins; another set object
   * once there is one fewer. Absent = not known of any.
   */
  readonly unusedBeginnings?: ReadonlySet<string> | undefined;
}

/**
 * One registry format over one zone: the core that every format has, and groups of features that
 * some have. All members of a group are there, or the group is absent as a whole.
 *
 *               zoneMarkers  permits  migration  externalStore  otherFormats
 *   txt              ×          ×         ×
 *   gardener, mesh   ×
 *   configmap                                          ×
 *   noop
 *
 * `withOtherFormats` (with-other-formats.ts) passes the groups of its registry on and adds
 * `zoneMarkers` and `otherFormats`; the program opens each zone through it.
 */
export interface Ownership {
  /** For logs and `plan`: `txt`, `configmap`, … */
  readonly format: string;
  /**
   * Folds markers into the record sets that they label. Markers are removed from the list; a TXT
   * that is not a marker stays as foreign data. Sorted by key. Never mutates its input.
   */
  read(sets: readonly RecordSet[]): Promise<readonly OwnedRecordSet[]>;
  /**
   * Names whose view may differ after a change at `name`: itself, and the names that a marker there
   * may label. Few.
   */
  affected(name: string): readonly string[];
  /**
   * Names that must be read so that the view of `name` is complete: itself and every name that a
   * marker of it may have. Many, but few of them do not begin with an `unused` text.
   */
  related(name: string, unused?: ReadonlySet<string>): readonly string[];
  /** Adds marker changes and preconditions. */
  prepare(plan: NamePlan, content: ZoneContent): Promise<Prepared>;
  /**
   * Takes the outcome of a prepared group; the view of its name is made anew afterwards. Never
   * throws OperationError.
   */
  confirm(group: ChangeGroup, outcome: Outcome): Promise<void>;
  /**
   * From now on these owner ids are ours in the zone, as the set has them at each time; what was
   * read before is to be read again. Absent = they are always the same.
   */
  readonly actFor?: ((ids: ReadonlySet<string>) => void) | undefined;
  /**
   * Several clusters may have parts of one record set (ADR 0118), by one compare-and-swap. Absent =
   * they may not.
   */
  readonly merges?: boolean | undefined;
  /** Absent = no TXT record set in the zone is a marker of this format. */
  readonly zoneMarkers?: ZoneMarkers | undefined;
  /** Absent = no permits and no claims between instances in this zone (Z-13). */
  readonly permits?: PermitFeature | undefined;
  /** Absent = markers have one form: nothing can be migrated. */
  readonly migration?: MigrationFeature | undefined;
  /** Absent = the zone is all that the format reads and writes. */
  readonly externalStore?: ExternalStore | undefined;
  /** Absent = markers of other formats are not recognised. */
  readonly otherFormats?: OtherFormatsFeature | undefined;
}

/**
 * Formats whose markers are TXT record sets of the zone, where users' records may need the names.
 */
export interface ZoneMarkers {
  /**
   * Texts with which names of markers begin; `related` leaves out names that begin with unused
   * ones.
   */
  readonly beginnings?: readonly string[] | undefined;
  /**
   * Learns which marker names are in use, from record sets that are about to be read. `affected`
   * and `related` know these names afterwards.
   */
  learn(sets: readonly RecordSet[]): void;
  /**
   * Names other than `name` that could share a marker with it: the view of each depends on whether
   * the other one has data. Symmetric.
   */
  dependentNames(name: string): readonly string[];
  /**
   * Why no user may publish this record set: its text has the form of a marker. Null = anyone may.
   */
  refuses(recordSet: RecordSet): Blocker | null;
  /**
   * Why a record set could not be created although no record blocks it: a marker that cannot move
   * has its name (Z-11). Null = nothing known; `prepare` checks again.
   */
  blockerOf(created: RecordSet, content: ZoneContent): Blocker | null;
}

/** Formats that keep permits as record sets of the zone (Z-13). */
export interface PermitFeature {
  /**
   * Names of the permits among these record sets. The names `related` to them must be read as well,
   * for a marker may label a permit. Few.
   */
  namesOfPermits(sets: readonly RecordSet[]): readonly string[];
}

/** Formats that write markers in more than one form (name template, encryption, signature). */
export interface MigrationFeature {
  /**
   * Marker-only changes for our markers at a name that do not have this form, and holds for those
   * that cannot be brought to it. Both empty = all have the form.
   */
  outdated(name: DnsName, content: ZoneContent, target: MarkerTarget): NamePlan;
}

/** Formats that keep ownership outside of the zone. */
export interface ExternalStore {
  /** True when the store must be read (`refresh`) before anything else is written. */
  readonly isStale: boolean;
  /**
   * Reads the store, before each complete reading of the zone. Answers the names whose owner
   * differs from what was known. Throws OperationError: then the reading does not count.
   */
  refresh(): Promise<readonly string[]>;
  /**
   * Records what these groups are about to do, right before they are sent in one call (Z-14).
   * Throws OperationError: then none of them is sent.
   */
  recordIntents(groups: readonly ChangeGroup[]): Promise<void>;
  /**
   * Brings the store in line with a complete reading of the zone. `others`: owner ids that markers
   * of other formats there name, by `recordSetKeyText`; default none. Never throws.
   */
  resync(sets: readonly RecordSet[], others?: ReadonlyMap<string, string>): Promise<void>;
}

/** What a registry knows of the markers that another registry keeps in the same zone (ADR 0020). */
export interface OtherFormatsFeature {
  /**
   * The record sets that `set` labels as a marker of another format, read as if it were the only
   * marker. `data` = the record sets at the names in `affected`. Empty = it is no such marker.
   */
  markersIn(set: RecordSet, data: readonly RecordSet[]): readonly Marked[];
}

/** Every record set that the view of `name` is made of, each once. */
export function setsAround(
  name: string,
  ownership: Ownership,
  content: ZoneContent,
): readonly RecordSet[] {
  const near = ownership.related(name, content.unusedBeginnings);
  const sets = near.flatMap((one) => content.at(one));
  const further = namesBehind(sets, near, ownership);
  return further.length === 0 ? sets : [...sets, ...further.flatMap((one) => content.at(one))];
}

/**
 * Names that must be read besides those that were `read`, because these record sets hold permits
 * that a marker there may label; empty = none.
 */
export function namesBehind(
  sets: readonly RecordSet[],
  read: readonly string[],
  ownership: Ownership,
): readonly string[] {
  const permits = ownership.permits?.namesOfPermits(sets) ?? [];
  if (permits.length === 0) return [];
  const known = new Set(read);
  const all = new Set(permits.flatMap((permit) => ownership.related(permit)));
  return [...all].filter((one) => !known.has(one));
}
