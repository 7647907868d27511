import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { MemoryCluster } from "../../../test/support/memory-cluster.ts";
import { MemoryStore } from "../../embedded/store/memory-store.ts";
import { DNS_PROVIDER, SECRET } from "../../model/kinds.ts";
import { ensureEmbeddedProvider } from "./embedded-provider.ts";
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

const server = (port: number) => ({
  at: { host: "127.0.0.1", port },
  zone: "example.org",
  tsig: { name: "k", algorithm: "hmac-sha256" as const, secretBase64: "c2VjcmV0" },
});

test("the embedded provider is made once, its Secret follows the port", async () => {
  const cluster = new MemoryCluster("c");
  await ensureEmbeddedProvider(cluster, server(1));
  const secret = (): string => JSON.stringify(cluster.now(SECRET, "default", "embedded"));
  expect(secret()).toContain(btoa("127.0.0.1:1"));
  expect(cluster.now(DNS_PROVIDER, "default", "embedded")?.["spec"]).toMatchObject({
    type: "rfc2136",
    secretRef: { name: "embedded" },
  });
  const writes = cluster.writes.length;
  await ensureEmbeddedProvider(cluster, server(1));
  expect(cluster.writes.length).toBe(writes);
  await ensureEmbeddedProvider(cluster, server(2));
  expect(secret()).toContain(btoa("127.0.0.1:2"));
});
