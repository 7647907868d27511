/** How much a start costs, in counts that need no clock (ADR 0116). */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { afterEach, expect, test, vi } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { Engine } from "../../sync/engine.ts";

afterEach(() => void vi.restoreAllMocks());

/** What a start and a restart on so many Services cost. */
async function costsOf(count: number) {
  const world = programWorld({ publishing: "direct" });
  const { cluster, clock, start, metrics, zone } = world;
  for (let index = 0; index < count; index++) {
    const name = `s${index}`;
    const annotations = { "dns.gardener.cloud/dnsnames": `${name}.example.org` };
    const spec = { type: "LoadBalancer" };
    cluster.apply(SERVICE, objectOf("v1", "Service", name, { metadata: { annotations }, spec }));
    cluster.setStatus(SERVICE, "default", name, {
      loadBalancer: { ingress: [{ ip: "192.0.2.1" }] },
    });
  }
  let writes = 0;
  cluster.subscribe(SERVICE, { onChange: () => void writes++, onState: () => undefined });
  const replayed = writes;
  const eventsOfServices = (): number =>
    cluster.events.filter(({ object }) => object.startsWith("service/")).length;
  const status = vi.spyOn(Engine.prototype, "status");
  const cost = async () => {
    const before = { reconciles: await reconciled(), events: eventsOfServices() };
    writes = 0;
    status.mockClear();
    const running = start();
    await clock.advance(60_000);
    const reconciles = (await reconciled()) - before.reconciles;
    const events = eventsOfServices() - before.events;
    await running.stop();
    return { reconciles, writes, events, statuses: status.mock.calls.length };
  };
  const reconciled = async (): Promise<number> => {
    const { text } = await metrics.scrape();
    const lines = text.matchAll(
      /^controller_runtime_reconcile_total\{[^}]*controller="service"[^}]*\} (\d+)$/gm,
    );
    return [...lines].reduce((sum, [, number]) => sum + Number(number), 0);
  };
  const first = await cost();
  expect(replayed).toBe(count);
  expect(zone()).toContain(`s${count - 1}`);
  return { first, again: await cost() };
}

test("each Service is read once, and nothing is written to it; no status of zones is asked for", async () => {
  const cost = await costsOf(100);
  expect(cost.first).toEqual({ reconciles: 100, writes: 0, events: 0, statuses: 0 });
  expect(cost.again).toEqual({ reconciles: 100, writes: 0, events: 0, statuses: 0 });
});

test("three times the Services are three times the reads", async () => {
  const [few, many] = [await costsOf(50), await costsOf(150)];
  expect(many.first.reconciles).toBe(3 * few.first.reconciles);
  expect(many.again.reconciles).toBe(3 * few.again.reconciles);
});
