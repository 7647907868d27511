/** How much a start costs, in counts that need no clock (ADR 0116, ADR 0138). */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { afterEach, expect, test, vi } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENDPOINT, DNS_ENTRY } from "../../model/kinds.ts";
import { Engine } from "../../sync/engine.ts";

afterEach(() => void vi.restoreAllMocks());

const ADDRESS = "192.0.2.1";
/** Objects that are being decided about when a zone says what it has of them: once more. */
const IN_WORK = 8;

/** A kind whose objects are published, directly but where it is written to others. */
interface Published {
  readonly kind: KindRef;
  readonly objectNamed: (name: string) => KubeObject;
  /** Stands in their status before anything is published. */
  readonly status: object | null;
  /** The kind of the objects that are made from them; absent = none are. */
  readonly made?: KindRef;
}

const SERVICES: Published = {
  kind: SERVICE,
  objectNamed: (name) => {
    const annotations = { "dns.gardener.cloud/dnsnames": `${name}.example.org` };
    const spec = { type: "LoadBalancer" };
    return objectOf("v1", "Service", name, { metadata: { annotations }, spec });
  },
  status: { loadBalancer: { ingress: [{ ip: ADDRESS }] } },
};

const ENTRIES: Published = { ...SERVICES, made: DNS_ENTRY };

const ENDPOINTS: Published = {
  kind: DNS_ENDPOINT,
  objectNamed: (name) => {
    const dnsName = `${name}.example.org`;
    const spec = { endpoints: [{ dnsName, recordType: "A", targets: [ADDRESS] }] };
    return objectOf("externaldns.k8s.io/v1alpha1", "DNSEndpoint", name, { spec });
  },
  status: null,
};

/** What a first start costs on so many objects, a restart, and one after the zone was emptied. */
async function costsOf({ kind, objectNamed, status, made }: Published, count: number) {
  const controllers = ["compound", "service-dns", "crd"];
  const { cluster, clock, start, metrics, zone, content } = programWorld({
    publishing: made === undefined ? "direct" : "entries",
    controllers,
  });
  for (let index = 0; index < count; index++) {
    cluster.apply(kind, objectNamed(`s${index}`));
    if (status !== null) cluster.setStatus(kind, "default", `s${index}`, status);
  }
  let writes = 0;
  const written = made ?? kind;
  cluster.subscribe(written, { onChange: () => void writes++, onState: () => undefined });
  const replayed = writes;
  const queue = written.kind.toLowerCase();
  const eventsOf = (): number =>
    cluster.events.filter(({ object }) => object.startsWith(`${queue}/`)).length;
  const statuses = vi.spyOn(Engine.prototype, "status");
  const cost = async () => {
    const before = { reconciles: await reconciled(), events: eventsOf() };
    writes = 0;
    statuses.mockClear();
    const running = start();
    await clock.advance(60_000);
    const reconciles = (await reconciled()) - before.reconciles;
    const events = eventsOf() - before.events;
    await running.stop();
    return { reconciles, writes, events, statuses: statuses.mock.calls.length };
  };
  const reconciled = async (): Promise<number> => {
    const { text } = await metrics.scrape();
    const lines = text.matchAll(
      /^controller_runtime_reconcile_total\{[^}]*controller="([a-z]+)"[^}]*\} (\d+)$/gm,
    );
    return [...lines].reduce((sum, [, name, number]) => sum + Number(name === queue && number), 0);
  };
  const first = await cost();
  expect(replayed).toBe(made === undefined ? count : 0);
  expect(zone()).toContain(`s${count - 1}`);
  const again = await cost();
  const gone = content.all().filter(({ name }) => name !== content.apex);
  content.write(gone.map((key) => ({ key, next: null })));
  const emptied = await cost();
  expect(zone()).toContain(`s${count - 1}`);
  return { first, again, emptied };
}

test("each Service is read once, and nothing is written to it; no status of zones is asked for", async () => {
  const cost = await costsOf(SERVICES, 100);
  const once = { reconciles: 100, writes: 0, events: 0, statuses: 0 };
  expect(cost).toEqual({ first: once, again: once, emptied: once });
});

test("each DNSEndpoint gets one status, and none that says what is there", async () => {
  const cost = await costsOf(ENDPOINTS, 100);
  const silent = { writes: 0, events: 0, statuses: 0 };
  const first = { ...silent, reconciles: 200, writes: 100 };
  expect(cost).toMatchObject({ first, again: silent, emptied: silent });
  for (const { reconciles } of [cost.again, cost.emptied]) {
    expect(reconciles).toBeGreaterThanOrEqual(100);
    expect(reconciles).toBeLessThanOrEqual(100 + IN_WORK);
  }
});

test("each DNSEntry of a Service is written twice: made, and told that it is published", async () => {
  const cost = await costsOf(ENTRIES, 100);
  const silent = { writes: 0, events: 0, statuses: 0 };
  const first = { reconciles: 200, writes: 200, statuses: 0 };
  expect(cost).toMatchObject({ first, again: silent, emptied: { events: 0, statuses: 0 } });
  for (const { reconciles } of [cost.again, cost.emptied])
    expect(reconciles).toBeLessThanOrEqual(2 * (100 + IN_WORK));
  // Those in work say that their record is on its way, and then that it is there.
  expect(cost.emptied.writes).toBeLessThanOrEqual(2 * 2 * IN_WORK);
});

test.each([
  ["Services", SERVICES, 1],
  ["DNSEndpoints", ENDPOINTS, 1],
  ["DNSEntries of Services", ENTRIES, 2],
])(
  "three times the %s are three times the reads, and those of objects in work are no more",
  async (_what, published, reads) => {
    const [few, many] = [await costsOf(published, 50), await costsOf(published, 150)];
    expect(many.first.reconciles).toBe(3 * few.first.reconciles);
    const more = many.again.reconciles - few.again.reconciles;
    expect(Math.abs(more - 100 * reads)).toBeLessThanOrEqual(IN_WORK);
  },
);
