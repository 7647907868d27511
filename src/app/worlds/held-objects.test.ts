/** An object that an annotation holds is told for as long as it lasts (issue 16 C). */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";

const NAMES = "dns.gardener.cloud/dnsnames";
const TARGETS = "dns.gardener.cloud/targets";

test("a Service whose address changes while an annotation holds it", async () => {
  const made = programWorld();
  const { cluster, clock } = made;
  const service = (address: string, more: Readonly<Record<string, string>> = {}): void => {
    const metadata = { annotations: { [NAMES]: "www.example.org", ...more } };
    const spec = { type: "LoadBalancer" };
    cluster.apply(SERVICE, objectOf("v1", "Service", "held", { metadata, spec }));
    cluster.setStatus(SERVICE, "default", "held", { loadBalancer: { ingress: [{ ip: address }] } });
  };
  service("192.0.2.1");
  const running = made.start();
  await clock.advance(10_000);
  const held = async (asked: string) => {
    const listed = await running.whoLists((name) => name === asked);
    return listed.filter(({ state }) => state !== "");
  };
  expect(await held("www.example.org")).toEqual([]);
  service("192.0.2.2", { [TARGETS]: "a" });
  await clock.advance(600_000);
  expect(made.zone()).toContain("192.0.2.1");
  expect(await held("www.example.org")).toEqual([
    {
      cluster: "c1",
      object: "service/default/held",
      name: "www.example.org",
      state: "Unsupported",
      message: `keeps the object's records as they are: targets come from the status; write a DNSEntry for others (metadata.annotations[${TARGETS}])`,
    },
  ]);
  expect(await held("api.example.org")).toEqual([]);
  service("192.0.2.2");
  await clock.advance(10_000);
  expect(await held("www.example.org")).toEqual([]);
  await running.stop();
});
