/** Requests to a provider under external-dns's names: which are counted, and what labels say. */
import type { HttpClient } from "@zonekeeper/base/ports/http";
import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { MEDIA_TYPE } from "../../providers/webhook/limits.ts";
import { EXTERNAL_DNS_METRICS } from "../ports/external-dns-metrics-table.ts";
import { PrometheusMetrics } from "../ports/prometheus-metrics.ts";
import { measuredHttp } from "./measured-http.ts";

function bench(accept: string) {
  const clock = new VirtualClock();
  const metrics = new PrometheusMetrics(EXTERNAL_DNS_METRICS, { process: false });
  let answer: number | Error = 200;
  let isClosed = false;
  const client: HttpClient = {
    request: async () => {
      await clock.advance(250);
      if (typeof answer !== "number") throw answer;
      return { status: answer, headers: {}, body: (async function* () {})() };
    },
    close: () => {
      isClosed = true;
    },
  };
  const measured = measuredHttp(() => client, { clock, metrics })({
    origin: "https://dns.example.net:8443",
  });
  const call = async (method: string, path: string, given: number | Error) => {
    answer = given;
    const { signal } = new AbortController();
    await measured.request({ method, path, headers: { accept }, body: null, signal });
  };
  const lines = async (name: string): Promise<readonly string[]> =>
    (await metrics.scrape()).text.split("\n").filter((one) => one.startsWith(name));
  return { call, lines, close: () => measured.close(), isClosed: () => isClosed };
}

test("each call of a webhook is counted by its method, and what is no success as an error", async () => {
  const { call, lines } = bench(MEDIA_TYPE);
  await call("GET", "/records", 200);
  await call("POST", "/records", 204);
  await call("POST", "/records", 200);
  await expect(call("POST", "/adjustendpoints", new Error("cut"))).rejects.toThrow("cut");
  await call("GET", "/", 200);
  expect(await lines("external_dns_webhook_provider_")).toEqual([
    "external_dns_webhook_provider_records_requests_total 1",
    "external_dns_webhook_provider_records_errors_total 0",
    "external_dns_webhook_provider_applychanges_requests_total 2",
    "external_dns_webhook_provider_applychanges_errors_total 1",
    "external_dns_webhook_provider_adjustendpoints_requests_total 1",
    "external_dns_webhook_provider_adjustendpoints_errors_total 1",
  ]);
});

test("a request to another API has its time, and no id among its labels", async () => {
  const { call, lines, close, isClosed } = bench("application/json");
  await call("GET", "/client/v4/zones/023e105f/dns_records?page=1", 200);
  await call("DELETE", "/client/v4/zones/023e105f/dns_records/372e6795", 404);
  await call("GET", "/records", 200);
  const label = (path: string, method: string, status: string): string =>
    `{handler="instrumented_http",scheme="https",host="dns.example.net:8443",method="${method}",path="${path}",status="${status}"}`;
  expect(await lines("external_dns_http_request_duration_seconds_sum")).toEqual(
    [
      label("dns_records", "GET", "200"),
      label("", "DELETE", "404"),
      label("records", "GET", "200"),
    ].map((labels) => `external_dns_http_request_duration_seconds_sum${labels} 0.25`),
  );
  expect(await lines("external_dns_webhook_provider_records_requests_total")).toEqual([
    "external_dns_webhook_provider_records_requests_total 0",
  ]);
  close();
  expect(isClosed()).toBe(true);
});
