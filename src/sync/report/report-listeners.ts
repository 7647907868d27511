/**
 * Hands reports to listeners: each gets those about objects of its kind and cluster. With many
 * clusters there are many listeners, and a report is for few of them.
 */
import type { NameReport, ObjectReport } from "../contract/contribution.ts";
import type { MarkedKind } from "../contract/object-observation.ts";

type Listener = (report: ObjectReport) => void;
type AsTyped = (text: string) => string;

/** The listeners of one engine. */
export class ReportListeners {
  readonly #asTyped: AsTyped | undefined;
  /** By kind (`""` = of all), then by cluster (null = of each). */
  readonly #listeners = new Map<string, Map<string | null, Set<Listener>>>();

  /** `asTyped`: commands in reports, as readers of the objects type them; absent = as they are. */
  constructor(asTyped?: AsTyped) {
    this.#asTyped = asTyped;
  }

  /** Adds a listener (`ReportSource`); the answer ends the subscription. */
  add(listener: Listener, { markerKind, cluster }: MarkedKind = ALL): () => void {
    const ofKind = this.#listeners.get(markerKind) ?? new Map<string | null, Set<Listener>>();
    const same = ofKind.get(cluster) ?? new Set();
    this.#listeners.set(markerKind, ofKind.set(cluster, same.add(listener)));
    return () => {
      same.delete(listener);
      if (same.size === 0 && ofKind.get(cluster) === same) ofKind.delete(cluster);
    };
  }

  readonly tell = (report: ObjectReport): void => {
    const typed = typedBy(report, this.#asTyped);
    const { kind, cluster } = report.object;
    const ofKind = this.#listeners.get(kind);
    // A marker without a cluster may mean any of them.
    const some = cluster === "" ? ofKind?.values() : [ofKind?.get(cluster), ofKind?.get(null)];
    for (const listeners of [...(some ?? []), this.#listeners.get("")?.get(null)])
      for (const listener of listeners ?? []) listener(typed);
  };
}

const ALL: MarkedKind = { markerKind: "", cluster: null };

function typedBy(report: ObjectReport, asTyped: AsTyped | undefined): ObjectReport {
  if (asTyped === undefined) return report;
  const typed = (names: readonly NameReport[]): readonly NameReport[] =>
    names.map((name) => ({ ...name, message: asTyped(name.message) }));
  return "unlisted" in report
    ? { ...report, unlisted: typed(report.unlisted) }
    : { ...report, names: typed(report.names) };
}
