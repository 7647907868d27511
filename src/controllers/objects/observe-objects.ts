/**
 * Answers about objects that markers name, from the watched kinds of all clusters (SAFETY Z-2,
 * Z-3). Unknown is not absent: only a kind that is listed completely and watched now can say that
 * an object is gone.
 */
import type { DnsName } from "../../model/dns-name.ts";
import { markerKindOf } from "../../model/kinds.ts";
import { type KindRef, type KubeObject, kindText } from "../../model/kubernetes.ts";
import { messageOf, OperationError } from "../../model/operation-error.ts";
import { type ObjectKey, resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { ClusterView } from "../../ports/cluster-view.ts";
import type { ClusterWriter } from "../../ports/cluster-writer.ts";
import type { Found, Source } from "../../sources/source.ts";
import type { AbsenceOracle, LiveAnswer, LiveObject } from "../../sync/contract/absence-oracle.ts";

/** One kind of one cluster whose objects markers may name. */
export interface WatchedKind {
  readonly view: ClusterView;
  readonly kind: KindRef;
  /**
   * Says what its objects list, where they contribute only through others (Services through
   * DNSEntries).
   */
  readonly source?: Source;
  /** Reads its objects past the view. Absent = nobody can, and nothing is known by asking. */
  readonly reader?: Pick<ClusterWriter, "read">;
}

/** Looks at views whenever it is asked; holds no state of its own. */
export class ViewOracle implements AbsenceOracle {
  readonly #watched: readonly WatchedKind[];

  /** Every enabled kind that could name things in a zone: sources, and DNSEntry. */
  constructor(watched: readonly WatchedKind[]) {
    this.#watched = watched;
  }

  /**
   * Told whenever a kind's state changed: a gate may have opened. Also when an object goes that
   * others are made from.
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

  gate(): ReturnType<AbsenceOracle["gate"]> {
    for (const { view, kind } of this.#watched) {
      const state = view.state(kind);
      if (state === "live" || state === "absent") continue;
      const reason = `${kindText(kind)} of cluster ${view.clusterId} is ${state}: what is missing from it is not known`;
      return { open: false, reason };
    }
    return { open: true };
  }

  object(cluster: string | null, resource: string): "alive" | "absent" | "unknown" {
    const { namespace, name } = placeOf(resource);
    const candidates = this.#candidates(cluster, resource);
    if (candidates.length === 0 || name === "") return "unknown";
    const answers = candidates.map((watched) => objectIn(watched, namespace, name));
    if (answers.includes("alive")) return "alive";
    return answers.includes("unknown") ? "unknown" : "absent";
  }

  /**
   * Every cluster that may hold the object knows for certain that it does not list the name (any
   * more).
   */
  omits(cluster: string | null, resource: string, dnsName: DnsName): boolean {
    const said = this.#said(cluster, resource);
    return said.length > 0 && said.every((word) => isWithout(word, dnsName));
  }

  /**
   * A cluster that may hold the object sees it alive, and it lists the name or what it says is
   * incomplete (Z-1).
   */
  lists(cluster: string | null, resource: string, dnsName: DnsName): boolean {
    return this.#said(cluster, resource).some(
      (word) => typeof word !== "string" && !isWithout(word, dnsName),
    );
  }

  /**
   * A cluster that may hold the object sees it alive, listing the name and without any address for
   * it.
   */
  lacksTargets(cluster: string | null, resource: string, dnsName: DnsName): boolean {
    const said = this.#said(cluster, resource);
    const lacks = (word: Word): boolean =>
      typeof word !== "string" &&
      word.waiting.some((wait) => wait.name === dnsName && wait.reason === "NoTargets");
    return said.length > 0 && said.every(lacks);
  }

  /**
   * One GET for each cluster that may hold the object. Without a resourceVersion it is answered
   * from a quorum read, and not from what the server's own watch cache has heard (Kubernetes API
   * concepts, "Resource versions": most recent).
   */
  async askNow(cluster: string | null, resource: string): Promise<LiveAnswer> {
    const place = placeOf(resource);
    // A shortened name is a hash and cannot be asked for: there what was heard stays the proof.
    if (place.name.startsWith("~")) return { is: "absent" };
    const candidates = this.#candidates(cluster, resource);
    if (candidates.length === 0)
      return unknownAnswer("KindGone", `nobody here can ask for ${resource}`);
    const objects: LiveObject[] = [];
    for (const watched of candidates) {
      const answer = await askedNow(watched, place);
      if (answer.is === "unknown") return answer;
      if (answer.is === "alive") objects.push(...answer.objects);
    }
    return objects.length === 0 ? { is: "absent" } : { is: "alive", objects };
  }

  /**
   * True while the object's kind has not been listed once, so that nobody here knows what it says.
   */
  isUnlisted(object: ObjectKey): boolean {
    return this.#candidates(object.cluster, resourceOf(object)).some(
      ({ view, kind }) => view.state(kind) === "syncing",
    );
  }

  /**
   * True while what is known of the object may be old, because its kind is not watched in a cluster
   * that may hold it.
   */
  isOutOfSight(object: ObjectKey): boolean {
    return this.#candidates(object.cluster, resourceOf(object)).some(
      ({ view, kind }) => view.state(kind) !== "live",
    );
  }

  #said(cluster: string | null, resource: string): readonly Word[] {
    const place = placeOf(resource);
    return this.#candidates(cluster, resource).map((watched) => wordOf(watched, place));
  }

  #candidates(cluster: string | null, resource: string): readonly WatchedKind[] {
    const [kind] = resource.split("/");
    return this.#watched.filter(
      (watched) =>
        markerKindOf(watched.kind) === kind &&
        (cluster === null || watched.view.clusterId === cluster),
    );
  }
}

/** What a live object says it wants; `unknown` also where nobody here can ask it. */
type Word = Found<DesiredRecordSet> | "absent" | "unknown";

function wordOf({ view, kind, source }: WatchedKind, { namespace, name }: Place): Word {
  if (source === undefined || view.state(kind) !== "live") return "unknown";
  const lookup = view.get(kind, namespace, name);
  return lookup.state === "value" ? source.endpoints(lookup.value, view) : lookup.state;
}

/** Known for certain not to list the name. */
function isWithout(word: Word, dnsName: DnsName): boolean {
  if (typeof word === "string") return word === "absent";
  const { items, waiting, complete } = word;
  return complete && [...items, ...waiting].every((listed) => listed.name !== dnsName);
}

interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** Of `kind/namespace/name`, as markers have it. */
function placeOf(resource: string): Place {
  const [, namespace = "", name = ""] = resource.split("/");
  return { namespace, name };
}

/**
 * Codes of refusals that say that the kind is not served, or may not be read; the rest may pass by
 * itself.
 */
const KIND_GONE: ReadonlySet<string> = new Set(["NotFound", "Forbidden", "Unauthorized"]);

async function askedNow(watched: WatchedKind, place: Place): Promise<LiveAnswer> {
  const { view, kind, reader } = watched;
  const where = `${kindText(kind)} of cluster ${view.clusterId}`;
  if (reader === undefined) return unknownAnswer("KindGone", `${where} cannot be asked for`);
  try {
    const found = await reader.read({ kind, ...place });
    return found === null
      ? { is: "absent" }
      : { is: "alive", objects: [liveObject(watched, place, found)] };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const code = KIND_GONE.has(error.code) ? "KindGone" : "NotSynced";
    return unknownAnswer(code, `${where}: ${messageOf(error)}`);
  }
}

function liveObject(
  { view, kind, source }: WatchedKind,
  { namespace, name }: Place,
  object: KubeObject,
): LiveObject {
  const { uid, generation } = object.metadata;
  const heard = view.get(kind, namespace, name);
  const isHeardOf = heard.state === "value" && heard.value.metadata.uid === uid;
  const live = { cluster: view.clusterId, generation: isHeardOf ? (generation ?? 0) : null };
  if (source === undefined) return live;
  const word = source.endpoints(object, view);
  return { ...live, omits: (dnsName) => isWithout(word, dnsName) };
}

function unknownAnswer(code: "NotSynced" | "KindGone", message: string): LiveAnswer {
  return { is: "unknown", code, message };
}

/** A name that begins with `~` is a hash of one that was too long for its marker (Z-13). */
function objectIn(
  { view, kind }: WatchedKind,
  namespace: string,
  name: string,
): "alive" | "absent" | "unknown" {
  if (view.state(kind) !== "live") return "unknown";
  if (name.startsWith("~")) {
    const all = view.list(kind, namespace);
    return all.state === "value" && all.value.length === 0 ? "absent" : "unknown";
  }
  const lookup = view.get(kind, namespace, name);
  return lookup.state === "value" ? "alive" : lookup.state;
}
