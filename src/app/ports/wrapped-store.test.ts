import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { ReportingStore } from "./wrapped-store.ts";

test("a store that fails says so once, is read meanwhile, and says when it is written again", async () => {
  const lost = new Set([2, 3, 5]);
  const inner = new MemoryStore({
    fault: async (number) => (lost.has(number) ? "lost" : "applied"),
  });
  const log = new MemoryLog();
  const store = new ReportingStore(inner, log);
  await store.write([{ put: "a", value: "1" }]);
  for (const value of ["2", "3"])
    await expect(store.write([{ put: "a", value }])).rejects.toMatchObject({
      code: "StoreWriteFailed",
    });
  expect([store.get("a"), [...store.range("")]]).toEqual(["1", [["a", "1"]]]);
  await store.write([{ put: "a", value: "4" }]);
  await expect(store.write([{ put: "a", value: "5" }])).rejects.toThrow();
  expect(log.lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
    "error the store cannot be written: reading goes on, and writing when there is room again",
    "info the store is written again",
    "error the store cannot be written: reading goes on, and writing when there is room again",
  ]);
  await store.close();
});
