/**
 * What a source says of an object from the state that the API server has now, its secondary objects
 * included (Z-2): what the caches have may be older than the record that would be removed.
 */
import { type KindRef, type KubeObject, kindText } from "../../model/kubernetes.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { ClusterView, Lookup, ObjectIndex } from "../../ports/cluster-view.ts";
import type { ObjectReader } from "../../ports/cluster-writer.ts";
import type { Found, SecondaryRead, Source } from "../../sources/source.ts";

/** Look-ups of one object that are made anew; an answer with more is not confirmed. */
const READS_MAX = 100;
/** How often the answer may lead to further look-ups. */
const ROUNDS_MAX = 5;

/** Where objects are read. */
interface NowContext {
  readonly source: Source;
  readonly view: ClusterView;
  readonly reader: ObjectReader;
}

/** Null = it reads too much to be confirmed. Throws as the reader does. */
export async function answerNow(
  { source, view, reader }: NowContext,
  object: KubeObject,
): Promise<Found<DesiredRecordSet> | null> {
  const now = new NowView(view, reader);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const found = source.endpoints(object, now);
    const unread = (found.reads ?? []).filter((read) => !now.has(read));
    if (unread.length === 0) return found;
    if (unread.length > READS_MAX) return null;
    for (const read of unread) await now.read(read);
  }
  return null;
}

/** The view, with what was read past it. */
class NowView implements ClusterView {
  readonly clusterId: string;
  readonly #view: ClusterView;
  readonly #reader: ObjectReader;
  readonly #objects = new Map<string, Lookup<KubeObject>>();
  readonly #lists = new Map<string, readonly KubeObject[]>();

  constructor(view: ClusterView, reader: ObjectReader) {
    this.clusterId = view.clusterId;
    this.#view = view;
    this.#reader = reader;
  }

  has(read: SecondaryRead): boolean {
    return "name" in read
      ? this.#objects.has(objectText(read.kind, read.namespace, read.name))
      : this.#lists.has(listText(read.kind, read.inNamespace));
  }

  async read(read: SecondaryRead): Promise<void> {
    const { kind } = read;
    // There is nothing to ask of a kind that is not served.
    const isServed = this.#view.state(kind) !== "absent";
    if ("name" in read) {
      const { namespace, name } = read;
      const value = isServed ? await this.#reader.read({ kind, namespace, name }) : null;
      const lookup: Lookup<KubeObject> =
        value === null ? { state: "absent" } : { state: "value", value };
      this.#objects.set(objectText(kind, namespace, name), lookup);
    } else if (!this.has(read)) {
      const all = isServed ? await this.#reader.readAll(kind, read.inNamespace) : [];
      this.#lists.set(listText(kind, read.inNamespace), all);
    }
  }

  get(kind: KindRef, namespace: string, name: string): Lookup<KubeObject> {
    const known = this.#objects.get(objectText(kind, namespace, name));
    return known ?? this.#view.get(kind, namespace, name);
  }

  list(kind: KindRef, namespace?: string): Lookup<readonly KubeObject[]> {
    const value = this.#lists.get(listText(kind, namespace));
    return value === undefined ? this.#view.list(kind, namespace) : { state: "value", value };
  }

  indexed(index: ObjectIndex, value: string, namespace?: string): Lookup<readonly KubeObject[]> {
    const all = this.#lists.get(listText(index.kind, namespace));
    if (all === undefined) return this.#view.indexed(index, value, namespace);
    return { state: "value", value: all.filter((one) => index.valuesOf(one).includes(value)) };
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
}

function objectText(kind: KindRef, namespace: string, name: string): string {
  return `${kindText(kind)}|${namespace}/${name}`;
}

function listText(kind: KindRef, namespace: string | undefined): string {
  return `${kindText(kind)}|${namespace ?? "*"}`;
}
