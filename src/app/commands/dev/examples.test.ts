import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { afterAll, expect, test } from "vitest";
import { applyExamples } from "./examples.ts";

const root = mkdtempSync(join(tmpdir(), "zonekeeper-examples-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
writeFileSync(join(root, "20-b.yaml"), "kind: B\n---\nkind: C\n---\n# nothing\n");
writeFileSync(join(root, "10-a.yaml"), "kind: A\n");
writeFileSync(join(root, "readme.md"), "no: yaml");

class Target {
  readonly objects: string[] = [];
  dieAt = "";
  isEmpty(): boolean {
    return this.objects.length === 0;
  }
  async applyManifest(manifest: unknown): Promise<void> {
    const text = JSON.stringify(manifest);
    if (this.objects.includes(text)) throw Object.assign(new Error(), { reason: "AlreadyExists" });
    if (text === this.dieAt) throw new Error("bad object");
    this.objects.push(text);
  }
}

test("examples come once to an empty cluster, in order, and not again", async () => {
  const target = new Target();
  const store = new MemoryStore();
  expect(await applyExamples(root, { target, store, wanted: true })).toBe(3);
  expect(target.objects).toEqual(['{"kind":"A"}', '{"kind":"B"}', '{"kind":"C"}']);
  target.objects.length = 0;
  expect(await applyExamples(root, { target, store, wanted: true })).toBe(0);
  expect(target.objects).toEqual([]);
});

test("a cluster that has objects gets none, and --no-examples holds for ever", async () => {
  const used = new Target();
  used.objects.push("something");
  await applyExamples(root, { target: used, store: new MemoryStore(), wanted: true });
  expect(used.objects).toEqual(["something"]);
  const target = new Target();
  const store = new MemoryStore();
  await applyExamples(root, { target, store, wanted: false });
  await applyExamples(root, { target, store, wanted: true });
  expect(target.objects).toEqual([]);
});

test("a start that was killed in between is completed", async () => {
  const target = new Target();
  const store = new MemoryStore();
  target.dieAt = '{"kind":"B"}';
  await expect(applyExamples(root, { target, store, wanted: true })).rejects.toThrow(
    /20-b\.yaml cannot be applied: bad object/,
  );
  target.dieAt = "";
  await applyExamples(root, { target, store, wanted: true });
  expect(target.objects).toHaveLength(3);
});
