/**
 * A cluster that is read for real and written in memory only: what a dry run would write is shown
 * to its own controllers, and to nobody else. Generated DNSEntries exist here and are planned like
 * real ones; statuses and finalizers are kept here; Events are dropped.
 */

import { retryable } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import { timeText } from "@zonekeeper/base/time-text";
import { type KindRef, type KubeObject, kindText } from "../../objects/kubernetes.ts";
import {
  type Fields,
  fieldsOf,
  isFields,
  mergePatch,
  namespacedName,
} from "../../objects/object-fields.ts";
import type {
  ClusterView,
  KindState,
  Lookup,
  ObjectChange,
  ObjectIndex,
  ViewListener,
} from "../../ports/cluster-view.ts";
import type {
  ClusterWriter,
  EventRecorder,
  ObjectReader,
  ObjectRef,
} from "../../ports/cluster-writer.ts";

/** What is previewed. */
export interface PreviewClusterOptions {
  readonly view: ClusterView;
  /** Reads past the cache; it is never asked to write. */
  readonly reader: ObjectReader;
  readonly clock: Pick<Clock, "nowMs">;
}

interface PreviewedKind {
  readonly kind: KindRef;
  /** By namespace and name. */
  readonly overlays: Map<string, Overlay>;
  readonly listeners: Set<ViewListener>;
  unsubscribe: (() => void) | null;
}

/** One for each cluster. */
export class PreviewCluster implements ClusterView, ClusterWriter, EventRecorder {
  readonly clusterId: string;
  readonly #options: PreviewClusterOptions;
  readonly #kinds = new Map<string, PreviewedKind>();
  #made = 0;

  constructor(options: PreviewClusterOptions) {
    this.#options = options;
    this.clusterId = options.view.clusterId;
  }

  // ── ClusterView ────────────────────────────────────────────────────────────────────────────────

  get(kind: KindRef, namespace: string, name: string): Lookup<KubeObject> {
    const base = this.#options.view.get(kind, namespace, name);
    const overlay = this.#kind(kind).overlays.get(keyOf(namespace, name));
    if (overlay === undefined || base.state === "unknown") return base;
    return overlay.shown === null ? { state: "absent" } : { state: "value", value: overlay.shown };
  }

  list(kind: KindRef, namespace?: string): Lookup<readonly KubeObject[]> {
    const base = this.#options.view.list(kind, namespace);
    if (base.state !== "value") return base;
    return { state: "value", value: this.#over(kind, base.value, isIn(namespace)) };
  }

  indexed(index: ObjectIndex, value: string, namespace?: string): Lookup<readonly KubeObject[]> {
    const base = this.#options.view.indexed(index, value, namespace);
    if (base.state !== "value") return base;
    const hasValue = (object: KubeObject) =>
      isIn(namespace)(object) && index.valuesOf(object).includes(value);
    return { state: "value", value: this.#over(index.kind, base.value, hasValue) };
  }

  state(kind: KindRef, namespace?: string): KindState {
    return this.#options.view.state(kind, namespace);
  }

  trouble(kind: KindRef, namespace?: string): string | null {
    return this.#options.view.trouble(kind, namespace);
  }

  newest(kind: KindRef): string | null {
    return this.#options.view.newest(kind);
  }

  subscribe(kind: KindRef, listener: ViewListener): () => void {
    const previewed = this.#kind(kind);
    // The first subscriber has the kind watched; what the view replays then is listed below.
    previewed.unsubscribe ??= this.#options.view.subscribe(kind, {
      onChange: (change) => this.#changed(previewed, change),
      onState: (...news) => {
        for (const one of [...previewed.listeners]) one.onState(...news);
      },
    });
    const present = this.list(kind);
    for (const object of present.state === "value" ? present.value : [])
      listener.onChange({ type: "added", kind, object });
    previewed.listeners.add(listener);
    return () => {
      previewed.listeners.delete(listener);
      if (previewed.listeners.size > 0) return;
      previewed.unsubscribe?.();
      previewed.unsubscribe = null;
    };
  }

  readIn(kind: KindRef, namespace: string): () => void {
    return this.#options.view.readIn?.(kind, namespace) ?? (() => {});
  }

  // ── ClusterWriter ──────────────────────────────────────────────────────────────────────────────

  async read(ref: ObjectRef): Promise<KubeObject | null> {
    const real = await this.#options.reader.read(ref);
    const overlay = this.#kind(ref.kind).overlays.get(keyOf(ref.namespace, ref.name));
    if (overlay === undefined || overlay.shown === null) return overlay === undefined ? real : null;
    if (real === null) return overlay.base === null ? overlay.shown : null;
    return patched(real, overlay.patch);
  }

  async readAll(kind: KindRef, namespace?: string): Promise<readonly KubeObject[]> {
    const real = await this.#options.reader.readAll(kind, namespace);
    return this.#over(kind, real, isIn(namespace));
  }

  async create(kind: KindRef, object: KubeObject): Promise<KubeObject> {
    const { name, namespace = "" } = object.metadata;
    if ((await this.#now({ kind, namespace, name })) !== null)
      throw retryable("AlreadyExists", `${kindText(kind)} ${namespace}/${name} exists already`);
    this.#made += 1;
    const metadata = {
      ...object.metadata,
      uid: `preview-${this.#made}`,
      resourceVersion: `${this.#made}`,
      generation: 1,
      creationTimestamp: timeText(this.#options.clock.nowMs()),
    };
    const shown = { ...object, metadata };
    this.#put(kind, keyOf(namespace, name), { base: null, patch: {}, shown });
    return shown;
  }

  update(kind: KindRef, object: KubeObject): Promise<KubeObject> {
    const { name, namespace = "" } = object.metadata;
    return this.patch({ kind, namespace, name }, object);
  }

  async patch(ref: ObjectRef, patch: Fields): Promise<KubeObject> {
    const { status: _, ...rest } = patch;
    const object = await this.#present(ref);
    const generation = (object.metadata.generation ?? 0) + ("spec" in rest ? 1 : 0);
    return this.#write(ref, object, joinPatches(rest, { metadata: { generation } }));
  }

  async patchStatus(ref: ObjectRef, { status }: Fields): Promise<KubeObject> {
    return this.#write(ref, await this.#present(ref), { status });
  }

  async remove(ref: ObjectRef): Promise<void> {
    const object = await this.#now(ref);
    if (object === null) return;
    const deletionTimestamp =
      object.metadata.deletionTimestamp ?? timeText(this.#options.clock.nowMs());
    this.#write(ref, object, { metadata: { deletionTimestamp } });
  }

  // ── EventRecorder ──────────────────────────────────────────────────────────────────────────────

  record(): void {}

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────

  /** Real objects, and what is shown in their stead where it is asked for. */
  #over(
    kind: KindRef,
    real: readonly KubeObject[],
    isAsked: (object: KubeObject) => boolean,
  ): readonly KubeObject[] {
    const { overlays } = this.#kind(kind);
    if (overlays.size === 0) return real;
    const untouched = real.filter((object) => !overlays.has(namespacedName(object)));
    const shown = [...overlays.values()].flatMap((one) => (one.shown === null ? [] : [one.shown]));
    return [...untouched, ...shown.filter(isAsked)];
  }

  #kind(kind: KindRef): PreviewedKind {
    const id = kindText(kind);
    const present = this.#kinds.get(id);
    if (present !== undefined) return present;
    const listeners = new Set<ViewListener>();
    const made = { kind, overlays: new Map(), listeners, unsubscribe: null };
    this.#kinds.set(id, made);
    return made;
  }

  /** What is shown; null = it does not exist. A cache that does not know is asked past. */
  async #now(ref: ObjectRef): Promise<KubeObject | null> {
    const cached = this.get(ref.kind, ref.namespace, ref.name);
    if (cached.state === "value") return cached.value;
    return cached.state === "absent" ? null : this.read(ref);
  }

  async #present(ref: ObjectRef): Promise<KubeObject> {
    const object = await this.#now(ref);
    if (object !== null) return object;
    throw retryable("NotFound", `${kindText(ref.kind)} ${ref.namespace}/${ref.name} not found`);
  }

  #write({ kind }: ObjectRef, object: KubeObject, patch: Fields): KubeObject {
    const key = namespacedName(object);
    const before = this.#kind(kind).overlays.get(key);
    const shown = patched(object, patch);
    const base = before === undefined ? object : before.base;
    const joined = joinPatches(before?.patch ?? {}, patch);
    // A deletion is over when no finalizer holds the object.
    const { deletionTimestamp, finalizers = [] } = shown.metadata;
    const isGone = deletionTimestamp !== undefined && finalizers.length === 0;
    this.#put(kind, key, { base, patch: joined, shown: isGone ? null : shown });
    return shown;
  }

  #put(kind: KindRef, key: string, overlay: Overlay): void {
    const previewed = this.#kind(kind);
    const previous = previewed.overlays.get(key);
    const before = previous === undefined ? overlay.base : previous.shown;
    if (overlay.base === null && overlay.shown === null) previewed.overlays.delete(key);
    else previewed.overlays.set(key, overlay);
    show(previewed, { before, after: overlay.shown, proof: "watched" });
  }

  /** The cluster itself changed. */
  #changed(previewed: PreviewedKind, change: ObjectChange): void {
    const key = namespacedName(change.object);
    const overlay = previewed.overlays.get(key);
    if (overlay === undefined) {
      for (const listener of [...previewed.listeners]) listener.onChange(change);
      return;
    }
    // What was previewed is over where the object is gone, created again, or there for real.
    const isOver =
      change.type === "deleted" || overlay.base?.metadata.uid !== change.object.metadata.uid;
    const rebased = overlay.shown === null ? null : patched(change.object, overlay.patch);
    const next = isOver ? null : { ...overlay, base: change.object, shown: rebased };
    if (next === null) previewed.overlays.delete(key);
    else previewed.overlays.set(key, next);
    const real = change.type === "deleted" ? null : change.object;
    const after = next === null ? real : next.shown;
    show(previewed, { before: overlay.shown, after, proof: change.proof });
  }
}

interface Step {
  /** Null = it was not there. */
  readonly before: KubeObject | null;
  /** Null = it is gone. */
  readonly after: KubeObject | null;
  readonly proof: ObjectChange["proof"];
}

function show({ kind, listeners }: PreviewedKind, step: Step): void {
  const change = changeOf(kind, step);
  if (change !== null) for (const listener of [...listeners]) listener.onChange(change);
}

function changeOf(kind: KindRef, { before, after, proof }: Step): ObjectChange | null {
  if (after === null)
    return before === null
      ? null
      : { type: "deleted", kind, object: before, proof: proof ?? "watched" };
  if (before === null) return { type: "added", kind, object: after };
  return { type: "modified", kind, object: after, previous: before };
}

function isIn(namespace: string | undefined): (object: KubeObject) => boolean {
  return ({ metadata }) => namespace === undefined || metadata.namespace === namespace;
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

// What a preview would have written to one object, over what the cluster has. Pure.

/** One object. */
interface Overlay {
  /** As the cluster has it; null = it was made by the preview. */
  readonly base: KubeObject | null;
  /** All writes so far as one merge patch. */
  readonly patch: Fields;
  /** Base and patch together; null = the preview has removed it. */
  readonly shown: KubeObject | null;
}

/** The object after a patch; what the API server alone may write stays. */
function patched(object: KubeObject, patch: Fields): KubeObject {
  const fields = fieldsOf(mergePatch(object, patch));
  const { apiVersion, kind } = object;
  const { name, uid, resourceVersion } = object.metadata;
  const fixed = {
    name,
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  const metadata = { ...object.metadata, ...fieldsOf(fields["metadata"]), ...fixed };
  return { ...fields, apiVersion, kind, metadata };
}

/** Two patches as one: nulls are kept, for they remove fields of the base. */
function joinPatches(first: Fields, second: Fields): Fields {
  const joined: Record<string, unknown> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const before = joined[key];
    joined[key] = isFields(before) && isFields(value) ? joinPatches(before, value) : value;
  }
  return joined;
}
