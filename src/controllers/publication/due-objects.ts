/**
 * Which objects of a kind are due, and what for: an object is decided about (which zones get what),
 * or the last decision is only shown again in its status. An object is due when it changes, when an
 * object that was read for its last answer does, when DNSProviders change, and once its kind can be
 * read again. The reports of zones come to publication-controller.ts.
 */
import { type KindRef, type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import { namespacedName, splitName } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView, KindState, ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import type { StartQueue, WorkQueue } from "@zonekeeper/kube/ports/work-queue";
import type { Found, SourceFacts } from "../../sources/source.ts";
import { Dependents } from "../objects/dependents.ts";
import { unlessGone } from "../objects/unless-gone.ts";
import type { ProviderDirectory } from "../zone-choice/provider-directory.ts";
import type { Wake } from "./published-kind.ts";

/** The two kinds of work. Work that fails is repeated, as a decision. */
interface Work {
  decide(key: string): Promise<void>;
  show(key: string): Promise<void>;
}

/** The work queue of the objects of one kind. Keys are `namespace/name`. */
export class PublicationQueue {
  readonly #work: Work;
  readonly #queue: WorkQueue;
  /** Queued to be decided about, or the last decision failed. */
  readonly #undecided = new Set<string>();
  readonly #toShow = new Set<string>();
  /**
   * Keys that were queued with a delay since they were decided about. The queue does not say why a
   * key is due, so that these are decided about. A decision that still has to wait says so again.
   */
  readonly #timed = new Set<string>();

  constructor(startQueue: StartQueue, name: string, work: Work) {
    this.#work = work;
    this.#queue = startQueue({ name, reconcile: (key) => unlessGone(() => this.#run(key)) });
  }

  /** Decides about it soon, as an edit. */
  soon(key: string): void {
    this.#undecided.add(key);
    this.#queue.add(key);
  }

  /** Decides about it behind edits, after so many milliseconds; absent = now. */
  later(key: string, afterMs = 0): void {
    if (afterMs > 0) this.#timed.add(key);
    this.#undecided.add(key);
    this.#queue.addAfter(key, afterMs);
  }

  /** Behind all others; `show` = the last decision still holds and only the status is written. */
  last(key: string, what: "decide" | "show"): void {
    if (what === "show") this.#toShow.add(key);
    else this.#undecided.add(key);
    this.#queue.addLast(key);
  }

  /** The object is gone. */
  forget(key: string): void {
    for (const keys of [this.#undecided, this.#toShow, this.#timed]) keys.delete(key);
  }

  /** Lets work that runs finish. Idempotent. */
  stop(): Promise<void> {
    return this.#queue.stop();
  }

  async #run(key: string): Promise<void> {
    const isAsked = this.#toShow.delete(key);
    if (isAsked && !(this.#undecided.has(key) || this.#timed.has(key))) return this.#work.show(key);
    for (const keys of [this.#undecided, this.#timed]) keys.delete(key);
    try {
      await this.#work.decide(key);
    } catch (error) {
      this.#undecided.add(key);
      throw error;
    }
  }
}

/** Where objects are, and what besides themselves they are decided from. */
export interface DueObjectsOptions {
  readonly view: ClusterView;
  readonly source: Pick<SourceFacts, "primary" | "secondary" | "onDemand">;
  readonly directory: ProviderDirectory;
  /**
   * The namespace in which objects are generated for objects of other namespaces; absent or null =
   * none.
   */
  readonly targetNamespace?: string | null;
}

/** Queues the objects of one kind. */
export class DueObjects {
  readonly #options: DueObjectsOptions;
  readonly #queue: PublicationQueue;
  readonly #dependents = new Dependents();
  /** Keys to queue once the kind can be read: no later event may name these objects. */
  readonly #unread = new Set<string>();
  /** True = all objects are to be queued once they can be listed. */
  #areAllDue = false;
  readonly #unsubscribe: (() => void)[] = [];
  /** Kinds of `source.onDemand` that are watched because an object needed one of their objects. */
  readonly #demanded = new Set<KindRef>();

  constructor(options: DueObjectsOptions, queue: PublicationQueue) {
    this.#options = options;
    this.#queue = queue;
  }

  /** How the kind queues objects by itself. */
  readonly wake: Wake = {
    soon: (key) => this.#queue.soon(key),
    later: (key, afterMs) => this.#queue.later(key, afterMs),
    last: (key) => this.#queue.last(key, "show"),
    onceRead: (key) => void this.#unread.add(key),
    unread: () => this.#addUnread(),
    all: () => this.#addAll(undefined),
  };

  /**
   * Begins to watch. A change of an object of the kind itself goes to `onChange`, with the state of
   * the kind: `syncing` for the objects that the view has cached already.
   */
  start(onChange: (change: ObjectChange, state: KindState) => void): void {
    const { view, source, directory } = this.#options;
    const { primary, secondary } = source;
    let isStarting = true;
    this.#unsubscribe.push(
      directory.onChange((namespace) => this.#onProviders(namespace)),
      ...secondary
        .filter((kind) => kindText(kind) !== kindText(primary))
        .map((kind) => this.#watch(kind)),
      view.subscribe(primary, {
        onChange: (change) => {
          this.#addReaders(change);
          onChange(change, isStarting ? "syncing" : view.state(primary));
        },
        onState: (_, state) => {
          this.#addUnread();
          this.#addOutdated(primary, state);
        },
      }),
    );
    isStarting = false;
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  /** The cached object; null = it does not exist, or the kind cannot be read now. */
  current(key: string): KubeObject | null {
    const lookup = this.#options.view.get(this.#options.source.primary, ...splitName(key));
    if (lookup.state === "unknown") this.#unread.add(key);
    return lookup.state === "value" ? lookup.value : null;
  }

  /**
   * What was read for the answer about an object makes it due from now on. On-demand kinds among it
   * are watched; the object is queued again once they are listed.
   */
  answered(key: string, found: Found<unknown>): void {
    this.#dependents.answered(key, found);
    for (const { kind } of this.#options.source.onDemand ?? []) {
      const isRead = found.reads?.some((read) => kindText(read.kind) === kindText(kind)) === true;
      if (!isRead || this.#demanded.has(kind)) continue;
      this.#demanded.add(kind);
      this.#unsubscribe.push(this.#watch(kind));
    }
  }

  /** The object is gone. */
  forget(key: string): void {
    this.#dependents.forget(key);
    this.#queue.forget(key);
  }

  #watch(kind: KindRef): () => void {
    return this.#options.view.subscribe(kind, {
      onChange: /* clause: reader-is-enqueued-again */ (change) => this.#addReaders(change),
      onState: (_, state) => this.#addOutdated(kind, state),
    });
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
}
