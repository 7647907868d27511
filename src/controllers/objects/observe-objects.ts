/**
 * Answers the engine's questions about the objects that markers name (`ObjectObserver`): does the
 * object exist, does it still list the name, how did it end? From the watch caches (`observe`), and
 * before a removal by asking the API server (`observeNow`). Unknown is not absent (Z-2, Z-3): only
 * a kind that is listed completely and watched now can prove that an object does not exist.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { NAMESPACE } from "@zonekeeper/kube/objects/kinds";
import { type KindRef, type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView, Lookup } from "@zonekeeper/kube/ports/cluster-view";
import type { ObjectReader } from "@zonekeeper/kube/ports/cluster-writer";
import { markerKindOf } from "../../model/kinds.ts";
import { namesElsewhere } from "../../model/other-dialects.ts";
import { hashedName, readObjectKey, shortResourceOf } from "../../model/provenance.ts";
import type { ClusterIdentity } from "../../ports/cluster-identity.ts";
import type { Source } from "../../sources/source.ts";
import type {
  ClusterObservation,
  ConfirmationBatch,
  KindDefinition,
  LiveObject,
  MarkedKind,
  ObjectObservation,
  ObjectObserver,
  ObservedKind,
} from "../../sync/contract/object-observation.ts";
import { EndedKind } from "./ended-kinds.ts";
import { LastFound } from "./last-found.ts";
import { definitionIn, NOT_ENDING, ReadsNow } from "./read-now.ts";

/** A kind of one cluster whose objects markers may name. */
export interface WatchedKind {
  readonly view: ClusterView;
  readonly kind: KindRef;
  /**
   * Reads the names that its objects list. Absent = only their contributions say which names they
   * list.
   */
  readonly source?: Source;
  /** Its objects contribute only through objects made from them (Services through DNSEntries). */
  readonly isOriginal?: boolean;
  /**
   * Its objects are read by sources together with their own, and no marker names them. Removals
   * wait for the list of this kind, too.
   */
  readonly isSecondary?: boolean;
  /** Whether the API server still is that of the same cluster. Absent = it is not checked. */
  readonly identity?: ClusterIdentity;
  /** Reads its objects from the API server, past the cache. Absent = they cannot be read so. */
  readonly reader?: ObjectReader;
}

/** A watched kind, and what is remembered of its objects. */
interface RememberedKind extends WatchedKind {
  readonly ended: EndedKind;
  readonly last: LastFound;
}

/** Reads the caches at each call; remembers which names objects were watched to drop. */
export class WatchedObjects implements ObjectObserver {
  readonly #watched: readonly RememberedKind[];
  readonly awaited: (cluster: string) => string | null;
  readonly isRemoved: (cluster: string) => boolean;
  readonly #areObjectsUnread: () => boolean;
  /**
   * The answers read for the removals of a batch, by the reader of a cluster; gone with the batch.
   */
  readonly #batches = new WeakMap<ConfirmationBatch, Map<ObjectReader, ReadsNow>>();

  /**
   * `watched`: every enabled kind that a marker may name, those of sources and DNSEntry, and
   * secondary kinds. `awaited` and `isRemoved`: see `ObjectObserver`; absent = no cluster is
   * awaited or removed. `areObjectsUnread`: true while listed objects have not contributed yet;
   * absent = they have.
   */
  constructor(
    watched: readonly WatchedKind[],
    clock: Pick<Clock, "monotonicMs">,
    {
      awaited = () => null,
      isRemoved = () => false,
      areObjectsUnread = () => false,
    }: Pick<ObjectObserver, "awaited" | "isRemoved"> & {
      readonly areObjectsUnread?: () => boolean;
    } = {},
  ) {
    this.#watched = watched.map((one) => {
      const { view, source } = one;
      const read = source && ((object: KubeObject) => source.endpoints(object, view));
      const ended = new EndedKind(view.clusterId, clock, read);
      return { ...one, ended, last: new LastFound() };
    });
    this.awaited = awaited;
    this.isRemoved = isRemoved;
    this.#areObjectsUnread = areObjectsUnread;
  }

  /**
   * Calls the listener when the watch of a kind changes its state, so that removals may be possible
   * now, and when an object is deleted that others are made from. Must be called once: from then on
   * ends and dropped names are remembered (`EndedKind`). The answer ends the subscription.
   */
  onGateChange(listener: () => void): () => void {
    const stops = this.#watched.map(({ view, kind, source, isOriginal, ended }) =>
      view.subscribe(kind, {
        onChange: (change) => {
          ended.note(change);
          if (source !== undefined && isOriginal === true && change.type === "deleted") listener();
        },
        onState: listener,
      }),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }

  kinds(): readonly ObservedKind[] {
    // clause: listed-objects-speak-first
    const areObjectsUnread = this.#areObjectsUnread();
    return this.#watched.map(({ view, kind, identity }) => {
      const isUnread = areObjectsUnread || identity?.isChecked === false;
      const isUnchecked = isUnread && view.state(kind) === "live";
      return {
        cluster: view.clusterId,
        kind: kindText(kind),
        markerKind: markerKindOf(kind),
        state: isUnchecked ? "syncing" : view.state(kind),
        isRemembered:
          !areObjectsUnread &&
          identity?.wasChecked !== false &&
          view.list(kind, NO_NAMESPACE).state === "value",
        trouble: identity?.trouble?.message ?? null,
      };
    });
  }

  observe(cluster: string | null, resource: string): ObjectObservation {
    const object = objectNameOf(resource);
    return this.#mayHold(cluster, resource).map((watched) => observeIn(watched, object));
  }

  /**
   * There is one GET for each cluster. Without a resourceVersion the API server answers with the
   * most recent state, from a quorum read and not from its watch cache (Kubernetes API concepts,
   * "Resource versions"). Secondary objects that the source needs are read once for a batch.
   */
  async observeNow(
    cluster: string | null,
    resource: string,
    batch: ConfirmationBatch = {},
  ): Promise<ObjectObservation> {
    const object = objectNameOf(resource);
    const readers = this.#batches.get(batch) ?? new Map<ObjectReader, ReadsNow>();
    this.#batches.set(batch, readers);
    const observation: ClusterObservation[] = [];
    for (const watched of this.#mayHold(cluster, resource)) {
      const one = await observeNowIn(watched, object, readers);
      observation.push(one);
      if (one.state === "unknown") break;
    }
    return observation;
  }

  /** There is one GET for each cluster, past every cache. */
  async definitionNow({ cluster, markerKind }: MarkedKind): Promise<KindDefinition> {
    const kinds = this.#mayHold(cluster, markerKind);
    let standing = NOT_ENDING;
    for (const watched of kinds) {
      const definition = await definitionIn(watched);
      if (definition.state !== "stands") return definition;
      if (kinds.length === 1) standing = definition;
    }
    return standing;
  }

  createdMs(cluster: string | null, resource: string): number | null {
    const short = shortIn(cluster, resource);
    const [first, ...others] = this.#mayHold(cluster, resource);
    if (first === undefined || others.length > 0) return null;
    // clause: former-processes-saw-objects
    return first.ended.createdMs(short) ?? first.identity?.newestMs?.(first.kind) ?? null;
  }

  endedWithAll(cluster: string | null, resource: string): boolean {
    const short = shortIn(cluster, resource);
    return this.#mayHold(cluster, resource).some(({ ended }) => ended.has(short));
  }

  hasDropped(cluster: string, resource: string, name: DnsName): boolean {
    const short = shortIn(cluster, resource);
    return this.#mayHold(cluster, resource).some(({ ended }) => ended.hasDropped(short, name));
  }

  async isNamespaceEnding(cluster: string | null, resource: string): Promise<boolean> {
    const { namespace } = objectNameOf(resource);
    for (const { reader } of this.#mayHold(cluster, resource)) {
      if (reader === undefined) continue;
      try {
        const found = await reader.read({ kind: NAMESPACE, namespace: "", name: namespace });
        if (found === null || found.metadata.deletionTimestamp !== undefined) return true;
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
      }
    }
    return false;
  }

  #mayHold(cluster: string | null, resource: string): readonly RememberedKind[] {
    const [kind] = resource.split("/");
    return this.#watched.filter(
      (watched) =>
        watched.isSecondary !== true &&
        markerKindOf(watched.kind) === kind &&
        (cluster === null || watched.view.clusterId === cluster),
    );
  }
}

/** The short form of the resource, by which `EndedKind` keeps objects. */
function shortIn(cluster: string | null, resource: string): string {
  const key = readObjectKey(resource, cluster ?? "");
  return key === null ? resource : shortResourceOf(key);
}

/** A namespace that cannot exist: its list is empty as soon as the kind can be listed at all. */
const NO_NAMESPACE = "~";

/** An object of a kind. A name that begins with `~` is a hash of a long one (Z-13). */
interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** Splits `kind/namespace/name`, the form of markers. */
function objectNameOf(resource: string): ObjectName {
  const [, namespace = "", name = ""] = resource.split("/");
  return { namespace, name };
}

function observeIn(watched: RememberedKind, { namespace, name }: ObjectName): ClusterObservation {
  const { view, kind, source, last } = watched;
  const state = view.state(kind);
  // clause: undiscovered-kind-is-not-empty
  if (state !== "live") {
    const trouble = view.trouble(kind);
    const why = trouble === null ? "" : ` (${trouble})`;
    return unknownIn(watched, "KindGone", `are ${state}${why}`);
  }
  if (name === "") return unknownIn(watched, "KindGone", "have no object without a name");
  const lookup = name.startsWith("~")
    ? findHashed(view.list(kind, namespace), name)
    : view.get(kind, namespace, name);
  if (lookup.state === "value") {
    const found = source === undefined ? null : last.of(source, lookup.value, view);
    return aliveIn(watched, lookup.value, { found, cached: lookup.value });
  }
  return lookup.state === "absent"
    ? { ...inCluster(watched), state: "absent" }
    : unknownIn(watched, "KindGone", lookup.reason);
}

/**
 * A marker has only the hash of a long name; the object is searched in the list of its namespace.
 */
function findHashed(list: Lookup<readonly KubeObject[]>, hashed: string): Lookup<KubeObject> {
  if (list.state !== "value") return list;
  const value = list.value.find(({ metadata }) => hashedName(metadata.name) === hashed);
  return value === undefined ? { state: "absent" } : { state: "value", value };
}

/**
 * Codes of answers that mean that the kind is not served, or may not be read. All others may pass
 * by themselves.
 */
const KIND_GONE: ReadonlySet<string> = new Set(["NotFound", "Forbidden", "Unauthorized"]);

async function observeNowIn(
  watched: WatchedKind,
  { namespace, name }: ObjectName,
  readers: Map<ObjectReader, ReadsNow>,
): Promise<ClusterObservation> {
  const { view, kind, reader, source } = watched;
  if (reader === undefined || name.startsWith("~"))
    return unknownIn(watched, "KindGone", "cannot be asked for");
  try {
    const object = await reader.read({ kind, namespace, name });
    if (object === null) return { ...inCluster(watched), state: "absent" };
    const lookup = view.get(kind, namespace, name);
    const cached = lookup.state === "value" ? lookup.value : null;
    if (source === undefined) return aliveIn(watched, object, { found: null, cached });
    const reads = readers.get(reader) ?? new ReadsNow({ view, reader });
    readers.set(reader, reads);
    const found = await reads.answer(source, object);
    if (found === null) return unknownIn(watched, "NotSynced", "lead to further objects too often");
    return aliveIn(watched, object, { found, cached });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const code = KIND_GONE.has(error.code) ? "KindGone" : "NotSynced";
    return unknownIn(watched, code, `cannot be read: ${messageOf(error)}`);
  }
}

interface ReadObject {
  /** The names that its source found; null = no source reads the kind. */
  readonly found: LiveObject["found"];
  /** The object of that name in the cache; null = none. */
  readonly cached: KubeObject | null;
}

function aliveIn(
  watched: WatchedKind,
  object: KubeObject,
  { found, cached }: ReadObject,
): ClusterObservation {
  const { uid, generation } = object.metadata;
  return {
    ...inCluster(watched),
    state: "alive",
    generation: cached !== null && cached.metadata.uid === uid ? (generation ?? 0) : null,
    found,
    namedElsewhere: (name) => namesElsewhere(object).get(name) ?? null,
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
