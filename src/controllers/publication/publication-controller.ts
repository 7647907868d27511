/**
 * The controller of a kind whose objects are published: wakes up, reads, contributes to zones,
 * takes their reports, and withdraws. The order of its steps is the same for every kind (Z-19);
 * what is read, which zones get what and how a status is written, the kind itself knows
 * (published-kind.ts).
 *
 *   change of an object ─► kind.changed: "settled" by itself (our own write), else ─► queue
 *   report of a zone (#onReport) ─► kept in the object's assignment to that zone; kind.reported: is
 *               it to be decided again, only shown, or left? ─► queue, behind what is published
 *   #reconcile: kind.decide, from the object, its assignments and their reports
 *   #carryOut:  contributions ► finalizer ► kind.show: the patch of the status ► another zone
 *               ► Event ► the end of the finalizer
 *
 * An assignment is what was contributed of an object to one zone. Objects that were read for an
 * answer (`Dependents`) make it due again when they change.
 */
import { isRefusal, messageOf } from "@zonekeeper/base/operation-error";
import { type KindRef, type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import { namespacedName, splitName } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView, KindState, ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter, EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import type { StartQueue } from "@zonekeeper/kube/ports/work-queue";
import { markerKindOf, objectKeyOf } from "../../model/kinds.ts";
import { type ObjectKey, objectKeyText } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found, SourceFacts } from "../../sources/source.ts";
import type { ContributionReport, UnlistedReport } from "../../sync/contract/contribution.ts";
import type { Publisher, ReportSource } from "../../sync/contract/publish-engine.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import { Dependents } from "../objects/dependents.ts";
import { patchFinalizer } from "../objects/finalizers.ts";
import type { HostLookups } from "../objects/host-lookups.ts";
import { publishedIn } from "../objects/looked-up-sets.ts";
import type { ProviderDirectory } from "../zone-choice/provider-directory.ts";
import { Assignments, type NewContribution } from "./assignments.ts";
import { PublicationQueue } from "./publication-queue.ts";
import type {
  FinalizerStep,
  KnownObject,
  PublicationDecision,
  PublishedKind,
  PublishedObject,
  Wake,
} from "./published-kind.ts";
import { UnlistedRecords } from "./unlisted-records.ts";

/** The controller's ports, for every kind. `engine` plans and writes the zones. */
export interface PublicationOptions {
  readonly view: ClusterView;
  readonly writer: ClusterWriter;
  readonly recorder: EventRecorder;
  readonly source: Pick<SourceFacts, "primary" | "secondary" | "onDemand">;
  readonly directory: ProviderDirectory;
  readonly engine: Publisher & ReportSource;
  /** Opens the zone, where it is not open, before an object contributes to it. */
  readonly ensureOpen: (key: ZoneKey) => void;
  readonly startQueue: StartQueue;
  readonly lookups: HostLookups;
  /**
   * The namespace in which objects are generated for objects of other namespaces; absent or null =
   * none.
   */
  readonly targetNamespace?: string | null;
}

/** Runs until stopped. */
export class PublicationController<D extends PublicationDecision = PublicationDecision> {
  readonly #options: PublicationOptions;
  readonly #kind: PublishedKind<D>;
  readonly #queue: PublicationQueue;
  readonly #assignments = new Assignments();
  readonly #unlisted = new UnlistedRecords();
  readonly #dependents = new Dependents();
  /** Keys to queue once the kind can be read: no later event may name these objects. */
  readonly #unread = new Set<string>();
  /** True = all objects are to be queued once they can be listed. */
  #areAllDue = false;
  /** True while the constructor subscribes: the view reports its cached objects then. */
  #isStarting = true;
  readonly #unsubscribe: (() => void)[];
  /** Kinds of `source.onDemand` that are watched because an object needed one of their objects. */
  readonly #demanded = new Set<KindRef>();

  constructor(options: PublicationOptions, open: (wake: Wake) => PublishedKind<D>) {
    this.#options = options;
    const { view, engine, directory, source } = options;
    const { primary } = source;
    this.#queue = new PublicationQueue(options.startQueue, primary.kind.toLowerCase(), {
      decide: (key) => this.#reconcile(key),
      show: (key) => this.#show(key),
    });
    this.#kind = open({
      soon: (key) => this.#queue.soon(key),
      later: (key, afterMs) => this.#queue.later(key, afterMs),
      last: (key) => this.#queue.last(key, "show"),
      onceRead: (key) => void this.#unread.add(key),
      unread: () => this.#addUnread(),
      all: () => this.#addAll(undefined),
    });
    this.#unsubscribe = [
      engine.onReport(
        (report) => ("unlisted" in report ? this.#onUnlisted(report) : this.#onReport(report)),
        { markerKind: markerKindOf(primary), cluster: view.clusterId },
      ),
      directory.onChange((namespace) => this.#onProviders(namespace)),
      ...source.secondary
        .filter((kind) => kindText(kind) !== kindText(primary))
        .map((kind) => this.#watch(kind)),
      view.subscribe(primary, {
        onChange: (change) => this.#onChange(change),
        onState: (_, state) => {
          this.#addUnread();
          this.#addOutdated(primary, state);
        },
      }),
    ];
    this.#isStarting = false;
  }

  /** Contributions stay with the engine. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#kind.stop();
    await this.#queue.stop();
  }

  #watch(kind: KindRef): () => void {
    return this.#options.view.subscribe(kind, {
      onChange: /* clause: reader-is-enqueued-again */ (change) => this.#addReaders(change),
      onState: (_, state) => this.#addOutdated(kind, state),
    });
  }

  /**
   * Watches the on-demand kinds that the answer needed; `Dependents` queues the object again once
   * they are listed.
   */
  #watchDemanded({ reads = [] }: Found<unknown>): void {
    for (const { kind } of this.#options.source.onDemand ?? []) {
      const isRead = reads.some((read) => kindText(read.kind) === kindText(kind));
      if (!isRead || this.#demanded.has(kind)) continue;
      this.#demanded.add(kind);
      this.#unsubscribe.push(this.#watch(kind));
    }
  }

  #onChange(change: ObjectChange): void {
    const { type, object, proof } = change;
    const known = this.#knownOf(object);
    this.#addReaders(change);
    if (type === "deleted") this.#onDeleted(known, proof === "watched");
    const { view, source } = this.#options;
    const state = this.#isStarting ? "syncing" : view.state(source.primary);
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
    this.#dependents.forget(key);
    this.#queue.forget(key);
    const proof = isSeen ? "deleted-object" : "missing-from-list";
    this.#kind.ended(known, isSeen, () => engine.withdraw(id, proof));
  }

  #addReaders(change: ObjectChange): void {
    for (const key of this.#dependents.readersOf(change)) this.#queue.soon(key);
  }

  #addOutdated(kind: KindRef, state: KindState): void {
    for (const key of this.#dependents.outdatedBy(kind, state)) this.#queue.later(key);
  }

  #addUnread(): void {
    const keys = [...this.#unread];
    this.#unread.clear();
    for (const key of keys) this.#queue.later(key);
    if (!this.#areAllDue) return;
    this.#areAllDue = false;
    this.#addAll(undefined);
  }

  /** DNSProviders changed that objects of this namespace may use; empty = of all namespaces. */
  #onProviders(namespace: string): void {
    const { source, targetNamespace = null } = this.#options;
    const isForAll = namespace === "" || !source.primary.namespaced;
    // Objects of the target namespace may use what their owners may use.
    for (const one of isForAll ? [undefined] : new Set([namespace, targetNamespace]))
      if (one !== null) this.#addAll(one);
  }

  #addAll(namespace: string | undefined): void {
    const objects = this.#options.view.list(this.#options.source.primary, namespace);
    if (objects.state === "unknown") this.#areAllDue = true;
    for (const object of objects.state === "value" ? objects.value : [])
      this.#queue.later(namespacedName(object));
  }

  #onUnlisted(report: UnlistedReport): void {
    const { key, before } = this.#unlisted.apply(report);
    const object = this.#current(key);
    const names = [...before, ...report.unlisted].map(({ name }) => name);
    if (object === null || this.#kind.contributes?.(this.#knownOf(object), names) !== true)
      this.#queue.soon(key);
  }

  #onReport(report: ContributionReport): void {
    const { namespace, name } = report.object;
    const key = `${namespace}/${name}`;
    if (!this.#assignments.noteReport(report)) {
      this.#kind.reportedLate?.(key, report);
      return;
    }
    const object = this.#current(key);
    // Behind all that is to be published: in a burst there are as many reports as objects.
    const due = object === null ? null : this.#kind.reported(this.#knownOf(object), report);
    if (due !== null) this.#queue.last(key, due);
  }

  async #show(key: string): Promise<void> {
    const object = this.#current(key);
    if (object !== null) await this.#kind.showAgain?.(this.#knownOf(object));
  }

  async #reconcile(key: string): Promise<void> {
    const object = this.#current(key);
    if (object === null || !(await this.#kind.isReady(object))) return;
    this.#dropClosed(objectKeyOf(object, this.#options.view.clusterId));
    const known = this.#knownOf(object);
    const resolve: PublishedObject["resolve"] = (found) => this.#resolved(known, found);
    const decision = this.#kind.decide({ ...known, resolve });
    await this.#carryOut(known, decision);
    if (!this.#isGone(known)) await this.#kind.finished?.(known, decision);
  }

  /** The cached object; null = it does not exist, or the kind cannot be read now. */
  #current(key: string): KubeObject | null {
    const lookup = this.#options.view.get(this.#options.source.primary, ...splitName(key));
    if (lookup.state === "unknown") this.#unread.add(key);
    return lookup.state === "value" ? lookup.value : null;
  }

  /** Unassigns zones whose account is closed: through another account, a zone has another key. */
  #dropClosed(id: ObjectKey): void {
    for (const { key } of this.#assignments.of(id))
      if (!this.#options.directory.isReachable(key)) this.#unassign(id, key);
  }

  #resolved({ key, id, reports }: KnownObject, found: Found<DesiredRecordSet>) {
    this.#dependents.answered(key, found);
    this.#watchDemanded(found);
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
    if (withoutZone !== null) this.#options.engine.contribute(null, withoutZone);
    this.#send(id, atOnce);
    if (finalizer?.to === "add") await this.#addFinalizer(known, finalizer, decision);
    const isShown = await this.#kind.show(this.#knownOf(object), decision);
    // When the status must wait, its Event waits too, and a zone that is new to the object.
    if ((!isShown && decision.isZoneChanged) || this.#isGone(known)) return;
    this.#send(id, afterStatus);
    for (const zone of decision.unassign) this.#unassign(id, zone);
    if (decision.event !== null && isShown) this.#options.recorder.record(object, decision.event);
    if (finalizer?.to === "remove") await this.#finalizer(object, finalizer);
    if (againAfterMs !== null) this.#queue.later(key, againAfterMs);
  }

  /** Where the API server refuses the finalizer, the status says so, and the queue tries again. */
  async #addFinalizer(known: KnownObject, step: FinalizerStep, decision: D): Promise<void> {
    const { object, id } = known;
    try {
      const isStored = await this.#finalizer(object, step);
      if (isStored && !this.#isGone(known)) this.#send(id, decision.afterFinalizer);
    } catch (error) {
      if (isRefusal(error) && !this.#isGone(known))
        await this.#kind.refused?.(this.#knownOf(object), decision, messageOf(error));
      throw error;
    }
  }

  /** False = the object does not have it. */
  #finalizer(object: KubeObject, step: FinalizerStep): Promise<boolean> {
    const { writer, source } = this.#options;
    return patchFinalizer(writer, source.primary, { object, ...step });
  }

  #isGone({ key, object }: KnownObject): boolean {
    return this.#current(key)?.metadata.uid !== object.metadata.uid;
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
    return {
      key,
      object,
      id,
      assignments: this.#assignments.of(id),
      reports: this.#assignments.lastReportsOf(id),
      unlisted: this.#unlisted.of(key),
    };
  }
}
