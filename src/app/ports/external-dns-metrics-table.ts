/**
 * The metrics of external-dns, with its dialect only; `docs/reference/metrics.md` is made from it,
 * too.
 */
import { counter, gauge, type MetricDeclaration } from "./metrics-table.ts";

/**
 * Those of external-dns 0.22, and of A and AAAA records those of 0.18, in its words and without
 * its loop: with its dialect only. Source: its page "Available Metrics".
 */
export const EXTERNAL_DNS_METRICS: readonly MetricDeclaration[] = [
  gauge(
    "external_dns_controller_last_reconcile_timestamp_seconds",
    [],
    "Unix time of the last scrape: changes are watched, so that it is always now.",
  ),
  gauge(
    "external_dns_controller_last_sync_timestamp_seconds",
    [],
    "Unix time of the last scrape at which every kind of objects and every zone was read and no write was failing.",
  ),
  gauge(
    "external_dns_controller_consecutive_soft_errors",
    [],
    "Scrapes in a row at which that was not so.",
  ),
  counter(
    "external_dns_controller_no_op_runs_total",
    [],
    "Scrapes at which nothing was to be written.",
  ),
  gauge("external_dns_registry_endpoints_total", [], "Record sets in the zones, of anybody."),
  counter(
    "external_dns_registry_errors_total",
    [],
    "Scrapes at which a zone was not read, or a write was failing.",
  ),
  gauge(
    "external_dns_registry_skipped_records_owner_mismatch_per_sync",
    ["record_type", "owner", "foreign_owner", "domain"],
    "Record sets that objects want and others have; of the first thousand such names.",
  ),
  gauge("external_dns_source_endpoints_total", [], "Record sets that objects want."),
  counter(
    "external_dns_source_errors_total",
    [],
    "Scrapes at which a kind of objects was not read.",
  ),
  {
    name: "external_dns_http_request_duration_seconds",
    kind: "summary",
    labels: ["handler", "scheme", "host", "path", "method", "status"],
    help: "Requests to the API of the provider until their answer begins. path = the last word of the path, empty where that is an id; status empty = no answer. Those to API servers are rest_client_requests_total.",
  },
  ...Object.entries({
    controller_verified: "Record sets that are as an object wants them.",
    registry: "Record sets in the zones, of anybody, by type.",
    source: "Record sets that objects want, by type.",
  }).flatMap(([of, help]) => [
    gauge(`external_dns_${of}_records`, ["record_type"], help),
    gauge(`external_dns_${of}_a_records`, [], "Those of type A."),
    gauge(`external_dns_${of}_aaaa_records`, [], "Those of type AAAA."),
  ]),
  ...["records", "applychanges", "adjustendpoints"].flatMap((method) => [
    counter(
      `external_dns_webhook_provider_${method}_requests_total`,
      [],
      `Requests of a webhook's method ${method}.`,
    ),
    counter(
      `external_dns_webhook_provider_${method}_errors_total`,
      [],
      "Those that had another answer than that of success.",
    ),
  ]),
  gauge("external_dns_build_info", ["version"], "Always 1."),
];
