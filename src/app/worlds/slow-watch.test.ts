import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { slowWatch } from "../../../test/support/worlds/slow-watch.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

type Stage = ReturnType<typeof programWorld>;

const SECOND = 1_000;
const HOUR = 3_600_000;

function applyService(
  world: Stage,
  names: string,
  more: Readonly<Record<string, string>> = {},
): void {
  const annotations = names === "" ? more : { "dns.gardener.cloud/dnsnames": names, ...more };
  const fields = { metadata: { annotations }, spec: { type: "LoadBalancer" } };
  world.cluster.apply(SERVICE, objectOf("v1", "Service", "web", fields));
  const ingress = [{ ip: "192.0.2.9" }];
  world.cluster.setStatus(SERVICE, "default", "web", { loadBalancer: { ingress } });
}

test.each<[string, (world: Stage) => void]>([
  ["loses its name", (world) => applyService(world, "")],
  [
    "gets another class",
    (world) => applyService(world, "www.example.org", { "dns.gardener.cloud/class": "other" }),
  ],
  ["is deleted", (world) => world.cluster.delete(SERVICE, "default", "web")],
])("a Service that %s before the watch shows its entry is not published", async (_, end) => {
  const world = programWorld();
  const watch = slowWatch(world.cluster);
  const running = world.start();
  applyService(world, "");
  await world.clock.advance(30 * SECOND);
  watch.hold();
  applyService(world, "www.example.org");
  await world.clock.advance(SECOND);
  expect(world.cluster.all(DNS_ENTRY)).toHaveLength(1);
  end(world);
  await world.clock.advance(SECOND);
  watch.release();
  await world.clock.advance(HOUR);
  expect(world.cluster.all(DNS_ENTRY)).toEqual([]);
  expect(world.values("www.example.org")).toEqual([]);
  await running.stop();
});
