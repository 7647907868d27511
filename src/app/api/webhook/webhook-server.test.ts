/** The webhook as an external-dns calls it, and by our own client of the protocol. */
import { request } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  create,
  mustApply,
  recordSet,
  remove,
  replace,
  soon,
  zoneOf,
} from "../../../../test/conformance/provider-harness.ts";
import { openWebhook } from "../../../../test/support/fakes/webhook/harness.ts";
import { MemoryLog } from "../../../../test/support/ports/test-ports.ts";
import { MemoryCluster } from "../../../../test/support/worlds/memory-cluster.ts";
import { DNS_ENDPOINT } from "../../../model/kinds.ts";
import { EndpointObjects } from "./endpoint-objects.ts";
import { startWebhookServer, WEBHOOK_MEDIA_TYPE, type WebhookServer } from "./webhook-server.ts";

let cluster: MemoryCluster;
let server: WebhookServer;
let log: MemoryLog;
let origin: string;

beforeEach(async () => {
  cluster = new MemoryCluster("c1");
  log = new MemoryLog();
  server = await serve("gardendns", []);
  origin = `http://127.0.0.1:${server.local.port}`;
});
afterEach(() => server.close());

function serve(dnsClass: string, domainFilter: readonly string[]): Promise<WebhookServer> {
  const objects = new EndpointObjects({ writer: cluster, namespace: "default", dnsClass });
  const at = { host: "127.0.0.1", port: 0 };
  return startWebhookServer({ at, objects, domainFilter, log });
}

const TYPED = { accept: WEBHOOK_MEDIA_TYPE, "content-type": WEBHOOK_MEDIA_TYPE };

async function post(path: string, body: unknown) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await fetch(`${origin}${path}`, { method: "POST", headers: TYPED, body: text });
  return { status: answer.status, text: await answer.text() };
}

async function records(): Promise<unknown> {
  return (await fetch(`${origin}/records`, { headers: { accept: WEBHOOK_MEDIA_TYPE } })).json();
}

/** `name: type targets …` of each object. */
const kept = (): readonly string[] =>
  cluster.all(DNS_ENDPOINT).map((object) => {
    const { endpoints } = object["spec"] as {
      endpoints: { recordType: string; targets: string[] }[];
    };
    return endpoints.map(({ recordType, targets }) => `${recordType} ${targets}`).join("; ");
  });

const www = (targets: readonly string[], more: object = {}) => ({
  dnsName: "www.example.org",
  recordType: "A",
  targets,
  ...more,
});

test("an external-dns negotiates by the media type, byte for byte, and gets no filter", async () => {
  const answer = await fetch(`${origin}/`, { headers: { accept: WEBHOOK_MEDIA_TYPE } });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, WEBHOOK_MEDIA_TYPE]);
  expect(await answer.json()).toEqual({});
});

test("what is created, updated, retyped and deleted is one DNSEndpoint for each name", async () => {
  const labels = { owner: "x", resource: "service/default/web" };
  const first = www(["192.0.2.1"], { recordTTL: 60, labels, providerSpecific: [] });
  expect(await post("/records", { create: [first] })).toEqual({ status: 204, text: "" });
  expect(await records()).toEqual([first]);
  const second = www(["192.0.2.2", "192.0.2.3"]);
  await post("/records", { updateOld: [first], updateNew: [second] });
  expect(kept()).toEqual(["A 192.0.2.2,192.0.2.3"]);
  const { length } = cluster.writes;
  await post("/records", { updateOld: [second], updateNew: [second] });
  expect(cluster.writes).toHaveLength(length);
  const alias = { dnsName: "WWW.example.org.", recordType: "CNAME", targets: ["lb.example.net"] };
  await post("/records", { delete: [second], create: [alias] });
  expect(cluster.writes.slice(length)).toHaveLength(1);
  expect(kept()).toEqual(["CNAME lb.example.net"]);
  await post("/records", { delete: [alias] });
  expect([kept(), await records()]).toEqual([[], []]);
});

test("releases before 0.17 send capitals", async () => {
  const old = { DNSName: "www.example.org", RecordType: "A", Targets: ["192.0.2.1"] };
  await post("/records", { Create: [{ ...old, dnsName: old.DNSName }] });
  expect(kept()).toEqual(["A 192.0.2.1"]);
  await post("/records", { Delete: [www(["192.0.2.1"])] });
  expect(kept()).toEqual([]);
});

test("endpoints come back from their adjustment as they went", async () => {
  const endpoints = [www(["192.0.2.1"], { recordTTL: 60, setIdentifier: "a" })];
  const { status, text } = await post("/adjustendpoints", endpoints);
  expect([status, JSON.parse(text)]).toEqual([200, endpoints]);
});

test.each<[string, unknown, string]>([
  ["no JSON", "{", "the body is no JSON object"],
  ["a list", [], "the body is no JSON object"],
  ["no list", { create: {} }, "create is no list"],
  ["no name", { create: [{ recordType: "A", targets: [] }] }, "create[0]: dnsName: "],
  ["no type", { delete: [{ dnsName: "a.example.org", targets: [] }] }, "delete[0]: recordType"],
  ["no targets", { create: [www(["x"], { targets: null })] }, "create[0]: targets"],
])("%s is refused whole, and told", async (_what, body, reason) => {
  const answer = await post("/records", body);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(reason);
  expect(log.lines.map(({ fields }) => fields["reason"]).join()).toContain(reason);
  expect(cluster.writes).toEqual([]);
});

test("markers of --registry=txt are no records: the owner is in the labels, which come back", async () => {
  const text = '"heritage=external-dns,external-dns/owner=x,external-dns/resource=service/a/b"';
  const marker = { dnsName: "a-www.example.org", recordType: "TXT", targets: [text] };
  const owned = www(["192.0.2.1"], { labels: { owner: "x", resource: "service/a/b" } });
  expect((await post("/records", { create: [owned, marker] })).status).toBe(204);
  expect([kept(), await records()]).toEqual([["A 192.0.2.1"], [owned]]);
  await post("/records", { updateOld: [owned, marker], updateNew: [owned, marker] });
  await post("/records", { delete: [owned, marker] });
  expect(kept()).toEqual([]);
});

test("its objects are of the class that this program serves; those of another are made anew", async () => {
  await post("/records", { create: [www(["192.0.2.1"])] });
  const other = await serve("hook", ["example.org"]);
  origin = `http://127.0.0.1:${other.local.port}`;
  expect(await (await fetch(`${origin}/`)).json()).toEqual({ include: ["example.org"] });
  expect(await records()).toEqual([]);
  await post("/records", { create: [www(["192.0.2.1"])] });
  const [object, ...more] = cluster.all(DNS_ENDPOINT);
  expect([object?.metadata.annotations, more]).toEqual([
    { "dns.gardener.cloud/class": "hook" },
    [],
  ]);
  expect(await records()).toEqual([www(["192.0.2.1"])]);
  await other.close();
});

test.each<[string, Readonly<Record<string, string>>, number]>([
  ["a type that needs no preflight", { "content-type": "text/plain" }, 415],
  ["a page's origin", { ...TYPED, origin: "http://evil.test" }, 403],
  ["a page's own name for this address", { ...TYPED, host: "evil.test" }, 403],
  ["such a name and a port", { ...TYPED, host: "evil.test:8888" }, 403],
])(
  "a call with %s is refused, as browsers make it for web pages",
  async (_what, headers, status) => {
    expect(await raw("POST", headers)).toBe(status);
    expect(cluster.writes).toEqual([]);
  },
);

test.each(["localhost:8888", "127.0.0.1", "[::1]:8888", "zonekeeper.dns.svc:8888", "zonekeeper"])(
  "a call to %s is taken",
  async (host) => {
    expect(await raw("POST", { ...TYPED, host })).toBe(204);
  },
);

test("nor does a page read names by a name of its own", async () => {
  expect(await raw("GET", { host: "evil.test" })).toBe(403);
  expect(await raw("GET", { host: "localhost" })).toBe(200);
});

/** The status of a call to /records with exactly these headers. */
function raw(method: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${origin}/records`, { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    call.on("error", reject);
    call.end(method === "POST" ? JSON.stringify({ create: [www(["192.0.2.1"])] }) : undefined);
  });
}

test("a cluster that fails is told with 503, and what was written stays written", async () => {
  cluster.fail({ on: "create", code: "Unavailable", applied: false });
  const other = { ...www(["192.0.2.9"]), dnsName: "api.example.org" };
  expect((await post("/records", { create: [www(["192.0.2.1"]), other] })).status).toBe(503);
  expect(kept()).toHaveLength(1);
  expect((await post("/records", { create: [www(["192.0.2.1"]), other] })).status).toBe(204);
  expect(kept()).toHaveLength(2);
});

test("a write that somebody was faster than is made again, on what is there then", async () => {
  await post("/records", { create: [www(["192.0.2.1"])] });
  cluster.fail({ on: "update", code: "Conflict", applied: false });
  const text = { ...www(['"x"']), recordType: "TXT" };
  expect((await post("/records", { create: [text] })).status).toBe(204);
  expect(kept()).toEqual(['A 192.0.2.1; TXT "x"']);
});

test("DNSEndpoints of others are neither shown nor written", async () => {
  await post("/records", { create: [www(["192.0.2.1"])] });
  const [object] = cluster.all(DNS_ENDPOINT);
  if (object === undefined) throw new Error("no object");
  cluster.apply(DNS_ENDPOINT, { ...object, metadata: { ...object.metadata, labels: {} } });
  expect(await records()).toEqual([]);
  const answer = await post("/records", { create: [www(["192.0.2.2"])] });
  expect(answer.status).toBe(503);
  expect(answer.text).toContain("exists without the label zonekeeper.dev/webhook");
  expect(kept()).toEqual(["A 192.0.2.1"]);
});

test("our own client of the protocol keeps a zone with it", async () => {
  const session = openWebhook(origin, { config: { zones: ["example.org"] } });
  const set = recordSet("www.example.org", "A", "192.0.2.1");
  const next = recordSet("www.example.org", "A", "192.0.2.2");
  await mustApply(session, [create(set)]);
  await mustApply(session, [replace(set, next)]);
  expect((await session.records(await zoneOf(session), null, soon())).sets).toEqual([next]);
  await mustApply(session, [remove(next)]);
  expect(kept()).toEqual([]);
  session.close();
});

test("a thousand names are kept, each in an object of its own", async () => {
  const endpoints = Array.from({ length: 1000 }, (_, index) => ({
    ...www(["192.0.2.1"]),
    dnsName: `n${index}.example.org`,
  }));
  expect((await post("/records", { create: endpoints })).status).toBe(204);
  expect(kept()).toHaveLength(1000);
});
