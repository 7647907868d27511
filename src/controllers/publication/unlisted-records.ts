/** Records of our owner id that objects' markers name and no object lists, as zones report them. */
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import { markerKindOf } from "../../model/kinds.ts";
import type { NameReport, UnlistedReport } from "../../sync/contract/contribution-report.ts";

/** Whose markers. */
export interface MarkedKind {
  readonly kind: KindRef;
  readonly cluster: string;
}

/** A report that was taken in. */
interface UnlistedChange {
  /** `namespace/name`. */
  readonly key: string;
  readonly before: readonly NameReport[];
}

/** Of the objects of one kind; bounded by the records of the zones. */
export class UnlistedRecords {
  readonly #marked: MarkedKind;
  /** By `namespace/name`. */
  readonly #names = new Map<string, readonly NameReport[]>();

  constructor(marked: MarkedKind) {
    this.#marked = marked;
  }

  /** Answers the object, and what was known of it; null = it is none of the kind. */
  apply({ object, unlisted }: UnlistedReport): UnlistedChange | null {
    const { cluster, kind } = this.#marked;
    // A marker without a cluster may mean any of them.
    const isOfCluster = object.cluster === "" || object.cluster === cluster;
    if (!isOfCluster || object.kind !== markerKindOf(kind)) return null;
    const key = `${object.namespace}/${object.name}`;
    const before = this.of(key);
    if (unlisted.length === 0) this.#names.delete(key);
    else this.#names.set(key, unlisted);
    return { key, before };
  }

  of(key: string): readonly NameReport[] {
    return this.#names.get(key) ?? [];
  }
}
