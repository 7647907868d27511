/**
 * The embedded name server's counts as Prometheus counters: the growth since the last scrape is
 * added.
 */
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { NameServerStatistics } from "@zonekeeper/dns/name-server/server/statistics";

type Counts = Readonly<Record<string, number | undefined>>;

/** Remembers what was added already. */
export class DnsCounters {
  readonly #metrics: Metrics;
  #queries: Counts = {};
  #updates: Counts = {};

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** `statistics` only ever grow. */
  add({ queries, updates }: NameServerStatistics): void {
    this.#grow("zonekeeper_dns_queries_total", this.#queries, queries);
    this.#grow("zonekeeper_dns_updates_total", this.#updates, updates);
    this.#queries = queries;
    this.#updates = updates;
  }

  #grow(name: string, before: Counts, now: Counts): void {
    for (const [rcode, count] of Object.entries(now))
      this.#metrics.count(name, { rcode }, (count ?? 0) - (before[rcode] ?? 0));
  }
}
