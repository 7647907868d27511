/**
 * The DNSEntry controller: gathers the context of an entry, and carries the decision out. It writes
 * status, finalizer and Events, and contributes to the engine; every rule is in decide-entry.ts and
 * decide-entry-deletion.ts.
 */

import { isRefusal, messageOf } from "@zonekeeper/base/operation-error";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { namespacedName, splitName } from "@zonekeeper/kube/objects/object-fields";
import type { KindState, ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import type { WorkQueue } from "@zonekeeper/kube/ports/work-queue";
import { Dependents } from "../../controllers/objects/dependents.ts";
import { patchFinalizer } from "../../controllers/objects/finalizers.ts";
import { MainClass } from "../../controllers/objects/main-class.ts";
import { asksForReconcile, reconcileDone } from "../../controllers/objects/operation-annotation.ts";
import { publishedIn } from "../../controllers/objects/published-addresses.ts";
import { unlessGone } from "../../controllers/objects/unless-gone.ts";
import { Admission } from "../../controllers/zone-choice/admission.ts";
import { entryApplicant } from "../../controllers/zone-choice/applicant.ts";
import type { StatusZoneLookup } from "../../controllers/zone-choice/provider-directory.ts";
import type { Selection } from "../../controllers/zone-choice/select-provider.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { objectKeyOf } from "../../model/object-key.ts";
import { type ObjectKey, objectKeyText } from "../../model/provenance.ts";
import type { ContributionReport, NameReport } from "../../sync/contract/contribution-report.ts";
import { Assignments } from "./assignments.ts";
import { decideEntry, decideRefused } from "./decide-entry.ts";
import { type Entry, isZoneChanged, readEntry, withNotedZone } from "./entry.ts";
import {
  type EntryContext,
  type EntryDecision,
  type NewContribution,
  NO_DECISION,
} from "./entry-context.ts";
import type { EntryControllerOptions } from "./entry-controller-options.ts";
import { EntryStatusWriter } from "./entry-status-writer.ts";
import { foundIn, promisedAnnotations, successorOf } from "./hand-over.ts";
import { isOfOtherType } from "./is-of-other-type.ts";
import { OriginStates } from "./origins.ts";
import { ownerUseOf } from "./owner-use.ts";

/** Runs until stopped. */
export class EntryController {
  readonly #options: EntryControllerOptions;
  readonly #queue: WorkQueue;
  readonly #assignments = new Assignments();
  readonly #status: EntryStatusWriter;
  /** By `namespace/name`: held records at names that the entry no longer lists. */
  readonly #unwantedRecords = new Map<string, readonly NameReport[]>();
  /** Keys that were due while entries could not be read; no later change may name them. */
  readonly #unread = new Set<string>();
  readonly #origins: OriginStates;
  readonly #admission: Admission;
  readonly #mainClass: MainClass;
  /** Entries by the entries that they refer to. */
  readonly #referrers = new Dependents();
  /** True = providers changed while entries could not be read: all entries are due. */
  #areAllDue = false;
  /** True while the constructor subscribes: the view reports its cached objects then. */
  #isStarting = true;
  readonly #unsubscribe: readonly (() => void)[];

  constructor(options: EntryControllerOptions) {
    this.#options = options;
    const { view, engine, directory } = options;
    this.#status = new EntryStatusWriter({
      ...options,
      again: (key, afterMs = 0) => this.#queue.addAfter(key, afterMs),
    });
    this.#origins = new OriginStates(options, (key) => void this.#unread.add(key));
    this.#mainClass = new MainClass({ ...options, kind: DNS_ENTRY, classes: options.dnsClasses });
    this.#admission = new Admission(options.clock, (key) => this.#addBulk(key));
    this.#queue = options.startQueue({
      name: "dnsentry",
      reconcile: (key) => unlessGone(() => this.#reconcile(key)),
    });
    this.#unsubscribe = [
      engine.onReport((report) => this.#onReport(report)),
      engine.onUnwantedRecords((object, names) => this.#onUnwantedRecords(object, names)),
      options.waits.onChange((entry) => this.#queue.add(entry)),
      options.refused.onChange((entry) => this.#addBulk(entry)),
      options.origins.onGateChange(() => this.#addUnread()),
      directory.onChange((namespace) => this.#onProviders(namespace)),
      view.subscribe(DNS_ENTRY, {
        onChange: (c) => this.#onChange(c),
        onState: (_, state) => this.#onState(state),
      }),
    ];
    this.#isStarting = false;
  }

  /** Contributions stay with the engine. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#status.stop();
    this.#origins.stop();
    await this.#queue.stop();
  }

  #onState(state: KindState): void {
    this.#addUnread();
    for (const key of this.#referrers.outdatedBy(DNS_ENTRY, state)) this.#addBulk(key);
  }

  #onChange(change: ObjectChange): void {
    const { type, object } = change;
    const id = namespacedName(object);
    for (const key of this.#referrers.readersOf(change)) this.#queue.add(key);
    this.#admission.noted(object);
    if (type === "deleted") this.#onDeleted(id, change);
    else this.#origins.seen(id);
    const own = this.#status.ownChange(id, change);
    if (own === "settled") return;
    // The entries of the first list are bulk work: an edit must not wait for all of them.
    const isFirstList = this.#isStarting || this.#options.view.state(DNS_ENTRY) === "syncing";
    if (isFirstList || own === "unsettled") this.#addBulk(id);
    else this.#queue.add(id);
  }

  #onDeleted(id: string, { object, proof }: ObjectChange): void {
    this.#admission.forget(id);
    this.#options.owners?.entryUses(id, null);
    const key = objectKeyOf(object, this.#options.view.clusterId);
    this.#assignments.forget(key);
    this.#status.forget(id, key);
    this.#options.lookups.forget(objectKeyText(key));
    this.#referrers.forget(id);
    const how = proof === "watched" ? "deleted-object" : "missing-from-list";
    this.#origins.ended(id, object, () => this.#options.engine.withdraw(key, how));
  }

  #addBulk(key: string): void {
    this.#queue.addAfter(key, 0);
  }

  #addUnread(): void {
    const keys = [...this.#unread];
    this.#unread.clear();
    for (const key of keys) this.#addBulk(key);
    if (!this.#areAllDue) return;
    this.#areAllDue = false;
    this.#onProviders("");
  }

  #onReport(report: ContributionReport): void {
    const { cluster, kind, namespace, name } = report.object;
    if (kind !== "dnsentry" || cluster !== this.#options.view.clusterId) return;
    // Behind edits: in a burst there are as many reports as entries.
    if (this.#assignments.noteReport(report)) this.#addBulk(`${namespace}/${name}`);
  }

  #onUnwantedRecords(object: ObjectKey, names: readonly NameReport[]): void {
    const { cluster, kind, namespace, name } = object;
    // A marker without a cluster means the target cluster.
    const isOfCluster = cluster === "" || cluster === this.#options.view.clusterId;
    if (kind !== "dnsentry" || !isOfCluster) return;
    if (names.length === 0) this.#unwantedRecords.delete(`${namespace}/${name}`);
    else this.#unwantedRecords.set(`${namespace}/${name}`, names);
    this.#queue.add(`${namespace}/${name}`);
  }

  #onProviders(namespace: string): void {
    const { view, targetNamespace } = this.#options;
    // Entries of the target namespace may use what their owners may use.
    const namespaces = namespace === "" ? [undefined] : new Set([namespace, targetNamespace]);
    for (const one of namespaces) {
      if (one === null) continue;
      const entries = view.list(DNS_ENTRY, one);
      if (entries.state === "unknown") this.#areAllDue = true;
      for (const entry of entries.state === "value" ? entries.value : [])
        this.#addBulk(namespacedName(entry));
    }
  }

  async #reconcile(key: string): Promise<void> {
    const object = this.#current(key);
    if (object === null) return;
    if (await this.#mainClass.joins(object)) return;
    const { view, directory } = this.#options;
    const read = readEntry(object, view.clusterId, this.#mainClass.classesFor(object));
    this.#dropClosed(read);
    const context = this.#contextOf(read);
    const { entry } = context;
    const decision = decideEntry(context);
    const use = ownerUseOf(context, decision.status ?? entry.status, directory);
    this.#options.owners?.entryUses(key, use);
    // clause: reconcile-looks-hosts-up
    if (asksForReconcile(object)) this.#options.lookups.refresh(objectKeyText(entry.key));
    await this.#carryOut(key, context, decision);
    // clause: operation-needs-own-class
    const isServed = entry.isOfClass && !isOfOtherType(context);
    // clause: operation-is-done-once
    if (isServed && !this.#isGone(key, entry))
      await reconcileDone(this.#options.writer, DNS_ENTRY, object);
  }

  #current(key: string): KubeObject | null {
    const lookup = this.#options.view.get(DNS_ENTRY, ...splitName(key));
    if (lookup.state === "unknown") this.#unread.add(key);
    return lookup.state === "value" ? lookup.value : null;
  }

  /** Unassigns zones of closed accounts; the zone of a new account is a new one. */
  #dropClosed(entry: Entry): void {
    for (const { key } of this.#assignments.of(entry.key)) {
      if (this.#options.directory.isReachable(key)) continue;
      this.#assignments.drop(entry.key, key);
      this.#options.engine.unassign(key, entry.key);
    }
  }

  #contextOf(stored: Entry): EntryContext {
    const { directory, providerTypes, clock, lookups, blockedZones } = this.#options;
    const id = `${stored.key.namespace}/${stored.key.name}`;
    const successor = successorOf(stored, this.#options.ownerId);
    const found = foundIn(stored.object, successor, this.#options);
    const assignments = this.#assignments.of(stored.key);
    this.#referrers.answered(id, found);
    const [first] = successor === null ? found.items : found.waiting;
    const name = first?.name ?? null;
    const applicant = entryApplicant(stored.object, this.#options.targetNamespace);
    const wanted = stored.deletingSinceMs === null ? name : null;
    const entry = withNotedZone(stored, (note) => directory.mayNote(note, applicant, wanted));
    const { provider, zone } = entry.status;
    const remover = entry.deletingSinceMs === null ? null : applicant;
    const statusZone: StatusZoneLookup =
      provider === null || zone === null
        ? { state: "gone" }
        : directory.findStatusZone({ ...entry.status, provider, zone }, remover);
    const selection: Selection =
      name === null
        ? { kind: "none" }
        : directory.select({ name, applicant, present: provider, presentZone: zone });
    return {
      entry,
      found,
      lookedUp: lookups.resolved({
        id: objectKeyText(entry.key),
        found,
        publishedAt: publishedIn(assignments.map(({ report }) => report)),
        again: () => this.#addBulk(id),
      }),
      selection: successor === null ? this.#admission.judge(entry, selection) : selection,
      statusZone:
        statusZone.state === "usable"
          ? {
              ...{ key: statusZone.key, zone: statusZone.zone.name },
              provider: statusZone.provider,
              isReplaced: statusZone.isReplaced,
              isBlocked: blockedZones.includes(statusZone.key.zone),
            }
          : null,
      statusProvider: statusZone.state,
      providerTypes,
      assignments,
      unwantedRecords: this.#unwantedRecords.get(id) ?? [],
      origin: this.#origins.of(found, entry),
      refused: this.#options.refused.of(id),
      successor,
      ownerId: this.#options.ownerId,
      defaultTtlSeconds: this.#options.defaultTtlSeconds,
      nowMs: clock.nowMs(),
    };
  }

  /**
   * Contributes at once to the zone that is stored, and for an entry without a zone as soon as that
   * is stored with the finalizer. An entry that moves contributes to its new zone when the status
   * is stored: after a crash it says where records of the entry may exist.
   */
  async #carryOut(key: string, context: EntryContext, decision: EntryDecision): Promise<void> {
    const { entry } = context;
    const waiting = await this.#contribute(key, entry, decision).catch((error: unknown) =>
      this.#tellRefusal(key, context, error),
    );
    const assignments = this.#assignments.of(entry.key);
    // When the status must wait, its Event waits too, and a zone that is new to the entry.
    const isShown = await this.#status.show({ key, entry, decision, assignments });
    const isZoneStored = isShown || !isZoneChanged(entry, decision.status);
    if (!isZoneStored || this.#isGone(key, entry)) return;
    this.#send(entry, waiting);
    this.#unassign(entry, decision);
    if (decision.event !== null && isShown)
      this.#options.recorder.record(entry.object, decision.event);
    if (decision.finalizer === "remove") await this.#finalizer(entry, "remove");
    if (decision.againAfterMs !== null) this.#queue.addAfter(key, decision.againAfterMs);
  }

  /** Also there, where its author looks first; the queue tries again. Always throws `error`. */
  async #tellRefusal(key: string, context: EntryContext, error: unknown): Promise<never> {
    const { entry } = context;
    const assignments = this.#assignments.of(entry.key);
    if (isRefusal(error) && !this.#isGone(key, entry)) {
      const decision = decideRefused(context, messageOf(error));
      await this.#status.show({ key, entry, decision, assignments });
    }
    throw error;
  }

  /** Answers the contributions that wait until the status is stored. */
  async #contribute(
    key: string,
    entry: Entry,
    { send, finalizer, note, publisher }: EntryDecision,
  ): Promise<readonly NewContribution[]> {
    const isKnown = ({ key: { zone } }: NewContribution): boolean =>
      entry.hasFinalizer && zone === entry.status.zone;
    this.#send(entry, send.filter(isKnown));
    const isStored =
      finalizer !== "add" || (await this.#finalizer(entry, "add", { note, publisher }));
    const others = send.filter((one) => !isKnown(one));
    if (note === null || this.#isGone(key, entry)) return others;
    if (isStored) this.#send(entry, others);
    return [];
  }

  #unassign(entry: Entry, { withoutZone, unassign }: EntryDecision): void {
    const { engine } = this.#options;
    if (withoutZone !== null) engine.contribute(null, withoutZone);
    for (const zone of unassign) {
      this.#assignments.drop(entry.key, zone);
      engine.unassign(zone, entry.key);
    }
  }

  #isGone(key: string, { object }: Entry): boolean {
    return this.#current(key)?.metadata.uid !== object.metadata.uid;
  }

  #send(entry: Entry, contributions: readonly NewContribution[]): void {
    for (const contribution of contributions) {
      this.#assignments.add(entry.key, contribution);
      if (!this.#options.engine.isOpen(contribution.key))
        this.#options.ensureOpen(contribution.key);
      this.#options.engine.contribute(contribution.key, contribution.contribution);
    }
  }

  /** False = the entry does not have it. */
  #finalizer(
    { object, finalizers }: Entry,
    to: "add" | "remove",
    promised: Pick<EntryDecision, "note" | "publisher"> = NO_DECISION,
  ) {
    const annotations = promisedAnnotations(promised);
    const change = { object, finalizers, to, annotations };
    return patchFinalizer(this.#options.writer, DNS_ENTRY, change);
  }
}
