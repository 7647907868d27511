/**
 * What the page is shown, by the whole program: each answer is what the OpenAPI document says, has
 * no secret, and has names and values of strangers as text.
 */
import { readFileSync } from "node:fs";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { Ajv } from "ajv";
import { afterEach, describe, expect, test } from "vitest";
import { IDLE_INSTANCE, instanceOf } from "../../../test/support/programs/idle-instance.ts";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";
import type { ClustersDocument, ExplainDocument, UndoDocument } from "../api/documents.ts";
import { type HttpApp, startHttpApp } from "../api/http-app.ts";
import type {
  HeldSetDocument,
  HoldsDocument,
  NamesDocument,
  SeriesDocument,
  ZonesDocument,
} from "../api/page/page-documents.ts";
import type { Instance } from "../compose/instance.ts";

const API = "dns.gardener.cloud/v1alpha1";
const CANARY = "c4nary-0f-a-s3cret";
const MARKUP = '<img src=x onerror="alert(1)">&\u202e\u0007';
const TOKEN = "t0ken-of-the-api";

let app: HttpApp | null = null;
afterEach(async () => {
  await app?.close();
  app = null;
});

async function opened(entries: readonly string[], more: Partial<Instance> = {}) {
  const world = programWorld({ controllers: ["compound"], isJournalKept: true });
  const { cluster, clock } = world;
  const data = { password: Buffer.from(CANARY).toString("base64") };
  cluster.apply(SECRET, objectOf("v1", "Secret", "s", { data }));
  const spec = { type: "unheard-of", secretRef: { name: "s" } };
  cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "lost", { spec }));
  for (const name of entries) {
    const fields = { dnsName: `${name}.example.org`, targets: ["192.0.2.1"] };
    const metadata = { editor: "kubectl-edit" };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", name, { metadata, spec: fields }));
  }
  const text = { dnsName: "text.example.org", text: [MARKUP] };
  cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "text", { spec: text }));
  const running = world.start();
  await clock.advance(1_200_000);
  const instance = { ...IDLE_INSTANCE, checks: () => running.checks(), work: running, ...more };
  app = await startHttpApp({ at: { host: "127.0.0.1", port: 0 }, token: TOKEN, instance });
  const base = `http://127.0.0.1:${app.local.port}`;
  const send = async (path: string, method = "GET") => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const reply = await fetch(`${base}/api/v1/${path}`, { method, headers });
    return { status: reply.status, text: await reply.text() };
  };
  const get = async <T>(path: string): Promise<T> => JSON.parse((await send(path)).text);
  return { ...world, running, send, get, base };
}

/** A schema that knows every field of its objects. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, strict(inner)] as const);
  const object = Object.fromEntries(entries);
  const isClosed = "properties" in object && !("additionalProperties" in object);
  return isClosed ? { ...object, additionalProperties: false } : object;
}

const openApi = JSON.parse(readFileSync("docs/reference/openapi.json", "utf8"));
const ajv = new Ajv({ allowUnionTypes: true, strict: false });
ajv.addSchema({ $id: "api", ...(strict({ components: openApi.components }) as object) });

/** Null = the document is what its route promises. */
function trouble(document: { readonly schema: string }): string | null {
  const { schemas } = openApi.components;
  const name = Object.keys(schemas).find(
    (one) => schemas[one].properties?.schema?.const === document.schema,
  );
  if (name === undefined) return `no schema ${document.schema}`;
  const validate = ajv.getSchema(`api#/components/schemas/${name}`);
  return validate?.(document) === true ? null : ajv.errorsText(validate?.errors);
}

const PATHS = [
  ...["session", "zones", "names", "names?state=published,held&limit=2", "holds", "series"],
  ...["clusters", "imports", "plan", "history", "ownership", "pause", "undo?ago=3600000"],
  ...["explain/e0.example.org", "explain/text.example.org?chain=true"],
  ...["explain/nobody.example.net?chain=true", "export/external-dns", "owner/take?from=x"],
];

describe("each answer", () => {
  test("is what the OpenAPI document says, and has no secret", async () => {
    const { send } = await opened(["e0", "e1"]);
    for (const path of PATHS) {
      const { status, text } = await send(path);
      expect(text, path).not.toContain(CANARY);
      expect(text, path).not.toContain(Buffer.from(CANARY).toString("base64"));
      expect(text, path).not.toContain(TOKEN);
      if (status === 200) expect([path, trouble(JSON.parse(text))]).toEqual([path, null]);
      else expect(JSON.parse(text), path).toMatchObject({ code: expect.any(String) });
    }
    expect((await send("names")).status).toBe(200);
  });

  test("of a document that is not as promised is noticed", () => {
    expect(trouble({ schema: "zonekeeper.dev/names/v1" })).toContain("required");
    const extra = { schema: "zonekeeper.dev/approval/v1", approved: "", zones: [], more: 1 };
    expect(trouble(extra)).toContain("additional properties");
  });

  test("has names and values of strangers as text", async () => {
    const { get } = await opened([]);
    const { rows } = await get<NamesDocument>("names?text=TEXT.");
    expect(rows).toMatchObject([{ name: "text.example.org", types: ["TXT"] }]);
    const [shown = ""] = rows[0]?.values ?? [];
    expect(shown).toContain("<img src=x onerror=");
    const { zones } = await get<{ zones: { current: { values: string[] }[] }[] }>(
      "explain/text.example.org",
    );
    expect(zones[0]?.current[0]?.values).toEqual([shown]);
  });
});

describe("zones, holds and accounts", () => {
  test("show what the zone is like, and what is lost", async () => {
    const { get, serial } = await opened(["e0"]);
    const { zones } = await get<ZonesDocument>("zones");
    expect(zones).toMatchObject([
      {
        ...{ state: "ready", trouble: null, serial: String(serial()), providers: ["default/p"] },
        ...{ ownedNames: 2, openNames: 0, pendingChanges: 0, holds: [] },
        readAt: expect.stringMatching(/Z$/),
      },
    ]);
    expect(zones[0]).not.toHaveProperty("open");
    const { caches, accounts, troubled } = await get<ClustersDocument>("clusters");
    expect(caches.map(({ kind }) => kind)).toContain("dnsentries.dns.gardener.cloud");
    expect(accounts).toMatchObject([{ providers: ["default/p"], zones: ["example.org"] }]);
    expect(troubled).toMatchObject([{ provider: "default/lost" }]);
  });

  test("a held set is shown whole, approved with its count, once", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `e${index}`);
    const { cluster, clock, get, send, values } = await opened(names);
    for (const name of names) cluster.delete(DNS_ENTRY, "default", name);
    await clock.advance(30_000);
    const { reasons, heldSets } = await get<HoldsDocument>("holds");
    const [set] = heldSets;
    expect(set).toMatchObject({ kind: "removals", zones: ["example.org"] });
    expect(reasons[0]).toMatchObject({
      ...{ code: "FuseTripped", count: set?.removals },
      meaning: expect.stringMatching(/^too many changes at once; zonekeeper approve/),
    });
    expect(reasons[0]?.names).toHaveLength(Math.min(20, reasons[0]?.count ?? 0));
    const held = await get<HeldSetDocument>(`held-sets/${set?.hash}`);
    expect(trouble(held)).toBeNull();
    expect([held.count, held.records.length, held.omitted]).toEqual([
      set?.removals,
      set?.changes,
      0,
    ]);
    expect(held.records[0]).toMatchObject({
      ...{ zone: "example.org", op: "remove", to: null, from: { values: ["192.0.2.1"] } },
      ...{ proof: expect.any(String), object: expect.stringMatching(/^dnsentry\/default\/e/) },
      ...{ editor: "kubectl-edit", deletedAt: expect.any(String), since: expect.any(String) },
    });
    const [{ since = null } = {}] = held.records;
    const sinceMs = Date.parse(since ?? "");
    expect([held.sinceMs, set?.sinceMs]).toEqual([sinceMs, sinceMs]);
    expect([reasons[0]?.since, reasons[0]?.names[0]?.since]).toEqual([since, since]);
    expect(sinceMs).toBeLessThanOrEqual(clock.nowMs());
    const { rows } = await get<NamesDocument>(`names?state=held&text=${held.records[0]?.name}`);
    expect(rows).toMatchObject([{ state: "published", code: "FuseTripped", since }]);
    const { chain = [] } = await get<ExplainDocument>(`explain/${rows[0]?.name}?chain=true`);
    expect(chain.find(({ is }) => is === "plan")).toMatchObject({
      state: "waits",
      text: expect.stringMatching(/^published; its removal is held since its object was deleted/),
    });
    const approve = (hash: string, count: number) => send(`approve/${hash}?count=${count}`, "POST");
    const wrong = await approve(held.hash, held.count + 1);
    expect([wrong.status, wrong.text]).toEqual([409, expect.stringContaining("CountDiffers")]);
    expect((await approve("0123456789abcdef", 1)).status, "a stale hash").toBe(404);
    const { name = "" } = held.records[0] ?? {};
    expect(values(name)).not.toEqual([]);
    expect((await approve(held.hash, held.count)).status).toBe(200);
    await clock.advance(10_000);
    expect(values(name)).toEqual([]);
    const again = await approve(held.hash, held.count);
    expect([again.status, again.text]).toEqual([409, expect.stringContaining("AlreadyApproved")]);
    expect((await send(`held-sets/${held.hash}`)).status).toBe(404);
    const { changes } = await get<UndoDocument>(`undo?hash=${held.hash}`);
    expect(changes).toHaveLength(held.records.length);
    expect(changes.find((one) => one.name === name)).toMatchObject({
      ...{ state: "would", from: null, to: { values: ["192.0.2.1"] } },
      again: expect.stringMatching(/once the pause ends, .* its object was deleted \(dnsentry\//),
    });
  });
});

test("the last day is in buckets, by zone", async () => {
  const atMs = Date.now() - 3_600_000;
  const change = { is: "created", answeredMs: 40 };
  const changes = [change, { ...change, answeredMs: 90 }, { is: "removed" }, { is: "marker" }];
  const history = async () => ({
    changes: changes.map((one) => ({ atMs, ...one })),
    ...{ isCut: false, troubles: [] },
  });
  const instance = instanceOf({ history } as never);
  app = await startHttpApp({ at: { host: "127.0.0.1", port: 0 }, token: TOKEN, instance });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const url = `http://127.0.0.1:${app.local.port}/api/v1/series`;
  const series = (await (await fetch(url, { headers })).json()) as SeriesDocument;
  expect([series.buckets.length, trouble(series)]).toEqual([96, null]);
  expect(series.buckets.filter(({ created }) => created > 0)).toMatchObject([
    {
      ...{ created: 2, changed: 0, removed: 1, markers: 1, answered: 2 },
      ...{ answeredMsP50: 40, answeredMsP99: 90 },
    },
  ]);
  expect((await fetch(`${url}?zone=a..b`, { headers })).status).toBe(400);
});

describe("names", () => {
  test("come page after page, and a question that means nothing is refused", async () => {
    const { get, send } = await opened(["e0", "e1", "e2"]);
    const seen: string[] = [];
    let next: string | null = "";
    while (next !== null) {
      const page: NamesDocument = await get(`names?state=published&limit=1&after=${next}`);
      seen.push(...page.rows.map(({ name }) => name));
      next = page.next;
    }
    expect(seen).toEqual(["e0", "e1", "e2", "text"].map((name) => `${name}.example.org`));
    for (const query of ["state=odd", "limit=0", "limit=201", "after=x", "after=e30", "zone=a..b"])
      expect((await send(`names?${query}`)).status, query).toBe(400);
  });
});

test("a change of the zone is told within the second, to who listens", async () => {
  const { base, cluster, clock } = await opened(["e0"]);
  const headers = { authorization: `Bearer ${TOKEN}` };
  const stream = await fetch(`${base}/api/v1/events`, { headers });
  expect(stream.headers.get("content-type")).toBe("text/event-stream");
  expect(stream.headers.get("cache-control")).toBe("no-store");
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader?.read())?.value ?? "";
  expect(text).toContain("event: hello");
  const spec = { dnsName: "e0.example.org", targets: ["192.0.2.9"] };
  cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "e0", { spec }));
  await clock.advance(5_000);
  while (!text.includes("event: changed")) text += (await reader?.read())?.value ?? "";
  expect(text).toContain('"zone":"example.org","names":["e0.example.org"]');
  expect(text).toMatch(/"changes":\[\{"at":.*"name":"e0.example.org","type":"A","is":"changed"/);
  await reader?.cancel();
});
