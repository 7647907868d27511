/** Z-24 in the whole program: a zone that another program kept is met for the first time. */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";

const UID = "0b5c3f0e-6a3f-4b55-9d0c-3f8a2c1d7e11";
const NAMES = Array.from({ length: 30 }, (_, index) => `s${index}`);
const MARKER = "heritage=external-dns,external-dns/owner=me,external-dns/resource=service/default";

/** Each name has a Service, its record, and a marker as external-dns writes it. */
function keptZone() {
  const zone = NAMES.map(
    (name) => `${name} 300 A 192.0.2.1\na-${name} 300 TXT "${MARKER}/${name}"\n`,
  );
  const world = programWorld({ clusterId: UID, zone: zone.join("") });
  const { cluster } = world;
  const service = (name: string, address: string) => {
    const annotations = { "dns.gardener.cloud/dnsnames": `${name}.example.org` };
    const metadata = { annotations };
    const spec = { type: "LoadBalancer" };
    cluster.apply(SERVICE, objectOf("v1", "Service", name, { metadata, spec }));
    const loadBalancer = { ingress: [{ ip: address }] };
    cluster.setStatus(SERVICE, "default", name, { loadBalancer });
  };
  for (const name of NAMES) service(name, "192.0.2.1");
  return { ...world, service };
}

test("Z-24 a Service that is deleted a minute after the first start takes its record along", async () => {
  const { start, clock, cluster, zone } = keptZone();
  start();
  await clock.advance(60_000);
  cluster.delete(SERVICE, "default", "s0");
  await clock.advance(60_000);
  expect(zone()).not.toMatch(/^s0 /m);
  expect(zone()).toMatch(/^s1 300 A 192.0.2.1/m);
});
