/**
 * The controller of a kind whose objects are published: from an object to its contributions, and
 * from the reports of zones to its status. The order of the steps is the same for every kind
 * (Z-19); what differs, the kind knows (published-kind.ts; for DNSEntries the way from a report to
 * a status is in gardener/dns-entry/entry-status.ts). Which objects are due: due-objects.ts.
 *
 *   zone reports ─► #onReport: kept at the object's assignment to that zone (none: too late)
 *        │          kind.reported: decide anew, show only, or nothing ─► queue, behind all edits
 *        ▼
 *   #reconcile      kind.decide, from the object, its assignments and their reports
 *        ▼
 *   #carryOut       contributions ► finalizer ► kind.show writes the status ► another zone
 *                   ► Event, if the status was written ► the end of the finalizer
 *
 * A write that fails ends the steps; the queue repeats the object after a back-off, and it is
 * decided from what is known then. A conflict occurs at the finalizer alone, whose patch compares
 * the version that was read: the object is read and patched once more (finalizers.ts). An
 * assignment is what was contributed of an object to one zone; its report is about that
 * contribution, and names the generation of the object.
 */
import { isRefusal, messageOf } from "@zonekeeper/base/operation-error";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { namespacedName } from "@zonekeeper/kube/objects/object-fields";
import type { KindState, ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter, EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import type { StartQueue } from "@zonekeeper/kube/ports/work-queue";
import { markerKindOf, objectKeyOf } from "../../model/kinds.ts";
import { type ObjectKey, objectKeyText } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { type Found, listedNames } from "../../sources/source.ts";
import type {
  ContributionReport,
  NameReport,
  UnlistedReport,
} from "../../sync/contract/contribution.ts";
import type { Publisher, ReportSource } from "../../sync/contract/publish-engine.ts";
import { isSameZone, type ZoneKey } from "../../sync/contract/zone.ts";
import { patchFinalizer } from "../objects/finalizers.ts";
import type { HostLookups } from "../objects/host-lookups.ts";
import { publishedIn } from "../objects/looked-up-sets.ts";
import { reconcileDone } from "../objects/operation-annotation.ts";
import { DueObjects, type DueObjectsOptions, PublicationQueue } from "./due-objects.ts";
import type {
  Assignment,
  FinalizerStep,
  KnownObject,
  NewContribution,
  PublicationDecision,
  PublishedKind,
  PublishedObject,
  Wake,
} from "./published-kind.ts";

/** The controller's ports, for every kind. `engine` plans and writes the zones. */
export interface PublicationOptions extends DueObjectsOptions {
  readonly writer: ClusterWriter;
  readonly recorder: EventRecorder;
  readonly engine: Publisher & ReportSource;
  /** Opens the zone, where it is not open, before an object contributes to it. */
  readonly ensureOpen: (key: ZoneKey) => void;
  readonly startQueue: StartQueue;
  readonly lookups: HostLookups;
}

/** Runs until stopped. */
export class PublicationController<D extends PublicationDecision = PublicationDecision> {
  readonly #options: PublicationOptions;
  readonly #kind: PublishedKind<D>;
  readonly #queue: PublicationQueue;
  readonly #due: DueObjects;
  readonly #assignments = new Assignments();
  readonly #unlisted = new UnlistedRecords();
  readonly #endReports: () => void;

  constructor(options: PublicationOptions, open: (wake: Wake) => PublishedKind<D>) {
    this.#options = options;
    const { view, engine, source, startQueue } = options;
    this.#queue = new PublicationQueue(startQueue, source.primary.kind.toLowerCase(), {
      decide: (key) => this.#reconcile(key),
      show: async (key) => {
        const object = this.#due.current(key);
        if (object !== null) await this.#kind.show(this.#knownOf(object), null, null);
      },
    });
    this.#due = new DueObjects(options, this.#queue);
    this.#kind = open(this.#due.wake);
    this.#endReports = engine.onReport(
      (report) => ("unlisted" in report ? this.#onUnlisted(report) : this.#onReport(report)),
      { markerKind: markerKindOf(source.primary), cluster: view.clusterId },
    );
    this.#due.start((change, state) => this.#onChange(change, state));
  }

  /** Contributions stay with the engine. */
  async stop(): Promise<void> {
    this.#endReports();
    this.#due.stop();
    this.#kind.stop();
    await this.#queue.stop();
  }

  /** A zone says what became of a contribution. */
  #onReport(report: ContributionReport): void {
    const { namespace, name } = report.object;
    const key = `${namespace}/${name}`;
    const object = this.#assignments.noteReport(report) ? this.#due.current(key) : null;
    const known = object === null ? null : this.#knownOf(object);
    const work = this.#kind.reported(report, known);
    // Behind all that is to be published: in a burst there are as many reports as objects.
    if (work !== null) this.#queue.last(key, work);
  }

  /** A zone holds records of an object at names that no object lists, or holds none any more. */
  #onUnlisted(report: UnlistedReport): void {
    const { key, before } = this.#unlisted.apply(report);
    const object = this.#due.current(key);
    const assignments = object === null ? [] : this.#knownOf(object).assignments;
    const listed = new Set(
      assignments.flatMap(({ contribution: { deleting, found } }) =>
        deleting ? [] : [...listedNames(found)],
      ),
    );
    // The report is outdated where the object contributes all of these names by now.
    const isOutdated = [...before, ...report.unlisted].every(({ name }) => listed.has(name));
    if (object === null || !isOutdated) this.#queue.soon(key);
  }

  #onChange(change: ObjectChange, state: KindState): void {
    const { type, object, proof } = change;
    const known = this.#knownOf(object);
    if (type === "deleted") this.#onDeleted(known, proof === "watched");
    const own = type === "deleted" ? null : this.#kind.changed(known, change, state === "live");
    if (own === "settled") return;
    // The objects of the first list are bulk work: an edit must not wait for all of them.
    if (state === "syncing" || own === "unsettled") this.#queue.later(known.key);
    else this.#queue.soon(known.key);
  }

  #onDeleted(known: KnownObject, isSeen: boolean): void {
    const { key, id } = known;
    const { lookups, engine } = this.#options;
    this.#assignments.forget(id);
    lookups.forget(objectKeyText(id));
    this.#due.forget(key);
    const proof = isSeen ? "deleted-object" : "missing-from-list";
    this.#kind.ended(known, isSeen, () => engine.withdraw(id, proof));
  }

  async #reconcile(key: string): Promise<void> {
    const object = this.#due.current(key);
    if (object === null || !(await this.#kind.isReady(object))) return;
    const { directory, view } = this.#options;
    const id = objectKeyOf(object, view.clusterId);
    // An account may be closed: through another one, the zone has another key.
    for (const { key: zone } of this.#assignments.of(id))
      if (!directory.isReachable(zone)) this.#unassign(id, zone);
    const known = this.#knownOf(object);
    const resolve: PublishedObject["resolve"] = (found) => this.#resolved(known, found);
    await this.#carryOut(known, this.#kind.decide({ ...known, resolve }));
  }

  #resolved({ key, id, reports }: KnownObject, found: Found<DesiredRecordSet>) {
    this.#due.answered(key, found);
    return this.#options.lookups.resolved({
      id: objectKeyText(id),
      found,
      publishedAt: publishedIn(reports),
      again: () => this.#queue.later(key),
    });
  }

  /**
   * Contributes at once to zones that the object names as its own, to its first zone after the
   * finalizer and that zone were stored in one write, and to another zone after the status names
   * it: so after a crash the object says where its records may exist.
   */
  async #carryOut(known: KnownObject, decision: D): Promise<void> {
    const { withoutZone, atOnce, finalizer, afterStatus, againAfterMs } = decision;
    const { object, id, key } = known;
    const { engine, recorder, writer, source } = this.#options;
    if (withoutZone !== null) engine.contribute(null, withoutZone);
    this.#send(id, atOnce);
    if (finalizer?.to === "add") await this.#addFinalizer(known, finalizer, decision);
    const isShown = await this.#kind.show(this.#knownOf(object), decision, null);
    if (this.#isGone(known)) return;
    // When the status must wait, its Event waits too, and a zone that is new to the object.
    if (isShown || !decision.isZoneChanged) {
      this.#send(id, afterStatus);
      for (const zone of decision.unassign) this.#unassign(id, zone);
      if (decision.event !== null && isShown) recorder.record(object, decision.event);
      if (finalizer?.to === "remove") await this.#finalizer(object, finalizer);
      if (againAfterMs !== null) this.#queue.later(key, againAfterMs);
    }
    // clause: operation-is-done-once
    if (decision.isOperation && !this.#isGone(known))
      await reconcileDone(writer, source.primary, object);
  }

  /** Where the API server refuses the finalizer, the status says so, and the queue tries again. */
  async #addFinalizer(known: KnownObject, step: FinalizerStep, decision: D): Promise<void> {
    const { object, id } = known;
    try {
      const isStored = await this.#finalizer(object, step);
      if (isStored && !this.#isGone(known)) this.#send(id, decision.afterFinalizer);
    } catch (error) {
      if (isRefusal(error) && !this.#isGone(known))
        await this.#kind.show(this.#knownOf(object), decision, messageOf(error));
      throw error;
    }
  }

  /** False = the object does not have it. */
  #finalizer(object: KubeObject, step: FinalizerStep): Promise<boolean> {
    const { writer, source } = this.#options;
    return patchFinalizer(writer, source.primary, { object, ...step });
  }

  #isGone({ key, object }: KnownObject): boolean {
    return this.#due.current(key)?.metadata.uid !== object.metadata.uid;
  }

  #send(id: ObjectKey, contributions: readonly NewContribution[]): void {
    const { engine, ensureOpen } = this.#options;
    for (const contribution of contributions) {
      this.#assignments.add(id, contribution);
      if (!engine.isOpen(contribution.key)) ensureOpen(contribution.key);
      engine.contribute(contribution.key, contribution.contribution);
    }
  }

  /**
   * The object contributes to the zone no more. That proves nothing: its records there stay (Z-2).
   */
  #unassign(id: ObjectKey, zone: ZoneKey): void {
    this.#assignments.drop(id, zone);
    this.#options.engine.unassign(zone, id);
  }

  #knownOf(object: KubeObject): KnownObject {
    const key = namespacedName(object);
    const id = objectKeyOf(object, this.#options.view.clusterId);
    const assignments = this.#assignments.of(id);
    const reports = assignments.flatMap(({ lastReport }) => lastReport ?? []);
    return { key, object, id, assignments, reports, unlisted: this.#unlisted.of(key) };
  }
}

/** `report` is about the present contribution; `lastReport` may be about a former one. */
interface Kept extends Assignment {
  readonly lastReport: ContributionReport | null;
}

/**
 * Which zones each object contributes to, its last contribution to each, and what the zone reported
 * about that. In memory: after a restart there are none, until each object has contributed again.
 */
class Assignments {
  readonly #byObject = new Map<string, readonly Kept[]>();

  of(object: ObjectKey): readonly Kept[] {
    return this.#byObject.get(objectKeyText(object)) ?? [];
  }

  /** Replaces the contribution to the same zone: there is no report about the new one yet. */
  add(object: ObjectKey, { key, zone, contribution }: NewContribution): void {
    const lastReport = this.#at(object, key)?.lastReport ?? null;
    this.#put(object, { key, zone, contribution, report: null, lastReport });
  }

  /** False when the object is not assigned to that zone: the report is late. */
  noteReport({ object, zone: at, generation, names }: ContributionReport): boolean {
    const assignment = this.#at(object, at);
    if (assignment === undefined) return false;
    const { key, zone, contribution } = assignment;
    const report = { object: contribution.object, zone: key, generation, names };
    this.#put(object, { key, zone, contribution, report, lastReport: report });
    return true;
  }

  drop(object: ObjectKey, zone: ZoneKey): void {
    const others = this.#without(object, zone);
    if (others.length === 0) this.forget(object);
    else this.#byObject.set(objectKeyText(object), others);
  }

  forget(object: ObjectKey): void {
    this.#byObject.delete(objectKeyText(object));
  }

  #at(object: ObjectKey, zone: ZoneKey): Kept | undefined {
    return this.of(object).find(({ key }) => isSameZone(key, zone));
  }

  #without(object: ObjectKey, zone: ZoneKey): readonly Kept[] {
    return this.of(object).filter(({ key }) => !isSameZone(key, zone));
  }

  /** Uses `concat`, for memory: an array that is spread has room for 16 more. */
  #put(object: ObjectKey, kept: Kept): void {
    this.#byObject.set(objectKeyText(object), this.#without(object, kept.key).concat(kept));
  }
}

/** A report that was taken in. */
interface UnlistedChange {
  /** `namespace/name`. */
  readonly key: string;
  readonly before: readonly NameReport[];
}

/**
 * Remembers, by object, the records that have our owner id, whose marker names the object, and
 * whose name no object lists: the zones report them as long as their removal is held. Bounded by
 * the records of the zones.
 */
export class UnlistedRecords {
  /** By `namespace/name`. */
  readonly #names = new Map<string, readonly NameReport[]>();

  /** Answers the object, and what was known of it. */
  apply({ object, unlisted }: UnlistedReport): UnlistedChange {
    const key = `${object.namespace}/${object.name}`;
    const before = this.of(key);
    if (unlisted.length === 0) this.#names.delete(key);
    else this.#names.set(key, unlisted);
    return { key, before };
  }

  of(key: string): readonly NameReport[] {
    return this.#names.get(key) ?? [];
  }
}
