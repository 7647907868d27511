/**
 * What is known about an object that a marker names: one observation for each cluster that may hold
 * the object, and the conclusions from it (Z-1 to Z-4). Pure. Unknown is never absent.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KindState } from "@zonekeeper/kube/ports/cluster-view";
import { type DesiredRecordSet, isSameKey, type RecordSetKey } from "../../model/record-set.ts";
import type { Found } from "../../sources/source.ts";

/** A kind that markers may name, in one cluster. */
export interface ObservedKind {
  readonly cluster: string;
  /** For people: `services`, `dnsentries.dns.gardener.cloud`. */
  readonly kind: string;
  /** As the `resource` of a marker begins: `service`, `dnsentry`. */
  readonly markerKind: string;
  readonly state: KindState;
  /** It was listed completely in this process: which names its objects listed is remembered. */
  readonly isRemembered: boolean;
  /** The cluster is not the one it was: nothing that is missing from it is proof (Z-30). */
  readonly trouble: string | null;
}

/** A hold reason with its message. */
interface ClosedGate {
  readonly code: "NotSynced" | "ClusterChanged" | "KindGone";
  readonly message: string;
}

/** A name with a record that no object wants: may its absence be judged now (the gate)? */
export interface GatedName {
  /** The cluster in the record's marker; null = it names none. */
  readonly cluster: string | null;
  /** Clusters with an object that lists the name, live or last known. */
  readonly listing: ReadonlySet<string>;
  /** True if a marker of ours, in any zone, names an object of the kind in that cluster. */
  readonly isMarked: IsKindMarked;
}

/** By cluster and `markerKind`. */
export type IsKindMarked = (cluster: string, markerKind: string) => boolean;

interface InCluster {
  readonly cluster: string;
  /** State of the object's kind in that cluster's cache. */
  readonly kindState: KindState;
}

/** An object that exists. */
export interface LiveObject extends InCluster {
  readonly state: "alive";
  /**
   * `metadata.generation`; null if the API server has another object of that name than the cache.
   */
  readonly generation: number | null;
  /** What its source reads from it. Null = no source reads its kind: what it contributed counts. */
  readonly found: Found<DesiredRecordSet> | null;
  /**
   * Where it names a name for another program, for people: an annotation or a field; null =
   * nowhere. Absent = that is not known.
   */
  readonly namedElsewhere?: (name: DnsName) => string | null;
}

interface AbsentObject extends InCluster {
  readonly state: "absent";
}

interface UnknownObject extends InCluster {
  readonly state: "unknown";
  /** Hold reason: `KindGone` = not served or not allowed, `NotSynced` = no answer. */
  readonly code: "NotSynced" | "KindGone";
  /** For people: why it is not known. */
  readonly message: string;
}

/** An object as one cluster has it. */
export type ClusterObservation = LiveObject | AbsentObject | UnknownObject;

/** One for each cluster that may hold the object; empty = no watched kind could tell. */
export type ObjectObservation = readonly ClusterObservation[];

/**
 * Calls of `observeNow` that belong together, as a new object. Other objects that a source reads
 * for them, such as Gateways, are read once for all calls: when the first one needs them.
 */
export type ConfirmationBatch = object;

/** A kind that markers name, in a cluster; null = of each of them. */
export interface MarkedKind {
  readonly cluster: string | null;
  /** As the `resource` of a marker begins. */
  readonly markerKind: string;
}

/**
 * The definition of a kind. While it is being deleted (`ends`, also when it is gone), its API
 * server deletes every object of the kind: such an end is no intent about a name.
 */
export type KindDefinition =
  | {
      readonly state: "stands";
      /** Unix milliseconds. Null = the kind has none, or it is not known which one counts. */
      readonly createdMs: number | null;
    }
  | { readonly state: "ends" | "unknown"; readonly message: string };

/** Observes the objects that markers name; a marker without a cluster means every cluster. */
export interface ObjectObserver {
  /**
   * Why nothing is known of a cluster that is to be served, for people; null = it is served, or is
   * none of ours. Absent = each cluster is served from the start on.
   */
  readonly awaited?: (cluster: string) => string | null;
  /** Whether a person removed the cluster, with its records (ADR 0149). Absent = none was. */
  readonly isRemoved?: (cluster: string) => boolean;
  /** Every enabled kind that could name things, in every cluster. */
  kinds(): readonly ObservedKind[];
  /** From the caches. `resource` = `kind/namespace/name`. */
  observe(cluster: string | null, resource: string): ObjectObservation;
  /**
   * From the API servers, past every cache; never rejects for want of an answer. It ends with the
   * first cluster that does not answer. Removals that rest on older knowledge of the object than
   * the reading of their record wait for it (Z-2, ADR 0021). `batch` absent = one of its own.
   */
  observeNow(
    cluster: string | null,
    resource: string,
    batch?: ConfirmationBatch,
  ): Promise<ObjectObservation>;
  /**
   * The definition of the kind as its API servers have it now; never rejects for want of an answer.
   * It stands where the kind has none, or where we may not read it.
   */
  definitionNow(kind: MarkedKind): Promise<KindDefinition>;
  /**
   * When the object that ended was created, Unix milliseconds; of one that this process did not
   * see, the latest time that is possible. Null = not known.
   */
  createdMs(cluster: string | null, resource: string): number | null;
  /** The object was watched to end with all others of its kind, three or more at once (Z-16). */
  endedWithAll(cluster: string | null, resource: string): boolean;
  /** The object was last watched to give up this name, by its end too (Z-16). */
  hasDropped(cluster: string, resource: string, name: DnsName): boolean;
  /** Its namespace is being deleted or gone now; false where that cannot be read. */
  isNamespaceEnding(cluster: string | null, resource: string): Promise<boolean>;
}

/**
 * The gate: why it cannot be known now at a name that no object wants a record (Z-3); null = it
 * can. Every kind of the cluster in the marker has to be listed completely, or not be served at
 * all; and every kind of each other cluster, too, unless that cluster was listed before and did not
 * list the name. A marker without a cluster may be of each cluster.
 */
export function closedGate(kinds: readonly ObservedKind[], name: GatedName): ClosedGate | null {
  for (const one of kinds) {
    const { cluster, isRemembered, trouble } = one;
    // clause: changed-cluster-proves-nothing
    if (trouble !== null) return { code: "ClusterChanged", message: trouble };
    // A kind that is not served has no objects, unless markers say that it had some.
    const isWithout = one.state === "absent" && !name.isMarked(cluster, one.markerKind);
    // clause: incomplete-kind-gates
    if (one.state === "live" || isWithout) continue;
    // clause: other-cluster-does-not-gate
    const isOther =
      /* clause: marker-without-cluster-needs-all */ name.cluster !== null &&
      name.cluster !== cluster;
    if (
      isOther &&
      /* clause: cluster-without-memory-gates */ isRemembered &&
      /* clause: listing-cluster-gates */ !name.listing.has(cluster)
    )
      continue;
    return waitFor(one);
  }
  return null;
}

function waitFor({ cluster, kind, state }: ObservedKind): ClosedGate {
  if (state !== "absent") {
    const message = `Removals wait until ${kind} of cluster ${cluster} are listed and watched; now they are ${state}`;
    return { code: "NotSynced", message };
  }
  const message = `Removals wait, because cluster ${cluster} no longer serves ${kind}, and markers of records name such objects; install the kind again, or remove its source from the configuration`;
  return { code: "KindGone", message };
}

/** `alive` in any cluster counts; `absent` only if every cluster knows it. */
export function stateOf(observation: ObjectObservation): ClusterObservation["state"] {
  const states = observation.map(({ state }) => state);
  if (states.length === 0) return "unknown";
  if (states.includes("alive")) return "alive";
  // clause: unknown-is-not-absent
  return states.includes("unknown") ? "unknown" : "absent";
}

/** Every cluster that may hold the object knows for certain that it does not list the name. */
export function omitsName(observation: ObjectObservation, name: DnsName): boolean {
  const isWithout = (one: ClusterObservation): boolean =>
    one.state === "absent" || (one.state === "alive" && isWithoutName(one.found, name));
  return observation.length > 0 && observation.every(isWithout);
}

/** A live object has a source that lists the name, or that cannot tell (Z-1). */
export function listsName(observation: ObjectObservation, name: DnsName): boolean {
  return observation.some(
    (one) => one.state === "alive" && one.found !== null && !isWithoutName(one.found, name),
  );
}

/** Why an object that lists the name cannot say what it wants there; null = it can. */
export function waitsAt(observation: ObjectObservation, name: DnsName): string | null {
  for (const one of observation) {
    if (one.state !== "alive" || one.found === null) continue;
    const { items, waiting, complete } = one.found;
    const wait = waiting.find((listed) => listed.name === name);
    if (wait !== undefined) return wait.reason;
    if (!complete && items.every((item) => item.name !== name)) return "SourceIncomplete";
  }
  return null;
}

/** The object is alive wherever it may be, and lists the name without any address (Z-4). */
export function lacksTargets(observation: ObjectObservation, name: DnsName): boolean {
  const lacks = (one: ClusterObservation): boolean =>
    one.state === "alive" &&
    one.found?.waiting.some((wait) => wait.name === name && wait.reason === "NoTargets") === true;
  return observation.length > 0 && observation.every(lacks);
}

/** As `isWithoutName`, for one record set: an item of another type at the name does not count. */
export function isWithoutRecord(found: Found<DesiredRecordSet>, key: RecordSetKey): boolean {
  const { items, waiting, complete } = found;
  const isWanted =
    waiting.some(({ name }) => name === key.name) ||
    /* clause: other-type-is-no-wish */ items.some((item) => isSameKey(item, key));
  return complete && !isWanted;
}

/** A complete answer of a source, without the name. Null = no source reads the object: false. */
function isWithoutName(found: Found<DesiredRecordSet> | null, name: DnsName): boolean {
  if (found === null) return false;
  const { items, waiting, complete } = found;
  return (
    /* clause: incomplete-original-omits-nothing */ complete &&
    [...items, ...waiting].every((listed) => listed.name !== name)
  );
}
