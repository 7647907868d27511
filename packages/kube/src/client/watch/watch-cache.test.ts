/**
 * The watch cache against a server with every fault of F01 to F03. Time is virtual.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  jsonResponse,
  statusBody,
  statusResponse,
} from "../../../../../test/support/clients/handler-client.ts";
import { ClusterWorld } from "../../../../../test/support/worlds/cluster-world.ts";
import { NAMESPACE, SERVICE } from "../../objects/kinds.ts";

let world: ClusterWorld;
beforeEach(() => {
  world = new ClusterWorld();
});
afterEach(() => world.cache.stop());

const put = (name: string, spec: Readonly<Record<string, unknown>> = {}): void =>
  void world.server.put(SERVICE, "default", { name, spec });

const reset = (): OperationError =>
  new OperationError({ code: "ConnectionLost", message: "reset", retry: "backoff" });

describe.each([
  ["streamed lists", true],
  ["pages", false],
])("with %s", (_name, streams) => {
  beforeEach(() => {
    world.server.streamsLists = streams;
  });

  test("first the list, then live, then each change", async () => {
    put("a");
    expect(world.cache.state(SERVICE)).toBe("syncing");
    expect(world.cache.get(SERVICE, "default", "a").state).toBe("unknown");
    await world.watch();
    expect(world.news()).toEqual(["added default/a", "live"]);
    put("b");
    put("a", { type: "LoadBalancer" });
    world.server.remove(SERVICE, "default", "b");
    await world.clock.settle();
    expect(world.news()).toEqual([
      "added default/b",
      "modified default/a",
      "deleted default/b (watched)",
    ]);
    expect(world.cache.get(SERVICE, "default", "a")).toMatchObject({
      state: "value",
      value: { kind: "Service", apiVersion: "v1", spec: { type: "LoadBalancer" } },
    });
    expect(world.cache.get(SERVICE, "default", "b").state).toBe("absent");
    expect(
      world.metrics.value("zonekeeper_watch_objects", { cluster: "c1", kind: "services" }),
    ).toBe(1);
  });

  test("410: listed again, with what happened in between and how it is known", async () => {
    put("kept");
    put("gone");
    put("remade");
    await world.watch();
    world.news();
    world.server.isolateWatches();
    world.server.remove(SERVICE, "default", "gone");
    world.server.remove(SERVICE, "default", "remade");
    put("remade");
    put("new");
    world.server.compact();
    world.server.sendRaw("");
    expect(world.cache.state(SERVICE)).toBe("live");
    await world.clock.advanceUntil(() => world.diary.includes("live"), 400_000);
    expect(world.news()).toEqual([
      "stale",
      "deleted default/gone (missing-from-list)",
      "deleted default/remade (missing-from-list)",
      "added default/remade",
      "added default/new",
      "live",
    ]);
  });

  test("a silent watch that missed something is noticed after 85 s; then it is stale, then live again", async () => {
    put("a");
    await world.watch();
    world.news();
    world.server.isolateWatches();
    put("b");
    await world.clock.advance(84_000);
    expect(world.news()).toEqual([]);
    await world.clock.advance(4_000);
    expect(world.news()).toEqual(["stale", "added default/b", "live"]);
  });

  test("bookmarks are heartbeats: a quiet kind is neither closed nor listed again", async () => {
    await world.watch();
    const asked = world.http.seen.length;
    for (let minute = 0; minute < 60; minute++) {
      await world.clock.advance(60_000);
      world.server.bookmark();
    }
    await world.clock.settle();
    expect(world.cache.state(SERVICE)).toBe("live");
    expect(world.http.seen.length).toBe(asked);
  });

  test("a server that is away for long is asked with growing delays, and never given up", async () => {
    put("a");
    await world.watch();
    world.news();
    let away = true;
    const times: number[] = [];
    world.http.interceptors.push(() => {
      if (!away) return undefined;
      times.push(world.clock.monotonicMs());
      throw new OperationError({ code: "ConnectFailed", message: "refused", retry: "backoff" });
    });
    world.server.endWatches(reset());
    await world.clock.advance(3_600_000);
    expect(world.news()).toEqual(["stale"]);
    expect(world.cache.list(SERVICE)).toMatchObject({
      state: "value",
      value: [{ kind: "Service" }],
    });
    expect(world.cache.get(SERVICE, "default", "b").state).toBe("unknown");
    const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    expect(gaps[0]).toBeGreaterThanOrEqual(800);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(30_001);
    expect(times.length).toBeGreaterThan(110);
    away = false;
    put("b");
    await world.clock.advance(30_000);
    expect(world.news()).toEqual(["added default/b", "live"]);
  });

  test("an object that is no object fails the list as a whole", async () => {
    put("a");
    put("b");
    world.server.put(SERVICE, "default", { name: "" });
    await world.watch();
    expect(world.news()).toEqual([]);
    expect(world.cache.state(SERVICE)).toBe("syncing");
    world.server.remove(SERVICE, "default", "");
    await world.clock.advance(2_000);
    expect(world.news()).toEqual(["added default/a", "added default/b", "live"]);
  });

  test("a list older than what was seen is not used (F01)", async () => {
    put("a");
    put("b");
    await world.watch();
    world.news();
    world.server.endWatches(reset());
    world.server.moveRevision(-50);
    world.server.remove(SERVICE, "default", "b");
    await world.clock.advance(60_000);
    expect(world.cache.state(SERVICE)).toBe("stale");
    expect(world.news().filter((n) => n.startsWith("deleted"))).toEqual([]);
    expect(world.cache.trouble(SERVICE)).toContain("older than the known version");
    world.server.moveRevision(100);
    await world.clock.advance(60_000);
    expect(world.news().slice(-2)).toEqual(["deleted default/b (missing-from-list)", "live"]);
  });

  test("versions without an order: the server has to promise a list that is not older", async () => {
    world.server.versionPrefix = "v";
    put("a");
    await world.watch();
    world.news();
    world.server.isolateWatches();
    world.server.remove(SERVICE, "default", "a");
    await world.clock.advance(160_000);
    expect(world.news()).toEqual(["stale", "deleted default/a (missing-from-list)", "live"]);
    const [last = ""] = world.http.asked(/NotOlderThan/).slice(-1);
    expect(last).toMatch(/resourceVersion=v10\d/);
  });
});

describe("while watching", () => {
  test.each([
    ["a reset", () => world.server.endWatches(reset())],
    ["a garbage line", () => world.server.sendRaw("{]\n")],
    ["an unknown event", () => world.server.sendRaw('{"type":"SPLIT","object":{}}\n')],
    ["an event without an object", () => world.server.sendRaw('{"type":"ADDED"}\n')],
    [
      "an ERROR event",
      () =>
        world.server.sendRaw(
          `${JSON.stringify({ type: "ERROR", object: statusBody(500, "InternalError") })}\n`,
        ),
    ],
    ["a line without end", () => world.server.sendRaw("x".repeat(17 * 1024 * 1024))],
  ])("%s: stale, then live with everything that was missed", async (_name, fault) => {
    put("a");
    await world.watch();
    world.news();
    fault();
    put("b");
    await world.clock.settle();
    expect(world.news()).toEqual(["stale"]);
    await world.clock.advance(2_000);
    expect(world.news()).toEqual(["added default/b", "live"]);
  });

  test("the server's own timeout keeps the kind live without a list", async () => {
    put("a");
    await world.watch();
    world.news();
    const lists = world.http.asked(/limit=|sendInitial/).length;
    for (let i = 0; i < 5; i++) {
      await world.clock.advance(80_000);
      world.server.endWatches();
      put(`b${i}`);
      await world.clock.settle();
    }
    expect(world.http.asked(/limit=|sendInitial/).length).toBe(lists);
    expect(world.news()).toEqual(["b0", "b1", "b2", "b3", "b4"].map((n) => `added default/${n}`));
  });

  test("duplicate events notify once", async () => {
    await world.watch();
    put("a");
    put("a", { x: 1 });
    await world.clock.settle();
    world.news();
    for (const line of world.server.replayLines(2)) world.server.sendRaw(line);
    await world.clock.settle();
    expect(world.news()).toEqual([]);
    expect(world.cache.get(SERVICE, "default", "a")).toMatchObject({ value: { spec: { x: 1 } } });
  });

  test("an event from before a deletion does not bring the object back", async () => {
    await world.watch();
    put("a");
    const [added = ""] = world.server.replayLines(1);
    world.server.remove(SERVICE, "default", "a");
    await world.clock.settle();
    world.news();
    world.server.sendRaw(added);
    await world.clock.settle();
    expect(world.news()).toEqual(["stale"]);
    await world.clock.advance(2_000);
    expect(world.news()).toEqual(["live"]);
    expect(world.cache.get(SERVICE, "default", "a").state).toBe("absent");
  });

  test("a repeated or late deletion notifies once, and only for its UID", async () => {
    await world.watch();
    put("a");
    world.server.remove(SERVICE, "default", "a");
    const [deleted = ""] = world.server.replayLines(1);
    put("a");
    await world.clock.settle();
    world.news();
    world.server.sendRaw(deleted);
    await world.clock.settle();
    expect(world.news()).toEqual([]);
    expect(world.cache.get(SERVICE, "default", "a").state).toBe("value");
  });

  test("a listener that throws harms nobody else and is reported", async () => {
    world.cache.subscribe(SERVICE, {
      onChange: () => {
        throw new Error("bug in a listener");
      },
      onState: () => {},
    });
    put("a");
    await world.watch();
    expect(world.news()).toEqual(["added default/a", "live"]);
    expect(world.log.lines.filter((l) => l.level === "error")).toHaveLength(1);
  });

  test("a late subscriber gets what is cached before subscribe returns", async () => {
    put("a");
    put("b");
    await world.watch();
    world.news();
    world.cache.subscribe(SERVICE, world.listener());
    expect(world.news()).toEqual(["added default/a", "added default/b"]);
  });

  test("stop ends the watch and leaves no timer", async () => {
    await world.watch();
    expect(world.server.openWatches).toBe(1);
    await world.cache.stop();
    expect([world.server.openWatches, world.clock.pendingTimers]).toEqual([0, 0]);
  });

  test("a wall clock that jumps changes nothing", async () => {
    await world.watch();
    world.news();
    world.clock.jumpWallMs(86_400_000);
    await world.clock.advance(60_000);
    world.clock.jumpWallMs(-2 * 86_400_000);
    put("a");
    await world.clock.advance(60_000);
    expect(world.news()).toEqual(["added default/a"]);
  });
});

describe("large kinds", () => {
  const many = async (): Promise<void> => {
    for (let i = 0; i < 1_201; i++) put(`s${String(i).padStart(4, "0")}`);
    await world.watch();
    world.news();
  };

  test("pages: all of them, or nothing when one fails midway (F03)", async () => {
    world.server.streamsLists = false;
    world.http.failNext(/continue=500/, () => statusResponse(500, "InternalError"));
    for (let i = 0; i < 1_201; i++) put(`s${i}`);
    await world.watch();
    expect(world.news()).toEqual([]);
    expect(world.cache.list(SERVICE).state).toBe("unknown");
    await world.clock.advance(2_000);
    expect(world.news().length).toBe(1_202);
  });

  test("pages of different versions are no list", async () => {
    world.server.streamsLists = false;
    for (let i = 0; i < 600; i++) put(`s${i}`);
    world.http.failNext(/continue=500/, async (request, next) => {
      put("meanwhile");
      return next(request);
    });
    await world.watch();
    expect(world.news()).toEqual([]);
    await world.clock.advance(2_000);
    expect(world.news().length).toBe(602);
  });

  test("after a reset they resume without a list, and are live only at the next bookmark", async () => {
    await many();
    const lists = world.http.asked(/limit=|sendInitial/).length;
    world.server.endWatches(reset());
    put("late");
    await world.clock.advance(2_000);
    expect(world.news()).toEqual(["stale", "added default/late"]);
    world.server.bookmark();
    await world.clock.settle();
    expect(world.news()).toEqual(["live"]);
    expect(world.http.asked(/limit=|sendInitial/).length).toBe(lists);
  });

  test("events out of order are answered by a list, not by resuming", async () => {
    await many();
    put("early");
    const [early = ""] = world.server.replayLines(1);
    world.server.remove(SERVICE, "default", "early");
    await world.clock.settle();
    world.news();
    const lists = world.http.asked(/limit=|sendInitial/).length;
    world.server.sendRaw(early);
    await world.clock.advance(2_000);
    expect(world.news()).toEqual(["stale", "live"]);
    expect(world.http.asked(/limit=|sendInitial/).length).toBe(lists + 1);
  });

  test("a bookmark older than what was seen proves nothing", async () => {
    await many();
    world.server.endWatches(reset());
    await world.clock.advance(2_000);
    world.server.sendRaw('{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"5"}}}\n');
    await world.clock.settle();
    expect(world.cache.state(SERVICE)).toBe("stale");
  });
});

describe("refusals", () => {
  test("403: forbidden, unknown to readers; and back", async () => {
    put("a");
    world.http.failNext(/services/, () => statusResponse(403, "Forbidden"), 3);
    await world.watch();
    expect(world.news()).toEqual(["forbidden"]);
    expect(world.cache.get(SERVICE, "default", "a").state).toBe("unknown");
    await world.clock.advance(10_000);
    expect(world.news()).toEqual(["added default/a", "live"]);
  });

  test("list allowed, watch denied: never live (D46)", async () => {
    world.server.streamsLists = false;
    put("a");
    world.http.failNext(/watch=true/, () => statusResponse(403, "Forbidden"), 1_000);
    await world.watch();
    await world.clock.advance(100_000);
    expect(world.news()).not.toContain("live");
    expect(world.cache.state(SERVICE)).toBe("forbidden");
  });

  test("404 and discovery without the kind: absent; it comes back", async () => {
    world.server.serve(SERVICE, false);
    await world.watch();
    expect(world.news()).toEqual(["absent"]);
    expect(world.cache.get(SERVICE, "default", "a").state).toBe("absent");
    world.server.serve(SERVICE, true);
    put("a");
    await world.clock.advance(31_000);
    expect(world.news()).toEqual(["added default/a", "live"]);
  });

  test("404 and discovery fails: not absent", async () => {
    world.server.serve(SERVICE, false);
    world.http.failNext(/GET \/api$/, () => statusResponse(503, "ServiceUnavailable"), 1_000);
    await world.watch();
    await world.clock.advance(100_000);
    expect(world.cache.state(SERVICE)).toBe("syncing");
  });

  test("a kind that goes away while it has objects is unknown, and nothing is reported as deleted", async () => {
    put("a");
    await world.watch();
    world.news();
    world.server.serve(SERVICE, false);
    world.server.endWatches(reset());
    await world.clock.advance(100_000);
    expect(world.news()).toEqual(["stale", "absent"]);
    expect(world.cache.get(SERVICE, "default", "a").state).toBe("unknown");
    expect(world.cache.list(SERVICE).state).toBe("unknown");
  });

  test("429: not before Retry-After", async () => {
    world.http.failNext(/services/, () =>
      statusResponse(429, "TooManyRequests", { "retry-after": "20" }),
    );
    await world.watch();
    const asked = world.http.seen.length;
    await world.clock.advance(19_900);
    expect(world.http.seen.length).toBe(asked);
    await world.clock.advance(200);
    expect(world.cache.state(SERVICE)).toBe("live");
  });

  test("422 for streamed lists is remembered for all kinds of the server", async () => {
    world.server.streamsLists = false;
    await world.watch(SERVICE);
    await world.watch(NAMESPACE);
    expect(world.http.asked(/sendInitialEvents/)).toHaveLength(1);
    expect([world.cache.state(SERVICE), world.cache.state(NAMESPACE)]).toEqual(["live", "live"]);
  });

  test("a server that ignores sendInitialEvents is noticed by its bookmark, and by its silence", async () => {
    world.http.failNext(/sendInitialEvents/, () => ({
      status: 200,
      headers: {},
      body: (async function* () {
        yield new TextEncoder().encode(
          '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7"}}}\n',
        );
        await new Promise(() => {});
      })(),
    }));
    await world.watch(SERVICE);
    expect(world.cache.state(SERVICE)).toBe("live");
    world.server.silent = true;
    await world.watch(NAMESPACE);
    world.server.silent = false;
    await world.clock.advance(152_000);
    expect(world.cache.state(NAMESPACE)).toBe("live");
  });

  test("an answer that is not JSON is no list", async () => {
    world.server.streamsLists = false;
    world.http.failNext(/limit=/, () => jsonResponse(200, "<html>"), 3);
    await world.watch();
    expect(world.cache.state(SERVICE)).toBe("syncing");
    await world.clock.advance(10_000);
    expect(world.cache.state(SERVICE)).toBe("live");
  });
});
