/**
 * A server that sends neither events nor bookmarks for a quiet kind (kube-apiserver over an etcd
 * that reports no progress): silence is no trouble while the kind is as it was.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { statusResponse } from "../../../../../test/support/clients/handler-client.ts";
import { ClusterWorld } from "../../../../../test/support/worlds/cluster-world.ts";
import { SERVICE } from "../../objects/kinds.ts";

let world: ClusterWorld;
beforeEach(() => {
  world = new ClusterWorld();
});
afterEach(() => world.cache.stop());

const put = (name: string, spec: Readonly<Record<string, unknown>> = {}): void =>
  void world.server.put(SERVICE, "default", { name, spec });
const warnings = (): readonly string[] =>
  world.log.lines.flatMap(({ level, message }) => (level === "warn" ? [message] : []));
const lists = (): number => world.http.asked(/limit=|sendInitial/).length;

describe.each([
  ["streamed lists", true],
  ["pages", false],
])("with %s", (_name, streams) => {
  beforeEach(async () => {
    world.server.streamsLists = streams;
    for (let index = 0; index < 600; index++) put(`s${index}`);
    await world.watch();
    world.news();
  });

  test("an hour of silence: live all the time, nothing is listed anew, nothing is warned of", async () => {
    await world.clock.advance(3_600_000);
    expect(world.news(), "what depends on the kind is reconciled by nothing").toEqual([]);
    expect(warnings()).toEqual([]);
    put("s1", { x: 1 });
    await world.clock.settle();
    expect(world.news(), "the watch that follows is alive").toEqual(["modified default/s1"]);
  });

  test("other kinds change all the time and the log of events is compacted", async () => {
    for (let minute = 0; minute < 30; minute++) {
      await world.clock.advance(60_000);
      world.server.moveRevision(100);
      world.server.compact();
    }
    await world.clock.settle();
    expect(world.news()).toEqual([]);
    expect(warnings()).toEqual([]);
  });

  test.each<[string, () => void, string]>([
    ["is new", () => put("new"), "added default/new"],
    ["has changed", () => put("s7", { x: 1 }), "modified default/s7"],
    [
      "is gone",
      () => void world.server.remove(SERVICE, "default", "s7"),
      "deleted default/s7 (missing-from-list)",
    ],
  ])(
    "an object that %s while the watch was dead: stale, then live by a list",
    async (_, change, news) => {
      world.server.isolateWatches();
      change();
      await world.clock.advance(90_000);
      expect(world.news()).toEqual(["stale", news, "live"]);
      expect(warnings()).toEqual(["watch interrupted"]);
    },
  );

  test("a silent server that forbids the question: forbidden, not live", async () => {
    world.http.failNext(/services/, () => statusResponse(403, "Forbidden"), 2);
    await world.clock.advance(86_000);
    expect(world.news()[0]).toBe("forbidden");
  });

  test("a server that does not answer the question is noticed within two bookmark periods", async () => {
    world.http.interceptors.push(() => new Promise(() => {}));
    await world.clock.advance(119_000);
    expect(world.news()).toEqual(["stale"]);
  });
});

test("behind after a reset, the same answer makes the kind live without a list", async () => {
  for (let index = 0; index < 600; index++) put(`s${index}`);
  await world.watch();
  world.server.endWatches(
    new OperationError({ code: "ConnectionLost", message: "reset", retry: "backoff" }),
  );
  await world.clock.advance(2_000);
  world.news();
  const before = lists();
  await world.clock.advance(78_000);
  expect(world.news()).toEqual(["live"]);
  expect(lists() - before, "two pages of the versions").toBe(2);
});

test("the age of a quiet kind stays small; that of a kind that may not be read grows", async () => {
  put("s1");
  await world.watch();
  const age = () =>
    world.metrics.value("zonekeeper_watch_age_seconds", { cluster: "c1", kind: "services" });
  await world.clock.advance(3_600_000);
  expect(age()).toBeLessThan(120);
  world.http.failNext(/services/, () => statusResponse(403, "Forbidden"), 10_000);
  world.server.isolateWatches();
  await world.clock.advance(600_000);
  expect(age()).toBeGreaterThan(600);
});
