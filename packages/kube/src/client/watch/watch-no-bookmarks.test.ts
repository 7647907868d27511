/**
 * A server that sends events and no bookmarks (kube-apiserver --watch-cache=false): no kind stays
 * behind for ever.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ClusterWorld } from "../../../../../test/support/worlds/cluster-world.ts";
import { SERVICE } from "../../objects/kinds.ts";

const put = (name: string): void => void world.server.put(SERVICE, "default", { name, spec: {} });

let world: ClusterWorld;
beforeEach(async () => {
  world = new ClusterWorld();
  world.server.streamsLists = false;
  for (let index = 0; index < 600; index++) put(`s${index}`);
  await world.watch();
  world.news();
});
afterEach(() => world.cache.stop());

test("after a reset the end of a watch that showed events only is answered by a list", async () => {
  const reset = { code: "ConnectionLost", message: "reset", retry: "backoff" } as const;
  world.server.endWatches(new OperationError(reset));
  for (let minute = 0; minute < 5; minute++) {
    await world.clock.advance(60_000);
    put(`late${minute}`);
  }
  await world.clock.settle();
  expect(world.cache.state(SERVICE), "events do not show that none is missing").toBe("stale");
  world.server.endWatches();
  await world.clock.advance(2_000);
  expect(world.cache.state(SERVICE)).toBe("live");
});
