/**
 * Dashboards and alerts that people have of external-dns find data for each of their expressions:
 * those of Grafana 15038 (up to 0.17) and 23969 (0.18 and later), the mixin of mintel and what
 * Datadog's integration takes, in our words. And Events have its reasons.
 */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { rulesByFlags } from "../../../test/support/values/external-dns-flags.ts";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { EXTERNAL_DNS_SOURCES } from "../../sources/external-dns-rows.ts";
import type { ZoneStatus } from "../../sync/contract/zone-status.ts";
import { ExternalDnsGauges } from "../compose/external-dns-gauges.ts";
import { type HealthCheck, NO_WORK } from "../compose/instance.ts";
import { EXTERNAL_DNS_METRICS } from "../ports/external-dns-metrics-table.ts";
import { PrometheusMetrics } from "../ports/prometheus-metrics.ts";

const EXPRESSIONS = [
  ...["time() - external_dns_controller_last_sync_timestamp_seconds > 90"],
  ...["time() - external_dns_controller_last_reconcile_timestamp_seconds"],
  ...["increase(external_dns_registry_errors_total[5m]) > 0"],
  ...["rate(external_dns_source_errors_total[5m])"],
  ...["sum(external_dns_registry_endpoints_total)", "sum(external_dns_source_endpoints_total)"],
  ...['sum by (record_type) (external_dns_source_records{record_type="a"})'],
  ...['sum by (record_type) (external_dns_registry_records{record_type="a"})'],
  ...['sum by (record_type) (external_dns_controller_verified_records{record_type="a"})'],
  ...[
    "external_dns_controller_verified_a_records",
    "external_dns_controller_verified_aaaa_records",
  ],
  ...["external_dns_registry_a_records", "external_dns_registry_aaaa_records"],
  ...["external_dns_source_a_records", "external_dns_source_aaaa_records"],
  ...["rate(external_dns_controller_no_op_runs_total[5m])", "external_dns_build_info"],
  ...["external_dns_controller_consecutive_soft_errors"],
  ...["rate(external_dns_webhook_provider_records_errors_total[5m])"],
  ...["rate(external_dns_webhook_provider_applychanges_errors_total[5m])"],
  ...["rate(external_dns_webhook_provider_adjustendpoints_errors_total[5m])"],
];
const HOSTNAME = "external-dns.alpha.kubernetes.io/hostname";

/** The sample of an expression's selector; undefined = there is none. */
async function sampleOf(metrics: PrometheusMetrics, selector: string): Promise<number | undefined> {
  const { text } = await metrics.scrape();
  const line = text.split("\n").find((one) => {
    const [, name = "", labels = ""] = /^(\w+)(?:\{(.*)\})? /.exec(one) ?? [];
    const [, wanted = "", matchers = ""] = /^(\w+)(?:\{(.*)\})?$/.exec(selector) ?? [];
    return name === wanted && labels.includes(matchers);
  });
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
}

test("each expression of their dashboards and alerts has data; Events have external-dns's reasons", async () => {
  const zone = "hand 300 A 192.0.2.9\nheld 300 A 192.0.2.8\n";
  const world = programWorld({
    ...{ sources: EXTERNAL_DNS_SOURCES, controllers: ["compound", "service"], zone },
  });
  const metadata = { annotations: { [HOSTNAME]: "www.example.org" } };
  const spec = { type: "LoadBalancer" };
  world.cluster.apply(SERVICE, objectOf("v1", "Service", "www", { metadata, spec }));
  const held = { annotations: { [HOSTNAME]: "held.example.org" } };
  world.cluster.apply(SERVICE, objectOf("v1", "Service", "held", { metadata: held, spec }));
  const externalDns = rulesByFlags("--source=service");
  const running = world.start(null, { publish: { externalDns } });
  await world.clock.advance(5_000);
  const ingress = [{ ip: "192.0.2.1" }];
  for (const name of ["www", "held"])
    world.cluster.setStatus(SERVICE, "default", name, { loadBalancer: { ingress } });
  await world.clock.advance(5_000);
  const metrics = new PrometheusMetrics(EXTERNAL_DNS_METRICS, { process: false });
  const gauges = new ExternalDnsGauges(metrics);
  let listings = 0;
  const work = {
    ...running,
    rights: (names: Parameters<typeof running.rights>[0]) => {
      if (names === null) listings += 1;
      return running.rights(names);
    },
  };
  await gauges.set(work, running.zones(), running.checks(), 1_000_000);
  for (const expression of EXPRESSIONS) {
    const [selector = ""] = /external_dns_\w+(?:\{.*?\})?/.exec(expression) ?? [];
    expect([expression, await sampleOf(metrics, selector)]).toEqual([
      expression,
      expect.any(Number),
    ]);
  }
  const value = (selector: string) => sampleOf(metrics, `external_dns_${selector}`);
  expect(await value("source_endpoints_total")).toBe(2);
  expect(await value("controller_verified_a_records")).toBe(1);
  expect(await value("registry_a_records")).toBe(3);
  expect(await value("controller_last_sync_timestamp_seconds")).toBe(1_000);
  await gauges.set(work, running.zones(), running.checks(), 2_000_000);
  expect([listings, await value("registry_a_records")], "nothing has changed").toEqual([1, 3]);
  const more = { ingress: [...ingress, { ip: "2001:db8::1" }] };
  world.cluster.setStatus(SERVICE, "default", "www", { loadBalancer: more });
  await world.clock.advance(5_000);
  await gauges.set(work, running.zones(), running.checks(), 3_000_000);
  expect([listings, await value("controller_verified_aaaa_records")]).toEqual([2, 1]);
  expect(world.cluster.events.map(({ note }) => note.reason)).toContain("RecordReady");
  expect(await value('registry_skipped_records_owner_mismatch_per_sync{record_type="a"}')).toBe(1);
  world.cluster.delete(SERVICE, "default", "www");
  await world.clock.advance(60_000);
  expect(world.cluster.events.at(-1)).toMatchObject({
    object: "service/default/www",
    note: { type: "Normal", reason: "RecordDeleted", message: "removed: www.example.org AAAA" },
  });
  await running.stop();
});

test("a zone that cannot be written and objects that cannot be read are errors, and no sync", async () => {
  const metrics = new PrometheusMetrics(EXTERNAL_DNS_METRICS, { process: false });
  const failed = {
    state: "failed",
    message: "no answer",
    open: [],
    key: { account: "a", zone: "z" },
    zone: { name: "z" },
  } as unknown;
  const cache: HealthCheck = { name: "cache c/services", ok: false, message: "stale" };
  const gauges = new ExternalDnsGauges(metrics);
  const set = (zones: readonly unknown[], checks: readonly HealthCheck[], nowMs: number) =>
    gauges.set(NO_WORK, zones as readonly ZoneStatus[], checks, nowMs);
  await set([], [], 1_000);
  await set([failed], [], 2_000);
  await set([], [cache], 3_000);
  const values = async () =>
    Promise.all(
      [
        ...["registry_errors_total", "source_errors_total", "controller_consecutive_soft_errors"],
        ...["controller_last_sync_timestamp_seconds", "controller_no_op_runs_total"],
      ].map((one) => sampleOf(metrics, `external_dns_${one}`)),
    );
  expect(await values()).toEqual([1, 1, 2, 1, 1]);
  await set([], [], 4_000);
  expect(await values()).toEqual([1, 1, 0, 4, 2]);
});
