import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { expect, test } from "vitest";
import { ENTRIES, entry, TestApi } from "../../../../../test/support/clients/control-plane-api.ts";
import { DNS_ENTRY } from "../../../../../test/support/values/entry-kind.ts";
import { listAt, valueAt } from "../json/json.ts";
import { ObjectStorage } from "./object-storage.ts";
import { SHARED_MAX, SharedFields } from "./shared-fields.ts";

const record = (manager: string, field: string, time = "2026-01-01T00:00:00Z") => ({
  name: "a",
  managedFields: [{ manager, operation: "Update", time, fieldsV1: { [`f:${field}`]: {} } }],
});
const first = (meta: object): unknown => listAt(meta, "managedFields")[0];

test("equal entries are one object; others share their fields", () => {
  const pool = new SharedFields();
  const [a, b] = [pool.share(record("m", "x")), pool.share(record("m", "x"))];
  expect(first(a)).toBe(first(b));
  expect(a).toEqual(record("m", "x"));
  const later = pool.share(record("m", "x", "2026-01-02T00:00:00Z"));
  expect(first(later)).not.toBe(first(a));
  expect(valueAt(first(later), "fieldsV1")).toBe(valueAt(first(a), "fieldsV1"));
});

test("an object without record stays itself", () => {
  const plain = { name: "a" };
  expect(new SharedFields().share(plain)).toBe(plain);
});

test("what is dropped from the pool is only shared no longer", () => {
  const pool = new SharedFields();
  const a = pool.share(record("m", "x"));
  for (let index = 0; index <= SHARED_MAX; index += 1) pool.share(record("m", `y${index}`));
  const again = pool.share(record("m", "x"));
  expect(again).toEqual(a);
  expect(first(again)).not.toBe(first(a));
});

test("objects that are loaded share too, and those of older versions, without record, load", async () => {
  const store = new MemoryStore();
  const api = await TestApi.open({ store });
  for (const name of ["a", "b"]) await api.made(api.post(ENTRIES, entry(name)));
  await api.made(api.post(ENTRIES, entry("c")));
  await api.made(api.patch(`${ENTRIES}/c`, { metadata: { managedFields: [] } }));
  await api.plane.stop();
  const storage = ObjectStorage.open({ store, kinds: [DNS_ENTRY] });
  const [a, b, c] = storage.list(DNS_ENTRY);
  expect(first(a?.metadata ?? {})).toBe(first(b?.metadata ?? {}));
  expect(c?.metadata).not.toHaveProperty("managedFields");
});
