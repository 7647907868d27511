/**
 * Remembers what an API server refuses to the controllers (by an admission policy, a quota, a
 * missing right), and reports it where people look: as an Event on the object, in `/readyz`,
 * `plan`, `explain` and metrics. It repeats no work: queues do.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { isRefusal, messageOf, type OperationError } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import { splitName } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import type { StartQueue } from "@zonekeeper/kube/ports/work-queue";
import { EntryWaits } from "../../controllers/objects/entry-waits.ts";
import {
  type ListedKind,
  type ListingObject,
  listingObjects,
} from "../../controllers/zone-choice/listing-objects.ts";
import type { RefusedChanges } from "../../gardener/dns-entry/entry-controller-options.ts";
import { markerKindOf } from "../../model/kinds.ts";
import { resourceOf } from "../../model/provenance.ts";
import { RefusedEntries } from "../../source-controllers/entries/run-each.ts";
import type { HealthCheck, Work } from "./instance.ts";
import { eventsCheck, trouble } from "./zone-checks.ts";

/** The objects whose keys a queue has, in one cluster. */
export interface QueuedKind {
  /** Name of the queue. */
  readonly name: string;
  readonly kind: KindRef;
  readonly view: ClusterView;
  readonly recorder: EventRecorder;
}

const CODE = "WriteRefused";
/**
 * Keys of one queue that are remembered; of more, the oldest one is forgotten until it fails again.
 */
const KEYS_MAX = 10_000;
const REMEDY =
  "ask whoever keeps the policies, quotas and rights of the cluster; it is tried again by itself";

/** The last refusal in the work on one key. */
interface Refused {
  readonly message: string;
  /** DNSEntries that stay as they were, `namespace/name`. */
  readonly entries: readonly string[];
}

/** There is one for each composition. */
export class RefusedWrites implements RefusedChanges {
  readonly #kinds: readonly QueuedKind[];
  /** By queue, then by key. The next success of the key removes it. */
  readonly #refused = new Map<string, Map<string, Refused>>();
  /** Messages by DNSEntry (`namespace/name`). */
  readonly #entries = new Map<string, string>();
  readonly #waits = new EntryWaits();

  constructor(kinds: readonly QueuedKind[]) {
    this.#kinds = kinds;
  }

  /** Queues whose refusals are remembered here. */
  following(start: StartQueue): StartQueue {
    return (options) =>
      start({
        ...options,
        reconcile: async (key) => {
          try {
            await options.reconcile(key);
            this.#forget(options.name, key);
          } catch (error) {
            if (isRefusal(error)) this.#note(options.name, key, error);
            throw error;
          }
        },
      });
  }

  of(entry: string): string | null {
    return this.#entries.get(entry) ?? null;
  }

  onChange(listener: (entry: string) => void): () => void {
    return this.#waits.onChange(listener);
  }

  /**
   * There is one check for each queue with refusals, and for each cluster that refuses Events;
   * sorted.
   */
  checks(): readonly HealthCheck[] {
    return [...this.#queueChecks(), ...this.#eventChecks()];
  }

  #eventChecks(): readonly HealthCheck[] {
    const clusters = new Map(
      this.#kinds.map(({ view, recorder }) => [view.clusterId, recorder.refusal?.() ?? null]),
    );
    return [...clusters].flatMap(([cluster, text]) =>
      text === null ? [] : eventsCheck(cluster, `${text}; ${REMEDY}`),
    );
  }

  #queueChecks(): readonly HealthCheck[] {
    return [...this.#refused]
      .sort(([a], [b]) => compareText(a, b))
      .flatMap(([name, refused]) => {
        const [first, ...others] = [...refused].map(([key, { message }]) => `${key}: ${message}`);
        if (first === undefined) return [];
        const more = others.length === 0 ? "" : `; and ${others.length} more objects`;
        return [trouble(`refused ${name}`, `${first}${more}`)];
      });
  }

  /** As `listingObjects`, with the refusal as the trouble of an object. */
  listing(
    kinds: readonly ListedKind[],
    [isAsked, onlyTroubled = false]: Parameters<Work["whoLists"]>,
    clock: Clock,
  ): Promise<readonly ListingObject[]> {
    const refused = new Map(this.#kinds.flatMap((queued) => this.#troublesOf(queued)));
    return listingObjects(kinds, { isAsked, onlyTroubled, refused }, clock);
  }

  #troublesOf({ name, kind, view }: QueuedKind) {
    return [...(this.#refused.get(name) ?? [])].map(([key, { message }]) => {
      const [namespace, object] = splitName(key);
      const id = { cluster: view.clusterId, kind: markerKindOf(kind), namespace, name: object };
      return [resourceOf(id), { state: CODE, message }] as const;
    });
  }

  #forget(queue: string, key: string): void {
    const refused = this.#refused.get(queue);
    for (const entry of refused?.get(key)?.entries ?? []) this.#entries.delete(entry);
    if (refused?.delete(key) === true) this.#waits.setWaiting(`${queue}|${key}`, new Set());
  }

  #note(queue: string, key: string, error: OperationError): void {
    const message = `${messageOf(error)}; ${REMEDY}`;
    const refused = this.#refused.get(queue) ?? new Map<string, Refused>();
    const before = refused.get(key);
    const [oldest] = refused.size < KEYS_MAX ? [] : refused.keys();
    if (oldest !== undefined) this.#forget(queue, oldest);
    const entries = error instanceof RefusedEntries ? error.entries : [];
    for (const entry of before?.entries ?? []) this.#entries.delete(entry);
    for (const entry of entries) this.#entries.set(entry, message);
    this.#refused.set(queue, refused.set(key, { message, entries }));
    this.#waits.setWaiting(`${queue}|${key}`, new Set(entries));
    // One Event for each new message.
    if (before?.message !== message) this.#tell(queue, key, message);
  }

  #tell(queue: string, key: string, message: string): void {
    for (const { name, kind, view, recorder } of this.#kinds) {
      const lookup = name === queue ? view.get(kind, ...splitName(key)) : null;
      if (lookup?.state === "value")
        recorder.record(lookup.value, { type: "Warning", reason: CODE, message });
    }
  }
}
