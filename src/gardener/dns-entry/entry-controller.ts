/**
 * The DNSEntry controller: gathers what an entry is decided from, and carries the decision out.
 * Thin: every rule is in decide.ts and decide-deletion.ts; nothing here looks at states.
 */

import type { EntryWaits } from "../../controllers/objects/entry-waits.ts";
import { patchFinalizer } from "../../controllers/objects/finalizers.ts";
import { unlessGone } from "../../controllers/objects/unless-gone.ts";
import type { HomeLookup, ProviderDirectory } from "../../controllers/zone-choice/directory.ts";
import type { Selection } from "../../controllers/zone-choice/select-provider.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import type { KubeObject } from "../../model/kubernetes.ts";
import { objectKeyOf } from "../../model/object-fields.ts";
import { type ObjectKey, resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ClusterView, KindState, ObjectChange } from "../../ports/cluster-view.ts";
import type { ClusterWriter, EventRecorder } from "../../ports/cluster-writer.ts";
import type { StartQueue, WorkQueue } from "../../ports/work-queue.ts";
import type { Found, Source } from "../../sources/source.ts";
import type { ContributionReport, NameReport } from "../../sync/contract/contribution-report.ts";
import {
  type ClusterObservation,
  lacksTargets,
  type ObjectObserver,
} from "../../sync/contract/object-observation.ts";
import type { Publisher, ReportSource } from "../../sync/contract/publish-engine.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import { Routes } from "./assignments.ts";
import { decideEntry } from "./decide-entry.ts";
import { type Entry, readEntry } from "./entry.ts";
import type { EntryContext, EntryDecision, NewContribution } from "./entry-context.ts";
import { entryStatusPatch } from "./entry-status.ts";
import { StatusPace } from "./status-pace.ts";

/** What the controller works with. */
export interface EntryControllerOptions {
  /** The target cluster. */
  readonly view: ClusterView;
  readonly writer: ClusterWriter;
  readonly recorder: EventRecorder;
  /** The source `dnsentry`. */
  readonly source: Source;
  readonly directory: ProviderDirectory;
  readonly engine: Publisher & ReportSource;
  /** Asked before something is contributed to a zone that is not open. */
  readonly ensureOpen: (key: ZoneKey) => void;
  readonly clock: Clock;
  readonly startQueue: StartQueue;
  readonly dnsClass: string;
  /** Seconds. */
  readonly defaultTtlSeconds: number;
  /** Knows the objects that entries were made from. */
  readonly origins: Origins;
  /** Tells when such an object loses its last address, or gets one. */
  readonly waits: EntryWaits;
}

/** Observes the objects that entries were made from, in the views of their clusters. */
export interface Origins extends Pick<ObjectObserver, "observe"> {
  /** Told when a kind is listed for the first time, and at other changes of that sort. */
  onGateChange(listener: () => void): () => void;
}

/** Runs until stopped. */
export class EntryController {
  readonly #options: EntryControllerOptions;
  readonly #queue: WorkQueue;
  readonly #routes = new Routes();
  readonly #pace: StatusPace;
  /** By `namespace/name`: what is held at names that the entry no longer lists. */
  readonly #leftovers = new Map<string, readonly NameReport[]>();
  /**
   * Keys that were due while entries could not be read; no change will name them when they can be
   * again.
   */
  readonly #unread = new Set<string>();
  /**
   * Entries whose object had no address when it was seen last; while it is out of sight nobody
   * knows better.
   */
  readonly #addressless = new Set<string>();
  /** Providers changed while entries could not be read: all of them are due. */
  #areAllDue = false;
  /** What a view has cached already is told while we subscribe. */
  #isStarting = true;
  readonly #unsubscribe: readonly (() => void)[];

  constructor(options: EntryControllerOptions) {
    this.#options = options;
    const { view, engine, directory } = options;
    this.#pace = new StatusPace(options.clock);
    this.#queue = options.startQueue({
      name: "dnsentry",
      reconcile: (key) => unlessGone(() => this.#reconcile(key)),
    });
    this.#unsubscribe = [
      engine.onReport((report) => this.#onReport(report)),
      engine.onUnwantedRecords((object, names) => this.#onLeftover(object, names)),
      options.waits.onChange((entry) => this.#queue.add(entry)),
      options.origins.onGateChange(() => this.#addUnread()),
      directory.onChange((namespace) => this.#onProviders(namespace)),
      view.subscribe(DNS_ENTRY, {
        onChange: (c) => this.#onChange(c),
        onState: () => this.#addUnread(),
      }),
    ];
    this.#isStarting = false;
  }

  /** Stops looking; contributions stay with the engine. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    await this.#queue.stop();
  }

  #onChange({ type, object, proof }: ObjectChange): void {
    if (type === "deleted") {
      const key = objectKeyOf(object, this.#options.view.clusterId);
      this.#routes.forget(key);
      this.#addressless.delete(queueKey(object));
      const isSeen = proof === "watched";
      this.#options.engine.withdraw(key, isSeen ? "deleted-object" : "missing-from-list");
    }
    // The first list is bulk: nobody waits for one of its entries, and edits must not wait for all
    // of them.
    if (this.#isStarting || this.#options.view.state(DNS_ENTRY) === "syncing")
      this.#addBulk(queueKey(object));
    else this.#queue.add(queueKey(object));
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
    if (this.#routes.reported(report)) this.#queue.add(`${namespace}/${name}`);
  }

  #onLeftover(object: ObjectKey, names: readonly NameReport[]): void {
    const { cluster, kind, namespace, name } = object;
    // A marker may not say its cluster; then it is the target cluster's.
    const isHere = cluster === "" || cluster === this.#options.view.clusterId;
    if (kind !== "dnsentry" || !isHere) return;
    if (names.length === 0) this.#leftovers.delete(`${namespace}/${name}`);
    else this.#leftovers.set(`${namespace}/${name}`, names);
    this.#queue.add(`${namespace}/${name}`);
  }

  #onProviders(namespace: string): void {
    const { view } = this.#options;
    const entries = view.list(DNS_ENTRY, namespace === "" ? undefined : namespace);
    if (entries.state === "unknown") this.#areAllDue = true;
    for (const entry of entries.state === "value" ? entries.value : [])
      this.#addBulk(queueKey(entry));
  }

  async #reconcile(key: string): Promise<void> {
    const object = this.#current(key);
    if (object === null) return;
    const { view, dnsClass } = this.#options;
    const entry = readEntry(object, view.clusterId, dnsClass);
    this.#dropClosed(entry);
    const world = this.#worldOf(entry);
    await this.#carryOut(key, world, decideEntry(world));
  }

  #current(key: string): KubeObject | null {
    const slash = key.indexOf("/");
    const lookup = this.#options.view.get(DNS_ENTRY, key.slice(0, slash), key.slice(slash + 1));
    if (lookup.state === "unknown") this.#unread.add(key);
    return lookup.state === "value" ? lookup.value : null;
  }

  /** Routes into accounts that are closed lead nowhere; a new account is a new zone. */
  #dropClosed(entry: Entry): void {
    for (const { key } of this.#routes.of(entry.key)) {
      if (this.#options.directory.isReachable(key)) continue;
      this.#routes.drop(entry.key, key);
      this.#options.engine.unassign(key, entry.key);
    }
  }

  #worldOf(entry: Entry): EntryContext {
    const { source, view, directory, clock, defaultTtlSeconds } = this.#options;
    const id = `${entry.key.namespace}/${entry.key.name}`;
    const found = source.endpoints(entry.object, view);
    const { provider, zone } = entry.status;
    const home: HomeLookup =
      provider === null || zone === null ? { state: "gone" } : directory.home(provider, zone);
    const name = found.items[0]?.name ?? null;
    const selection: Selection =
      name === null
        ? { kind: "none" }
        : directory.select({
            name,
            namespace: entry.key.namespace,
            present: provider,
            presentZone: zone,
          });
    return {
      entry,
      found,
      selection,
      statusZone:
        home.state === "usable"
          ? { key: home.key, zone: home.zone.name, isReplaced: home.isReplaced }
          : null,
      statusProvider: home.state,
      assignments: this.#routes.of(entry.key),
      unwantedRecords: this.#leftovers.get(id) ?? [],
      origin: this.#originOf(found, id),
      defaultTtlSeconds,
      nowMs: clock.nowMs(),
    };
  }

  #originOf({ items: [item] }: Found<DesiredRecordSet>, id: string): EntryContext["origin"] {
    const { origins } = this.#options;
    if (item === undefined || item.provenance.kind === "dnsentry") return "ready";
    const { name, provenance } = item;
    const observation = origins.observe(provenance.cluster, resourceOf(provenance));
    const isIn = (state: KindState) => (one: ClusterObservation) => one.kindState === state;
    if (lacksTargets(observation, name)) this.#addressless.add(id);
    else if (observation.every(isIn("live"))) this.#addressless.delete(id);
    // No change may name the entry when its object is seen again.
    else this.#unread.add(id);
    if (this.#addressless.has(id)) return "no-address";
    return observation.some(isIn("syncing")) ? "unlisted" : "ready";
  }

  /**
   * A zone that the stored status names hears at once. A zone that is new to the entry hears only
   * when finalizer and status are stored: whoever finds the entry after a crash must know where its
   * records may be.
   */
  async #carryOut(key: string, world: EntryContext, decision: EntryDecision): Promise<void> {
    const { entry } = world;
    const isKnown = ({ key: zone }: NewContribution): boolean =>
      entry.hasFinalizer && zone.zone === entry.status.zone;
    this.#send(entry, decision.send.filter(isKnown));
    if (decision.finalizer === "add") await this.#finalizer(entry, "add");
    const isShown = await this.#show(key, entry, decision);
    const isPlaceStored = isShown || !isPlaceChanged(entry, decision.status);
    if (!isPlaceStored || this.#isGone(key, entry)) return;
    this.#send(
      entry,
      decision.send.filter((sending) => !isKnown(sending)),
    );
    this.#displace(entry, decision);
    if (decision.event !== null && isShown)
      this.#options.recorder.record(entry.object, decision.event);
    if (decision.finalizer === "remove") await this.#finalizer(entry, "remove");
    if (decision.againAfterMs !== null) this.#queue.addAfter(key, decision.againAfterMs);
  }

  #displace(entry: Entry, { withoutZone: unplaced, unassign: unroute }: EntryDecision): void {
    const { engine } = this.#options;
    if (unplaced !== null) engine.contribute(null, unplaced);
    for (const zone of unroute) {
      this.#routes.drop(entry.key, zone);
      engine.unassign(zone, entry.key);
    }
  }

  #isGone(key: string, { object }: Entry): boolean {
    return this.#current(key)?.metadata.uid !== object.metadata.uid;
  }

  #send(entry: Entry, sendings: readonly NewContribution[]): void {
    for (const sending of sendings) {
      this.#routes.sent(entry.key, sending);
      if (!this.#options.engine.isOpen(sending.key)) this.#options.ensureOpen(sending.key);
      this.#options.engine.contribute(sending.key, sending.contribution);
    }
  }

  async #finalizer(entry: Entry, to: "add" | "remove"): Promise<void> {
    const { object, finalizer } = entry;
    await patchFinalizer(this.#options.writer, DNS_ENTRY, { object, finalizer, to });
  }

  /**
   * False when the status has to wait for its turn: then its Event does, too, and so does a zone
   * that is new to the entry. Its end is stored at once.
   */
  async #show(key: string, entry: Entry, { status, finalizer }: EntryDecision): Promise<boolean> {
    if (status === null) return true;
    const { clock, writer } = this.#options;
    const patch = entryStatusPatch(entry.object, status, clock.nowMs());
    if (patch === null) return true;
    const waitMs = finalizer === "remove" ? 0 : this.#pace.waitMs(key);
    if (waitMs > 0) {
      this.#queue.addAfter(key, waitMs);
      return false;
    }
    this.#pace.wrote(key);
    const { namespace, name } = entry.key;
    await writer.patchStatus({ kind: DNS_ENTRY, namespace, name }, patch);
    return true;
  }
}

function isPlaceChanged({ status }: Entry, next: EntryDecision["status"]): boolean {
  return next !== null && (status.provider !== next.provider || status.zone !== next.zone);
}

function queueKey(object: KubeObject): string {
  return `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
}
