/** What an object lists, found once as long as it and what it rests on are as they are. */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found, SecondaryRead, Source } from "../../sources/source.ts";

/** Of one kind, the object that was asked for last: each of its names asks, one after the other. */
export class LastFound {
  #object: KubeObject | null = null;
  #found: Found<DesiredRecordSet> | null = null;
  #answers: readonly unknown[] = [];

  /** As the source finds it now. */
  of(source: Source, object: KubeObject, view: ClusterView): Found<DesiredRecordSet> {
    const last = this.#object === object ? this.#found : null;
    if (last !== null && isSameList(this.#answers, answersOf(last.reads ?? [], view))) return last;
    this.#found = source.endpoints(object, view);
    this.#object = object;
    this.#answers = answersOf(this.#found.reads ?? [], view);
    return this.#found;
  }
}

/** Most objects rest on nothing else, and a hundred thousand of them share this. */
const NOTHING: readonly never[] = [];

/**
 * What look-ups say now. An object that changes is another one, of the same identity while it does
 * not.
 */
export function answersOf(reads: readonly SecondaryRead[], view: ClusterView): readonly unknown[] {
  if (reads.length === 0) return NOTHING;
  return reads.flatMap((read) => {
    const { kind } = read;
    if ("name" in read) {
      const found = view.get(kind, read.namespace, read.name);
      return [view.state(kind), found.state, found.state === "value" ? found.value : null];
    }
    const { by, inNamespace } = read;
    const found =
      by === undefined
        ? view.list(kind, inNamespace)
        : view.indexed(by.index, by.value, inNamespace);
    return [view.state(kind), ...(found.state === "value" ? found.value : [found.state])];
  });
}

/** True for the same answers, one by one. */
export function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}
