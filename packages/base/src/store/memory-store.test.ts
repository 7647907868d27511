import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StoreOperation } from "../ports/store.ts";
import { MemoryStore, type StoreFault } from "./memory-store.ts";

const put = (key: string, value = key): StoreOperation => ({ put: key, value });
const remove = (key: string): StoreOperation => ({ remove: key });

describe("reading", () => {
  test("a range holds the keys with its prefix, by code unit", async () => {
    const store = new MemoryStore();
    await store.write([put("b/2"), put("a/1"), put("b/10"), put("b"), put("c"), put("b/Z")]);
    expect([...store.range("b/")].map(([key]) => key)).toEqual(["b/10", "b/2", "b/Z"]);
    expect(store.get("a/1")).toBe("a/1");
    expect(store.get("a")).toBeNull();
  });

  test("a range is one moment: later writes do not show in it", async () => {
    const store = new MemoryStore({ entries: [["a", "1"]] });
    const range = store.range("");
    await store.write([put("a", "2"), put("b", "2")]);
    expect([...range]).toEqual([["a", "1"]]);
  });
});

describe("writing", () => {
  test("the same key twice in one write: the last word counts", async () => {
    const store = new MemoryStore();
    await store.write([put("a", "1"), remove("a"), put("a", "2"), put("b"), remove("b")]);
    expect(store.contents()).toEqual([["a", "2"]]);
  });

  test("a lost write leaves nothing of itself", async () => {
    const fault: StoreFault = async (number) => (number === 2 ? "lost" : "applied");
    const store = new MemoryStore({ fault });
    await store.write([put("a", "1")]);
    await expect(store.write([put("a", "2"), put("b")])).rejects.toMatchObject({
      code: "StoreWriteFailed",
    });
    await store.write([put("c")]);
    expect(store.contents()).toEqual([
      ["a", "1"],
      ["c", "c"],
    ]);
  });

  test("an unacknowledged write is there and rejects", async () => {
    const store = new MemoryStore({ fault: async () => "applied-unacknowledged" });
    await expect(store.write([put("a")])).rejects.toMatchObject({ code: "StoreWriteFailed" });
    expect(store.get("a")).toBe("a");
  });

  test("writes are applied in the order of the calls, also on a slow disk", async () => {
    const gates: (() => void)[] = [];
    const fault = async () => {
      await new Promise<void>((resolve) => gates.push(resolve));
      return "applied" as const;
    };
    const store = new MemoryStore({ fault });
    const first = store.write([put("a", "1")]);
    const second = store.write([put("a", "2")]);
    await Promise.resolve();
    expect(store.get("a")).toBeNull();
    gates.shift()?.();
    await first;
    expect(store.get("a")).toBe("1");
    await Promise.resolve();
    gates.shift()?.();
    await second;
    expect(store.get("a")).toBe("2");
  });

  test("a closed store refuses, and close waits for what was under way", async () => {
    const store = new MemoryStore();
    const write = store.write([put("a")]);
    await store.close();
    await write;
    expect(store.get("a")).toBe("a");
    await expect(store.write([put("b")])).rejects.toMatchObject({ code: "StoreClosed" });
  });
});

test("any history reads as a sorted plain map", async () => {
  const key = fc.constantFrom("a", "ab", "b", "b/1", "b/2", "c");
  const operation = fc.oneof(
    fc.record({ put: key, value: fc.constantFrom("1", "2") }),
    fc.record({ remove: key }),
  );
  const step = fc.record({ write: fc.array(operation, { maxLength: 5 }), reads: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const store = new MemoryStore();
      const plain = new Map<string, string>();
      for (const { write, reads } of steps) {
        await store.write(write);
        for (const each of write)
          if ("put" in each) plain.set(each.put, each.value);
          else plain.delete(each.remove);
        const sorted = [...plain].sort(([a], [b]) => (a < b ? -1 : 1));
        if (reads) expect(store.contents()).toEqual(sorted);
        if (reads) expect([...store.range("b")]).toEqual(sorted.filter(([k]) => k.startsWith("b")));
      }
    }),
  );
});
