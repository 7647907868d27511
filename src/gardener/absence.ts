/**
 * Answers about objects that markers name, from the watched kinds of all clusters (SAFETY Z-2, Z-3). Unknown is not
 * absent: only a kind that is listed completely and watched now can say that an object is gone.
 */
import { type KindRef, kindText } from "../model/kubernetes.ts";
import type { ClusterView } from "../ports/cluster-view.ts";
import type { AbsenceOracle } from "../sync/contract.ts";

/** One kind of one cluster whose objects markers may name. */
export interface WatchedKind {
  readonly view: ClusterView;
  readonly kind: KindRef;
}

/** Looks at views whenever it is asked; holds no state of its own. */
export class ViewOracle implements AbsenceOracle {
  readonly #watched: readonly WatchedKind[];

  /** Every enabled kind that could name things in a zone: sources, and DNSEntry. */
  constructor(watched: readonly WatchedKind[]) {
    this.#watched = watched;
  }

  /** Told whenever a kind's state changed: a gate may have opened. */
  onGateChange(listener: () => void): () => void {
    const stops = this.#watched.map(({ view, kind }) =>
      view.subscribe(kind, { onChange: () => {}, onState: listener }),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }

  gate(): ReturnType<AbsenceOracle["gate"]> {
    for (const { view, kind } of this.#watched) {
      const state = view.state(kind);
      if (state === "live" || state === "absent") continue;
      const reason = `${kindText(kind)} of cluster ${view.clusterId} is ${state}: what is missing from it is not known`;
      return { open: false, reason };
    }
    return { open: true };
  }

  object(cluster: string | null, resource: string): "alive" | "absent" | "unknown" {
    const [kind = "", namespace = "", name = ""] = resource.split("/");
    const candidates = this.#watched.filter(
      (watched) =>
        watched.kind.kind.toLowerCase() === kind &&
        (cluster === null || watched.view.clusterId === cluster),
    );
    if (candidates.length === 0 || name === "") return "unknown";
    const answers = candidates.map((watched) => objectIn(watched, namespace, name));
    if (answers.includes("alive")) return "alive";
    return answers.includes("unknown") ? "unknown" : "absent";
  }
}

/** A name that begins with `~` is a hash of one that was too long for its marker (Z-13). */
function objectIn(
  { view, kind }: WatchedKind,
  namespace: string,
  name: string,
): "alive" | "absent" | "unknown" {
  if (view.state(kind) !== "live") return "unknown";
  if (name.startsWith("~")) {
    const all = view.list(kind, namespace);
    return all.state === "value" && all.value.length === 0 ? "absent" : "unknown";
  }
  const lookup = view.get(kind, namespace, name);
  return lookup.state === "value" ? "alive" : lookup.state;
}
