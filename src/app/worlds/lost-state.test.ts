/** A program that finds records of ours, and nothing of what earlier processes stored. */
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

const UID = "0b5c3f0e-6a3f-4b55-9d0c-3f8a2c1d7e11";
const API = "dns.gardener.cloud/v1alpha1";
const ALL = Array.from({ length: 60 }, (_, index) => `a${index}`);

function kept(name: string): string {
  const labels = `heritage=external-dns,external-dns/cluster=${UID},external-dns/owner=me,external-dns/resource=dnsentry/shop/${name}`;
  return `${name} 300 A 192.0.2.1\na-${name} 300 TXT "${labels}"\n`;
}

test("Z-23 where the state is lost, eight deleted objects of sixty wait", async () => {
  const world = programWorld({ clusterId: UID, zone: ALL.map(kept).join("") });
  const { cluster, clock } = world;
  const metadata = { namespace: "shop" };
  cluster.apply(SECRET, objectOf("v1", "Secret", "s", { metadata }));
  const provider = { type: "memory", secretRef: { name: "s" } };
  cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "p", { metadata, spec: provider }));
  for (const name of ALL) {
    const spec = { dnsName: `${name}.example.org`, targets: ["192.0.2.1"] };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", name, { metadata, spec }));
  }
  const running = world.start();
  await clock.advance(700_000);
  for (const name of ALL.slice(0, 8)) cluster.delete(DNS_ENTRY, "shop", name);
  await clock.advance(30_000);
  expect(world.zone().match(/^a\d+ \d+ A /gm)).toHaveLength(60);
  const [held] = running.zones().flatMap(({ heldSets }) => heldSets);
  expect(held).toMatchObject({ kind: "removals", removals: 8 });
  const stopped = running.stop();
  await clock.advance(5_000);
  await stopped;
});
