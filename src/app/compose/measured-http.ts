/**
 * Measures requests to the API of a provider under external-dns's metric names, so that its
 * dashboards go on. external-dns counts requests to API servers in the same metric; here those are
 * `rest_client_requests_total`.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { HttpRequest, OpenHttp } from "@zonekeeper/base/ports/http";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import { MEDIA_TYPE } from "../../providers/webhook/limits.ts";

/** Calls of the webhook protocol: their metrics, and the status of success. */
const WEBHOOK: Readonly<Record<string, readonly [all: string, errors: string, good: number]>> = {
  "GET /records": [
    "external_dns_webhook_provider_records_requests_total",
    "external_dns_webhook_provider_records_errors_total",
    200,
  ],
  "POST /records": [
    "external_dns_webhook_provider_applychanges_requests_total",
    "external_dns_webhook_provider_applychanges_errors_total",
    204,
  ],
  "POST /adjustendpoints": [
    "external_dns_webhook_provider_adjustendpoints_requests_total",
    "external_dns_webhook_provider_adjustendpoints_errors_total",
    200,
  ],
};

/** The label `path` is the last part of the path if it is a plain word: other parts may be ids. */
const PLAIN_SEGMENT = /^[a-z_]+$/;

/** The same HTTP, measured until the answer begins. Status empty = there was none. */
export function measuredHttp(
  open: OpenHttp,
  { clock, metrics }: { readonly clock: Clock; readonly metrics: Metrics },
): OpenHttp {
  const note = (
    { method, path, headers }: HttpRequest,
    { origin, sinceMs, status }: { origin: string; sinceMs: number; status: number | null },
  ): void => {
    const { protocol, host, pathname } = new URL(path, origin);
    const last = pathname.split("/").at(-1) ?? "";
    const tookSeconds = (clock.monotonicMs() - sinceMs) / 1000;
    metrics.observe("external_dns_http_request_duration_seconds", tookSeconds, {
      ...{ handler: "instrumented_http", scheme: protocol.slice(0, -1), host, method },
      ...{ path: PLAIN_SEGMENT.test(last) ? last : "", status: String(status ?? "") },
    });
    const call = WEBHOOK[`${method} ${pathname}`];
    if (headers["accept"] !== MEDIA_TYPE || call === undefined) return;
    const [all, errors, good] = call;
    metrics.count(all);
    if (status !== good) metrics.count(errors);
  };
  return (target) => {
    const client = open(target);
    const { origin } = target;
    return {
      request: async (request) => {
        const sinceMs = clock.monotonicMs();
        let status: number | null = null;
        try {
          const response = await client.request(request);
          ({ status } = response);
          return response;
        } finally {
          note(request, { origin, sinceMs, status });
        }
      },
      close: () => client.close(),
    };
  };
}
