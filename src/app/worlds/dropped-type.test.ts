/** An object keeps a name and drops one type at it: that record goes, the others stay (Z-2). */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENDPOINT, DNS_ENTRY } from "../../model/kinds.ts";

type World = ReturnType<typeof programWorld>;
const NAME = "www.example.org";
const [V4, V6] = ["192.0.2.1", "2001:db8::1"];

const entry =
  (targets: readonly string[]) =>
  ({ cluster }: World) => {
    const spec = { dnsName: NAME, targets };
    cluster.apply(DNS_ENTRY, objectOf("dns.gardener.cloud/v1alpha1", "DNSEntry", "www", { spec }));
  };
const endpoint =
  (targets: readonly string[]) =>
  ({ cluster }: World) => {
    const endpoints = targets.map((target) => ({
      ...{ dnsName: NAME, recordType: target.includes(":") ? "AAAA" : "A", targets: [target] },
    }));
    const object = objectOf("externaldns.k8s.io/v1alpha1", "DNSEndpoint", "www", {
      spec: { endpoints },
    });
    cluster.apply(DNS_ENDPOINT, object);
  };
const service =
  (targets: readonly string[]) =>
  ({ cluster }: World) => {
    const metadata = { annotations: { "dns.gardener.cloud/dnsnames": NAME } };
    const spec = { type: "LoadBalancer" };
    cluster.apply(SERVICE, objectOf("v1", "Service", "web", { metadata, spec }));
    const ingress = targets.map((ip) => ({ ip }));
    cluster.setStatus(SERVICE, "default", "web", { loadBalancer: { ingress } });
  };

test.each([
  ["a DNSEntry", null, entry],
  ["a DNSEndpoint", null, endpoint],
  ["a Service", "entries", service],
  ["a Service that is published directly", "direct", service],
] as const)("%s", async (_, publishing, apply) => {
  const world = programWorld({ publishing, controllers: ["compound", "service-dns", "crd"] });
  const running = world.start();
  apply([V4, V6])(world);
  await world.clock.advance(20_000);
  expect(world.values(NAME)).toEqual([V4, V6]);
  apply([V4])(world);
  await world.clock.advance(20_000);
  expect(world.values(NAME)).toEqual([V4]);
  apply([V6])(world);
  await world.clock.advance(20_000);
  expect(world.values(NAME)).toEqual([V6]);
  await running.stop();
});
