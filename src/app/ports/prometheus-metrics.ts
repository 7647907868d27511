/**
 * The Metrics port over prom-client. A name that the table lacks, or a label that it does not list,
 * is a bug.
 */
import { invariant } from "@zonekeeper/base/invariant";
import type { MetricLabels, Metrics } from "@zonekeeper/base/ports/metrics";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry, Summary } from "prom-client";
import type { MetricDeclaration } from "./metrics-table.ts";

/**
 * Milliseconds between the looks that prom-client has taken at the event loop, 10 by default: a
 * process at rest would be woken 6 000 times a minute, for figures that count the pause as lag. How
 * late the loop is when it is asked stays.
 */
const NEVER_MS = 2 ** 31 - 1;
/** As client_golang forgets: what quantiles are about, in steps. */
const SUMMARY_WINDOW = { maxAgeSeconds: 600, ageBuckets: 5, pruneAgedBuckets: true } as const;
const LAG_QUANTILES = /^nodejs_eventloop_lag_\w+_seconds$/;

/** A registry with the declared metrics and, if asked for, those of the process. */
export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();
  readonly #counters = new Map<string, Counter>();
  readonly #gauges = new Map<string, Gauge>();
  readonly #histograms = new Map<string, Histogram | Summary>();
  readonly #measures = new Set<() => void>();

  constructor(table: readonly MetricDeclaration[], options: { readonly process: boolean }) {
    for (const declaration of table) this.#declare(declaration);
    if (!options.process) return;
    const registry = this.#registry;
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
    for (const { name } of registry.getMetricsAsArray())
      if (LAG_QUANTILES.test(name)) registry.removeSingleMetric(name);
  }

  count(name: string, labels: MetricLabels = {}, by = 1): void {
    const counter = this.#counters.get(name);
    invariant(counter, `${name} is not a counter of the metrics table`);
    counter.inc({ ...labels }, by);
  }

  gauge(name: string, value: number, labels: MetricLabels = {}): void {
    const gauge = this.#gauges.get(name);
    invariant(gauge, `${name} is not a gauge of the metrics table`);
    gauge.set({ ...labels }, value);
  }

  beforeScrape(measure: () => void): () => void {
    this.#measures.add(measure);
    return () => this.#measures.delete(measure);
  }

  observe(name: string, value: number, labels: MetricLabels = {}): void {
    const histogram = this.#histograms.get(name);
    invariant(histogram, `${name} is not a histogram of the metrics table`);
    histogram.observe({ ...labels }, value);
  }

  /** Adds to a gauge that was reset. */
  add(name: string, by: number, labels: MetricLabels): void {
    const gauge = this.#gauges.get(name);
    invariant(gauge, `${name} is not a gauge of the metrics table`);
    gauge.inc({ ...labels }, by);
  }

  /** Forgets all values of a gauge, so that labels that have gone do not linger. */
  reset(name: string): void {
    const gauge = this.#gauges.get(name);
    invariant(gauge, `${name} is not a gauge of the metrics table`);
    gauge.reset();
  }

  /** The exposition text and its content type. */
  async scrape(): Promise<{ readonly contentType: string; readonly text: string }> {
    for (const measure of this.#measures) measure();
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  #declare({ name, kind, help, labels, buckets }: MetricDeclaration): void {
    const common = { name, help, labelNames: [...labels], registers: [this.#registry] };
    switch (kind) {
      case "counter":
        this.#counters.set(name, new Counter(common));
        return;
      case "gauge":
        this.#gauges.set(name, new Gauge(common));
        return;
      case "summary": {
        const percentiles = [0.5, 0.9, 0.99];
        this.#histograms.set(name, new Summary({ ...common, percentiles, ...SUMMARY_WINDOW }));
        return;
      }
      case "histogram":
        this.#histograms.set(name, new Histogram({ ...common, buckets: [...(buckets ?? [])] }));
    }
  }
}
