import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { LmdbStore } from "./lmdb-store.ts";

const folder = mkdtempSync(join(tmpdir(), "zonekeeper-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const fresh = (): string => join(folder, `s${files++}.mdb`);

test("what was written is read, ranged by prefix in key order, and removed", async () => {
  const store = LmdbStore.open(fresh());
  await store.write([
    { put: "b/2", value: "two" },
    { put: "b/1", value: "one" },
    { put: "a", value: "" },
    { put: "b0", value: "other" },
    { put: "c", value: "ü" },
  ]);
  expect([...store.range("b/")]).toEqual([
    ["b/1", "one"],
    ["b/2", "two"],
  ]);
  expect([store.get("a"), store.get("c"), store.get("none")]).toEqual(["", "ü", null]);
  expect([...store.range("")].length).toBe(5);
  await store.write([{ remove: "b/1" }, { remove: "none" }]);
  expect([...store.range("b/")]).toEqual([["b/2", "two"]]);
  await store.close();
});

test("a range is as of the call", async () => {
  const store = LmdbStore.open(fresh());
  await store.write([{ put: "k1", value: "1" }]);
  const before = store.range("k");
  await store.write([{ put: "k2", value: "2" }]);
  expect([...before]).toEqual([["k1", "1"]]);
  await store.close();
});

test("batches are applied in the order of the calls", async () => {
  const store = LmdbStore.open(fresh());
  const writes = Array.from({ length: 200 }, (_, index) =>
    store.write([
      { put: "same", value: String(index) },
      { put: `n${index}`, value: "x" },
    ]),
  );
  await Promise.all(writes);
  expect(store.get("same")).toBe("199");
  expect([...store.range("n")].length).toBe(200);
  await store.close();
});

test("a batch with a bad key changes nothing", async () => {
  const store = LmdbStore.open(fresh());
  await expect(
    store.write([
      { put: "good", value: "1" },
      { put: "k".repeat(3000), value: "2" },
    ]),
  ).rejects.toThrow("1 to 1900 bytes");
  expect(store.get("good")).toBeNull();
  await store.close();
});

test("a full disk is told in one sentence; reading goes on, and writing when there is room", async () => {
  let free = 50_000;
  const file = fresh();
  const store = LmdbStore.open(file, () => free);
  await expect(store.write([{ put: "k", value: "v" }])).rejects.toMatchObject({
    ...{ code: "StoreWriteFailed", retry: "backoff" },
    message: `${file} cannot be written: its disk is full (50000 bytes are free)`,
  });
  expect(store.get("k")).toBeNull();
  free = 5_000_000;
  await store.write([{ put: "k", value: "v" }]);
  expect(store.get("k")).toBe("v");
  await store.close();
});

test("what was acknowledged is there after opening again", async () => {
  const file = fresh();
  const first = LmdbStore.open(file);
  await first.write([{ put: "k", value: "v" }]);
  await first.close();
  const second = LmdbStore.open(file);
  expect(second.get("k")).toBe("v");
  await second.close();
});

test("a file that is no store, or was cut short, is a StoreUnusable and not a crash", async () => {
  const notADatabase = fresh();
  writeFileSync(notADatabase, "this is not a database".repeat(1000));
  expect(() => LmdbStore.open(notADatabase)).toThrow(
    `${notADatabase} cannot be opened: it is not a database`,
  );
  const whole = fresh();
  const store = LmdbStore.open(whole);
  await store.write(
    Array.from({ length: 500 }, (_, index) => ({ put: `k${index}`, value: "v".repeat(500) })),
  );
  await store.close();
  const cut = fresh();
  writeFileSync(cut, readFileSync(whole).subarray(0, 100_000));
  expect(() => LmdbStore.open(cut)).toThrow("it was cut short");
  const empty = fresh();
  writeFileSync(empty, "");
  const fine = LmdbStore.open(empty);
  await fine.write([{ put: "k", value: "v" }]);
  await fine.close();
});

/** Changes `from` in the file to `to`, of equal length, at every place. */
function damage(file: string, from: string, to: string): void {
  const bytes = readFileSync(file);
  let at = bytes.indexOf(from);
  expect(at, "the text is in the file").toBeGreaterThan(-1);
  for (; at >= 0; at = bytes.indexOf(from)) bytes.write(to, at, "latin1");
  writeFileSync(file, bytes);
}

async function written(key: string, value: string): Promise<string> {
  const file = fresh();
  const store = LmdbStore.open(file);
  await store.write([{ put: key, value }]);
  await store.close();
  return file;
}

test.each([
  ["the value", "192.0.2.1", "192.0.2.3"],
  ["the value, now no UTF-8", "192.0.2.1", "192.0.2.\u00b1"],
  ["the checksum's mark", "crc:", "crs:"],
  ["the mark before it", "\u0001crc:", "\u0003crc:"],
])("a flipped bit in %s is told with the key and the remedy, not served", async (_in, from, to) => {
  const file = await written("dns www", '{"address":"192.0.2.1"}');
  damage(file, from, to);
  const store = LmdbStore.open(file);
  const line = `${file}: the value of "dns www" is not what was written: the file is damaged`;
  expect(() => store.get("dns www")).toThrow(line);
  expect(() => store.range("dns")).toThrow("restore the file, or remove the whole folder");
  await store.close();
});

test("a flipped bit in a key that leaves another key is told, too", async () => {
  const file = await written("dns www", "{}");
  damage(file, "dns www", "dns wwv");
  const store = LmdbStore.open(file);
  expect(() => store.range("dns")).toThrow('the value of "dns wwv" is not what was written');
  await store.close();
});

test.each(['{"a":1}', "17", "", "done", "[]"])(
  "a value that an older version wrote is read as it is: %j",
  async (value) => {
    const file = fresh();
    const { open } = await import("lmdb");
    const old = open({ path: file, noSubdir: true, encoding: "string", keyEncoding: "binary" });
    await old.put(Buffer.from("k"), value);
    await old.close();
    const store = LmdbStore.open(file);
    expect([store.get("k"), store.range("k")]).toEqual([value, [["k", value]]]);
    await store.close();
  },
);
