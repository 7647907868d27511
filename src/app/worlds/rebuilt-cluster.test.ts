/** A cluster that was built anew, with the objects and the owner id of before (Z-30). */
import { expect, test } from "vitest";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { chooseRights } from "../api/rights-choice.ts";

const NAMES = ["a", "b", "c"];

test("its records are given to the objects that want them by one command, in the state that is shown", async () => {
  const world = programWorld();
  const { clock, cluster, start, values } = world;
  const fill = (where: MemoryCluster, address: string): void => {
    for (const name of NAMES) {
      const spec = { dnsName: `${name}.example.org`, targets: [address] };
      where.apply(DNS_ENTRY, objectOf("dns.gardener.cloud/v1alpha1", "DNSEntry", name, { spec }));
    }
  };
  fill(cluster, "192.0.2.1");
  const before = start();
  await clock.advance(10_000);
  await before.stop();
  const rebuilt = new MemoryCluster("c2", () => clock.nowMs());
  fill(rebuilt, "192.0.2.2");
  const running = start(undefined, { source: rebuilt, target: rebuilt });
  await clock.advance(60_000);
  const held = running.zones().flatMap(({ open }) => open.flatMap(({ holds }) => holds));
  expect(held.map(({ code }) => code)).toEqual(NAMES.map(() => "ClusterUnknown"));
  const command = { verb: "transfer", from: "me", to: "me", names: null } as const;
  for (const zone of await running.rights(null)) {
    const choices = chooseRights([zone], command);
    expect(choices.map(({ row }) => [row.orphan !== undefined, row.becomes?.values])).toEqual(
      NAMES.map(() => [true, ["192.0.2.2"]]),
    );
    const orders = choices.flatMap(({ row: { name, type, setIdentifier }, order }) =>
      order === null ? [] : [{ key: { name, type, setIdentifier }, order }],
    );
    running.order(zone.key, orders);
  }
  await clock.advance(60_000);
  for (const { heldSets } of running.zones())
    for (const { hash } of heldSets) await running.approve(hash);
  await clock.advance(60_000);
  for (const name of NAMES) expect(values(`${name}.example.org`)).toEqual(["192.0.2.2"]);
  expect(world.zone()).toContain("cluster=c2");
  await running.stop();
});
