/**
 * Observes the objects that markers name, in the watched kinds of all clusters (Z-2, Z-3).
 * Unknown is not absent: only a kind that is listed completely and watched now can prove that an
 * object is gone.
 */
import { markerKindOf } from "../../model/kinds.ts";
import { type KindRef, type KubeObject, kindText } from "../../model/kubernetes.ts";
import { messageOf, OperationError } from "../../model/operation-error.ts";
import type { ClusterView } from "../../ports/cluster-view.ts";
import type { ClusterWriter } from "../../ports/cluster-writer.ts";
import type { Source } from "../../sources/source.ts";
import type {
  ClusterObservation,
  ObjectObservation,
  ObjectObserver,
  ObservedKind,
} from "../../sync/contract/object-observation.ts";

/** One kind of one cluster whose objects markers may name. */
export interface WatchedKind {
  readonly view: ClusterView;
  readonly kind: KindRef;
  /**
   * Reads the names that its objects list, if they contribute only through objects made from them
   * (Services through DNSEntries).
   */
  readonly source?: Source;
  /** Reads its objects past the view. Absent = nobody can, and nothing is known by asking. */
  readonly reader?: Pick<ClusterWriter, "read">;
}

/** Reads the views at each call; holds no state of its own. */
export class WatchedObjects implements ObjectObserver {
  readonly #watched: readonly WatchedKind[];

  /** Every enabled kind that could name things in a zone: sources, and DNSEntry. */
  constructor(watched: readonly WatchedKind[]) {
    this.#watched = watched;
  }

  /**
   * Calls the listener when a kind's state changed, so that a gate may have opened, and when an
   * object is deleted that others are made from. The answer ends the subscription.
   */
  onGateChange(listener: () => void): () => void {
    const stops = this.#watched.map(({ view, kind, source }) =>
      view.subscribe(kind, {
        onChange: ({ type }) => {
          if (type === "deleted" && source !== undefined) listener();
        },
        onState: listener,
      }),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }

  kinds(): readonly ObservedKind[] {
    return this.#watched.map(({ view, kind }) => ({
      cluster: view.clusterId,
      kind: kindText(kind),
      state: view.state(kind),
    }));
  }

  observe(cluster: string | null, resource: string): ObjectObservation {
    const object = objectNameOf(resource);
    return this.#mayHold(cluster, resource).map((watched) => observeIn(watched, object));
  }

  /**
   * One GET for each cluster. Without a resourceVersion it is answered from a quorum read, and not
   * from the API server's own watch cache (Kubernetes API concepts, "Resource versions": most
   * recent).
   */
  async observeNow(cluster: string | null, resource: string): Promise<ObjectObservation> {
    const object = objectNameOf(resource);
    const observation: ClusterObservation[] = [];
    for (const watched of this.#mayHold(cluster, resource)) {
      const one = await observeNowIn(watched, object);
      observation.push(one);
      if (one.state === "unknown") break;
    }
    return observation;
  }

  #mayHold(cluster: string | null, resource: string): readonly WatchedKind[] {
    const [kind] = resource.split("/");
    return this.#watched.filter(
      (watched) =>
        markerKindOf(watched.kind) === kind &&
        (cluster === null || watched.view.clusterId === cluster),
    );
  }
}

/** An object of a kind. A name that begins with `~` is a hash of a long one (Z-13). */
interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** Of `kind/namespace/name`, as markers have it. */
function objectNameOf(resource: string): ObjectName {
  const [, namespace = "", name = ""] = resource.split("/");
  return { namespace, name };
}

function observeIn(watched: WatchedKind, { namespace, name }: ObjectName): ClusterObservation {
  const { view, kind } = watched;
  const state = view.state(kind);
  if (state !== "live") return unknownIn(watched, "KindGone", `are ${state}`);
  if (name === "") return unknownIn(watched, "KindGone", "have no object without a name");
  if (name.startsWith("~")) {
    const all = view.list(kind, namespace);
    return all.state === "value" && all.value.length === 0
      ? { ...inCluster(watched), state: "absent" }
      : unknownIn(watched, "KindGone", "are known to markers by a hash of their long names only");
  }
  const lookup = view.get(kind, namespace, name);
  if (lookup.state === "value") return aliveIn(watched, lookup.value, lookup.value);
  return lookup.state === "absent"
    ? { ...inCluster(watched), state: "absent" }
    : unknownIn(watched, "KindGone", lookup.reason);
}

/**
 * Codes of refusals that mean that the kind is not served, or may not be read; others may pass by
 * themselves.
 */
const KIND_GONE: ReadonlySet<string> = new Set(["NotFound", "Forbidden", "Unauthorized"]);

async function observeNowIn(
  watched: WatchedKind,
  { namespace, name }: ObjectName,
): Promise<ClusterObservation> {
  const { view, kind, reader } = watched;
  if (reader === undefined || name.startsWith("~"))
    return unknownIn(watched, "KindGone", "cannot be asked for");
  try {
    const object = await reader.read({ kind, namespace, name });
    if (object === null) return { ...inCluster(watched), state: "absent" };
    const cached = view.get(kind, namespace, name);
    return aliveIn(watched, object, cached.state === "value" ? cached.value : null);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const code = KIND_GONE.has(error.code) ? "KindGone" : "NotSynced";
    return unknownIn(watched, code, `cannot be read: ${messageOf(error)}`);
  }
}

/** `cached` = the object of that name in the cache; null = none. */
function aliveIn(
  watched: WatchedKind,
  object: KubeObject,
  cached: KubeObject | null,
): ClusterObservation {
  const { view, source } = watched;
  const { uid, generation } = object.metadata;
  return {
    ...inCluster(watched),
    state: "alive",
    generation: cached !== null && cached.metadata.uid === uid ? (generation ?? 0) : null,
    found: source === undefined ? null : source.endpoints(object, view),
  };
}

function inCluster({ view, kind }: WatchedKind) {
  return { cluster: view.clusterId, kindState: view.state(kind) };
}

/** `predicate` follows "services of cluster c1". */
function unknownIn(
  watched: WatchedKind,
  code: "NotSynced" | "KindGone",
  predicate: string,
): ClusterObservation {
  const where = `${kindText(watched.kind)} of cluster ${watched.view.clusterId}`;
  return { ...inCluster(watched), state: "unknown", code, message: `${where} ${predicate}` };
}
