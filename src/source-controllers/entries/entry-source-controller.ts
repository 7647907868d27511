/**
 * The controller of a source that publishes entries (Service, Ingress): generates DNSEntries in the
 * target cluster. It writes only entries that are linked to the source object, as plan-entries.ts
 * decides, and Events of the object. What becomes of a host that changes is drawn there.
 */

import type { EntryWaits } from "../../controllers/objects/entry-waits.ts";
import { unlessGone } from "../../controllers/objects/unless-gone.ts";
import type { DnsName } from "../../model/dns-name.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import type { KubeObject } from "../../model/kubernetes.ts";
import { OperationError } from "../../model/operation-error.ts";
import type { ClusterView, ObjectChange } from "../../ports/cluster-view.ts";
import type { ClusterWriter, EventRecorder } from "../../ports/cluster-writer.ts";
import type { Crypto } from "../../ports/crypto.ts";
import type { StartQueue, WorkQueue } from "../../ports/work-queue.ts";
import type { Source } from "../../sources/source.ts";
import { SourceEvents } from "./entry-events.ts";
import { entryName } from "./entry-name.ts";
import { OwnEntries } from "./own-entries.ts";
import { ownerOf, type SourceScope } from "./owner-link.ts";
import { addresslessEntries, planEntries } from "./plan-entries.ts";
import { isAsSeen, type Removal, removeAsSeen } from "./remove-entries.ts";

/**
 * Milliseconds until a name is tried again whose entry still exists and is being deleted.
 */
const TAKEN_RETRY_MS = 2_000;
/**
 * Milliseconds until removals are decided again after the cache was older than the API.
 */
const MOVED_RETRY_MS = 1_000;

/** What a source controller works with. */
export interface EntrySourceControllerOptions {
  readonly source: Source;
  /** The source cluster; its writer only reads past the cache. */
  readonly view: ClusterView;
  readonly reader: Pick<ClusterWriter, "read">;
  readonly recorder: EventRecorder;
  /** The target cluster. */
  readonly target: { readonly view: ClusterView; readonly writer: ClusterWriter };
  /** Null = entries live in the namespace of their source. */
  readonly targetNamespace: string | null;
  /** Class of the entries. */
  readonly targetClass: string;
  readonly crypto: Crypto;
  readonly startQueue: StartQueue;
  /** Gets the entries that wait for an address; null = this process does not publish entries. */
  readonly waits: EntryWaits | null;
}

/** Runs until stopped. One for each source that writes entries. */
export class EntrySourceController {
  readonly #options: EntrySourceControllerOptions;
  readonly #scope: SourceScope;
  readonly #own: OwnEntries;
  readonly #queue: WorkQueue;
  readonly #events = new Map<string, SourceEvents>();
  readonly #unsubscribe: readonly (() => void)[];

  constructor(options: EntrySourceControllerOptions) {
    this.#options = options;
    const { source, view, target } = options;
    this.#scope = {
      kind: source.primary,
      cluster: view.clusterId,
      targetCluster: target.view.clusterId,
      targetNamespace: options.targetNamespace,
    };
    this.#own = new OwnEntries(this.#scope, options.targetClass);
    this.#queue = options.startQueue({
      name: source.name,
      reconcile: (key) => this.#reconcile(key),
    });
    this.#unsubscribe = [
      target.view.subscribe(DNS_ENTRY, {
        onChange: (change) => this.#onEntry(change),
        onState: () => this.#addAll(),
      }),
      ...source.secondary.map((kind) =>
        view.subscribe(kind, { onChange: (c) => this.#onSecondary(c), onState: () => {} }),
      ),
      view.subscribe(source.primary, {
        onChange: ({ object }) => this.#queue.add(keyOf(object)),
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
    for (const owner of this.#own.apply(change)) this.#queue.add(owner);
  }

  #onSecondary(change: ObjectChange): void {
    for (const { namespace, name } of this.#options.source.affected(change, this.#options.view))
      this.#queue.add(`${namespace}/${name}`);
  }

  /**
   * A list has become complete: entries of objects that are gone can be removed now, and new
   * objects can get entries.
   */
  #addAll(): void {
    const objects = this.#options.view.list(this.#options.source.primary);
    for (const object of objects.state === "value" ? objects.value : [])
      this.#queue.add(keyOf(object));
    for (const owner of this.#own.owners()) this.#queue.add(owner);
  }

  async #reconcile(key: string): Promise<void> {
    const { view, source, target } = this.#options;
    if (target.view.state(DNS_ENTRY) !== "live" || view.state(source.primary) !== "live") return;
    const slash = key.indexOf("/");
    const [namespace, name] = [key.slice(0, slash), key.slice(slash + 1)];
    const lookup = view.get(source.primary, namespace, name);
    if (lookup.state === "value") return this.#write(key, lookup.value);
    if (lookup.state === "absent") await this.#removeOrphans(key, namespace, name);
  }

  /**
   * The cache has no such object; the API is asked before its entries are removed (Z-2).
   */
  async #removeOrphans(key: string, namespace: string, name: string): Promise<void> {
    const own = this.#own.of(key);
    this.#events.delete(key);
    this.#reportWaits(key, []);
    if (own.length === 0) return;
    const kind = this.#options.source.primary;
    const decidedFrom = { kind, namespace, name, seen: null };
    await this.#remove(key, { decidedFrom, entries: own, onRemoved: () => {} });
  }

  async #write(key: string, object: KubeObject): Promise<void> {
    const { source, view, targetClass } = this.#options;
    const found = source.endpoints(object, view);
    const own = this.#own.of(key);
    const events = this.#eventsOf(key);
    const tell = (notes: ReturnType<SourceEvents["aboutFound"]>): void => {
      for (const note of notes) this.#options.recorder.record(object, note);
    };
    tell(events.aboutFound(found));
    const nameOf = (name: DnsName): string => this.#entryName(object, name);
    const scope = this.#scope;
    const context = { scope, object, found, own, nameOf, targetClass };
    const plan = planEntries(context);
    this.#reportWaits(key, addresslessEntries(context));
    for (const entry of own) tell(events.aboutEntry(entry));
    await each([
      ...plan.create.map((entry) => async () => {
        const problem = await this.#create(key, entry);
        const done = `created dns entry object ${keyOf(entry)}`;
        tell(events.aboutWrite(entry, problem ?? done, problem === null));
      }),
      ...plan.change.map(({ entry, patch }) => async () => {
        await unlessGone(async () => {
          await this.#options.target.writer.patch(refOf(entry), patch);
        });
      }),
      async () => {
        const { namespace = "", name } = object.metadata;
        const decidedFrom = { kind: source.primary, namespace, name, seen: object };
        const onRemoved = (entry: KubeObject): void =>
          tell(events.aboutWrite(entry, "dns entry deleted", true));
        await this.#remove(key, { decidedFrom, entries: plan.remove, onRemoved });
      },
    ]);
  }

  #reportWaits(key: string, entries: readonly KubeObject[]): void {
    const { source, view, waits } = this.#options;
    waits?.setWaiting(`${view.clusterId}|${source.name}|${key}`, new Set(entries.map(keyOf)));
  }

  /**
   * Null = created; else a message, empty if there is nothing to report: the object exists and is
   * our own entry, because the answer of a create was lost or it is being deleted. An object that
   * is not linked to this source object stays as it is, and is reported.
   */
  async #create(key: string, entry: KubeObject): Promise<string | null> {
    const { writer } = this.#options.target;
    try {
      await writer.create(DNS_ENTRY, entry);
      return null;
    } catch (error) {
      if (!(error instanceof OperationError) || error.code !== "AlreadyExists") throw error;
      this.#queue.addAfter(key, TAKEN_RETRY_MS);
      const present = await writer.read(refOf(entry));
      const isOwn = present === null || ownerOf(this.#scope, present) === key;
      return isOwn
        ? ""
        : `the dns entry object ${keyOf(entry)} exists and belongs to another object; rename or delete it`;
    }
  }

  /**
   * Entries that have changed since the decision stay, and are decided again.
   */
  async #remove(key: string, { decidedFrom, entries, onRemoved }: Removal): Promise<void> {
    const staying = entries.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (staying.length === 0) return;
    const ports = { reader: this.#options.reader, writer: this.#options.target.writer };
    const retry = (): void => this.#queue.addAfter(key, MOVED_RETRY_MS);
    if (!(await isAsSeen(ports, decidedFrom))) return retry();
    await each(
      staying.map((entry) => async () => {
        if (await removeAsSeen(ports, entry)) onRemoved(entry);
        else retry();
      }),
    );
  }

  #entryName(object: KubeObject, name: DnsName): string {
    const { crypto } = this.#options;
    return entryName(crypto, { cluster: this.#scope.cluster, object, name });
  }

  #eventsOf(key: string): SourceEvents {
    const present = this.#events.get(key) ?? new SourceEvents();
    this.#events.set(key, present);
    return present;
  }
}

function keyOf(object: KubeObject): string {
  return `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
}

function refOf(entry: KubeObject) {
  return { kind: DNS_ENTRY, namespace: entry.metadata.namespace ?? "", name: entry.metadata.name };
}

/** Runs all acts, even if one fails; then throws the first failure. */
async function each(acts: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const act of acts) await act().catch((error: unknown) => void failures.push(error));
  if (failures.length > 0) throw failures[0];
}
