/** Gauges about imports, set at each scrape. */
import type { ImportStatus } from "../../source-controllers/imports/import-controller.ts";
import type { PrometheusMetrics } from "../ports/prometheus-metrics.ts";

const HOSTS = "zonekeeper_import_hosts";
const SKIPPED = "zonekeeper_import_skipped_hosts";
const AGE = "zonekeeper_import_age_seconds";

/** `nowMs`: Unix milliseconds. Series of imports that no longer exist end. */
export function setImportGauges(
  metrics: Pick<PrometheusMetrics, "gauge" | "reset">,
  imports: readonly ImportStatus[],
  nowMs: number,
): void {
  for (const name of [HOSTS, SKIPPED, AGE]) metrics.reset(name);
  for (const { zone, inSync, pending, held, skipped, readAtMs } of imports) {
    const gone = held?.names.length ?? 0;
    metrics.gauge(HOSTS, inSync, { zone, state: "in_sync" });
    metrics.gauge(HOSTS, pending - gone, { zone, state: "pending" });
    metrics.gauge(HOSTS, gone, { zone, state: "held" });
    for (const [reason, { length }] of skipped) metrics.gauge(SKIPPED, length, { zone, reason });
    if (readAtMs !== null) metrics.gauge(AGE, (nowMs - readAtMs) / 1000, { zone });
  }
}
