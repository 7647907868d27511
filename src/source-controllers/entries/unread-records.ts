/**
 * Records of our owner id that an object's marker names and no object lists, where the object names
 * them for external-dns: the author learns that nobody keeps them up to date.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { NAMES_ANNOTATION } from "../../model/annotation-keys.ts";
import { markerKindOf } from "../../model/kinds.ts";
import { namesElsewhere } from "../../model/other-dialects.ts";
import type { Problem } from "../../model/problem.ts";
import type { ObjectKey } from "../../model/provenance.ts";
import type { NameReport } from "../../sync/contract/contribution-report.ts";
import type { SourceScope } from "./owner-link.ts";

type Scope = Pick<SourceScope, "kind" | "cluster">;

/** Of the objects of one source; bounded by the records of the zones. */
export class UnreadRecords {
  readonly #scope: Scope;
  readonly #names = new Map<string, readonly DnsName[]>();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Answers the object, as queues name it; null = it is no object of the source. */
  apply(object: ObjectKey, names: readonly NameReport[]): string | null {
    const { cluster, kind } = this.#scope;
    // A marker without a cluster may mean any of them.
    const isOfCluster = object.cluster === "" || object.cluster === cluster;
    if (!isOfCluster || object.kind !== markerKindOf(kind)) return null;
    const key = `${object.namespace}/${object.name}`;
    if (names.length === 0) this.#names.delete(key);
    else {
      const all = names.map(({ name }) => name);
      this.#names.set(key, all);
    }
    return key;
  }

  /** Some are known of the object. */
  has(key: string): boolean {
    return this.#names.has(key);
  }

  /** What to tell the author of the object. */
  problemsOf(key: string, object: KubeObject): readonly Problem[] {
    const names = this.#names.get(key);
    if (names === undefined) return [];
    const elsewhere = namesElsewhere(object);
    return names.flatMap((name) => {
      const where = elsewhere.get(name);
      return where === undefined
        ? []
        : { code: "Unsupported", subject: name, message: text(where) };
    });
  }
}

function text(where: string): string {
  return `named in ${where}, which is not read; its record stays until a person removes it; set ${NAMES_ANNOTATION} to keep it up to date`;
}
