import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import {
  objectOf,
  type ProgramOptions,
  programWorld,
} from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

/** The world with a Service that wants www.example.org at 192.0.2.1. */
function world(options: ProgramOptions = {}) {
  const made = programWorld(options);
  const metadata = { annotations: { "dns.gardener.cloud/dnsnames": "www.example.org" } };
  const spec = { type: "LoadBalancer" };
  made.cluster.apply(SERVICE, objectOf("v1", "Service", "web", { metadata, spec }));
  made.cluster.setStatus(SERVICE, "default", "web", {
    loadBalancer: { ingress: [{ ip: "192.0.2.1" }] },
  });
  return made;
}

const www = trustedDnsName("www.example.org");

test("a Service becomes an entry, the entry a record with its marker, and all of it goes again", async () => {
  const { clock, cluster, start, values } = world();
  const running = start();
  await clock.advance(5000);
  expect(values("www.example.org")).toEqual(["192.0.2.1"]);
  expect(values("a-www.example.org").join("")).toContain("external-dns/owner=me");
  const [entry] = cluster.all(DNS_ENTRY);
  expect(entry?.["status"]).toMatchObject({ state: "Ready", provider: "default/p" });
  expect(running.zones()).toMatchObject([{ state: "ready", ownedNames: 1, open: [] }]);
  expect(await running.explain(www)).toMatchObject([
    { owner: "me", resource: "service/default/web" },
  ]);
  expect(running.checks().every((check) => check.ok)).toBe(true);
  cluster.delete(SERVICE, "default", "web");
  await clock.advance(5000);
  expect([values("www.example.org"), values("a-www.example.org")]).toEqual([[], []]);
  expect(cluster.all(DNS_ENTRY)).toEqual([]);
  await running.stop();
});

test("a provider that serves no zone, and the objects that wait for it, are reported with the zones that are served", async () => {
  const { clock, cluster, start } = world();
  const [api, class_] = ["dns.gardener.cloud/v1alpha1", "gardendns"];
  const spec = {
    type: "nothing",
    secretRef: { name: "s" },
    domains: { include: ["dead.example"] },
  };
  cluster.apply(DNS_PROVIDER, objectOf(api, "DNSProvider", "dead", { spec }));
  const wanted = { dnsName: "www.dead.example", targets: ["192.0.2.1"], class: class_ };
  cluster.apply(DNS_ENTRY, objectOf(api, "DNSEntry", "w", { spec: wanted }));
  const running = start();
  await clock.advance(5000);
  const trouble = { provider: "default/dead", message: expect.stringContaining('"nothing"') };
  const dead = trustedDnsName("www.dead.example");
  expect([running.zones().length, running.troubles(null)]).toEqual([1, [trouble]]);
  expect([running.troubles(dead), running.troubles(www)]).toEqual([[trouble], []]);
  expect(await running.whoLists((name) => name === dead)).toEqual([
    {
      object: "dnsentry/default/w",
      cluster: "c1",
      name: dead,
      state: "Error",
      message: expect.stringContaining("default/dead"),
    },
  ]);
  const both = (await running.whoLists((name) => name === www)).map(
    ({ object: who }) => who.split("/")[0],
  );
  expect(both).toEqual(["dnsentry", "service"]);
  await running.stop();
});

test("a second start finds its own records and writes nothing", async () => {
  const { clock, cluster, start, values } = world();
  const first = start();
  await clock.advance(5000);
  await first.stop();
  const writes = cluster.writes.length;
  const second = start();
  await clock.advance(60_000);
  expect(values("www.example.org")).toEqual(["192.0.2.1"]);
  expect(cluster.writes.slice(writes)).toEqual([]);
  await second.stop();
});

test("after stop nothing is written any more", async () => {
  const { clock, cluster, start, values } = world();
  const running = start();
  await clock.advance(5000);
  await running.stop();
  cluster.setStatus(SERVICE, "default", "web", {
    loadBalancer: { ingress: [{ ip: "192.0.2.9" }] },
  });
  await clock.advance(60_000);
  expect(values("www.example.org")).toEqual(["192.0.2.1"]);
});

test("a dry run and a paused instance write to no zone and say what they would do", async () => {
  for (const mode of [{ dryRun: true }, { paused: true }]) {
    const { clock, start, values } = world(mode);
    const running = start();
    await clock.advance(30_000);
    expect(values("www.example.org")).toEqual([]);
    expect(running.zones()[0]?.open.map(({ name }) => name)).toEqual([www]);
    await running.stop();
  }
});

const zone = trustedDnsName("example.org");

test.each([["one zone", zone] as const, ["everything", null] as const])(
  "%s is paused at run time, over a restart, and goes on with one plan",
  async (_, scope) => {
    const { clock, cluster, start, values } = world();
    const first = start();
    await clock.advance(5000);
    await first.pauses?.pause(scope);
    cluster.setStatus(SERVICE, "default", "web", {
      loadBalancer: { ingress: [{ ip: "192.0.2.9" }] },
    });
    await clock.advance(60_000);
    expect(values("www.example.org")).toEqual(["192.0.2.1"]);
    await first.stop();
    const second = start();
    await clock.advance(60_000);
    const [status] = second.zones();
    expect(status?.paused).toMatch(/paused since .*; zonekeeper resume/);
    expect(status?.open[0]?.holds).toMatchObject([{ code: "Paused" }]);
    expect((await second.explain(www))[0]?.holds).toMatchObject([{ code: "Paused" }]);
    expect(values("www.example.org")).toEqual(["192.0.2.1"]);
    expect(await second.pauses?.resume(scope)).toBe(true);
    await clock.advance(5000);
    expect(values("www.example.org")).toEqual(["192.0.2.9"]);
    expect(second.zones()).toMatchObject([{ paused: null, open: [] }]);
    await second.stop();
  },
);

test("without compound entries are written and no zone is touched", async () => {
  const { clock, cluster, start, values } = world({ controllers: ["service-dns"] });
  const running = start();
  await clock.advance(5000);
  expect(cluster.all(DNS_ENTRY)).toHaveLength(1);
  expect(values("www.example.org")).toEqual([]);
  expect(running.zones()).toEqual([]);
  await running.stop();
});

test("every metric that the parts count is in the table", async () => {
  const { clock, start, metrics } = world();
  const running = start();
  await clock.advance(5000);
  await running.stop();
  const { text } = await metrics.scrape();
  expect(text).toContain('zonekeeper_outcomes_total{status="applied"} 1');
  expect(text).toContain('controller_runtime_reconcile_total{controller="dnsentry"');
});

/** A cluster with six Services, of which this installation has published `web`. */
async function sixServices() {
  const made = world();
  for (const name of ["s1", "s2", "s3", "s4", "s5"])
    made.cluster.apply(SERVICE, objectOf("v1", "Service", name, { spec: { type: "ClusterIP" } }));
  const first = made.start();
  await made.clock.advance(5000);
  await first.stop();
  return made;
}

test("Z-30 a restored cluster removes nothing until a person accepts it", async () => {
  const { clock, cluster, start, values } = await sixServices();
  for (const name of ["web", "s1", "s2", "s3"]) cluster.delete(SERVICE, "default", name);
  const running = start();
  await clock.advance(5000);
  const codes = () =>
    running
      .zones()
      .flatMap(({ open }) => open.flatMap(({ holds }) => holds.map(({ code }) => code)));
  expect(values("www.example.org")).toEqual(["192.0.2.1"]);
  const check = running.checks().find(({ name }) => name === "identity of cluster c1");
  expect(check).toMatchObject({ ok: false, readyAnyway: true });
  expect(check?.message).toContain("2 of 6 services are there. Nothing");
  expect(codes()).toEqual(["ClusterChanged"]);
  const hash = / approve (\w+)$/.exec(check?.message ?? "")?.[1] ?? "";
  expect(await running.approve("0000")).toEqual([]);
  expect(await running.approve(hash)).toMatchObject([{ zone: "example.org" }]);
  await clock.advance(5000);
  expect(codes()).not.toContain("ClusterChanged");
  await running.stop();
});

test("Z-30 a restored cluster deletes no DNSEntry of a Service that is older there, until a person accepts it", async () => {
  const { clock, cluster, start } = await sixServices();
  for (const name of ["s1", "s2", "s3", "s4"]) cluster.delete(SERVICE, "default", name);
  const older = { metadata: { annotations: {} }, spec: { type: "LoadBalancer" } };
  cluster.apply(SERVICE, objectOf("v1", "Service", "web", older));
  const running = start();
  await clock.advance(60_000);
  const staying = () =>
    cluster.all(DNS_ENTRY).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  expect(staying()).toHaveLength(1);
  const check = running.checks().find(({ name }) => name === "identity of cluster c1");
  await running.approve(/ approve (\w+)$/.exec(check?.message ?? "")?.[1] ?? "");
  await clock.advance(30_000);
  expect(staying()).toEqual([]);
  await running.stop();
});
