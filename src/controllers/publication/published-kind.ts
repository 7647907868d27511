/**
 * What differs from kind to kind when objects are published: what is read of one, which zones get
 * what, and how its status is written. Everything else is in publication-controller.ts.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import type { EventNote } from "@zonekeeper/kube/ports/cluster-writer";
import type { Finalizers } from "../../model/dns-class.ts";
import type { ObjectKey } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found } from "../../sources/source.ts";
import type { Contribution } from "../../sync/contract/contribution.ts";
import type { ContributionReport, NameReport } from "../../sync/contract/contribution-report.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import type { Assignment, NewContribution } from "./assignments.ts";

/** An object, and what is known of its records. */
export interface KnownObject {
  /** `namespace/name`. */
  readonly key: string;
  readonly object: KubeObject;
  /** In all clusters. */
  readonly id: ObjectKey;
  /** Contributions of this process to zones that can be reached, at most one a zone. */
  readonly assignments: readonly Assignment[];
  /** The last report of each of these zones, whichever contribution it is about. */
  readonly reports: readonly ContributionReport[];
  /** Held records of the object at names that no object lists. */
  readonly unlisted: readonly NameReport[];
}

/** An object that is to be decided about. */
export interface PublishedObject extends KnownObject {
  /**
   * What its source found, with the addresses of its host names; null = none is to be looked up.
   * The object is decided about again when that, or a secondary object, changes. To be called once.
   */
  resolve(found: Found<DesiredRecordSet>): Found<DesiredRecordSet> | null;
}

/** Our finalizer is added or removed. */
export interface FinalizerStep {
  readonly to: "add" | "remove";
  readonly finalizers: Finalizers;
  /** Stored in the same write as the finalizer that is added. */
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * What to do about an object, in the order of the fields: a crash between any two of them leaves no
 * record that nobody looks for.
 */
export interface PublicationDecision {
  /**
   * What the object wants while no zone is known for it: no record at its names is removed (Z-2).
   * Null = none.
   */
  readonly withoutZone: Contribution | null;
  /** To zones that the object names already, with a finalizer; to all where it has none. */
  readonly atOnce: readonly NewContribution[];
  /** Removed as the very last step. */
  readonly finalizer: FinalizerStep | null;
  /** To the zone that is stored with the finalizer (Z-19). */
  readonly afterFinalizer: readonly NewContribution[];
  /** True = the status that is shown says another zone. */
  readonly isZoneChanged: boolean;
  /** To another zone, once the status says so: after a crash it says where records may exist. */
  readonly afterStatus: readonly NewContribution[];
  readonly unassign: readonly ZoneKey[];
  readonly event: EventNote | null;
  /** Milliseconds until the object is decided again; null = at the next change. */
  readonly againAfterMs: number | null;
}

/** Nothing to do. */
export const NO_STEPS: PublicationDecision = {
  withoutZone: null,
  atOnce: [],
  finalizer: null,
  afterFinalizer: [],
  isZoneChanged: false,
  afterStatus: [],
  unassign: [],
  event: null,
  againAfterMs: null,
};

/** One kind in one cluster; `D` = what else is decided about its objects. */
export interface PublishedKind<D extends PublicationDecision = PublicationDecision> {
  /**
   * The object was made or changed; `isNews` false = a list shows it, and nobody saw it change.
   * `settled` = the change is what was written here, and nothing is left to do; `unsettled` = the
   * same, but it is to be looked at again; null = somebody else's.
   */
  changed(
    known: KnownObject,
    change: ObjectChange,
    isNews: boolean,
  ): "settled" | "unsettled" | null;
  /**
   * The object is gone, and with it what is known of it. `withdraw` is to be called when nothing of
   * it is wanted any more. `isSeen` false = it is only missing from a newer list.
   */
  ended(known: KnownObject, isSeen: boolean, withdraw: () => void): void;
  /**
   * A zone has reported; answers whether the object is to be decided about, or, where a decision
   * would be the last one again, only to be shown. Null = neither.
   */
  reported(known: KnownObject, report: ContributionReport): "decide" | "show" | null;
  /** Shows what is known of the object since its last decision. Throws as the writer does. */
  showAgain?(known: KnownObject): Promise<void>;
  /** The same of an object that does not contribute to the zone any more. */
  reportedLate?(key: string, report: ContributionReport): void;
  /**
   * The object contributes all of these names: that nobody lists them was said before it did.
   * Absent = such a word is always looked at.
   */
  contributes?(known: KnownObject, names: readonly DnsName[]): boolean;
  /** False = it is not to be decided about now; what changes that wakes it. */
  isReady(object: KubeObject): Promise<boolean>;
  decide(published: PublishedObject): D;
  /** The cluster refused the finalizer; a status may be taken all the same. */
  refused?(known: KnownObject, decision: D, message: string): Promise<void>;
  /** False = the status must wait. Throws as the writer does. */
  show(known: KnownObject, decision: D): Promise<boolean>;
  /** The steps were taken, and the object is still there. */
  finished?(known: KnownObject, decision: D): Promise<void>;
  stop(): void;
}

/** How a kind has objects decided about: `namespace/name`. */
export interface Wake {
  /** Soon, as an edit. */
  soon(key: string): void;
  /** Behind edits, after so many milliseconds; absent = now. */
  later(key: string, afterMs?: number): void;
  /** Behind all others, to be shown as it was decided. */
  last(key: string): void;
  /** When `unread` is called: no change will name the object. */
  onceRead(key: string): void;
  /** What could not be read may be readable now. */
  unread(): void;
  /** All of them, behind edits. */
  all(): void;
}
