/** Counters, gauges and histograms. Label sets are bounded: never a host name or an object name. */

/** Label values by name. */
export type MetricLabels = Readonly<Record<string, string>>;

/** Declared once in `src/app/ports/metrics-table.ts`; an unknown name is a bug. */
export interface Metrics {
  /** Adds `by` (default 1, ≥ 0) to a counter. */
  count(name: string, labels?: MetricLabels, by?: number): void;
  /** Sets a gauge. */
  gauge(name: string, value: number, labels?: MetricLabels): void;
  /**
   * Calls this before each scrape: for gauges that would change too often to be set each time,
   * or that grow with time. The answer ends it.
   */
  beforeScrape(measure: () => void): () => void;
  /** Observes a duration or size in a histogram; the unit is the last word of the name. */
  observe(name: string, value: number, labels?: MetricLabels): void;
}
