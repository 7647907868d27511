/** Writes against a server that keeps state, and what every kind of failure is called. */
import { OperationError } from "@zonekeeper/base/operation-error";
import { beforeEach, describe, expect, test } from "vitest";
import {
  jsonResponse,
  statusResponse,
} from "../../../../../test/support/clients/handler-client.ts";
import { DNS_ENTRY } from "../../../../../test/support/values/entry-kind.ts";
import { ClusterWorld } from "../../../../../test/support/worlds/cluster-world.ts";
import { NAMESPACE, SECRET } from "../../objects/kinds.ts";
import { ApiClient } from "../requests/api-client.ts";
import { ApiClusterWriter } from "./cluster-writer.ts";

let world: ClusterWorld;
let writer: ApiClusterWriter;
beforeEach(() => {
  world = new ClusterWorld();
  const { client, clock } = world;
  writer = new ApiClusterWriter({ clusterId: "c1", client, clock, rate: null });
});

const ref = { kind: DNS_ENTRY, namespace: "default", name: "www" };
const entry = (spec: Readonly<Record<string, unknown>> = {}) => ({
  apiVersion: "dns.gardener.cloud/v1alpha1",
  kind: "DNSEntry",
  metadata: { name: "www", namespace: "default" },
  spec,
});

async function codeOf(write: Promise<unknown>): Promise<string> {
  const error = await write.then(
    () => new Error("succeeded"),
    (thrown: unknown) => thrown,
  );
  return error instanceof OperationError ? error.code : `not an OperationError: ${error}`;
}

test("create, read, update, patch, status, remove", async () => {
  expect(await writer.read(ref)).toBeNull();
  const created = await writer.create(DNS_ENTRY, entry({ ttl: 60 }));
  expect(created.metadata.uid).toMatch(/uid/);
  const updated = await writer.update(DNS_ENTRY, { ...created, spec: { ttl: 120 } });
  expect(updated["spec"]).toEqual({ ttl: 120 });
  await writer.patch(ref, { metadata: { labels: { a: "b" } } });
  await writer.patchStatus(ref, { status: { state: "Ready" }, spec: { ttl: 1 } });
  expect(await writer.read(ref)).toMatchObject({
    apiVersion: "dns.gardener.cloud/v1alpha1",
    spec: { ttl: 120 },
    status: { state: "Ready" },
    metadata: { labels: { a: "b" } },
  });
  expect(await writer.readAll(DNS_ENTRY)).toHaveLength(1);
  expect(await writer.readAll(DNS_ENTRY, "other")).toEqual([]);
  await writer.remove(ref);
  expect(await writer.read(ref)).toBeNull();
  await writer.remove(ref);
  const [patch] = world.http.seen.filter(({ method }) => method === "PATCH");
  expect(patch?.headers["content-type"]).toBe("application/merge-patch+json");
  expect(patch?.path).toContain("fieldManager=zonekeeper");
});

test("conflicts: an old version, a name that is taken, a deletion of another object", async () => {
  const created = await writer.create(DNS_ENTRY, entry());
  await writer.patch(ref, { spec: { ttl: 1 } });
  expect(await codeOf(writer.update(DNS_ENTRY, created))).toBe("Conflict");
  expect(await codeOf(writer.create(DNS_ENTRY, entry()))).toBe("AlreadyExists");
  expect(await codeOf(writer.remove(ref, { uid: "another" }))).toBe("Conflict");
  expect(await codeOf(writer.patch({ ...ref, name: "none" }, {}))).toBe("NotFound");
});

describe("failures", () => {
  const fail = (status: number, reason: string, headers = {}): void =>
    world.http.failNext(/./, () => statusResponse(status, reason, headers));

  test.each([
    [400, "BadRequest", "Invalid", "backoff"],
    [401, "Unauthorized", "Unauthorized", "backoff"],
    [403, "Forbidden", "Forbidden", "backoff"],
    [409, "Conflict", "Conflict", "backoff"],
    [409, "AlreadyExists", "AlreadyExists", "backoff"],
    [413, "RequestEntityTooLarge", "Invalid", "backoff"],
    [422, "Invalid", "Invalid", "backoff"],
    [429, "TooManyRequests", "TooManyRequests", "after"],
    [500, "InternalError", "UnknownOutcome", "backoff"],
    [503, "ServiceUnavailable", "Unavailable", "backoff"],
    [504, "Timeout", "UnknownOutcome", "backoff"],
  ])("%i %s is %s, retry %s", async (status, reason, code, retry) => {
    fail(status, reason);
    await expect(writer.patch(ref, {})).rejects.toMatchObject({ code, retry });
  });

  test("Retry-After is kept", async () => {
    fail(429, "TooManyRequests", { "retry-after": "7" });
    await expect(writer.patch(ref, {})).rejects.toMatchObject({ retryAfterMs: 7_000 });
    fail(503, "ServiceUnavailable", { "retry-after": "3" });
    await expect(writer.patch(ref, {})).rejects.toMatchObject({
      retry: "after",
      retryAfterMs: 3_000,
    });
  });

  test("a 500 to a reader is Unavailable: nothing can have happened", async () => {
    fail(500, "InternalError");
    expect(await codeOf(writer.read(ref))).toBe("Unavailable");
  });

  test("an answer that is lost after sending is UnknownOutcome, and the write may be there", async () => {
    world.http.failNext(/POST/, async (request, next) => {
      await next(request);
      throw new OperationError({ code: "ConnectionLost", message: "reset", retry: "backoff" });
    });
    expect(await codeOf(writer.create(DNS_ENTRY, entry()))).toBe("UnknownOutcome");
    expect(await writer.read(ref)).not.toBeNull();
  });

  test("a body that breaks off after success is UnknownOutcome too", async () => {
    world.http.failNext(/POST/, () => jsonResponse(201, '{"kind":'));
    expect(await codeOf(writer.create(DNS_ENTRY, entry()))).toBe("UnknownOutcome");
  });

  test("no connection: nothing was sent", async () => {
    world.http.failNext(/POST/, () => {
      throw new OperationError({ code: "ConnectFailed", message: "refused", retry: "backoff" });
    });
    expect(await codeOf(writer.create(DNS_ENTRY, entry()))).toBe("Unavailable");
  });

  test("no answer in time is UnknownOutcome", async () => {
    world.http.failNext(/POST/, () => new Promise(() => {}));
    const code = codeOf(writer.create(DNS_ENTRY, entry()));
    await world.clock.advance(30_000);
    expect(await code).toBe("UnknownOutcome");
    expect(world.clock.pendingTimers).toBe(0);
  });

  test("a 404 that is not the API's own is no proof that the object is gone", async () => {
    world.http.failNext(/./, () => jsonResponse(404, "404 page not found"), 2);
    expect(await codeOf(writer.read(ref))).toBe("NotFound");
    expect(await codeOf(writer.remove(ref))).toBe("NotFound");
  });

  test("messages about Secrets do not repeat the server's message", async () => {
    const secret = { kind: SECRET, namespace: "default", name: "tsig" };
    fail(422, "Invalid");
    const error: unknown = await writer.patch(secret, {}).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain("PATCH secrets default/tsig: Invalid (HTTP 422)");
    expect(String(error)).not.toContain("server says");
  });
});

test("while writes are refused no request leaves", async () => {
  const { http, clock } = world;
  const client = new ApiClient({ http, clock, writesRefused: () => "dry run" });
  const dry = new ApiClusterWriter({ clusterId: "c1", client, clock });
  expect(await codeOf(dry.create(DNS_ENTRY, entry()))).toBe("WritesRefused");
  expect(await dry.read(ref)).toBeNull();
  expect(http.seen.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("writes are limited by a token bucket, in order", async () => {
  const { client, clock, server } = world;
  const slow = new ApiClusterWriter({
    clusterId: "c1",
    client,
    clock,
    rate: { perSecond: 10, burst: 2 },
  });
  for (const name of ["a", "b", "c", "d"]) {
    void slow.create(NAMESPACE, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
  await clock.settle();
  expect(server.objects(NAMESPACE)).toHaveLength(2);
  await clock.advance(100);
  expect(server.objects(NAMESPACE)).toHaveLength(3);
  await clock.advance(100);
  expect(server.objects(NAMESPACE)).toHaveLength(4);
});
