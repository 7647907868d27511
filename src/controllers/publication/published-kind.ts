/**
 * States what differs from kind to kind when objects are published: how an object is read, which
 * zones get which contribution, and how its status is written. All that is the same for every kind
 * is in publication-controller.ts, which calls these methods.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import type { EventNote } from "@zonekeeper/kube/ports/cluster-writer";
import type { Finalizers } from "../../model/dns-class.ts";
import type { ObjectKey } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import type { Found } from "../../sources/source.ts";
import type {
  Contribution,
  ContributionReport,
  NameReport,
} from "../../sync/contract/contribution.ts";
import { isSameZone, type ZoneKey } from "../../sync/contract/zone.ts";

/** A contribution to a zone. */
export interface NewContribution {
  readonly key: ZoneKey;
  /** Apex of the zone. */
  readonly zone: DnsName;
  readonly contribution: Contribution;
}

/** A zone that an object contributes to, with what it contributed last. */
export interface Assignment extends NewContribution {
  /** The last report about that contribution; null = none yet. */
  readonly report: ContributionReport | null;
}

/**
 * The candidates that differ from what is assigned: an equal contribution would only cause another
 * report.
 */
export function newContributions(
  candidates: readonly NewContribution[],
  assignments: readonly Assignment[],
): readonly NewContribution[] {
  return candidates.filter(({ key, contribution }) => {
    const assignment = assignments.find((candidate) => isSameZone(candidate.key, key));
    return !isSameJson(assignment?.contribution, contribution);
  });
}

/** An object, and what is known of its records. */
export interface KnownObject {
  /** `namespace/name`. */
  readonly key: string;
  readonly object: KubeObject;
  /** Cluster, kind, namespace and name: unique over all clusters. */
  readonly id: ObjectKey;
  /** Contributions of this process to zones that can be reached, at most one a zone. */
  readonly assignments: readonly Assignment[];
  /** The last report of each of these zones; it may be about a former contribution. */
  readonly reports: readonly ContributionReport[];
  /** Held records of the object at names that no object lists. */
  readonly unlisted: readonly NameReport[];
}

/** An object that is to be decided about. */
export interface PublishedObject extends KnownObject {
  /**
   * `found` with the addresses of the host names that are its targets; null = none is to be looked
   * up. The object is queued again when an address, or a secondary object that `found` read,
   * changes. To be called once.
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
 * The decision about an object, in the order of the fields: a crash between any two of them leaves
 * no record that nobody looks for.
 */
export interface PublicationDecision {
  /**
   * The wishes of the object while no zone is known for it: no record at its names is removed
   * (Z-2). Null = none.
   */
  readonly withoutZone: Contribution | null;
  /**
   * To zones that the object, with our finalizer, names already. Kinds without finalizer: to all
   * zones.
   */
  readonly atOnce: readonly NewContribution[];
  /**
   * Our finalizer: added before the object contributes to its first zone, and removed as the very
   * last step. Null = it stays as it is.
   */
  readonly finalizer: FinalizerStep | null;
  /** To the zone that is stored with the finalizer (Z-19). */
  readonly afterFinalizer: readonly NewContribution[];
  /** True = the status to be shown names another zone than the stored one. */
  readonly isZoneChanged: boolean;
  /** To another zone, once the status says so: after a crash it says where records may exist. */
  readonly afterStatus: readonly NewContribution[];
  readonly unassign: readonly ZoneKey[];
  readonly event: EventNote | null;
  /** True = these steps are what the annotation `gardener.cloud/operation` asks for. */
  readonly isOperation: boolean;
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
  isOperation: false,
  againAfterMs: null,
};

/** A kind in one cluster; `D` = what else is decided about its objects. */
export interface PublishedKind<D extends PublicationDecision = PublicationDecision> {
  /**
   * The object was made or changed; `isNews` false = it comes from a list, not from a watch event.
   * `settled` = the event shows our own write, and nothing is to be done; `unsettled` = it shows
   * our own write, and the object is queued all the same; null = the change is somebody else's.
   */
  changed(
    known: KnownObject,
    change: ObjectChange,
    isNews: boolean,
  ): "settled" | "unsettled" | null;
  /**
   * The object is gone: forget it. `withdraw` is to be called, now or later, to end its
   * contributions. `isSeen` false = its end was not watched: a newer list lacks it.
   */
  ended(known: KnownObject, isSeen: boolean, withdraw: () => void): void;
  /**
   * A zone has reported. `decide` = the object is to be decided about; `show` = the last decision
   * still holds, and only its status is to be written; null = nothing is to be done. `known` null =
   * the object does not contribute to the zone any more.
   */
  reported(report: ContributionReport, known: KnownObject | null): "decide" | "show" | null;
  /** False = the object is not to be decided about now; the event that changes this queues it. */
  isReady(object: KubeObject): Promise<boolean>;
  decide(published: PublishedObject): D;
  /**
   * Writes the status. `decision` null = it is the last one (`show` of `reported`); `refusal`: why
   * the cluster refused the finalizer, which a status can say all the same; null = it did not.
   * False = the status must wait. Throws as the writer does.
   */
  show(known: KnownObject, decision: D | null, refusal: string | null): Promise<boolean>;
  stop(): void;
}

/** How a kind queues objects by itself; keys are `namespace/name`. */
export interface Wake {
  /** Soon, as an edit. */
  soon(key: string): void;
  /** Behind edits, after so many milliseconds; absent = now. */
  later(key: string, afterMs?: number): void;
  /** Behind all others; only the status is written, as it was decided last. */
  last(key: string): void;
  /** Queues the object at the next call of `unread`: no event will name it. */
  onceRead(key: string): void;
  /** Queues all objects that wait for it: what could not be read may be readable now. */
  unread(): void;
  /** Queues all objects of the kind, behind edits. */
  all(): void;
}
