/** The objects of one kind by what one index says of them. Kept up to date by its store. */
import type { KubeObject } from "../../objects/kubernetes.ts";
import type { ObjectIndex } from "../../ports/cluster-view.ts";

/** Objects by value. */
export class KindIndex {
  readonly #valuesOf: ObjectIndex["valuesOf"];
  readonly #byValue = new Map<string, Set<KubeObject>>();

  constructor({ valuesOf }: Pick<ObjectIndex, "valuesOf">, objects: Iterable<KubeObject>) {
    this.#valuesOf = valuesOf;
    for (const object of objects) this.add(object);
  }

  add(object: KubeObject): void {
    for (const value of this.#valuesOf(object)) {
      const present = this.#byValue.get(value);
      if (present === undefined) this.#byValue.set(value, new Set([object]));
      else present.add(object);
    }
  }

  /** The very object that was added. */
  remove(object: KubeObject): void {
    for (const value of this.#valuesOf(object)) {
      const objects = this.#byValue.get(value);
      objects?.delete(object);
      if (objects?.size === 0) this.#byValue.delete(value);
    }
  }

  /** In one namespace if given, in no special order. */
  of(value: string, namespace?: string): readonly KubeObject[] {
    const objects = [...(this.#byValue.get(value) ?? [])];
    if (namespace === undefined) return objects;
    return objects.filter(({ metadata }) => (metadata.namespace ?? "") === namespace);
  }
}
