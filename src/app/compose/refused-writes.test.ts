/** An admission policy, a quota or a lost right: told at the object and wherever people look. */
import { OperationError } from "@zonekeeper/base/operation-error";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, listOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { RefusedWrites } from "./refused-writes.ts";
import { clusterTroubles, troubleCounts } from "./zone-checks.ts";

const NAME = trustedDnsName("www.example.org");
const REPORT_MS = 10_000;

/** More refusals than the back-off meets in ten seconds. */
function refuse(
  world: ReturnType<typeof programWorld>,
  on: "create" | "patch" | "remove",
  kind: KindRef,
) {
  for (let tries = 0; tries < 8; tries++)
    world.cluster.fail({ on, kind, code: "Forbidden", applied: false });
}

function service(
  world: ReturnType<typeof programWorld>,
  address: string,
  names: string = NAME,
): void {
  const annotations = { "dns.gardener.cloud/dnsnames": names };
  const fields = { metadata: { annotations }, spec: { type: "LoadBalancer" } };
  world.cluster.apply(SERVICE, objectOf("v1", "Service", "web", fields));
  const ingress = [{ ip: address }];
  world.cluster.setStatus(SERVICE, "default", "web", { loadBalancer: { ingress } });
}

const READY = { name: NAME, state: "Ready", reason: "Published" };
const REFUSED = { name: NAME, state: "Stale", reason: "WriteRefused" };

/** The statuses of the entries. */
function readyOf({ cluster }: ReturnType<typeof programWorld>) {
  return cluster.all(DNS_ENTRY).map(({ spec, status }) => {
    const { state, conditions } = fieldsOf(status);
    const all = (listOf(conditions) ?? []).map(fieldsOf);
    const reason = all.find(({ type }) => type === "Ready")?.["reason"];
    return { name: fieldsOf(spec)["dnsName"], state, reason };
  });
}

test.each<["create" | "patch", string]>([
  ["create", "the entry of a new Service"],
  ["patch", "the new address of a Service in its entry"],
])(
  "%s refused, %s: Event, plan, explain and metric within 10 s; over when it is over",
  async (on) => {
    const world = programWorld();
    const running = world.start();
    if (on === "patch") service(world, "192.0.2.1");
    await world.clock.advance(60_000);
    refuse(world, on, DNS_ENTRY);
    service(world, "192.0.2.2");
    await world.clock.advance(REPORT_MS);
    const events = world.cluster.events.filter(({ note }) => note.reason === "WriteRefused");
    expect(events.map(({ object }) => object)).toContain("service/default/web");
    expect(await running.whoLists((one) => one === NAME)).toContainEqual(
      expect.objectContaining({ object: "service/default/web", state: "WriteRefused" }),
    );
    expect(troubleCounts(running.checks()).get("refused")).toBe(1);
    const [check] = running.checks().filter(({ name }) => name === "refused service-dns");
    expect(check).toMatchObject({ ok: false, readyAnyway: true });
    expect(readyOf(world)).toEqual(on === "patch" ? [REFUSED] : []);
    await world.clock.advance(900_000);
    expect(world.values(NAME)).toEqual(["192.0.2.2"]);
    expect(readyOf(world)).toEqual([READY]);
    expect(troubleCounts(running.checks()).get("refused") ?? 0).toBe(0);
    expect((await running.whoLists((one) => one === NAME)).map(({ state }) => state)).not.toContain(
      "WriteRefused",
    );
    await running.stop();
  },
);

test("an entry is Ready while only another one of its Service is refused (a quota)", async () => {
  const world = programWorld();
  const running = world.start();
  service(world, "192.0.2.1");
  await world.clock.advance(60_000);
  refuse(world, "create", DNS_ENTRY);
  service(world, "192.0.2.2", `new.example.org,${NAME}`);
  await world.clock.advance(REPORT_MS);
  expect(troubleCounts(running.checks()).get("refused")).toBe(1);
  expect([readyOf(world), world.values(NAME)]).toEqual([[READY], ["192.0.2.2"]]);
  await running.stop();
});

test("the entry of a Service that names nothing any more is not Ready while its deletion is refused", async () => {
  const world = programWorld();
  const running = world.start();
  service(world, "192.0.2.1");
  await world.clock.advance(60_000);
  refuse(world, "remove", DNS_ENTRY);
  const unnamed = objectOf("v1", "Service", "web", { spec: { type: "LoadBalancer" } });
  world.cluster.apply(SERVICE, { ...unnamed, metadata: { ...unnamed.metadata, annotations: {} } });
  await world.clock.advance(REPORT_MS);
  expect(readyOf(world)).toEqual([REFUSED]);
  await world.clock.advance(900_000);
  expect([readyOf(world), world.values(NAME)]).toEqual([[], []]);
  await running.stop();
});

test("the finalizer of an entry refused: its status says so, and is right again when it is over", async () => {
  const world = programWorld();
  const running = world.start();
  await world.clock.advance(60_000);
  refuse(world, "patch", DNS_ENTRY);
  const spec = { dnsName: NAME, targets: ["192.0.2.1"] };
  world.cluster.apply(
    DNS_ENTRY,
    objectOf("dns.gardener.cloud/v1alpha1", "DNSEntry", "www", { spec }),
  );
  await world.clock.advance(REPORT_MS);
  const status = () => world.cluster.now(DNS_ENTRY, "default", "www")?.["status"];
  expect(status()).toMatchObject({
    state: "Error",
    conditions: expect.arrayContaining([
      expect.objectContaining({ type: "Ready", status: "False", reason: "WriteRefused" }),
    ]),
  });
  expect(world.values(NAME)).toEqual([]);
  await world.clock.advance(900_000);
  expect([status(), world.values(NAME)]).toEqual([
    expect.objectContaining({ state: "Ready" }),
    ["192.0.2.1"],
  ]);
  await running.stop();
});

test("/readyz and plan tell of refused Events, until one is taken", () => {
  let refusal: string | null = 'events is forbidden: User "zk" cannot create resource "events"';
  const view = { clusterId: "c1", get: () => ({ state: "absent" }) };
  const recorder = { record: () => undefined, refusal: () => refusal };
  const kinds = ["service-dns", "dnsentry"].map((name) => ({
    name,
    kind: SERVICE,
    view,
    recorder,
  }));
  const refused = new RefusedWrites(kinds as never);
  expect(refused.checks()).toEqual([
    expect.objectContaining({ name: "refused Events of cluster c1", ok: false, readyAnyway: true }),
  ]);
  expect(clusterTroubles(refused.checks())).toEqual([
    expect.stringContaining("cannot create resource"),
  ]);
  refusal = null;
  expect(refused.checks()).toEqual([]);
});

test("what is remembered of refused work is bounded", async () => {
  const refused = new RefusedWrites([]);
  let reconcile: (key: string) => Promise<void> = async () => undefined;
  const start = refused.following((options) => {
    ({ reconcile } = options);
    const nothing = (): void => undefined;
    return { add: nothing, addAfter: nothing, addLast: nothing, stop: async () => undefined };
  });
  const error = new OperationError({ code: "Forbidden", message: "no", retry: "backoff" });
  start({ name: "q", reconcile: () => Promise.reject(error) });
  for (let index = 0; index < 10_003; index++)
    await reconcile(`default/${index}`).catch((thrown: unknown) => {
      if (thrown !== error) throw thrown;
    });
  expect(refused.checks()[0]?.message).toMatch(/^default\/3: .*and 9999 more objects$/);
});
