/**
 * Remembers what a source found of the object that it was asked for last, so that questions about
 * each name of one object, one after the other, read the object once. It is found anew when the
 * object, or a secondary object that the source read for it, has changed.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found, SecondaryRead, Source } from "../../sources/source.ts";

/** For one kind; holds one object. */
export class LastFound {
  #object: KubeObject | null = null;
  #found: Found<DesiredRecordSet> | null = null;
  #answers: readonly unknown[] = [];

  /** The present answer of the source about the object. */
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
 * The objects that these look-ups find now, and the states of their kinds. A cached object that did
 * not change is the same JavaScript object, so that lists of answers are compared by identity.
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
