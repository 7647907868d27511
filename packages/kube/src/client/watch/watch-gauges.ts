/** The metrics of one kind of a cluster's watch cache. Decides nothing. */
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { KindRef } from "../../objects/kubernetes.ts";
import { kindText } from "../../objects/kubernetes.ts";
import type { KindState } from "../../ports/cluster-view.ts";

/** What gauges are set with. */
interface GaugeOptions {
  readonly clusterId: string;
  readonly metrics: Metrics;
  readonly kind: KindRef;
}

/** See above. Close it when the kind is not watched any more. */
export class WatchGauges {
  readonly #metrics: Metrics;
  readonly #labels: { readonly cluster: string; readonly kind: string };
  readonly #unmeasure: () => void;
  #state: KindState | null = null;

  /** `ageMs`: since the server last showed what the kind is like. */
  constructor({ clusterId, metrics, kind }: GaugeOptions, ageMs: () => number) {
    this.#metrics = metrics;
    this.#labels = { cluster: clusterId, kind: kindText(kind) };
    this.#unmeasure = metrics.beforeScrape(() =>
      metrics.gauge("zonekeeper_watch_age_seconds", ageMs() / 1000, this.#labels),
    );
  }

  /** The state and the number of objects, after either has changed. */
  show(state: KindState, objects: number): void {
    this.#metrics.gauge("zonekeeper_watch_objects", objects, this.#labels);
    if (this.#state === state) return;
    if (this.#state !== null) this.#gaugeState(this.#state, 0);
    this.#gaugeState(state, 1);
    this.#state = state;
  }

  close(): void {
    this.#unmeasure();
  }

  #gaugeState(state: KindState, value: number): void {
    this.#metrics.gauge("zonekeeper_watch_state", value, { ...this.#labels, state });
  }
}
