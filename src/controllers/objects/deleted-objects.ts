/**
 * Keeps the manifests of deleted objects for a day, so that `restore` can create them again after
 * an accident. They are in memory only; after a restart, those that still wait for our finalizer
 * are found again in the cluster.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import { type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import { namespacedName } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import { objectKeyOf } from "../../model/kinds.ts";
import { type Provenance, resourceOf } from "../../model/provenance.ts";
import { objectTransferOf, type Source } from "../../sources/source.ts";

/** A kind whose deleted objects are kept: its objects are published. */
export interface RestorableKind {
  readonly view: ClusterView;
  readonly writer: ClusterWriter;
  readonly source: Source;
}

/** A deleted object. */
export interface DeletedObject {
  readonly of: RestorableKind;
  /** As it was last; without status, and without what a server sets. */
  readonly manifest: KubeObject;
  /** The object that markers of its records name: itself, or the one that it was made for. */
  readonly marked: Provenance;
  /**
   * The object that it was made for, as a `resource`; null = a person wrote it. The manifest does
   * not say it any more.
   */
  readonly original: string | null;
  /** Unix milliseconds of when its deletion was first seen. */
  readonly atMs: number;
  /**
   * Field manager (`managedFields`) of its last edit, as the API server told it; absent = not told.
   */
  readonly editor?: string;
  readonly bytes: number;
}

/** Milliseconds. */
export const KEPT_MS = 24 * 3_600_000;
/** The most bytes of all manifests together. */
export const KEPT_BYTES_MAX = 10 * 1024 * 1024;

/** There is one for each term in which this process is the leader. */
export class DeletedObjects {
  readonly #clock: Clock;
  readonly #log: Log;
  /** Oldest first. */
  readonly #kept = new Map<string, DeletedObject>();
  readonly #stops: readonly (() => void)[];
  #bytes = 0;

  constructor(
    kinds: readonly RestorableKind[],
    { clock, log }: { readonly clock: Clock; readonly log: Log },
  ) {
    this.#clock = clock;
    this.#log = log;
    this.#stops = kinds.map((of) =>
      of.view.subscribe(of.source.primary, {
        onChange: ({ type, object }) => {
          const isDeleting = type === "deleted" || object.metadata.deletionTimestamp !== undefined;
          if (isDeleting) this.#keep(of, object);
          else this.#forget(deletedKey(of, object));
        },
        onState: () => undefined,
      }),
    );
  }

  /** Oldest first. */
  all(): readonly DeletedObject[] {
    this.#expire();
    return [...this.#kept.values()];
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  #keep(of: RestorableKind, object: KubeObject): void {
    const key = deletedKey(of, object);
    if (this.#kept.has(key)) return;
    const manifest = manifestOf(object);
    const bytes = JSON.stringify(manifest).length;
    const own = objectKeyOf(object, of.view.clusterId);
    const marked = objectTransferOf(of.source.endpoints(object, of.view))?.object ?? own;
    const original = resourceOf(marked) === resourceOf(own) ? null : resourceOf(marked);
    const { editor } = object.metadata;
    const atMs = this.#clock.nowMs();
    const kept = { of, manifest, marked, original, bytes, atMs };
    this.#kept.set(key, editor === undefined ? kept : { ...kept, editor });
    this.#bytes += bytes;
    this.#expire();
  }

  #forget(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }

  #expire(): void {
    const oldestMs = this.#clock.nowMs() - KEPT_MS;
    let dropped = 0;
    for (const [key, { atMs }] of this.#kept) {
      if (atMs >= oldestMs && this.#bytes <= KEPT_BYTES_MAX) break;
      if (atMs >= oldestMs) dropped += 1;
      this.#forget(key);
    }
    if (dropped > 0)
      this.#log.warn("the oldest deleted objects cannot be restored any more: too many", {
        dropped,
      });
  }
}

function deletedKey({ view, source }: RestorableKind, object: KubeObject): string {
  return `${view.clusterId} ${kindText(source.primary)} ${namespacedName(object)}`;
}

/**
 * The object as it is to be created again. Owner references and finalizers are left out: what they
 * refer to may not exist any more.
 */
function manifestOf({ status: _, ...object }: KubeObject): KubeObject {
  const { name, namespace, labels, annotations } = object.metadata;
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  return { ...object, metadata };
}
