import { OperationError } from "@zonekeeper/base/operation-error";
import { beforeEach, describe, expect, test } from "vitest";
import { nameOf, parseZone } from "../../../test/support/values/zone-text.ts";
import { recordSetKeyText } from "../../model/record-set.ts";
import type { RegistryStore, StoredObject } from "../../ports/stores.ts";
import { RegistryRows } from "./registry-rows.ts";
import { type Claim, formatIntents, formatRows, type Intent, rowOf } from "./row.ts";
import { ROOT, ShardTree } from "./shard-tree.ts";

/** Objects by name; each write is compared by version. */
class MemoryStore implements RegistryStore {
  readonly objects = new Map<string, StoredObject>();
  /** Names in the order of their writes. */
  readonly written: string[] = [];
  /** Happens while a write is under way. */
  meanwhile: () => void = () => undefined;
  #version = 0;

  async read(name: string): Promise<StoredObject | null> {
    return this.objects.get(name) ?? null;
  }

  async write(name: string, data: StoredObject["data"], version: string | null): Promise<string> {
    if ((this.objects.get(name)?.version ?? null) !== version)
      throw new OperationError({ code: "Conflict", message: name, retry: "backoff" });
    const next = `v${++this.#version}`;
    this.objects.set(name, { data, version: next });
    this.written.push(name);
    this.meanwhile();
    return next;
  }
}

const CLAIM: Claim = { owner: "me", resource: "service/default/web", cluster: "c1" };
const row = (name: string, claim: Claim | null = CLAIM) => {
  const [set] = parseZone(`${name} 300 A 192.0.2.1`);
  if (set === undefined) throw new Error("no set");
  return rowOf(set, claim);
};
const intent = (name: string, claim = CLAIM): Intent => ({
  name: nameOf(name),
  type: "A",
  setIdentifier: null,
  claim,
  next: ["0123456789abcdef"],
});
const intentsOf = (...all: readonly Intent[]) =>
  new Map(all.map((one) => [recordSetKeyText(one), one]));

let store: MemoryStore;
beforeEach(() => {
  store = new MemoryStore();
});
const open = (shardBytesMax?: number) =>
  new RegistryRows({
    store,
    id: "z",
    zone: "here",
    ...(shardBytesMax === undefined ? {} : { shardBytesMax }),
  });

/** A registry with one row and no open intent. */
async function kept(): Promise<RegistryRows> {
  const registry = open();
  await registry.flush(intentsOf(intent("www")));
  registry.put(nameOf("www"), [row("www")]);
  registry.settle(intent("www"));
  await registry.flush();
  return registry;
}

const setData = (name: string, data: StoredObject["data"]) =>
  store.objects.set(name, { data, version: "by hand" });

describe("objects that cannot be used: nothing changes, and the zone is left alone", () => {
  test.each<[string, string, StoredObject["data"], RegExp]>([
    ["intents of another zone", "intents-z", { zone: "there" }, /zone "there"/],
    ["rows of no zone", "registry-z-1", {}, /zone ""/],
    ["an object without intents", "intents-z", { zone: "here" }, /not a list/],
    ["intents that cannot be read", "intents-z", { zone: "here", intents: "[1]" }, /row 1/],
    ["an object without rows", "registry-z-1", { zone: "here" }, /not a list/],
    ["rows that cannot be read", "registry-z-1", { zone: "here", records: "[1]" }, /row 1/],
    ["a split whose parts are missing", "registry-z-1", { zone: "here", split: "2 3" }, /missing/],
  ])("%s", async (_, name, data, message) => {
    const registry = await kept();
    setData(name, data);
    await expect(registry.refresh()).rejects.toMatchObject({
      code: "RegistryUnusable",
      retry: "backoff",
      message: expect.stringMatching(message),
    });
    expect(registry.rowsAt(nameOf("www"))).toEqual([row("www")]);
  });

  test("rows with a claim and no intents: half a registry, also where it is split", async () => {
    const registry = open(10);
    await registry.flush(intentsOf(intent("www")));
    for (const name of ["www", "api", "mail"]) registry.put(nameOf(name), [row(name)]);
    await registry.flush();
    expect(store.objects.get("registry-z-1")?.data["split"]).toBe("2 3");
    store.objects.delete("intents-z");
    await expect(open(10).refresh()).rejects.toMatchObject({ code: "RegistryUnusable" });
  });

  test("open intents and no rows likewise", async () => {
    await open().flush(intentsOf(intent("www")));
    store.objects.delete("registry-z-1");
    await expect(open().refresh()).rejects.toThrow(/registry-z-1 .*missing/);
  });
});

describe("objects that were removed", () => {
  test("intents: memory is newer, and writes them again", async () => {
    const registry = await kept();
    await registry.flush(intentsOf(intent("api")));
    store.objects.delete("intents-z");
    expect(await registry.refresh()).toEqual([]);
    expect(registry.intentAt(intent("api"))).toEqual(intent("api"));
    await registry.flush();
    expect(store.objects.get("intents-z")?.data["intents"]).toBe(formatIntents([intent("api")]));
  });

  test("intents of which none is open are written again, however often they are read before", async () => {
    const registry = await kept();
    await registry.flush(new Map());
    store.objects.delete("intents-z");
    for (const _ of [1, 2]) expect(await registry.refresh()).toEqual([]);
    await registry.flush();
    await open().refresh();
    expect(store.objects.get("intents-z")?.data["intents"]).toBe(formatIntents([]));
  });

  test("a shard of a split registry likewise", async () => {
    const registry = open(10);
    await registry.flush(intentsOf(intent("www")));
    for (const name of ["www", "api", "mail"]) registry.put(nameOf(name), [row(name)]);
    await registry.flush();
    store.objects.delete("registry-z-2");
    store.objects.delete("registry-z-1");
    for (const _ of [1, 2]) expect(await registry.refresh()).toEqual([]);
    await registry.flush();
    const next = open(10);
    await next.refresh();
    expect([...next.names()].sort()).toEqual(["api", "mail", "www"].map(nameOf));
  });

  test("rows, seen by a process that never knew them and has no open intent: half a registry", async () => {
    await kept();
    store.objects.delete("registry-z-1");
    const next = open();
    await expect(next.refresh()).rejects.toMatchObject({
      code: "RegistryUnusable",
      message: expect.stringMatching(/registry-z-1 .*missing, and intents-z .*zone here.*delete/),
    });
    expect(store.objects.has("registry-z-1")).toBe(false);
    store.objects.delete("intents-z");
    expect(await next.refresh()).toEqual([]);
    await next.flush();
    expect(store.objects.get("registry-z-1")?.data["records"]).toBe("[\n]");
  });

  test.each([0, 1, 2])(
    "a crash after %i of the first writes is no loss: rows come before the first intents",
    async (writes) => {
      let left = writes;
      const dying: RegistryStore = {
        read: (name) => store.read(name),
        write: (name, data, version) => {
          if (left-- <= 0) throw new Error("dead");
          return store.write(name, data, version);
        },
      };
      const first = new RegistryRows({ store: dying, id: "z", zone: "here" });
      await first.flush(intentsOf(intent("www"))).catch(() => undefined);
      expect(store.written).toEqual(["registry-z-1", "intents-z"].slice(0, writes));
      await expect(open().refresh()).resolves.toBeDefined();
    },
  );
});

test("what one has written, another reads: names of rows and of intents", async () => {
  const registry = await kept();
  await registry.flush(intentsOf(intent("api")));
  const next = open();
  expect([...(await next.refresh())].sort()).toEqual([nameOf("api"), nameOf("www")]);
  expect(next.rowsAt(nameOf("www"))).toEqual([row("www")]);
  expect(next.intentAt(intent("api"))).toEqual(intent("api"));
  expect(await next.refresh()).toEqual([]);
});

test("amend replaces one intent, settle forgets it, others stay", async () => {
  const registry = open();
  await registry.flush(intentsOf(intent("www"), intent("api")));
  const earlier = intent("www", { ...CLAIM, owner: "me2" });
  registry.amend(earlier);
  expect([...registry.intents.values()]).toEqual([earlier, intent("api")]);
  registry.settle(earlier);
  expect([...registry.intents.values()]).toEqual([intent("api")]);
});

test("an intent that a flush leaves out is forgotten, in memory and in the store", async () => {
  const registry = open();
  await registry.flush(intentsOf(intent("www"), intent("api")));
  await registry.flush(intentsOf(intent("api")));
  expect([...registry.intents.values()]).toEqual([intent("api")]);
  expect(store.objects.get("intents-z")?.data["intents"]).toBe(formatIntents([intent("api")]));
});

test("what is settled while a flush is under way stays settled", async () => {
  const registry = open();
  const www = intent("www");
  await registry.flush(intentsOf(www));
  store.meanwhile = () => registry.settle(www);
  await registry.flush(intentsOf(www, intent("api")));
  expect([...registry.intents.values()]).toEqual([intent("api")]);
});

describe("what another wrote", () => {
  const writeFromOtherProcess = async (change: (registry: RegistryRows) => void) => {
    const registry = open();
    await registry.refresh();
    change(registry);
    await registry.flush();
  };

  test("rows and intents that are gone are answered", async () => {
    const registry = await kept();
    await registry.flush(intentsOf(intent("api")));
    await writeFromOtherProcess((other) => other.put(nameOf("www"), []));
    expect(await registry.refresh()).toEqual([nameOf("www"), nameOf("api")]);
    await writeFromOtherProcess((other) => other.settle(intent("api")));
    expect(await registry.refresh()).toEqual([nameOf("api")]);
  });

  test("stops us: nothing is written before it was read", async () => {
    const registry = await kept();
    await writeFromOtherProcess((other) => other.put(nameOf("api"), [row("api")]));
    registry.put(nameOf("www"), []);
    await expect(registry.flush()).rejects.toMatchObject({ code: "RegistryChanged" });
    expect(registry.isStale).toBe(true);
    await expect(registry.flush()).rejects.toMatchObject({
      code: "RegistryStale",
      retry: "backoff",
      message: expect.stringContaining("read anew first"),
    });
    await registry.refresh();
    await registry.flush();
    expect(registry.rowsAt(nameOf("www"))).toEqual([row("www")]);
  });
});

describe("shards", () => {
  const NAMES = ["www", "api", "mail", "ftp", "smtp", "imap", "ns", "mx"];
  const grown = async (): Promise<RegistryRows> => {
    const registry = open(10);
    for (const name of NAMES) registry.put(nameOf(name), [row(name)]);
    await registry.flush(intentsOf(intent("www")));
    return registry;
  };

  test("are split until they are small enough, children written before their parents", async () => {
    await grown();
    const shards = store.written.flatMap((name) => /^registry-z-(\d+)$/.exec(name)?.[1] ?? []);
    expect(shards.map(Number)).toEqual(shards.map(Number).sort((a, b) => b - a));
    const leaves = [...store.objects.values()].flatMap(({ data }) => data["records"] ?? []);
    expect(leaves.every((text) => text.split("\n").length <= 3)).toBe(true);
    expect(leaves.join("").match(/dnsname/g)).toHaveLength(NAMES.length);
  });

  test.each([
    [0, undefined],
    [-1, "2 3"],
  ])("a limit of %i bytes beside what they have: split %s", async (more, split) => {
    const rows = ["www", "api"].map((name) => row(name));
    const registry = open(formatRows(rows).length + more);
    for (const one of rows) registry.put(one.name, [one]);
    await registry.flush(intentsOf(intent("www")));
    expect(store.objects.get("registry-z-1")?.data["split"]).toBe(split);
  });

  test("one that was removed is written again, also when others changed", async () => {
    const registry = await grown();
    const before = store.objects.get("registry-z-2");
    store.objects.delete("registry-z-2");
    setData("intents-z", { zone: "here", intents: formatIntents([]) });
    await registry.refresh();
    await registry.flush();
    expect(store.objects.get("registry-z-2")?.data).toEqual(before?.data);
  });

  test("one that was written before is no leftover: another's is not overwritten", async () => {
    const registry = await grown();
    store.objects.delete("registry-z-2");
    await registry.refresh();
    setData("registry-z-2", { zone: "here", records: "[\n]" });
    await expect(registry.flush()).rejects.toMatchObject({ code: "RegistryChanged" });
  });

  test("a split that another's write broke off leaves no shard behind", async () => {
    const registry = open(1000);
    await registry.flush(intentsOf(intent("www")));
    for (const name of NAMES) registry.put(nameOf(name), [row(name)]);
    setData("registry-z-1", { zone: "here", records: formatRows([row("www")]) });
    await expect(registry.flush()).rejects.toMatchObject({ code: "RegistryChanged" });
    store.objects.delete("registry-z-2");
    store.objects.delete("registry-z-3");
    await registry.refresh();
    await registry.flush();
    expect([...store.objects.keys()].sort()).toEqual(["intents-z", "registry-z-1"]);
  });
});

test("an object of 900000 bytes is written, one of a byte more is not", async () => {
  const claim = (bytes: number) => ({ ...CLAIM, resource: "x".repeat(bytes) });
  const bytes = 900_000 - formatRows([row("www", claim(0))]).length;
  const registry = open(2_000_000);
  registry.put(nameOf("www"), [row("www", claim(bytes))]);
  await registry.flush(intentsOf(intent("www")));
  registry.put(nameOf("www"), [row("www", claim(bytes + 1))]);
  await expect(registry.flush()).rejects.toMatchObject({ code: "RegistryFull" });
});

describe("objects have a limit", () => {
  const long = { ...CLAIM, resource: `service/default/${"x".repeat(900_000)}` };

  test("rows: nothing is written, and it is said which object", async () => {
    const registry = open();
    registry.put(nameOf("www"), [row("www", long)]);
    await expect(registry.flush()).rejects.toMatchObject({
      code: "RegistryFull",
      retry: "backoff",
      message: expect.stringContaining("registry-z-1"),
    });
    expect(store.objects.size).toBe(0);
  });

  test("intents likewise, and they are not remembered", async () => {
    const registry = open();
    await expect(registry.flush(intentsOf(intent("www", long)))).rejects.toMatchObject({
      code: "RegistryFull",
      message: expect.stringContaining("intents-z"),
    });
    expect(store.objects.has("intents-z")).toBe(false);
    expect(registry.intents.size).toBe(0);
  });
});

describe("the tree of shards", () => {
  const grown = () => {
    const tree = new ShardTree();
    for (const name of ["www", "api", "mail", "ftp"]) tree.put(nameOf(name), [row(name, null)]);
    return tree;
  };

  test("a split passes every row on, and what was split holds none", () => {
    const tree = grown();
    expect(tree.isDivisible(ROOT)).toBe(true);
    expect(tree.split(ROOT)).toEqual([2, 3]);
    expect([...tree.names()].sort()).toEqual(["api", "ftp", "mail", "www"].map(nameOf));
    expect(tree.at(nameOf("www"))).toEqual([row("www", null)]);
    expect([tree.textOf(ROOT), tree.isDivisible(ROOT), tree.isDivisible(7)]).toEqual([
      null,
      false,
      false,
    ]);
  });

  test("one name is not split, and neither is a leaf that is deep enough", () => {
    const tree = new ShardTree();
    tree.put(nameOf("www"), [row("www")]);
    expect(tree.isDivisible(ROOT)).toBe(false);
    const full = new Map(["a", "b"].map((name) => [nameOf(name), [row(name)]]));
    tree.putShard(1023, full);
    tree.putShard(1024, full);
    expect([tree.isDivisible(1023), tree.isDivisible(1024)]).toEqual([true, false]);
  });

  test("a name whose rows are gone is no name of it", () => {
    const tree = grown();
    tree.put(nameOf("www"), []);
    expect([...tree.names()]).not.toContain(nameOf("www"));
    expect(tree.at(nameOf("www"))).toEqual([]);
  });

  test("a claim in any leaf is found; rows of nobody are none", () => {
    const tree = grown();
    tree.split(ROOT);
    expect(tree.hasClaims).toBe(false);
    tree.put(nameOf("www"), [row("www")]);
    expect(tree.hasClaims).toBe(true);
    tree.put(nameOf("www"), []);
    expect(tree.hasClaims).toBe(false);
  });
});
