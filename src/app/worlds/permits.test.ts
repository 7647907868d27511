/** Permits and claims as their authors see them (docs/guides/ownership.md). */
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { CLASS_ANNOTATION } from "../../model/dns-class.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

type World = ReturnType<typeof programWorld>;
type Notes = Readonly<Record<string, string>>;

const PREFIX = "external-dns.alpha.kubernetes.io/";
const NAME = "www.example.org";
const permit = (owner: string): Notes => ({
  [`${PREFIX}permit-claim-by-resource`]: "dnsentry/default/taker",
  [`${PREFIX}permit-claim-by-owner`]: owner,
});
const CLAIM: Notes = { [`${PREFIX}claim`]: "true" };

function apply({ cluster }: World, name: string, target: string, annotations: Notes): void {
  const spec = { dnsName: NAME, targets: [target], ttl: 60 };
  const metadata = { annotations };
  cluster.apply(
    DNS_ENTRY,
    objectOf("dns.gardener.cloud/v1alpha1", "DNSEntry", name, { metadata, spec }),
  );
}

function stateOf({ cluster }: World, name: string): { state?: string; message?: string } {
  const status = cluster.now(DNS_ENTRY, "default", name)?.["status"];
  return status as { state?: string; message?: string };
}

test("an object that permits a claim when it is created is never told of trouble", async () => {
  const world = programWorld();
  const running = world.start();
  await world.clock.advance(10_000);
  apply(world, "giver", "192.0.2.1", permit("west"));
  const states = new Set<string | undefined>();
  for (let ms = 0; ms < 10_000; ms += 50) {
    await world.clock.advance(50);
    states.add(stateOf(world, "giver")?.state);
  }
  expect(world.zone()).toContain("_permit.a.www");
  expect([...states]).not.toContain("Stale");
  expect(world.cluster.events.filter(({ note }) => note.type === "Warning")).toEqual([]);
  await running.stop();
});

test("both in one instance whose id is not the permitted one: the claiming one has priority", async () => {
  const world = programWorld();
  const running = world.start();
  apply(world, "giver", "192.0.2.1", permit("someowner"));
  await world.clock.advance(10_000);
  expect(world.zone()).toContain("_permit.a.www");
  apply(world, "taker", "192.0.2.2", CLAIM);
  await world.clock.advance(10_000);
  expect(world.values(NAME)).toEqual(["192.0.2.2"]);
  apply(world, "giver", "192.0.2.3", permit("someowner"));
  await world.clock.advance(10_000);
  expect(world.values(NAME)).toEqual(["192.0.2.2"]);
  expect([stateOf(world, "taker").state, world.zone().includes("_permit")]).toEqual([
    "Ready",
    false,
  ]);
  await running.stop();
});

test("where the registry keeps no permits the giver stays Ready, and the taker is told", async () => {
  const world = programWorld({ registry: "gardener" });
  const { cluster, clock, start } = world;
  const annotations = { [CLASS_ANNOTATION]: "west" };
  const spec = { type: "memory", secretRef: { name: "s" } };
  const provider = { metadata: { annotations }, spec };
  cluster.apply(
    DNS_PROVIDER,
    objectOf("dns.gardener.cloud/v1alpha1", "DNSProvider", "west", provider),
  );
  const all = [start(), start(undefined, { owner: "west", dnsClasses: ["west"] })];
  apply(world, "giver", "192.0.2.1", permit("west"));
  await clock.advance(10_000);
  apply(world, "taker", "192.0.2.2", { ...CLAIM, ...annotations });
  await clock.advance(10_000);
  expect(stateOf(world, "giver")).toMatchObject({ state: "Ready" });
  expect(stateOf(world, "taker").message).toContain(
    "it cannot be claimed in this zone: the registry gardener keeps no permits",
  );
  for (const one of all) await one.stop();
});
