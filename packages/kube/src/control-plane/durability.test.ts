import { MemoryStore, type WriteOutcome } from "@zonekeeper/base/store/memory-store";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ENTRIES,
  entry,
  type OpenWatch,
  TestApi,
} from "../../../../test/support/clients/control-plane-api.ts";
import { listAt, textAt, valueAt } from "./json/json.ts";

const NAMES = ["a", "b", "c"] as const;
type Name = (typeof NAMES)[number];

/** One step of a random history. */
type Step =
  | { readonly kind: "create" | "delete" | "label"; readonly name: Name }
  | { readonly kind: "ttl" | "status"; readonly name: Name; readonly value: number };

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom("create" as const, "delete" as const, "label" as const),
      name: fc.constantFrom(...NAMES),
    }),
    fc.record({
      kind: fc.constantFrom("ttl" as const, "status" as const),
      name: fc.constantFrom(...NAMES),
      value: fc.integer({ min: 1, max: 3 }),
    }),
  ),
  { minLength: 1, maxLength: 30 },
);

/** What the model knows of an object. */
interface Modelled {
  readonly ttl: number | null;
  readonly status: number | null;
  readonly labelled: boolean;
  readonly generation: number;
}
type Model = ReadonlyMap<Name, Modelled>;

async function carryOut(api: TestApi, step: Step): Promise<number> {
  const path = `${ENTRIES}/${step.name}`;
  switch (step.kind) {
    case "create":
      return (await api.post(ENTRIES, entry(step.name))).status;
    case "delete":
      return (await api.delete(path)).status;
    case "label":
      return (await api.patch(path, { metadata: { labels: { on: "yes" } } })).status;
    case "ttl":
      return (await api.patch(path, { spec: { ttl: step.value } })).status;
    case "status":
      return (await api.patch(`${path}/status`, { status: { ttl: step.value } })).status;
  }
}

/** The model after the step, and the answer that is right. */
function predict(model: Model, step: Step): readonly [Model, number] {
  const known = model.get(step.name);
  if (step.kind === "create") {
    if (known !== undefined) return [model, 409];
    const fresh = { ttl: null, status: null, labelled: false, generation: 1 };
    return [new Map(model).set(step.name, fresh), 201];
  }
  if (known === undefined) return [model, 404];
  if (step.kind === "delete") {
    const rest = new Map(model);
    rest.delete(step.name);
    return [rest, 200];
  }
  return [new Map(model).set(step.name, changed(known, step)), 200];
}

function changed(known: Modelled, step: Step): Modelled {
  if (step.kind === "label") return { ...known, labelled: true };
  if (step.kind === "status") return { ...known, status: step.value };
  if (step.kind !== "ttl" || known.ttl === step.value) return known;
  return { ...known, ttl: step.value, generation: known.generation + 1 };
}

async function observed(api: TestApi): Promise<Model> {
  const list = await api.made(api.get(ENTRIES));
  return new Map(
    listAt(list, "items").map((item) => [
      NAMES.find((name) => name === textAt(item, "metadata", "name")) ?? "a",
      {
        ttl: Number(valueAt(item, "spec", "ttl") ?? 0) || null,
        status: Number(valueAt(item, "status", "ttl") ?? 0) || null,
        labelled: valueAt(item, "metadata", "labels", "on") === "yes",
        generation: Number(valueAt(item, "metadata", "generation")),
      },
    ]),
  );
}

const revisionOf = async (api: TestApi): Promise<number> =>
  Number(textAt((await api.get(ENTRIES)).body, "metadata", "resourceVersion"));

describe("a random history", () => {
  test("answers and ends as a plain model does", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const api = await TestApi.open();
        let model: Model = new Map();
        for (const step of history) {
          const [next, status] = predict(model, step);
          expect(await carryOut(api, step)).toBe(status);
          model = next;
          expect(await observed(api)).toEqual(new Map([...model].sort()));
        }
      }),
      { numRuns: 60 },
    );
  });

  test("a watch from any revision replays to the list", async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat({ max: 30 }), async (history, cut) => {
        const api = await TestApi.open();
        for (const step of history.slice(0, cut)) await carryOut(api, step);
        const start = await api.made(api.get(ENTRIES));
        for (const step of history.slice(cut)) await carryOut(api, step);
        const objects = new Map<string, unknown>();
        for (const item of listAt(start, "items"))
          objects.set(textAt(item, "metadata", "name"), item);
        const version = textAt(start, "metadata", "resourceVersion");
        const watch = await api.watch(`${ENTRIES}?watch=1&resourceVersion=${version}`);
        await replay(watch, objects, Number(version));
        await watch.close();
        const end = await api.made(api.get(ENTRIES));
        expect([...objects].sort().map(([, object]) => object)).toEqual(listAt(end, "items"));
      }),
      { numRuns: 40 },
    );
  });
});

/** Applies events until none comes; their revisions must rise. */
async function replay(
  watch: OpenWatch,
  objects: Map<string, unknown>,
  from: number,
): Promise<void> {
  let last = from;
  for (;;) {
    const event = await watch.next().catch(() => null);
    if (event === null) return;
    const name = textAt(event.object, "metadata", "name");
    const revision = Number(textAt(event.object, "metadata", "resourceVersion"));
    expect(revision).toBeGreaterThan(last);
    expect(event.type === "ADDED").toBe(!objects.has(name));
    last = revision;
    if (event.type === "DELETED") objects.delete(name);
    else objects.set(name, event.object);
  }
}

describe("a crash", () => {
  /** The first write makes the default namespaces and definitions. */
  const FIRST_WRITES = 1;

  test("at any write loses nothing acknowledged and invents nothing", async () => {
    const outcomes = fc.constantFrom<WriteOutcome>("lost", "applied-unacknowledged");
    await fc.assert(
      fc.asyncProperty(steps, fc.nat({ max: 20 }), outcomes, async (history, at, outcome) => {
        const store = new MemoryStore({
          fault: async (number) => (number === FIRST_WRITES + 1 + at ? outcome : "applied"),
        });
        const api = await TestApi.open({ store });
        let model: Model = new Map();
        for (const step of history) {
          const [next, right] = predict(model, step);
          const status = await carryOut(api, step);
          // Refused by the store = nothing happened; an answer that got lost was found out.
          if (status === 500) expect(outcome).toBe("lost");
          else {
            expect(status).toBe(right);
            model = next;
          }
        }
        const before = await revisionOf(api);
        expect(await observed(api)).toEqual(new Map([...model].sort()));
        const restarted = await TestApi.open({ store });
        expect(await observed(restarted)).toEqual(new Map([...model].sort()));
        expect(await revisionOf(restarted)).toBe(before);
        expect(restarted.plane.clusterId).toBe(api.plane.clusterId);
      }),
      { numRuns: 60 },
    );
  });

  test("writes that share a commit are lost or kept together with their answers", async () => {
    for (const outcome of ["lost", "applied-unacknowledged"] as const) {
      const store = new MemoryStore({
        fault: async (number) => (number === FIRST_WRITES + 1 ? outcome : "applied"),
      });
      const api = await TestApi.open({ store });
      const answers = await Promise.all(
        ["a", "b", "a"].map((name) => api.post(ENTRIES, entry(name))),
      );
      const statuses = answers.map((answer) => answer.status);
      // The third is refused because the first is in the same commit.
      expect(statuses).toEqual(outcome === "lost" ? [500, 500, 409] : [201, 201, 409]);
      const restarted = await TestApi.open({ store });
      expect((await observed(restarted)).size).toBe(outcome === "lost" ? 0 : 2);
    }
  });

  test("after a restart old revisions are expired and the present one is not", async () => {
    const store = new MemoryStore();
    const api = await TestApi.open({ store });
    await api.made(api.post(ENTRIES, entry("a")));
    const revision = await revisionOf(api);
    const restarted = await TestApi.open({ store });
    const old = await restarted.watch(`${ENTRIES}?watch=1&resourceVersion=${revision - 1}`);
    expect(await old.next()).toMatchObject({ type: "ERROR", object: { reason: "Expired" } });
    const watch = await restarted.watch(`${ENTRIES}?watch=1&resourceVersion=${revision}`);
    await restarted.made(restarted.delete(`${ENTRIES}/a`));
    const event = await watch.next();
    expect(event?.type).toBe("DELETED");
    expect(Number(textAt(event?.object, "metadata", "resourceVersion"))).toBe(revision + 1);
  });

  test("a store that cannot be read is named, not guessed at", async () => {
    const key = "control-plane/object/secrets/default/s";
    for (const value of ["{", "{}", '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"}}'])
      await expect(
        TestApi.open({ store: new MemoryStore({ entries: [[key, value]] }) }),
      ).rejects.toMatchObject({
        code: "StoreCorrupt",
        message: expect.stringContaining(key),
      });
  });

  test("garbage and namespaces that a crash left are cleared after the restart", async () => {
    // Three default namespaces, four objects, one commit with both deletions; then the disk is
    // gone.
    const store = new MemoryStore({
      fault: async (number) => (number > FIRST_WRITES + 5 ? "lost" : "applied"),
    });
    const api = await TestApi.open({ store });
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "team" } };
    await api.made(api.post("/api/v1/namespaces", namespace));
    await api.made(api.post(ENTRIES.replace("default", "team"), entry("a")));
    const owner = await api.made(api.post(ENTRIES, entry("owner")));
    const ownerReferences = [
      {
        apiVersion: "dns.gardener.cloud/v1alpha1",
        kind: "DNSEntry",
        name: "owner",
        uid: textAt(owner, "metadata", "uid"),
      },
    ];
    await api.made(
      api.post(ENTRIES, { ...entry("owned"), metadata: { name: "owned", ownerReferences } }),
    );
    const deleted = await Promise.all([
      api.delete(`${ENTRIES}/owner`),
      api.delete("/api/v1/namespaces/team"),
    ]);
    expect(deleted.map((answer) => answer.status)).toEqual([200, 200]);
    await api.plane.settled();
    expect((await api.get(`${ENTRIES}/owned`)).status).toBe(200);
    expect((await api.get("/api/v1/namespaces/team")).status).toBe(200);
    const restarted = await TestApi.open({ store: new MemoryStore({ entries: store.range("") }) });
    await restarted.plane.settled();
    expect((await restarted.get(`${ENTRIES}/owned`)).status).toBe(404);
    expect((await restarted.get("/api/v1/namespaces/team")).status).toBe(404);
  });
});
