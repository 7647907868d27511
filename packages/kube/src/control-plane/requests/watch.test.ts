import { beforeEach, describe, expect, test } from "vitest";
import {
  CORE,
  ENTRIES,
  entry,
  TestApi,
} from "../../../../../test/support/clients/control-plane-api.ts";
import { listAt, textAt, valueAt } from "../json/json.ts";

let api: TestApi;
beforeEach(async () => {
  api = await TestApi.open();
});
const version = async (): Promise<string> =>
  textAt(await api.made(api.get(ENTRIES)), "metadata", "resourceVersion");

describe("watch", () => {
  test("without a version it begins with what is there", async () => {
    await api.made(api.post(ENTRIES, entry("a")));
    const watch = await api.watch(`${ENTRIES}?watch=1`);
    expect(await watch.next()).toMatchObject({
      type: "ADDED",
      object: { metadata: { name: "a" } },
    });
    await api.made(api.patch(`${ENTRIES}/a`, { spec: { ttl: 60 } }));
    expect(await watch.next()).toMatchObject({ type: "MODIFIED", object: { spec: { ttl: 60 } } });
    const revision = Number(await version());
    await api.made(api.delete(`${ENTRIES}/a`));
    const gone = await watch.next();
    expect(gone).toMatchObject({ type: "DELETED", object: { metadata: { name: "a" } } });
    // The removal has a revision of its own, so that a watch can go on from it.
    expect(Number(textAt(gone?.object, "metadata", "resourceVersion"))).toBe(revision + 1);
  });

  test("from a version it sends exactly what came after", async () => {
    await api.made(api.post(ENTRIES, entry("a")));
    const from = await version();
    await api.made(api.post(ENTRIES, entry("b")));
    await api.made(api.delete(`${ENTRIES}/a`));
    const watch = await api.watch(`${ENTRIES}?watch=true&resourceVersion=${from}`);
    expect(await watch.next()).toMatchObject({
      type: "ADDED",
      object: { metadata: { name: "b" } },
    });
    expect(await watch.next()).toMatchObject({
      type: "DELETED",
      object: { metadata: { name: "a" } },
    });
    await expect(watch.next()).rejects.toThrow("no event came");
  });

  test("other namespaces and kinds are not in it", async () => {
    const watch = await api.watch(`${ENTRIES}?watch=1&resourceVersion=${await version()}`);
    const team = { apiVersion: "v1", kind: "Namespace", metadata: { name: "team" } };
    await api.made(api.post("/api/v1/namespaces", team));
    await api.made(api.post(ENTRIES.replace("default", "team"), entry("b")));
    await expect(watch.next()).rejects.toThrow("no event came");
    const all = await api.watch("/apis/dns.gardener.cloud/v1alpha1/dnsentries?watch=1");
    expect(await all.next()).toMatchObject({ object: { metadata: { namespace: "team" } } });
  });

  test("an object that enters or leaves the selection is added or deleted", async () => {
    await api.made(api.post(ENTRIES, entry("a")));
    const watch = await api.watch(`${ENTRIES}?watch=1&labelSelector=on%3Dyes`);
    await api.made(api.patch(`${ENTRIES}/a`, { metadata: { labels: { on: "yes" } } }));
    expect((await watch.next())?.type).toBe("ADDED");
    await api.made(api.patch(`${ENTRIES}/a`, { metadata: { labels: { on: "no" } } }));
    const left = await watch.next();
    expect(left?.type).toBe("DELETED");
    // As it was inside the selection, with the version at which it left.
    expect(left?.object).toMatchObject({
      metadata: { labels: { on: "yes" }, resourceVersion: await version() },
    });
  });

  test("sendInitialEvents ends the beginning with a bookmark", async () => {
    await api.made(api.post(ENTRIES, entry("a")));
    const watch = await api.watch(
      `${ENTRIES}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    expect((await watch.next())?.type).toBe("ADDED");
    expect(await watch.next()).toMatchObject({
      type: "BOOKMARK",
      object: {
        kind: "DNSEntry",
        metadata: {
          resourceVersion: await version(),
          annotations: { "k8s.io/initial-events-end": "true" },
        },
      },
    });
  });

  test("without bookmarks the end of the beginning is not told; without initial events nothing is", async () => {
    await api.made(api.post(ENTRIES, entry("a")));
    const asked = `${ENTRIES}?watch=1&resourceVersionMatch=NotOlderThan&sendInitialEvents`;
    const plain = await api.watch(`${asked}=true`);
    expect((await plain.next())?.type).toBe("ADDED");
    await expect(plain.next()).rejects.toThrow("no event came");
    const later = await api.watch(`${asked}=false&allowWatchBookmarks=true`);
    await expect(later.next()).rejects.toThrow("no event came");
  });

  test("timeoutSeconds=0 is no timeout", async () => {
    const watch = await api.watch(`${ENTRIES}?watch=1&timeoutSeconds=0`);
    await api.clock.advance(1000);
    await api.made(api.post(ENTRIES, entry("a")));
    expect((await watch.next())?.type).toBe("ADDED");
  });

  test("bookmarks come each minute and carry the revision of all kinds", async () => {
    const watch = await api.watch(
      `${ENTRIES}?watch=1&resourceVersion=${await version()}&allowWatchBookmarks=true`,
    );
    const first = watch.next().catch(() => null);
    await first;
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } };
    await api.made(api.post(`${CORE}/secrets`, secret));
    await api.clock.advance(60_000);
    const bookmark = await watch.next();
    expect(bookmark?.type).toBe("BOOKMARK");
    expect(textAt(bookmark?.object, "metadata", "resourceVersion")).toBe(await version());
  });

  test("it ends at timeoutSeconds and leaves no timer", async () => {
    const before = api.clock.pendingTimers;
    const watch = await api.watch(`${ENTRIES}?watch=1&timeoutSeconds=30`);
    await expect(watch.next()).rejects.toThrow();
    await api.clock.advance(30_000);
    expect(await watch.next()).toBeNull();
    expect(api.clock.pendingTimers).toBe(before);
  });

  test("it ends when the client goes and when the control plane stops", async () => {
    const before = api.clock.pendingTimers;
    const gone = await api.watch(`${ENTRIES}?watch=1`);
    await expect(gone.next()).rejects.toThrow();
    await gone.close();
    expect(await gone.next()).toBeNull();
    expect(api.clock.pendingTimers).toBe(before);
    const stopped = await api.watch(`${ENTRIES}?watch=1`);
    await expect(stopped.next()).rejects.toThrow();
    await api.plane.stop();
    expect(await stopped.next()).toBeNull();
  });

  test("a version from the future is refused", async () => {
    const answer = await api.get(`${ENTRIES}?watch=1&resourceVersion=999999`);
    expect(answer.status).toBe(504);
    expect(valueAt(listAt(answer.body, "details", "causes")[0], "reason")).toBe(
      "ResourceVersionTooLarge",
    );
  });

  test("a watcher that falls behind the log is told Expired", async () => {
    await api.made(api.post(ENTRIES, entry("a")));
    const from = await version();
    const slow = await api.watch(`${ENTRIES}?watch=1&resourceVersion=${from}`);
    for (let round = 0; round < 4200; round += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          api.patch(`${ENTRIES}/a`, { spec: { ttl: 1 + round + index } }),
        ),
      );
    expect(await slow.next()).toMatchObject({
      type: "ERROR",
      object: { kind: "Status", code: 410, reason: "Expired" },
    });
    expect(await slow.next()).toBeNull();
    const late = await api.watch(`${ENTRIES}?watch=1&resourceVersion=${from}`);
    expect(await late.next()).toMatchObject({ type: "ERROR", object: { code: 410 } });
  });

  test("one object can be watched by name", async () => {
    const watch = await api.watch(`${ENTRIES}?watch=1&fieldSelector=metadata.name%3Db`);
    await api.made(api.post(ENTRIES, entry("a")));
    await api.made(api.post(ENTRIES, entry("b")));
    expect(await watch.next()).toMatchObject({ object: { metadata: { name: "b" } } });
  });

  test("events may be Tables", async () => {
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    const watch = await api.watch(`${ENTRIES}?watch=1`, { accept });
    await api.made(api.post(ENTRIES, entry("a")));
    const event = await watch.next();
    expect(event).toMatchObject({ type: "ADDED", object: { kind: "Table" } });
    expect(valueAt(listAt(event?.object, "rows")[0], "cells")).toEqual(
      expect.arrayContaining(["a", "a.example.org"]),
    );
  });
});

describe("list", () => {
  const named = (body: unknown): readonly unknown[] =>
    listAt(body, "items").map((item) => valueAt(item, "metadata", "name"));

  test("is sorted and carries the revision", async () => {
    for (const name of ["c", "a", "b"]) await api.made(api.post(ENTRIES, entry(name)));
    const list = await api.made(api.get(ENTRIES));
    expect(list).toMatchObject({ kind: "DNSEntryList", apiVersion: "dns.gardener.cloud/v1alpha1" });
    expect(named(list)).toEqual(["a", "b", "c"]);
  });

  test("pages are of one moment", async () => {
    for (const name of ["a", "b", "c", "d", "e"]) await api.made(api.post(ENTRIES, entry(name)));
    const first = await api.made(api.get(`${ENTRIES}?limit=2`));
    expect(named(first)).toEqual(["a", "b"]);
    expect(valueAt(first, "metadata", "remainingItemCount")).toBe(3);
    await api.made(api.delete(`${ENTRIES}/d`));
    const token = textAt(first, "metadata", "continue");
    const second = await api.made(
      api.get(`${ENTRIES}?limit=2&continue=${encodeURIComponent(token)}`),
    );
    expect(named(second)).toEqual(["c", "d"]);
    const end = encodeURIComponent(textAt(second, "metadata", "continue"));
    const third = await api.made(api.get(`${ENTRIES}?limit=2&continue=${end}`));
    expect(named(third)).toEqual(["e"]);
    expect(valueAt(third, "metadata", "continue")).toBeUndefined();
    expect(textAt(third, "metadata", "resourceVersion")).toBe(
      textAt(first, "metadata", "resourceVersion"),
    );
  });

  test.each([
    ["a=1", ["one"]],
    ["a==1", ["one"]],
    ["a!=1", ["none", "two"]],
    ["a in (1,2)", ["one", "two"]],
    ["a notin (1)", ["none", "two"]],
    ["a", ["one", "two"]],
    ["!a", ["none"]],
    ["a in (1,2),b=x", ["two"]],
  ])("labels %s", async (selector, names) => {
    const labelled = (name: string, labels: object) => ({
      ...entry(name),
      metadata: { name, labels },
    });
    await api.made(api.post(ENTRIES, labelled("one", { a: "1" })));
    await api.made(api.post(ENTRIES, labelled("two", { a: "2", b: "x" })));
    await api.made(api.post(ENTRIES, labelled("none", {})));
    const query = new URLSearchParams({ labelSelector: selector });
    expect(named(await api.made(api.get(`${ENTRIES}?${query}`)))).toEqual(names);
  });

  test("fields that the kind does not offer are refused", async () => {
    const answer = await api.get(`${ENTRIES}?fieldSelector=spec.ttl%3D1`);
    expect(answer.status).toBe(400);
    expect(textAt(answer.body, "message")).toContain("field label not supported: spec.ttl");
    expect((await api.get(`${ENTRIES}?labelSelector=a%3D%3D%3Db`)).status).toBe(400);
  });

  test("events by what they are about, secrets by type", async () => {
    const event = (name: string, about: string) => ({
      apiVersion: "v1",
      kind: "Event",
      metadata: { name },
      involvedObject: { kind: "DNSEntry", name: about, namespace: "default" },
    });
    await api.made(api.post(`${CORE}/events`, event("e1", "a")));
    await api.made(api.post(`${CORE}/events`, event("e2", "b")));
    const query = new URLSearchParams({
      fieldSelector: "involvedObject.name=b,involvedObject.kind=DNSEntry",
    });
    expect(named(await api.made(api.get(`${CORE}/events?${query}`)))).toEqual(["e2"]);
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, type: "x/y" };
    await api.made(api.post(`${CORE}/secrets`, secret));
    const byType = new URLSearchParams({ fieldSelector: "type!=x/y" });
    expect(named(await api.made(api.get(`${CORE}/secrets?${byType}`)))).toEqual([]);
  });
});
