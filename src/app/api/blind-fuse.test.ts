/** A fuse that cannot store its counters (Z-16): what checks say of its zone. */
import { OperationError } from "@zonekeeper/base/operation-error";
import { expect, test } from "vitest";
import { MapState, memoryFuse } from "../../../test/support/values/fuse.ts";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { FUSE_LIMITS } from "../../model/fuse-limits.ts";
import { zoneTrouble } from "../compose/zone-checks.ts";

test("a zone whose next removal would not be made (FuseBlind) is not well until it would", async () => {
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
  expect(world.zones().map(zoneTrouble)).toEqual([expect.stringContaining("no record is removed")]);
  state.isRefusing = false;
  await world.pass(30_000);
  expect(world.zones().map(zoneTrouble)).toEqual([null]);
  await world.stop();
});
