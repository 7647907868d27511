/** What a person approved, and objects that change their mind (Z-16, ADR 0087). */
import { expect, test } from "vitest";
import { NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import { MapState, memoryFuse } from "../../../test/support/values/fuse.ts";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { FUSE_LIMITS } from "../../model/fuse-limits.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const NAMES = Array.from({ length: 40 }, (_, index) => `n${index}`);

test("Z-16 an approval ends when its objects are back before it was carried out", async () => {
  const state = new MapState();
  const world: SpineWorld = new SpineWorld(["example.org"], {
    openGuard: ({ zone: { name } }) =>
      memoryFuse({ key: name, zone: name, state, clock: world.clock, limits: FUSE_LIMITS }),
  });
  const { cluster, account } = world;
  const put = () => {
    for (const name of NAMES)
      world.entry(name, { dnsName: `${name}.example.org`, targets: ["192.0.2.1"] });
  };
  const deleteAll = async () => {
    for (const name of NAMES) cluster.delete(DNS_ENTRY, "default", name);
    await world.pass(30_000);
  };
  world.start();
  world.provider();
  world.entry("stays", { dnsName: "stays.example.org", targets: ["192.0.2.1"] });
  put();
  await world.pass(60_000);
  account.breakWith({ ...NO_FAULTS, apply: () => [{ kind: "down" }] });
  await deleteAll();
  const [set] = world.zones().flatMap(({ heldSets }) => heldSets);
  await world.approve(set?.hash ?? "");
  await world.pass(1_000);
  // A person thinks again: the finalizers are taken off, and the manifests applied.
  for (const one of cluster.all(DNS_ENTRY))
    if (one.metadata.deletionTimestamp !== undefined)
      cluster.apply(DNS_ENTRY, { ...one, metadata: { ...one.metadata, finalizers: [] } });
  put();
  account.breakWith(NO_FAULTS);
  await world.pass(2 * 3_600_000);
  const back = world.zone().length;
  await deleteAll();
  const after = world.zone().length;
  const held = world.zones().flatMap(({ heldSets }) => heldSets.map(({ removals }) => removals));
  await world.stop();
  // The first one of them is sent before the second one is planned.
  expect([back, after, held]).toEqual([41, 40, [39]]);
});
