/**
 * The controller of a source whose objects (Services, Ingresses) are published by DNSEntries:
 * generates one for each of their names in the target cluster, as plan-entries.ts decides. It
 * creates, changes and deletes only entries that are linked to the source object, and records
 * Events on the object. A DNSEntry controller, of this process or another one, publishes the
 * entries. How a changed host is replaced is drawn in plan-entries.ts.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { namespacedName, splitName } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView, Lookup, ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter, EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import type { StartQueue, WorkQueue } from "@zonekeeper/kube/ports/work-queue";
import { Dependents } from "../../controllers/objects/dependents.ts";
import type { EntryWaits } from "../../controllers/objects/entry-waits.ts";
import { ReadsNow } from "../../controllers/objects/read-now.ts";
import { isOutcomeOnly } from "../../controllers/objects/status-patch.ts";
import { UnlistedRecords } from "../../controllers/publication/publication-controller.ts";
import type { DnsClasses } from "../../model/dns-class.ts";
import type { EntryMarks } from "../../model/generated-entries.ts";
import { DNS_ENTRY, markerKindOf, objectKeyOf } from "../../model/kinds.ts";
import { isPaused } from "../../model/object-annotations.ts";
import type { ClusterIdentity } from "../../ports/cluster-identity.ts";
import { NOTHING, type Source } from "../../sources/source.ts";
import type { PublishEngine } from "../../sync/contract/publish-engine.ts";
import type { StatusAnnotation } from "../zones/status-annotation.ts";
import { type CarriedStatus, copyIn } from "./carried-status.ts";
import { SourceEvents } from "./entry-events.ts";
import { entryName, splitBySigns } from "./entry-signs.ts";
import { EntryWrites } from "./entry-writes.ts";
import { OwnEntries } from "./own-entries.ts";
import type { SourceScope } from "./owner-link.ts";
import {
  addresslessEntries,
  type EntriesContext,
  type EntryPatch,
  planEntries,
} from "./plan-entries.ts";
import { asSeen, EntryRemovals } from "./remove-entries.ts";
import { isRenaming, NotesSeen } from "./renamed-entries.ts";
import { changing, each } from "./run-each.ts";
import { entriesOfReader } from "./source-class.ts";
import { unreadProblems } from "./unread-records.ts";

/**
 * Milliseconds until removals are decided again where the API server showed a newer state than the
 * cache.
 */
const MOVED_RETRY_MS = 1_000;

/** Everything that a source controller works with. */
export interface EntrySourceControllerOptions {
  readonly source: Source;
  /** The source cluster; its writer only reads past the cache. */
  readonly view: ClusterView;
  readonly reader: Pick<ClusterWriter, "read" | "readAll">;
  readonly recorder: EventRecorder;
  /** Whether the source cluster still is the same one. Absent = it is not checked. */
  readonly identity?: ClusterIdentity;
  /** The target cluster. */
  readonly target: { readonly view: ClusterView; readonly writer: ClusterWriter };
  /** Null = entries live in the namespace of their source. */
  readonly targetNamespace: string | null;
  /** Former ids of clusters, with the present ones. */
  readonly aliases: SourceScope["aliases"];
  /** The first one is the class of new entries; entries of the other ones are its own, too. */
  readonly targetClasses: DnsClasses;
  /** Classes of the source objects that this process reads. */
  readonly sourceClasses: DnsClasses;
  /** Whether this process publishes the entries. */
  readonly isServed: boolean;
  /**
   * The zone to note at a new entry, so that its publisher need not store it; null = none is known.
   */
  readonly noteOf: EntriesContext["noteOf"];
  readonly crypto: Crypto;
  readonly startQueue: StartQueue;
  readonly clock: Pick<Clock, "nowMs">;
  readonly marks: EntryMarks;
  /** Is told which entries wait for an address; null = this process does not publish entries. */
  readonly waits: EntryWaits | null;
  /**
   * Reports records of an object at names that no object lists; null = this process does not
   * publish.
   */
  readonly engine: Pick<PublishEngine, "onReport"> | null;
  /**
   * True = the objects are published without entries now (directly): existing entries are deleted,
   * and none is made. Default false.
   */
  readonly isClearing?: boolean;
  /** Writes what became of the entries to their objects; absent = these have no status. */
  readonly carriedStatus?: Pick<CarriedStatus, "show">;
  /**
   * Removes the status annotation that was written while the source was published directly; absent
   * = it never was.
   */
  readonly formerStatus?: Pick<StatusAnnotation, "write">;
}

/** Runs until stopped. One for each source that writes entries. */
export class EntrySourceController {
  readonly #options: EntrySourceControllerOptions;
  readonly #scope: SourceScope;
  readonly #own: OwnEntries;
  readonly #dependents = new Dependents();
  readonly #writes: EntryWrites;
  readonly #removals: EntryRemovals;
  readonly #noted = new NotesSeen();
  readonly #queue: WorkQueue;
  readonly #events = new Map<string, SourceEvents>();
  readonly #unlisted = new UnlistedRecords();
  readonly #unsubscribe: readonly (() => void)[];

  constructor(options: EntrySourceControllerOptions) {
    this.#options = options;
    const { source, view, target } = options;
    this.#scope = {
      kind: source.primary,
      cluster: view.clusterId,
      targetCluster: target.view.clusterId,
      targetNamespace: options.targetNamespace,
      aliases: options.aliases,
    };
    this.#own = new OwnEntries(this.#scope, options.targetClasses);
    this.#writes = new EntryWrites({
      scope: this.#scope,
      own: this.#own,
      ...target,
      clock: options.clock,
      again: (key, afterMs) => this.#queue.addAfter(key, afterMs),
    });
    this.#removals = new EntryRemovals({
      ...options,
      writer: target.writer,
      again: (key, afterMs) => this.#queue.addAfter(key, afterMs),
    });
    this.#queue = options.startQueue({
      name: source.name,
      reconcile: (key) => this.#reconcile(key),
    });
    const of = { markerKind: markerKindOf(source.primary), cluster: view.clusterId };
    const stop = options.engine?.onReport((report) => {
      if ("unlisted" in report) this.#queue.add(this.#unlisted.apply(report).key);
    }, of);
    this.#unsubscribe = [
      ...(stop === undefined ? [] : [stop]),
      target.view.subscribe(DNS_ENTRY, {
        onChange: (change) => this.#onEntry(change),
        onState: () => this.#addAll(),
      }),
      ...source.secondary.map((kind) =>
        view.subscribe(kind, {
          onChange: (change) => this.#addEach(this.#dependents.readersOf(change)),
          onState: (_, state) => this.#addEach(this.#dependents.outdatedBy(kind, state)),
        }),
      ),
      view.subscribe(source.primary, {
        onChange: ({ object }) => this.#onObject(namespacedName(object)),
        onState: () => this.#addAll(),
      }),
    ];
  }

  /** Entries stay as they are. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    await this.#queue.stop();
  }

  #onEntry(change: ObjectChange): void {
    for (const owner of this.#own.apply(change)) {
      const isDecided = this.#writes.isAsSent(owner, change) || isOutcomeOnly(change, true);
      const isUsed = this.#options.carriedStatus !== undefined || isRenaming(this.#own.of(owner));
      if (isDecided && !isUsed) this.#tellState(owner, change.object);
      // An edited source object goes first.
      else this.#queue.addAfter(owner, 0);
    }
  }

  /**
   * Records an Event on the source object about its entry's state, if the object was reconciled
   * before.
   */
  #tellState(key: string, entry: KubeObject): void {
    const events = this.#events.get(key);
    const lookup = this.#find(key);
    if (events === undefined || lookup.state !== "value" || !this.#own.has(key, entry)) return;
    // Only this entry is judged: an object may have hundreds.
    if (this.#linkedTo(key, lookup.value, [entry]).own.length === 0) return;
    this.#tell(lookup.value, events.aboutEntry(entry));
  }

  #onObject(key: string): void {
    if (this.#options.isClearing !== true || this.#own.of(key).length > 0) this.#queue.add(key);
  }

  #addEach(keys: Iterable<string>): void {
    for (const key of keys) this.#queue.add(key);
  }

  /**
   * A list has become complete: entries of objects that do not exist can be removed now, and new
   * objects can get entries.
   */
  #addAll(): void {
    const objects = this.#options.view.list(this.#options.source.primary);
    for (const object of objects.state === "value" ? objects.value : [])
      this.#onObject(namespacedName(object));
    for (const owner of this.#own.owners()) this.#queue.add(owner);
  }

  async #reconcile(key: string): Promise<void> {
    // clause: object-decided-anew-is-enqueued
    this.#writes.decidedAnew(key);
    const { view, source, target } = this.#options;
    if (target.view.state(DNS_ENTRY) !== "live" || view.state(source.primary) !== "live") return;
    const lookup = this.#find(key);
    if (lookup.state === "value") {
      this.#removals.sees(key, lookup.value, this.#own.of(key).length > 0);
      return this.#write(key, lookup.value);
    }
    if (lookup.state === "absent") await this.#removeOrphans(key);
  }

  #find(key: string): Lookup<KubeObject> {
    const { view, source } = this.#options;
    return view.get(source.primary, ...splitName(key));
  }

  /**
   * The cache has no such object; the API is asked before its entries are removed (Z-2).
   */
  async #removeOrphans(key: string): Promise<void> {
    const [namespace, name] = splitName(key);
    const kind = this.#options.source.primary;
    const { cluster, targetCluster } = this.#scope;
    const source = { cluster, kind: markerKindOf(kind), namespace, name };
    const { own, left } = splitBySigns(this.#own.of(key), source);
    this.#dependents.forget(key);
    this.#noted.forget(key);
    const events = this.#eventsOf(key);
    // The entries themselves get the Event.
    if (left.length === 0 || cluster !== targetCluster) this.#events.delete(key);
    else for (const one of left) this.#tell(one.entry, events.aboutLeft(one, "gone"));
    this.#reportWaits(key, []);
    if (own.length === 0) return;
    const decidedFrom = { kind, namespace, name, seen: null };
    await this.#removals.remove(key, { decidedFrom, entries: own, onRemoved: () => {} });
  }

  /**
   * The source is published directly (`isClearing`): deletes the object's entries. An entry that an
   * annotation pauses stays, and goes on publishing its name.
   */
  async #clear(key: string, object: KubeObject): Promise<void> {
    const { source, targetClasses, isServed, noteOf, marks } = this.#options;
    const [targetClass] = targetClasses;
    const linked = this.#linkedTo(key, object);
    const context = { scope: this.#scope, object, found: NOTHING, own: linked.own, left: [] };
    const nameOf = (name: DnsName): string => this.#entryName(object, name);
    const plan = planEntries({ ...context, nameOf, targetClass, isServed, noteOf, marks });
    const frozen = plan.remove.filter(isPaused);
    const entries = plan.remove.filter((entry) => !isPaused(entry));
    const events = this.#eventsOf(key);
    const why = "an annotation keeps it as it is";
    const patched = new Set(plan.change.map(({ entry }) => entry));
    const left = [
      ...linked.left,
      ...frozen.filter((one) => !patched.has(one)).map((entry) => ({ entry, why })),
    ];
    for (const one of left) this.#tell(object, events.aboutLeft(one, "direct"));
    const decidedFrom = asSeen(source.primary, object);
    await each([
      ...plan.change.map((one) => changing(one.entry, () => this.#change(key, object, one))),
      () => this.#removals.remove(key, { decidedFrom, entries, onRemoved: () => {} }),
    ]);
  }

  async #write(key: string, object: KubeObject): Promise<void> {
    if (this.#options.isClearing === true) return this.#clear(key, object);
    await this.#options.formerStatus?.write(object, null);
    const { source: rows, view, targetClasses, isServed, noteOf, marks } = this.#options;
    const [targetClass] = targetClasses;
    const found = rows.endpoints(object, view);
    this.#dependents.answered(key, found);
    const { own, left } = this.#linkedTo(key, object);
    const events = this.#eventsOf(key);
    const tell = this.#tell.bind(this, object);
    const problems = [...unreadProblems(object, this.#unlisted.of(key)), ...found.problems];
    tell(events.aboutFound({ ...found, problems }, own.length > 0));
    const nameOf = (name: DnsName): string => this.#entryName(object, name);
    const others = left.map(({ entry }) => entry);
    const names = { scope: this.#scope, object, found, own, left: others, nameOf };
    const noted = this.#noted.of(key, names);
    const context = { ...names, targetClass, isServed, noteOf, marks, noted };
    const plan = planEntries(context);
    this.#reportWaits(key, addresslessEntries(context));
    for (const entry of own) tell(events.aboutEntry(entry));
    for (const one of left) tell(events.aboutLeft(one, "entries"));
    const refused: string[] = [];
    await each([
      ...plan.change.map((one) => changing(one.entry, () => this.#change(key, object, one))),
      ...plan.create.map((entry) =>
        changing(entry, async () => {
          const problem = await this.#writes.create(key, entry);
          const done = `created dns entry object ${namespacedName(entry)}`;
          if (problem === null) return tell(events.aboutCreated(entry, done));
          if (problem !== "") refused.push(problem);
          tell(events.aboutWrite(entry, problem, false));
        }),
      ),
      async () => {
        const decidedFrom = asSeen(rows.primary, object);
        const onRemoved = (entry: KubeObject): void =>
          tell(events.aboutWrite(entry, "dns entry deleted", true));
        const removal = { decidedFrom, entries: plan.remove, onRemoved };
        if (await this.#isStillUnwanted(context, plan.remove))
          await this.#removals.remove(key, removal);
        else this.#queue.addAfter(key, MOVED_RETRY_MS);
      },
      async () => {
        const carried = { object, found, copy: copyIn(object, own, plan), left, refused };
        const waitMs = (await this.#options.carriedStatus?.show(carried)) ?? 0;
        if (waitMs > 0) this.#queue.addAfter(key, waitMs);
      },
    ]);
  }

  async #change(key: string, object: KubeObject, change: EntryPatch): Promise<void> {
    const message = await this.#writes.patch(key, change);
    this.#tell(object, this.#eventsOf(key).aboutWrite(change.entry, message, false));
  }

  #tell(object: KubeObject, notes: ReturnType<SourceEvents["aboutFound"]>): void {
    for (const note of notes) this.#options.recorder.record(object, note);
  }

  #linkedTo(key: string, object: KubeObject, linked = this.#own.of(key)) {
    const entries = entriesOfReader(linked, object, this.#options.sourceClasses);
    return splitBySigns(entries, objectKeyOf(object, this.#scope.cluster));
  }

  #reportWaits(key: string, entries: readonly KubeObject[]): void {
    const { source, view, waits } = this.#options;
    waits?.setWaiting(
      `${view.clusterId}|${source.name}|${key}`,
      new Set(entries.map(namespacedName)),
    );
  }

  /**
   * Plans again from the secondary objects that the API server has now, past the cache (Z-2). True
   * = the entries are to be removed then, too. Throws as the reader does.
   */
  async #isStillUnwanted(
    context: EntriesContext,
    entries: readonly KubeObject[],
  ): Promise<boolean> {
    if (entries.length === 0) return true;
    const { source, view, reader } = this.#options;
    const found = await new ReadsNow({ view, reader }).answer(source, context.object);
    const unwanted = found === null ? [] : planEntries({ ...context, found }).remove;
    return entries.every((entry) => unwanted.includes(entry));
  }

  #entryName(object: KubeObject, name: DnsName): string {
    const { crypto } = this.#options;
    return entryName(crypto, { cluster: this.#scope.cluster, object, name });
  }

  #eventsOf(key: string): SourceEvents {
    const { isServed, targetClasses } = this.#options;
    const present = this.#events.get(key) ?? new SourceEvents(isServed ? targetClasses : null);
    this.#events.set(key, present);
    return present;
  }
}
