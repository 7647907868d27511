/** An admission policy, a quota or a lost right: told at the object and wherever people look. */
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../test/support/worlds/program-world.ts";
import { trustedDnsName } from "../model/dns-name.ts";
import { DNS_ENTRY, SERVICE } from "../model/kinds.ts";
import type { KindRef } from "../model/kubernetes.ts";
import { troubleCounts } from "./http/zone-checks.ts";

const NAME = trustedDnsName("www.example.org");
const REPORT_MS = 10_000;

/** More refusals than the back-off meets in ten seconds. */
function refuse(world: ReturnType<typeof programWorld>, on: "create" | "patch", kind: KindRef) {
  for (let tries = 0; tries < 8; tries++)
    world.cluster.fail({ on, kind, code: "Forbidden", applied: false });
}

function service(world: ReturnType<typeof programWorld>, address: string): void {
  const annotations = { "dns.gardener.cloud/dnsnames": NAME };
  const fields = { metadata: { annotations }, spec: { type: "LoadBalancer" } };
  world.cluster.apply(SERVICE, objectOf("v1", "Service", "web", fields));
  const ingress = [{ ip: address }];
  world.cluster.setStatus(SERVICE, "default", "web", { loadBalancer: { ingress } });
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
    await world.clock.advance(900_000);
    expect(world.values(NAME)).toEqual(["192.0.2.2"]);
    expect(troubleCounts(running.checks()).get("refused") ?? 0).toBe(0);
    expect((await running.whoLists((one) => one === NAME)).map(({ state }) => state)).not.toContain(
      "WriteRefused",
    );
    await running.stop();
  },
);
