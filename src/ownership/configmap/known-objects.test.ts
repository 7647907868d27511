import { OperationError } from "@zonekeeper/base/operation-error";
import { beforeEach, describe, expect, test } from "vitest";
import type { RegistryStore, StoredObject } from "../../ports/stores.ts";
import { isEqual, KnownObjects } from "./known-objects.ts";

const NAME = "registry-z-1";
const failed = (code: string) =>
  new OperationError({ code, message: "the call failed", retry: "backoff" });

/** Objects by name, compared by version; `trouble` meets the next write. */
class MemoryStore implements RegistryStore {
  readonly objects = new Map<string, StoredObject>();
  trouble: { readonly error: Error; readonly hasEffect: boolean } | null = null;
  reads = 0;
  writes = 0;

  async read(name: string): Promise<StoredObject | null> {
    this.reads += 1;
    return this.objects.get(name) ?? null;
  }

  async write(name: string, data: StoredObject["data"], version: string | null): Promise<string> {
    const { trouble } = this;
    this.trouble = null;
    this.writes += 1;
    if (trouble !== null && !trouble.hasEffect) throw trouble.error;
    if ((this.objects.get(name)?.version ?? null) !== version) throw failed("Conflict");
    this.put(name, data);
    if (trouble !== null) throw trouble.error;
    return this.objects.get(name)?.version ?? "";
  }

  put(name: string, data: StoredObject["data"]): void {
    this.objects.set(name, { data, version: `v${this.writes}-${this.objects.size}-${data["a"]}` });
  }
}

let store: MemoryStore;
let kept: KnownObjects;
beforeEach(() => {
  store = new MemoryStore();
  kept = new KnownObjects(store);
});
const storedData = () => store.objects.get(NAME)?.data ?? null;

test("data that is stored already is not written again", async () => {
  await kept.write(NAME, { a: "1" });
  await kept.write(NAME, { a: "1" });
  expect([store.writes, store.reads, kept.dataOf(NAME), kept.dataOf("other")]).toEqual([
    1,
    0,
    { a: "1" },
    null,
  ]);
  await kept.write(NAME, { a: "2" });
  expect([store.writes, store.reads, storedData()]).toEqual([2, 0, { a: "2" }]);
});

describe("a write that failed", () => {
  test.each(["Conflict", "AlreadyExists", "NotFound", "UnknownOutcome"])(
    "%s: the object is read, and written if it is unchanged",
    async (code) => {
      await kept.write(NAME, { a: "1" });
      store.trouble = { error: failed(code), hasEffect: false };
      await kept.write(NAME, { a: "2" });
      expect([store.writes, store.reads, storedData()]).toEqual([3, 1, { a: "2" }]);
      await kept.write(NAME, { a: "3" });
      expect([store.reads, storedData(), kept.isStale]).toEqual([1, { a: "3" }, false]);
    },
  );

  test("an answer that was lost: the stored data is as wanted, and is not written again", async () => {
    store.trouble = { error: failed("UnknownOutcome"), hasEffect: true };
    await kept.write(NAME, { a: "1" });
    expect([store.writes, storedData()]).toEqual([1, { a: "1" }]);
    await kept.write(NAME, { a: "2" });
    expect([store.writes, storedData()]).toEqual([2, { a: "2" }]);
  });

  test("an object that was removed is written again", async () => {
    await kept.write(NAME, { a: "1" });
    store.objects.delete(NAME);
    await kept.write(NAME, { a: "2" });
    expect([storedData(), kept.isStale]).toEqual([{ a: "2" }, false]);
  });

  test.each([
    ["a failure that leaves no doubt", failed("Forbidden")],
    ["a bug, whatever code it has", Object.assign(new TypeError("a bug"), { code: "Conflict" })],
  ])("%s is thrown on, and nothing is looked up", async (_, error) => {
    store.trouble = { error, hasEffect: false };
    await expect(kept.write(NAME, { a: "1" })).rejects.toBe(error);
    expect([store.reads, kept.dataOf(NAME)]).toEqual([0, null]);
  });
});

describe("somebody else wrote", () => {
  const changed = {
    code: "RegistryChanged",
    retry: "backoff",
    message: expect.stringContaining(`somebody else changed ${NAME}`),
  };

  test("another content is not overwritten, and everything is to be read anew", async () => {
    await kept.write(NAME, { a: "1" });
    store.put(NAME, { a: "theirs" });
    await expect(kept.write(NAME, { a: "2" })).rejects.toMatchObject(changed);
    expect([storedData(), kept.isStale]).toEqual([{ a: "theirs" }, true]);
    kept.replace(store.objects);
    expect([kept.isStale, kept.dataOf(NAME)]).toEqual([false, { a: "theirs" }]);
    kept.replace(new Map());
    expect(kept.dataOf(NAME)).toBeNull();
  });

  test("the same content under another version is as it was", async () => {
    await kept.write(NAME, { a: "1" });
    store.objects.set(NAME, { data: { a: "1" }, version: "theirs" });
    await kept.write(NAME, { a: "2" });
    expect(storedData()).toEqual({ a: "2" });
  });

  test.each([
    ["an object that is not known is not overwritten", {}, { a: "theirs" }],
    ["unless an object may exist there", { mayStand: true }, { a: "mine" }],
  ])("%s", async (_, options, after) => {
    store.put(NAME, { a: "theirs" });
    const write = kept.write(NAME, { a: "mine" }, options);
    if (after.a === "theirs") await expect(write).rejects.toMatchObject(changed);
    else await write;
    expect(storedData()).toEqual(after);
  });

  test("an object that is known and was changed is not, even where one may exist", async () => {
    await kept.write(NAME, { a: "1" });
    store.put(NAME, { a: "theirs" });
    await expect(kept.write(NAME, { a: "2" }, { mayStand: true })).rejects.toMatchObject(changed);
  });
});

test.each([
  [{}, {}, true],
  [{ a: "1" }, { a: "1" }, true],
  [{ a: "1" }, { a: "2" }, false],
  [{ a: "1" }, { a: "1", b: "2" }, false],
  [{ a: "1", b: "2" }, { a: "1" }, false],
])("%j is %j: %s", (a, b, equal) => {
  expect(isEqual(a, b)).toBe(equal);
});
