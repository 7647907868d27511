/** The metrics of one kind of a cluster's watch cache. Decides nothing. */
import type { KindRef } from "../../model/kubernetes.ts";
import { kindText } from "../../model/kubernetes.ts";
import type { Clock } from "../../ports/clock.ts";
import type { KindState } from "../../ports/cluster-view.ts";
import type { Metrics } from "../../ports/metrics.ts";

/** What gauges are set with. */
interface GaugePorts {
  readonly clusterId: string;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** See above. Close it when the kind is not watched any more. */
export class WatchGauges {
  readonly #clock: Clock;
  readonly #metrics: Metrics;
  readonly #labels: { readonly cluster: string; readonly kind: string };
  readonly #unmeasure: () => void;
  #state: KindState = "syncing";
  /** Monotonic milliseconds of the last list, event or bookmark; at first, of the start. */
  #newsAtMs: number;

  constructor({ clusterId, clock, metrics }: GaugePorts, kind: KindRef) {
    this.#clock = clock;
    this.#metrics = metrics;
    this.#labels = { cluster: clusterId, kind: kindText(kind) };
    this.#newsAtMs = clock.monotonicMs();
    this.#unmeasure = metrics.beforeScrape(() => this.#measure());
    this.state(this.#state);
  }

  /** The state that the kind is in now. */
  state(state: KindState): void {
    this.#metrics.gauge("zonekeeper_watch_state", 0, { ...this.#labels, state: this.#state });
    this.#metrics.gauge("zonekeeper_watch_state", 1, { ...this.#labels, state });
    this.#state = state;
  }

  /** The server showed what the kind is like, or that nothing is missing. */
  news(): void {
    this.#newsAtMs = this.#clock.monotonicMs();
  }

  /** So many objects are in the store. */
  objects(count: number): void {
    this.#metrics.gauge("zonekeeper_watch_objects", count, this.#labels);
  }

  close(): void {
    this.#unmeasure();
  }

  /** A kind that the server does not have is as it was seen. */
  #measure(): void {
    const ageMs = this.#state === "absent" ? 0 : this.#clock.monotonicMs() - this.#newsAtMs;
    this.#metrics.gauge("zonekeeper_watch_age_seconds", ageMs / 1000, this.#labels);
  }
}
