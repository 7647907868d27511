/** Hostile review of what people order and are told about removals. Each test fails today. */
import { expect, test } from "vitest";
import { NO_FAULTS } from "../../test/support/memory-provider/faults.ts";
import { MapState, memoryFuse } from "../../test/support/values/fuse.ts";
import { SpineWorld } from "../../test/support/worlds/spine-world.ts";
import { FUSE_LIMITS } from "../model/fuse-limits.ts";
import { DNS_ENTRY } from "../model/kinds.ts";
import { OperationError } from "../model/operation-error.ts";
import { zoneTrouble } from "./http/zone-checks.ts";

const NAMES = Array.from({ length: 40 }, (_, index) => `n${index}`);

test.fails("an approved set whose objects came back before it was sent approves nothing later", async () => {
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
  await world.stop();
  expect([back, after]).toEqual([41, 41]);
});

test.fails("a zone whose next removal would not be made (FuseBlind) is not well", async () => {
  class Refusing extends MapState {
    isRefusing = false;
    override write(key: string, value: string): Promise<void> {
      const error = { code: "Forbidden", message: "forbidden", retry: "backoff" } as const;
      return this.isRefusing ? Promise.reject(new OperationError(error)) : super.write(key, value);
    }
  }
  const state = new Refusing();
  const world: SpineWorld = new SpineWorld(["example.org"], {
    openGuard: ({ zone: { name } }) =>
      memoryFuse({ key: name, zone: name, state, clock: world.clock, limits: FUSE_LIMITS }),
  });
  world.start();
  world.provider();
  for (const name of ["a", "b", "c"])
    world.entry(name, { dnsName: `${name}.example.org`, targets: ["192.0.2.1"] });
  await world.pass(60_000);
  state.isRefusing = true;
  await world.pass(120_000);
  world.entry("a", { dnsName: "a.example.org", targets: ["192.0.2.2"] });
  await world.pass(600_000);
  const troubles = world.zones().map(zoneTrouble);
  await world.stop();
  expect(troubles).not.toEqual([null]);
});
