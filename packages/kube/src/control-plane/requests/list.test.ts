import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { beforeEach, describe, expect, test } from "vitest";
import {
  type Answer,
  CORE,
  ENTRIES,
  entry,
  TestApi,
} from "../../../../../test/support/clients/control-plane-api.ts";
import { type JsonObject, listAt, textAt, valueAt } from "../json/json.ts";

let api: TestApi;
beforeEach(async () => {
  api = await TestApi.open();
});

const version = async (): Promise<number> =>
  Number(textAt(await api.made(api.get(ENTRIES)), "metadata", "resourceVersion"));
const names = (body: unknown): string =>
  listAt(body, "items")
    .map((item) => textAt(item, "metadata", "name"))
    .join("");
const make = async (all: string): Promise<void> => {
  for (const name of all) await api.made(api.post(ENTRIES, entry(name)));
};
const list = (query: string): Promise<Answer> => api.get(`${ENTRIES}?${query}`);
const tokenOf = (body: JsonObject): string =>
  encodeURIComponent(textAt(body, "metadata", "continue"));

describe("options that cannot be read", () => {
  test.each([
    ["resourceVersion=x"],
    ["limit=x"],
    ["continue=%25%25"],
    [`continue=${btoa('{"v":"meta.k8s.io/v1","rv":"x"}')}`],
    ["continue=x&resourceVersion=5"],
  ])("%s is 400", async (query) => {
    expect((await list(query)).status).toBe(400);
  });
});

describe("the version of a list", () => {
  test("unset, 0, or not older than: what there is now", async () => {
    await make("a");
    const seen = await version();
    await make("b");
    const now = await version();
    for (const query of [
      "",
      "resourceVersion=0",
      `resourceVersion=${seen}`,
      `resourceVersion=${seen}&resourceVersionMatch=NotOlderThan`,
      "resourceVersion=0&resourceVersionMatch=NotOlderThan",
    ]) {
      const answer = await api.made(list(query));
      expect([query, names(answer), valueAt(answer, "metadata", "resourceVersion")]).toEqual([
        query,
        "ab",
        String(now),
      ]);
    }
  });

  test("exactly an earlier one, as far as the log goes", async () => {
    await make("abc");
    const seen = await version();
    await api.made(api.patch(`${ENTRIES}/a`, { spec: { ttl: 99 } }));
    await api.made(api.delete(`${ENTRIES}/b`));
    await make("d");
    const exact = `resourceVersionMatch=Exact&resourceVersion=${seen}`;
    const past = await api.made(list(exact));
    expect(names(past)).toBe("abc");
    expect(valueAt(listAt(past, "items")[0], "spec")).not.toHaveProperty("ttl");
    expect(textAt(past, "metadata", "resourceVersion")).toBe(String(seen));
    // A version with a limit has always been meant exactly.
    const first = await api.made(list(`resourceVersion=${seen}&limit=2`));
    expect(names(first)).toBe("ab");
    const rest = await api.made(list(`limit=2&continue=${tokenOf(first)}`));
    expect(names(rest)).toBe("c");
  });

  test("what the log has lost is 410; what is yet to come 504", async () => {
    const store = new MemoryStore();
    api = await TestApi.open({ store });
    await make("a");
    const seen = await version();
    await make("b");
    await api.plane.stop();
    api = await TestApi.open({ store });
    const lost = await list(`resourceVersionMatch=Exact&resourceVersion=${seen}`);
    expect(lost.body).toMatchObject({ code: 410, reason: "Expired" });
    const future = await list("resourceVersion=999999");
    expect(future.status).toBe(504);
    expect(future.headers["retry-after"]).toBe("1");
    expect(future.body).toMatchObject({
      reason: "Timeout",
      details: { causes: [{ reason: "ResourceVersionTooLarge" }], retryAfterSeconds: 1 },
    });
    expect((await api.get(`${ENTRIES}/a?resourceVersion=999999`)).status).toBe(504);
  });
});

describe("pages", () => {
  test("are of one moment, also after the list is no longer kept, as long as the log goes back", async () => {
    await make("abcd");
    const first = await api.made(list("limit=2"));
    await api.made(api.delete(`${ENTRIES}/c`));
    for (const wait of [0, 5 * 60_000 + 1]) {
      await api.clock.advance(wait);
      const rest = await api.made(list(`limit=5&continue=${tokenOf(first)}`));
      expect(names(rest)).toBe("cd");
      expect(textAt(rest, "metadata", "resourceVersion")).toBe(
        textAt(first, "metadata", "resourceVersion"),
      );
    }
  });

  test("after that the 410 has a token that goes on with what there is now", async () => {
    const store = new MemoryStore();
    api = await TestApi.open({ store });
    await make("abcdef");
    const first = await api.made(list("limit=2"));
    await api.made(api.delete(`${ENTRIES}/d`));
    await api.plane.stop();
    api = await TestApi.open({ store });
    const lost = await list(`limit=2&continue=${tokenOf(first)}`);
    expect(lost.body).toMatchObject({ code: 410, reason: "Expired" });
    expect(textAt(lost.body, "message")).toContain("use the continue token in this response");
    const rest = await api.made(list(`limit=2&continue=${tokenOf(lost.body)}`));
    expect(names(rest)).toBe("ce");
    const end = await api.made(list(`limit=2&continue=${tokenOf(rest)}`));
    expect(names(end)).toBe("f");
    expect(valueAt(end, "metadata", "continue")).toBeUndefined();
  });

  test("tell how many are left, unless a selector makes that unknown", async () => {
    await make("abc");
    const left = async (query: string): Promise<unknown> =>
      valueAt(await api.made(list(query)), "metadata", "remainingItemCount");
    expect(await left("limit=1")).toBe(2);
    expect(await left("limit=1&fieldSelector=metadata.name%21%3Dx")).toBeUndefined();
    expect(await left("limit=3")).toBeUndefined();
  });

  test("a token of one list shows nothing of another", async () => {
    await make("abc");
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } };
    await api.made(api.post(`${CORE}/secrets`, secret));
    const first = await api.made(list("limit=1"));
    const other = await api.made(api.get(`${CORE}/secrets?continue=${tokenOf(first)}`));
    expect(names(other)).toBe("s");
    expect(textAt(other, "kind")).toBe("SecretList");
  });
});
