/** Records of our owner id that objects' markers name and no object lists, as zones report them. */
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import { markerKindOf } from "../../model/kinds.ts";
import type { NameReport, UnlistedReport } from "../../sync/contract/contribution-report.ts";

/** Whose markers. */
export interface MarkedKind {
  readonly kind: KindRef;
  readonly cluster: string;
}

/** Of the objects of one kind; bounded by the records of the zones. */
export class UnlistedRecords {
  readonly #marked: MarkedKind;
  /** By `namespace/name`. */
  readonly #names = new Map<string, readonly NameReport[]>();

  constructor(marked: MarkedKind) {
    this.#marked = marked;
  }

  /** Answers the object, as queues name it; null = it is none of the kind. */
  apply({ object, unlisted }: UnlistedReport): string | null {
    const { cluster, kind } = this.#marked;
    // A marker without a cluster may mean any of them.
    const isOfCluster = object.cluster === "" || object.cluster === cluster;
    if (!isOfCluster || object.kind !== markerKindOf(kind)) return null;
    const key = `${object.namespace}/${object.name}`;
    if (unlisted.length === 0) this.#names.delete(key);
    else this.#names.set(key, unlisted);
    return key;
  }

  of(key: string): readonly NameReport[] {
    return this.#names.get(key) ?? [];
  }
}
