/**
 * A list that cannot be streamed comes by pages at once, whatever failed; a kind that has no list
 * is told.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { HttpResponse } from "@zonekeeper/base/ports/http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type Interceptor,
  statusBody,
  statusResponse,
} from "../../../../../test/support/clients/handler-client.ts";
import { DNS_ENTRY } from "../../../../../test/support/values/entry-kind.ts";
import { ClusterWorld } from "../../../../../test/support/worlds/cluster-world.ts";
import { SERVICE } from "../../objects/kinds.ts";

let world: ClusterWorld;
beforeEach(() => {
  world = new ClusterWorld();
  world.server.put(SERVICE, "default", { name: "a", spec: {} });
});
afterEach(() => world.cache.stop());

const FOR_EVER = 1_000_000;
const added = `${JSON.stringify({
  type: "ADDED",
  object: { metadata: { name: "half", namespace: "default", uid: "u", resourceVersion: "7" } },
})}\n`;

/** 200, these lines, and then the end or a reset. */
function stream(lines: readonly string[], end: Error | null = null): HttpResponse {
  return {
    status: 200,
    headers: {},
    body: (async function* () {
      for (const line of lines) yield new TextEncoder().encode(line);
      if (end !== null) throw end;
    })(),
  };
}

const reset = new OperationError({ code: "ConnectionLost", message: "reset", retry: "backoff" });
/** What kube-apiserver ≥ 1.32 says over an etcd that has no RequestWatchProgress. */
const noProgress = `${JSON.stringify({ type: "ERROR", object: statusBody(500, "InternalError") })}\n`;

const FAILURES: readonly (readonly [string, Interceptor])[] = [
  ["200 and an ERROR event 500", () => stream([noProgress])],
  ["an ERROR event after objects", () => stream([added, noProgress])],
  ["500", () => statusResponse(500, "InternalError")],
  ["503", () => statusResponse(503, "ServiceUnavailable")],
  ["a reset before the bookmark", () => stream([added], reset)],
  ["a regular end before the bookmark", () => stream([added])],
  ["a line that is no event", () => stream(["<html>\n"])],
];

describe("a streamed list that always fails", () => {
  test.each(FAILURES)("%s: pages at once, with nothing of the stream", async (_name, failure) => {
    world.http.failNext(/sendInitialEvents/, failure, FOR_EVER);
    await world.watch();
    expect(world.news()).toEqual(["added default/a", "live"]);
    expect(world.cache.trouble(SERVICE)).toBeNull();
    world.server.put(SERVICE, "default", { name: "b", spec: {} });
    await world.clock.settle();
    expect(world.news()).toEqual(["added default/b"]);
    world.server.endWatches(reset);
    await world.clock.advance(2_000);
    expect(world.news(), "the next list too").toEqual(["stale", "live"]);
    expect(world.http.asked(/sendInitialEvents/), "and it is not tried again").toHaveLength(1);
  });

  test("the server says when to come back: pages then, not before", async () => {
    const later = () => statusResponse(429, "TooManyRequests", { "retry-after": "20" });
    world.http.failNext(/sendInitialEvents/, later, FOR_EVER);
    await world.watch();
    await world.clock.advance(19_000);
    expect(world.news()).toEqual([]);
    await world.clock.advance(2_000);
    expect(world.news()).toEqual(["added default/a", "live"]);
  });

  test("nobody answers: pages, but not at once", async () => {
    world.http.failNext(/sendInitialEvents/, () => Promise.reject(reset), FOR_EVER);
    await world.watch();
    expect(world.http.asked(/services/)).toHaveLength(1);
    await world.clock.advance(2_000);
    expect(world.news()).toEqual(["added default/a", "live"]);
  });
});

describe("a kind that is not listed after 30 s", () => {
  const lines = () => world.log.lines.filter(({ message }) => message.startsWith("not listed yet"));

  test("is told once, with the server's message", async () => {
    world.http.failNext(/services/, () => statusResponse(500, "etcd is old"), FOR_EVER);
    await world.watch();
    await world.clock.advance(29_000);
    expect(lines()).toEqual([]);
    await world.clock.advance(90_000);
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).toMatchObject({
      fields: { cluster: "c1", kind: "services", error: expect.stringContaining("etcd is old") },
    });
    expect(world.cache.trouble(SERVICE)).toContain("etcd is old");
  });

  test("a server that takes the question and says nothing is told, too", async () => {
    world.server.silent = true;
    await world.watch();
    await world.clock.advance(31_000);
    expect(lines()).toHaveLength(1);
  });

  test("not for a kind that is listed, nor for one that the server does not have", async () => {
    world.server.serve(DNS_ENTRY, false);
    await world.watch();
    await world.watch(DNS_ENTRY);
    await world.clock.advance(90_000);
    expect(lines()).toEqual([]);
  });
});
