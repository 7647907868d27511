/**
 * A complete list of objects of a kind, as the API server had it: found by name and by index like
 * objects in a cache, but never updated.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ObjectIndex } from "@zonekeeper/kube/ports/cluster-view";

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
