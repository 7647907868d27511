/** Z-28 by way of DNSEntries: what another namespace wants while a record is there. */
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

const API = "dns.gardener.cloud/v1alpha1";

test("a challenge that ends makes no room for one of another namespace", async () => {
  const { cluster, clock, start, values } = programWorld({ controllers: ["compound"] });
  const entry = (namespace: string, name: string, spec: object) => {
    const metadata = { namespace };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", name, { metadata, spec }));
  };
  for (const namespace of ["ta", "tb"]) {
    const metadata = { namespace };
    cluster.apply(SECRET, objectOf("v1", "Secret", "s", { metadata }));
    const spec = { type: "memory", secretRef: { name: "s" } };
    cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "p", { metadata, spec }));
  }
  const running = start();
  const challenge = "_acme-challenge.shop.example.org";
  entry("ta", "shop", { dnsName: "shop.example.org", targets: ["192.0.2.1"] });
  await clock.advance(60_000);
  entry("ta", "challenge", { dnsName: challenge, text: ["of-ta"] });
  await clock.advance(60_000);
  entry("tb", "evil", { dnsName: challenge, text: ["of-tb"] });
  await clock.advance(60_000);
  const before = values(challenge);
  cluster.delete(DNS_ENTRY, "ta", "challenge");
  await clock.advance(60_000);
  const after = [values("shop.example.org"), values(challenge)];
  await running.stop();
  expect([before, ...after]).toEqual([['"of-ta"'], ["192.0.2.1"], []]);
});
