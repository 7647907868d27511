/**
 * A whole Kubernetes cluster in memory: API (ClusterWriter), watch cache (ClusterView) and Events.
 * It keeps state and has the semantics that controllers rely on: versions, generations, finalizers,
 * status subresource, garbage collection. Faults are switched on by the caller; nothing here is
 * random and nothing reads a clock of its own.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { CUSTOM_RESOURCE_DEFINITION, NAMESPACE } from "@zonekeeper/kube/objects/kinds";
import type { ObjectMeta } from "@zonekeeper/kube/objects/kubernetes";
import {
  apiVersionOf,
  type KindRef,
  type KubeObject,
  kindText,
} from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, isFields } from "@zonekeeper/kube/objects/object-fields";
import type {
  ClusterView,
  KindState,
  Lookup,
  ObjectChange,
  ObjectIndex,
  ViewListener,
} from "@zonekeeper/kube/ports/cluster-view";
import type {
  ClusterWriter,
  DeletePreconditions,
  EventNote,
  EventRecorder,
  ObjectRef,
} from "@zonekeeper/kube/ports/cluster-writer";

type Verb = "read" | "create" | "update" | "patch" | "patchStatus" | "remove";

/** A write fault (F06). `applied: true` = the change is made, but the answer is lost. */
export interface WriteFault {
  readonly on: Verb;
  /**
   * A code of ClusterWriter, e.g. `Conflict`, `TooManyRequests`, `Unavailable`, `UnknownOutcome`.
   */
  readonly code: string;
  readonly applied: boolean;
  /** Only for this kind; absent = any. */
  readonly kind?: KindRef;
  /** Called when a call has met it. */
  readonly met?: () => void;
}

/** An Event as it was recorded, with how often. */
export interface RecordedEvent {
  readonly object: string;
  readonly note: EventNote;
  count: number;
}

interface KindCache {
  readonly kind: KindRef;
  state: KindState;
  objects: Map<string, KubeObject>;
  readonly listeners: Set<ViewListener>;
  /** The watch looks live and hears nothing. */
  isBehind: boolean;
  /** While it is forbidden: namespaces that may be read. */
  readonly granted: Set<string>;
}

const text = (object: KubeObject): string =>
  `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
/** The same value, which nobody can change from now on: it may be handed out without a copy. */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

/** RFC 7396. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const result: Record<string, unknown> = isFields(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}

/** More than any test writes. */
const WRITES_MAX = 100_000;

/** One cluster. Kinds exist once they are used; `hideKind` makes discovery lack one. */
export class MemoryCluster implements ClusterView, ClusterWriter, EventRecorder {
  readonly clusterId: string;
  readonly events: RecordedEvent[] = [];
  /** Every successful mutation in order: `create dnsentries.dns.gardener.cloud default/web`. */
  readonly writes: string[] = [];
  /** Fields of a status that the definitions lack: the API drops them. */
  readonly droppedStatus = new Set<string>();
  readonly #nowMs: () => number;
  readonly #truth = new Map<string, Map<string, KubeObject>>();
  readonly #caches = new Map<string, KindCache>();
  readonly #faults: WriteFault[] = [];
  readonly #endingNamespaces = new Set<string>();
  /** By kind: whether it is gone. */
  readonly #endingDefinitions = new Map<string, boolean>();
  /** When definitions were installed; those of the beginning do not say it. */
  readonly #installed = new Map<string, string>();
  #revision = 0;
  #uid = 0;

  constructor(clusterId: string, nowMs: () => number = () => Date.parse("2026-01-01T00:00:00Z")) {
    this.clusterId = clusterId;
    this.#nowMs = nowMs;
  }

  // ── what a user does ───────────────────────────────────────────────────────────────────────────

  /** `kubectl apply`: creates the object, or replaces all but status and what the server owns. */
  apply(kind: KindRef, object: KubeObject): KubeObject {
    const present = this.#stored(kind).get(text(object));
    if (present === undefined) return this.#create(kind, object);
    const metadata = { ...present.metadata, ...object.metadata };
    return this.#replace(kind, present, { ...object, metadata, status: present["status"] });
  }

  /** `kubectl delete`. */
  delete(kind: KindRef, namespace: string, name: string): void {
    this.#delete({ kind, namespace, name });
  }

  /** What another controller reports; replaces the status as a whole (F04: also by garbage). */
  setStatus(kind: KindRef, namespace: string, name: string, status: unknown): void {
    const present = this.#present({ kind, namespace, name });
    this.#store(kind, { ...present, status });
  }

  /** The object as the API has it now. */
  now(kind: KindRef, namespace: string, name: string): KubeObject | null {
    return this.#stored(kind).get(`${namespace}/${name}`) ?? null;
  }

  /** All objects of a kind as the API has them, sorted by namespace and name. */
  all(kind: KindRef): readonly KubeObject[] {
    return [...this.#stored(kind)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, o]) => o);
  }

  // ── faults ─────────────────────────────────────────────────────────────────────────────────────

  /** The next matching call fails so; faults queue up. */
  fail(fault: WriteFault): void {
    this.#faults.push(fault);
  }

  /** F02: the watch breaks; the cache keeps what it knows and hears nothing. */
  breakWatch(kind: KindRef): void {
    this.#setState(kind, "stale");
  }

  /** F01: the cache says that it is live and hears nothing until `relist`. */
  holdWatch(kind: KindRef): void {
    this.#cache(kind).isBehind = true;
  }

  /** F03: 403, or a kind that is not (yet) listed completely, or that discovery lacks. */
  setKindState(kind: KindRef, state: "forbidden" | "absent" | "syncing"): void {
    this.#setState(kind, state);
  }

  /** The kind, which may not be read in all namespaces, may be read in this one; or no more. */
  grantIn(kind: KindRef, namespace: string, isGranted = true): void {
    const cache = this.#cache(kind);
    if (isGranted) cache.granted.add(namespace);
    else cache.granted.delete(namespace);
    for (const [key, object] of isGranted ? this.#stored(kind) : [])
      if (object.metadata.namespace === namespace) this.#cachePut(cache, key, object);
    for (const listener of [...cache.listeners])
      listener.onState(kind, this.state(kind, namespace), namespace);
  }

  /**
   * A complete, newer list: differences become changes, deletions with the proof
   * `missing-from-list`.
   */
  relist(kind: KindRef): void {
    const cache = this.#cache(kind);
    cache.isBehind = false;
    const truth = this.#stored(kind);
    for (const [key, previous] of [...cache.objects]) {
      const current = truth.get(key);
      if (current?.metadata.uid === previous.metadata.uid) continue;
      cache.objects.delete(key);
      this.#tell(cache, { type: "deleted", kind, object: previous, proof: "missing-from-list" });
    }
    for (const [key, object] of truth) this.#cachePut(cache, key, object);
    this.#setState(kind, "live");
  }

  /**
   * `kubectl delete crd`: the definition ends, and the API server deletes its objects. `isGone`:
   * who asks later than that finds none.
   */
  deleteDefinition(kind: KindRef, isGone = false): void {
    this.#endingDefinitions.set(kindText(kind), isGone);
    for (const { metadata } of this.all(kind))
      this.#delete({ kind, namespace: metadata.namespace ?? "", name: metadata.name });
  }

  /** `kubectl delete namespace`, as far as these kinds go. */
  deleteNamespace(namespace: string, kinds: readonly KindRef[]): void {
    this.#endingNamespaces.add(namespace);
    for (const kind of kinds)
      for (const { metadata } of this.all(kind))
        if (metadata.namespace === namespace)
          this.#delete({ kind, namespace, name: metadata.name });
  }

  /** It is installed again. */
  installDefinition(kind: KindRef): void {
    this.#endingDefinitions.delete(kindText(kind));
    this.#installed.set(kindText(kind), this.#timestamp());
  }

  // ── ClusterView ────────────────────────────────────────────────────────────────────────────────

  get(kind: KindRef, namespace: string, name: string): Lookup<KubeObject> {
    const cache = this.#cache(kind);
    const state = this.state(kind, namespace);
    if (state === "syncing" || state === "forbidden") return { state: "unknown", reason: state };
    const value = cache.objects.get(`${namespace}/${name}`);
    return value === undefined ? { state: "absent" } : { state: "value", value };
  }

  list(kind: KindRef, namespace?: string): Lookup<readonly KubeObject[]> {
    const cache = this.#cache(kind);
    const state = this.state(kind, namespace);
    if (state === "syncing" || state === "forbidden") return { state: "unknown", reason: state };
    const all = [...cache.objects.values()];
    const value =
      namespace === undefined ? all : all.filter((o) => o.metadata.namespace === namespace);
    return { state: "value", value };
  }

  indexed(index: ObjectIndex, value: string, namespace?: string): Lookup<readonly KubeObject[]> {
    const list = this.list(index.kind, namespace);
    if (list.state !== "value") return list;
    return { state: "value", value: list.value.filter((o) => index.valuesOf(o).includes(value)) };
  }

  trouble(): string | null {
    return null;
  }

  newest(): string {
    return String(this.#revision);
  }

  state(kind: KindRef, namespace?: string): KindState {
    const { state, granted } = this.#cache(kind);
    return state === "forbidden" && namespace !== undefined && granted.has(namespace)
      ? "live"
      : state;
  }

  subscribe(kind: KindRef, listener: ViewListener): () => void {
    const cache = this.#cache(kind);
    cache.listeners.add(listener);
    for (const object of cache.objects.values()) listener.onChange({ type: "added", kind, object });
    return () => cache.listeners.delete(listener);
  }

  // ── ClusterWriter ──────────────────────────────────────────────────────────────────────────────

  readAll(kind: KindRef, namespace?: string): Promise<readonly KubeObject[]> {
    const isIn = ({ metadata }: KubeObject) =>
      namespace === undefined || metadata.namespace === namespace;
    return this.#call("read", kind, () => this.all(kind).filter(isIn));
  }

  read(ref: ObjectRef): Promise<KubeObject | null> {
    return this.#call("read", ref.kind, () =>
      ref.kind === CUSTOM_RESOURCE_DEFINITION
        ? this.#definition(ref.name)
        : ref.kind === NAMESPACE
          ? this.#namespace(ref.name)
          : this.now(ref.kind, ref.namespace, ref.name),
    );
  }

  create(kind: KindRef, object: KubeObject): Promise<KubeObject> {
    return this.#call("create", kind, () => {
      if (this.#endingDefinitions.has(kindText(kind)))
        throw apiError("Unavailable", `create not allowed while ${kindText(kind)} is terminating`);
      return this.#create(kind, object);
    });
  }

  update(kind: KindRef, object: KubeObject): Promise<KubeObject> {
    return this.#call("update", kind, () => {
      const name = object.metadata.name;
      const present = this.#present({ kind, namespace: object.metadata.namespace ?? "", name });
      return this.#replace(kind, present, { ...object, status: present["status"] });
    });
  }

  patch(ref: ObjectRef, patch: Readonly<Record<string, unknown>>): Promise<KubeObject> {
    return this.#call("patch", ref.kind, () => {
      const present = this.#present(ref);
      const merged = withoutManagers(asObject(mergePatch(present, patch)));
      return this.#replace(ref.kind, present, { ...merged, status: present["status"] });
    });
  }

  patchStatus(ref: ObjectRef, patch: Readonly<Record<string, unknown>>): Promise<KubeObject> {
    return this.#call("patchStatus", ref.kind, () => {
      const present = this.#present(ref);
      const merged = asObject(mergePatch(present, patch));
      checkVersion(present, merged);
      const status = Object.entries(fieldsOf(merged["status"]));
      const kept = status.filter(([field]) => !this.droppedStatus.has(field));
      return this.#store(ref.kind, { ...present, status: Object.fromEntries(kept) });
    });
  }

  remove(ref: ObjectRef, preconditions: DeletePreconditions = {}): Promise<void> {
    return this.#call("remove", ref.kind, () => this.#delete(ref, preconditions));
  }

  // ── EventRecorder ──────────────────────────────────────────────────────────────────────────────

  record(object: KubeObject, note: EventNote): void {
    const about = `${object.kind.toLowerCase()}/${text(object)}`;
    const same = this.events.find(
      (e) => e.object === about && e.note.reason === note.reason && e.note.message === note.message,
    );
    if (same === undefined) this.events.push({ object: about, note, count: 1 });
    else same.count += 1;
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  async #call<T>(verb: Verb, kind: KindRef, act: () => T): Promise<T> {
    await Promise.resolve();
    // Controllers that write in turn without end would stop the virtual clock.
    if (this.writes.length > WRITES_MAX) throw apiError("Unavailable", "writes without end");
    const index = this.#faults.findIndex(
      (f) => f.on === verb && (f.kind === undefined || kindText(f.kind) === kindText(kind)),
    );
    const fault = index < 0 ? undefined : this.#faults.splice(index, 1)[0];
    if (fault === undefined) return act();
    fault.met?.();
    if (fault.applied) act();
    throw apiError(fault.code, `${verb} ${kindText(kind)}: injected`);
  }

  /** One that is used is there. */
  #namespace(name: string): KubeObject {
    const isEnding = this.#endingNamespaces.has(name);
    const ending = isEnding ? { deletionTimestamp: this.#timestamp() } : {};
    const { metadata } = this.now(NAMESPACE, "", name) ?? { metadata: { name } };
    return { apiVersion: "v1", kind: NAMESPACE.kind, metadata: { ...metadata, ...ending } };
  }

  /** Of a kind that is used there is one. */
  #definition(name: string): KubeObject | null {
    const isGone = this.#endingDefinitions.get(name);
    if (isGone === true) return null;
    const ending = isGone === false ? { deletionTimestamp: this.#timestamp() } : {};
    const { kind } = CUSTOM_RESOURCE_DEFINITION;
    const apiVersion = apiVersionOf(CUSTOM_RESOURCE_DEFINITION);
    const creationTimestamp = this.#installed.get(name);
    const created = creationTimestamp === undefined ? {} : { creationTimestamp };
    return { apiVersion, kind, metadata: { name, ...created, ...ending } };
  }

  #stored(kind: KindRef): Map<string, KubeObject> {
    const present = this.#truth.get(kindText(kind));
    if (present !== undefined) return present;
    const made = new Map<string, KubeObject>();
    this.#truth.set(kindText(kind), made);
    return made;
  }

  #cache(kind: KindRef): KindCache {
    const present = this.#caches.get(kindText(kind));
    if (present !== undefined) return present;
    const made: KindCache = {
      kind,
      state: "live",
      objects: new Map(),
      listeners: new Set(),
      isBehind: false,
      granted: new Set(),
    };
    for (const [key, object] of this.#stored(kind)) made.objects.set(key, object);
    this.#caches.set(kindText(kind), made);
    return made;
  }

  #present(ref: ObjectRef): KubeObject {
    const found = this.#stored(ref.kind).get(`${ref.namespace}/${ref.name}`);
    if (found === undefined)
      throw apiError("NotFound", `${kindText(ref.kind)} ${ref.namespace}/${ref.name} not found`);
    return found;
  }

  #create(kind: KindRef, object: KubeObject): KubeObject {
    const named = { ...object.metadata, name: object.metadata.name || this.#generatedName(object) };
    const key = text({ ...object, metadata: named });
    if (this.#stored(kind).has(key))
      throw apiError("AlreadyExists", `${kindText(kind)} ${key} exists already`);
    this.#uid += 1;
    const metadata: ObjectMeta = {
      ...named,
      uid: `uid-${this.#uid}`,
      generation: 1,
      creationTimestamp: this.#timestamp(),
    };
    const { status: _, ...rest } = object;
    this.writes.push(`create ${kindText(kind)} ${key}`);
    return this.#store(kind, {
      ...rest,
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      metadata,
    });
  }

  #generatedName(object: KubeObject): string {
    const prefix = (object.metadata as { generateName?: string }).generateName ?? "";
    if (prefix === "") throw apiError("Invalid", "metadata.name is required");
    return `${prefix}${(this.#revision + 1).toString(36).padStart(5, "0")}`;
  }

  #replace(kind: KindRef, present: KubeObject, next: KubeObject): KubeObject {
    checkVersion(present, next);
    const kept = {
      uid: present.metadata.uid,
      creationTimestamp: present.metadata.creationTimestamp,
      deletionTimestamp: present.metadata.deletionTimestamp,
    };
    const generation = (present.metadata.generation ?? 0) + (sameSpec(present, next) ? 0 : 1);
    const metadata = dropAbsent({ ...next.metadata, ...kept, generation });
    const done = { ...next, metadata };
    if (metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0) {
      this.#drop(kind, done);
      return done;
    }
    return this.#store(kind, done);
  }

  #store(kind: KindRef, object: KubeObject): KubeObject {
    const key = text(object);
    const previous = this.#stored(kind).get(key);
    const version = previous?.metadata.resourceVersion;
    const candidate = withVersion(object, version);
    if (previous !== undefined && JSON.stringify(candidate) === JSON.stringify(previous))
      return previous;
    this.#revision += 1;
    const stored = frozen(withVersion(structuredClone(object), String(this.#revision)));
    this.#stored(kind).set(key, stored);
    if (previous !== undefined) this.writes.push(`write ${kindText(kind)} ${key}`);
    const cache = this.#cache(kind);
    if (hears(cache, object)) this.#cachePut(cache, key, stored);
    return stored;
  }

  #delete(ref: ObjectRef, preconditions: DeletePreconditions = {}): void {
    const present = this.#stored(ref.kind).get(`${ref.namespace}/${ref.name}`);
    if (present === undefined) return;
    const { uid, resourceVersion } = preconditions;
    if (uid !== undefined && uid !== present.metadata.uid)
      throw apiError("Conflict", "uid precondition failed");
    if (resourceVersion !== undefined && resourceVersion !== present.metadata.resourceVersion)
      throw apiError("Conflict", "resourceVersion precondition failed");
    if ((present.metadata.finalizers ?? []).length === 0) {
      this.#drop(ref.kind, present);
      return;
    }
    if (present.metadata.deletionTimestamp !== undefined) return;
    const generation = (present.metadata.generation ?? 0) + 1;
    const metadata = { ...present.metadata, generation, deletionTimestamp: this.#timestamp() };
    this.#store(ref.kind, { ...present, metadata });
  }

  #drop(kind: KindRef, object: KubeObject): void {
    const key = text(object);
    this.#revision += 1;
    this.#stored(kind).delete(key);
    this.writes.push(`delete ${kindText(kind)} ${key}`);
    const cache = this.#cache(kind);
    const last = cache.objects.get(key);
    if (hears(cache, object) && last !== undefined) {
      cache.objects.delete(key);
      this.#tell(cache, { type: "deleted", kind, object: last, proof: "watched" });
    }
    this.#collectGarbage(object.metadata.uid);
  }

  #collectGarbage(owner: string | undefined): void {
    for (const cache of [...this.#caches.values()])
      for (const object of [...this.#stored(cache.kind).values()])
        if (object.metadata.ownerReferences?.some((r) => r.uid === owner) === true)
          this.#delete({
            kind: cache.kind,
            namespace: object.metadata.namespace ?? "",
            name: object.metadata.name,
          });
  }

  #cachePut(cache: KindCache, key: string, object: KubeObject): void {
    const previous = cache.objects.get(key);
    if (previous?.metadata.resourceVersion === object.metadata.resourceVersion) return;
    cache.objects.set(key, object);
    const kind = cache.kind;
    if (previous === undefined) this.#tell(cache, { type: "added", kind, object });
    else this.#tell(cache, { type: "modified", kind, object, previous });
  }

  #setState(kind: KindRef, state: KindState): void {
    const cache = this.#cache(kind);
    if (state === "absent") cache.objects.clear();
    cache.state = state;
    for (const listener of [...cache.listeners]) listener.onState(kind, state);
  }

  #tell(cache: KindCache, change: ObjectChange): void {
    for (const listener of [...cache.listeners]) listener.onChange(change);
  }

  #timestamp(): string {
    return new Date(this.#nowMs()).toISOString().replace(/\.\d{3}Z$/, "Z");
  }
}

function hears({ state, isBehind, granted }: KindCache, { metadata }: KubeObject): boolean {
  const isGranted = state === "forbidden" && granted.has(metadata.namespace ?? "");
  return (state === "live" || isGranted) && !isBehind;
}

function apiError(code: string, message: string): OperationError {
  return new OperationError({ code, message, retry: "backoff" });
}

function checkVersion(present: KubeObject, next: KubeObject): void {
  const { uid } = next.metadata;
  if (uid !== undefined && uid !== present.metadata.uid)
    throw apiError("Conflict", `${text(present)}: the uid is another`);
  const asked = next.metadata.resourceVersion;
  if (asked !== undefined && asked !== present.metadata.resourceVersion)
    throw apiError("Conflict", `${text(present)}: the object has been modified`);
}

function withVersion(object: KubeObject, resourceVersion: string | undefined): KubeObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: resourceVersion === undefined ? metadata : { ...metadata, resourceVersion },
  };
}

/** All but metadata and status is "spec" to the API server's generation. */
function sameSpec(a: KubeObject, b: KubeObject): boolean {
  const spec = ({ metadata: _, status: __, ...rest }: KubeObject): string =>
    JSON.stringify(Object.entries(rest).sort(([x], [y]) => (x < y ? -1 : 1)));
  return spec(a) === spec(b);
}

function dropAbsent(metadata: Record<string, unknown>): ObjectMeta {
  const present = Object.entries(metadata).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as unknown as ObjectMeta;
}

function asObject(value: unknown): KubeObject {
  return value as KubeObject;
}

/** A patch of `managedFields` to a list of one empty item clears them, as API servers do. */
function withoutManagers(object: KubeObject): KubeObject {
  if (!("managedFields" in object.metadata)) return object;
  const {
    managedFields: _,
    specManagers: __,
    ...metadata
  } = object.metadata as KubeObject["metadata"] & {
    readonly managedFields: unknown;
  };
  return { ...object, metadata };
}
