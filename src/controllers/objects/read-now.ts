/**
 * Reads from API servers, past every cache, what the removal of a record rests on: a cache may be
 * older than the record (Z-2). Lets a source answer for objects from what the API server has now:
 * the objects are given; the secondary objects that the source needs (a Node, a Gateway) are read
 * here. So are CustomResourceDefinitions: the deletion of one deletes all objects of its kind, and
 * such ends are no proof that the objects' names are not wanted any more.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { CUSTOM_RESOURCE_DEFINITION, isBuiltIn } from "@zonekeeper/kube/objects/kinds";
import { type KindRef, type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import { createdAtMs } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView, Lookup, ObjectIndex } from "@zonekeeper/kube/ports/cluster-view";
import type { ObjectReader } from "@zonekeeper/kube/ports/cluster-writer";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found, SecondaryRead, Source } from "../../sources/source.ts";
import type { KindDefinition } from "../../sync/contract/object-observation.ts";

/**
 * GETs by name of one kind before a list of the namespace replaces them, and lists of namespaces
 * before one list of the whole cluster does.
 */
const READS_MAX = 100;
/** Rounds of look-ups for one object: what was read may show that more is needed. */
const ROUNDS_MAX = 5;

/** Where secondary objects are read. */
export interface NowContext {
  readonly view: ClusterView;
  readonly reader: ObjectReader;
}

/**
 * Reads secondary objects for all objects of one batch: each one once, and lists once. Nothing in
 * it is older than the batch; it is thrown away with it. May be asked concurrently.
 */
export class ReadsNow {
  readonly #context: NowContext;
  readonly #now: NowView;
  /** Reads that are under way or done, by `readText`. */
  readonly #calls = new Map<string, Promise<void>>();
  /** How many reads there were, by `sortOf`. */
  readonly #asked = new Map<string, number>();

  constructor(context: NowContext) {
    this.#context = context;
    this.#now = new NowView(context.view);
  }

  /**
   * The findings of the source about the object. Null = each answer led to further look-ups, too
   * often to be confirmed. Throws as the reader does.
   */
  async answer(source: Source, object: KubeObject): Promise<Found<DesiredRecordSet> | null> {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const found = source.endpoints(object, this.#now);
      // clause: removal-reads-secondary-objects
      const unread = (found.reads ?? []).filter((read) => !this.#now.has(read));
      if (unread.length === 0) return found;
      await this.#read(unread);
    }
    return null;
  }

  async #read(unread: readonly SecondaryRead[]): Promise<void> {
    const distinct = new Map(unread.map((read) => [readText(read), read]));
    const missing = [...distinct.values()].filter((read) => !this.#calls.has(readText(read)));
    for (const read of missing) this.#count(sortOf(read));
    for (const read of distinct.values()) await this.#once(read);
  }

  /** Reads the object or list, or a larger list that contains it. */
  async #once(read: SecondaryRead): Promise<void> {
    if (this.#now.has(read)) return;
    const wider = (this.#asked.get(sortOf(read)) ?? 0) > READS_MAX ? widerThan(read) : null;
    if (wider !== null) {
      if (!this.#calls.has(readText(wider))) this.#count(sortOf(wider));
      return this.#once(wider);
    }
    const text = readText(read);
    const call = this.#calls.get(text) ?? this.#ask(read);
    this.#calls.set(text, call);
    return call;
  }

  async #ask(read: SecondaryRead): Promise<void> {
    const { view, reader } = this.#context;
    const { kind } = read;
    // A kind that is not served has no objects. The records of its former objects have a proof of
    // their own (Z-30).
    const isServed = view.state(kind) !== "absent";
    if (isServed) {
      const text = `definition of ${kindText(kind)}`;
      const asking = this.#calls.get(text) ?? this.#requireDefinition(kind);
      this.#calls.set(text, asking);
      await asking;
    }
    if ("name" in read) this.#now.put(read, isServed ? await reader.read(read) : null);
    else {
      const all = isServed ? await reader.readAll(kind, read.inNamespace) : [];
      this.#now.putList(kind, read.inNamespace, all);
    }
  }

  /**
   * Secondary objects that end because their definition is deleted must not end names (Z-2): throws
   * while the definition is being deleted, or is gone.
   */
  async #requireDefinition(kind: KindRef): Promise<void> {
    const definition = await definitionIn({ ...this.#context, kind });
    // clause: secondary-definition-stands
    if (definition.state === "stands") return;
    const { message } = definition;
    throw new OperationError({ code: "DefinitionGone", message, retry: "backoff" });
  }

  #count(sort: string): void {
    this.#asked.set(sort, (this.#asked.get(sort) ?? 0) + 1);
  }
}

/** The next larger list that contains what the look-up asks for; null = it is the largest. */
function widerThan(read: SecondaryRead): SecondaryRead | null {
  const { kind } = read;
  if (!("name" in read)) return read.inNamespace === undefined ? null : { kind };
  return kind.namespaced ? { kind, inNamespace: read.namespace } : { kind };
}

function sortOf(read: SecondaryRead): string {
  const sort = "name" in read ? "name" : read.inNamespace === undefined ? "all" : "namespace";
  return `${kindText(read.kind)}|${sort}`;
}

/** Names a request to the API server; look-ups by index of one namespace are the same request. */
function readText(read: SecondaryRead): string {
  return "name" in read
    ? objectText(read.kind, read.namespace, read.name)
    : listText(read.kind, read.inNamespace);
}

/** A view that answers from what was read here, and from the cache for all else. */
class NowView implements ClusterView {
  readonly clusterId: string;
  readonly #view: ClusterView;
  readonly #objects = new Map<string, Lookup<KubeObject>>();
  readonly #lists = new Map<string, ListedNow>();

  constructor(view: ClusterView) {
    this.clusterId = view.clusterId;
    this.#view = view;
  }

  has(read: SecondaryRead): boolean {
    const { kind } = read;
    if (!("name" in read)) return this.#listOf(kind, read.inNamespace) !== null;
    return this.#read(kind, read.namespace, read.name) !== null;
  }

  /** Null = it does not exist. */
  put(read: { kind: KindRef; namespace: string; name: string }, object: KubeObject | null): void {
    this.#objects.set(objectText(read.kind, read.namespace, read.name), lookupOf(object));
  }

  putList(kind: KindRef, namespace: string | undefined, objects: readonly KubeObject[]): void {
    this.#lists.set(listText(kind, namespace), new ListedNow(objects));
  }

  get(kind: KindRef, namespace: string, name: string): Lookup<KubeObject> {
    return this.#read(kind, namespace, name) ?? this.#view.get(kind, namespace, name);
  }

  list(kind: KindRef, namespace?: string): Lookup<readonly KubeObject[]> {
    const value = this.#listOf(kind, namespace)?.all(namespace);
    return value === undefined ? this.#view.list(kind, namespace) : { state: "value", value };
  }

  indexed(index: ObjectIndex, value: string, namespace?: string): Lookup<readonly KubeObject[]> {
    const listed = this.#listOf(index.kind, namespace);
    if (listed === null) return this.#view.indexed(index, value, namespace);
    return { state: "value", value: listed.indexed(index, value, namespace) };
  }

  state(kind: KindRef) {
    return this.#view.state(kind);
  }

  trouble(kind: KindRef): string | null {
    return this.#view.trouble(kind);
  }

  newest(kind: KindRef): string | null {
    return this.#view.newest(kind);
  }

  subscribe(...[kind, listener]: Parameters<ClusterView["subscribe"]>): () => void {
    return this.#view.subscribe(kind, listener);
  }

  #read(kind: KindRef, namespace: string, name: string): Lookup<KubeObject> | null {
    const one = this.#objects.get(objectText(kind, namespace, name));
    const listed = this.#listOf(kind, namespace);
    return one ?? (listed === null ? null : lookupOf(listed.get(namespace, name)));
  }

  #listOf(kind: KindRef, namespace: string | undefined): ListedNow | null {
    const own = this.#lists.get(listText(kind, namespace));
    return own ?? this.#lists.get(listText(kind, undefined)) ?? null;
  }
}

function lookupOf(object: KubeObject | null): Lookup<KubeObject> {
  return object === null ? { state: "absent" } : { state: "value", value: object };
}

function objectText(kind: KindRef, namespace: string, name: string): string {
  return `${kindText(kind)}|${namespace}/${name}`;
}

function listText(kind: KindRef, namespace: string | undefined): string {
  return `${kindText(kind)}|${namespace ?? "*"}`;
}

interface DefinedKind {
  readonly view: Pick<ClusterView, "clusterId">;
  readonly kind: KindRef;
  /** Absent = nobody can read it. */
  readonly reader?: ObjectReader;
}

/**
 * The answer for kinds without a definition (built in), and for definitions that may not be read.
 */
export const NOT_ENDING: KindDefinition = { state: "stands", createdMs: null };

/** Asks the API server, past every cache; never rejects for want of an answer. */
export async function definitionIn({ view, kind, reader }: DefinedKind): Promise<KindDefinition> {
  if (reader === undefined || isBuiltIn(kind)) return NOT_ENDING;
  const where = `the definition of ${kindText(kind)} of cluster ${view.clusterId}`;
  try {
    const ref = { kind: CUSTOM_RESOURCE_DEFINITION, namespace: "", name: kindText(kind) };
    const definition = await reader.read(ref);
    // clause: deleted-definition-ends-objects
    if (definition === null) return { state: "ends", message: `${where} is gone` };
    const { deletionTimestamp, creationTimestamp } = definition.metadata;
    if (deletionTimestamp !== undefined)
      return { state: "ends", message: `${where} is being deleted` };
    if (creationTimestamp === undefined) return NOT_ENDING;
    return { state: "stands", createdMs: createdAtMs(definition) };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    if (error.code === "Forbidden") return NOT_ENDING;
    return { state: "unknown", message: `${where} cannot be read: ${messageOf(error)}` };
  }
}

/** Objects by a value of an index. */
type ByValue = ReadonlyMap<string, readonly KubeObject[]>;

/** The list; what it lacks does not exist. */
export class ListedNow {
  readonly #objects: readonly KubeObject[];
  readonly #byName: ReadonlyMap<string, KubeObject>;
  /** Made when they are first asked. */
  readonly #indexes = new Map<ObjectIndex, ByValue>();

  constructor(objects: readonly KubeObject[]) {
    this.#objects = objects;
    this.#byName = new Map(
      objects.map((one) => [nameText(one.metadata.namespace, one.metadata.name), one]),
    );
  }

  /** Null = there is none. */
  get(namespace: string, name: string): KubeObject | null {
    return this.#byName.get(nameText(namespace, name)) ?? null;
  }

  /** In the order of the list; `namespace` absent = in all that were listed. */
  all(namespace?: string): readonly KubeObject[] {
    return inNamespace(this.#objects, namespace);
  }

  /** The ones with the value in the index. */
  indexed(index: ObjectIndex, value: string, namespace?: string): readonly KubeObject[] {
    const known = this.#indexes.get(index) ?? indexOf(this.#objects, index);
    this.#indexes.set(index, known);
    return inNamespace(known.get(value) ?? [], namespace);
  }
}

function indexOf(objects: readonly KubeObject[], index: ObjectIndex): ByValue {
  const byValue = new Map<string, KubeObject[]>();
  for (const object of objects)
    for (const value of new Set(index.valuesOf(object))) {
      const having = byValue.get(value) ?? [];
      byValue.set(value, having);
      having.push(object);
    }
  return byValue;
}

function inNamespace(
  objects: readonly KubeObject[],
  namespace: string | undefined,
): readonly KubeObject[] {
  if (namespace === undefined) return objects;
  return objects.filter(({ metadata }) => (metadata.namespace ?? "") === namespace);
}

function nameText(namespace: string | undefined, name: string): string {
  return `${namespace ?? ""}/${name}`;
}
