import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { afterEach, describe, expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { asClients } from "../../../test/support/programs/client-text.ts";
import { IDLE_INSTANCE, instanceOf } from "../../../test/support/programs/idle-instance.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { NameExplanation } from "../../sync/contract/name-explanation.ts";
import type { ZoneStatus } from "../../sync/contract/zone-status.ts";
import type { HealthCheck, Instance, Work } from "../compose/instance.ts";
import { openPauses } from "../compose/open-guards.ts";
import { identityCheck } from "../compose/zone-checks.ts";
import { StoredState } from "../ports/wrapped-store.ts";
import { NAME_VERDICT_HEADER, OPEN_NAMES_HEADER, UNKNOWN_ZONES_HEADER } from "./exchange.ts";
import { type HttpApp, startHttpApp } from "./http-app.ts";

const www = trustedDnsName("www.example.org");
const key = { name: www, type: "A", setIdentifier: null };
const set = (value: string): RecordSet => ({
  ...key,
  ttlSeconds: 300,
  values: [value],
  properties: {},
  routingPolicy: null,
});
const provenance = { cluster: "c", kind: "service", namespace: "default", name: "web" };
const status: ZoneStatus = {
  key: { account: "a", zone: "example.org" },
  zone: {
    id: "example.org",
    name: trustedDnsName("example.org"),
    providerType: "rfc2136",
    endpoint: "127.0.0.1:53",
    view: "",
  },
  state: "ready",
  paused: null,
  isAtomic: true,
  message: null,
  ownedNames: 2,
  foreignNames: 1,
  danglingNames: 0,
  heldSets: [{ hash: "4f0c1d2e3b5a6978", kind: "removals", changes: 12, removals: 12 }],
  open: [
    {
      name: www,
      changes: [
        {
          key,
          current: null,
          desired: null,
          change: { op: "replace", previous: set("192.0.2.1"), next: set("192.0.2.2") },
          marker: null,
          reason: { code: "ValueChanged", message: "" },
          proof: null,
        },
      ],
      holds: [{ key, code: "ForeignRecord", message: "somebody else's", provenance }],
    },
  ],
};
const desired = {
  ...set("192.0.2.2"),
  ttlSeconds: null,
  provenance,
  owner: null,
  createdAtMs: 0,
};
const explanation: NameExplanation = {
  zone: status.key,
  ...{
    apex: status.zone.name,
    isTrusted: true,
    endpoint: "127.0.0.1:53",
    paused: null,
    servers: [],
  },
  name: www,
  desired: [desired],
  current: [set("192.0.2.1")],
  verdict: "settled",
  claims: [
    { object: provenance, set: desired, place: "first", reason: "" },
    {
      object: { ...provenance, name: "api" },
      set: desired,
      place: "behind",
      reason: "service/default/web comes first: the marker at the name names it",
    },
  ],
  standing: [
    {
      ...key,
      data: set("192.0.2.1"),
      whose: "ours",
      owners: ["me"],
      resource: "service/default/web",
    },
  ],
  owner: "me",
  resource: "service/default/web",
  holds: [],
  heldSets: [],
  lastOutcome: "applied",
  nextTryAtMs: null,
};

let app: HttpApp | null = null;
afterEach(async () => {
  await app?.close();
  app = null;
});
async function start(more: Partial<Instance & Work> = {}, token: string | null = "t0ken") {
  app = await startHttpApp({
    at: { host: "127.0.0.1", port: 0 },
    token,
    instance: instanceOf({
      zones: () => [status],
      explain: async (name) => (name === www ? [explanation] : []),
      askServers: async () => [
        { server: "127.0.0.1:53", serial: 7, answers: ["A 300 192.0.2.1"], trouble: null },
        { server: "ns2.example.net", serial: null, answers: [], trouble: "refused" },
      ],
      approve: async (hash) => (hash === "4f0c" ? [{ account: "a", zone: "example.org" }] : []),
      scrape: async () => ({ contentType: "text/plain; version=0.0.4", text: "a 1\n" }),
      ...more,
    }),
  });
  const { port } = app.local;
  return async (path: string, headers: Record<string, string> = {}) => {
    return asClients(await fetch(`http://127.0.0.1:${port}${path}`, { headers }), headers);
  };
}
const AUTHORIZED = { authorization: "Bearer t0ken" };

test("in a dry run nothing is decided, whatever the query looks like", async () => {
  await start({ dryRunText: () => "nothing is written", pauses: null });
  const post = async (path: string): Promise<number> => {
    const url = `http://127.0.0.1:${app?.local.port}/api/v1${path}`;
    return (await fetch(url, { method: "POST", headers: AUTHORIZED })).status;
  };
  expect(await post("/approve/4f0c")).toBe(409);
  expect(await post("/approve/4f0c?x=/look")).toBe(409);
  expect(await post("/ownership/adopt?x=/look")).toBe(409);
  expect(await post("/ownership/adopt/look")).not.toBe(409);
});

test("health is alive, metrics are exposed", async () => {
  const get = await start();
  expect(await get("/healthz")).toMatchObject({ status: 200, text: "ok\n" });
  expect(await get("/metrics")).toMatchObject({ status: 200, text: "a 1\n" });
});

test("ready says of each check whether it is well, and is 503 while one is not", async () => {
  let checks: readonly HealthCheck[] = [
    { name: "cache c/services", ok: true, message: "" },
    { name: "zone example.org", ok: false, message: "not loaded yet" },
  ];
  const get = await start({ checks: () => checks });
  expect(await get("/readyz")).toMatchObject({
    status: 503,
    text: "[+] cache c/services\n[-] zone example.org: not loaded yet\nnot ready\n",
  });
  checks = checks.slice(0, 1);
  expect((await get("/readyz")).status).toBe(200);
});

test.each(["/api/v1/zones", "/api/v1/plan", "/api/v1/explain/www.example.org"])(
  "%s needs the token",
  async (path) => {
    const get = await start();
    expect((await get(path)).status).toBe(401);
    expect((await get(path, { authorization: "Bearer wrong" })).status).toBe(401);
    expect((await get(path, AUTHORIZED)).status).toBe(200);
  },
);

test("without a token there is no local API", async () => {
  const get = await start({}, null);
  expect((await get("/api/v1/plan", { authorization: "Bearer null" })).status).toBe(404);
});

test("a plan is JSON for programs and lines for people, with its counts as headers", async () => {
  const get = await start();
  const json = await get("/api/v1/plan", AUTHORIZED);
  expect(JSON.parse(json.text)).toMatchObject({
    schema: "zonekeeper.dev/plan/v1",
    groups: [{ op: "replace", items: [{ name: "www.example.org" }] }, { code: "ForeignRecord" }],
  });
  expect(json.headers.get("zonekeeper-open-names")).toBe("2");
  expect(json.headers.get("zonekeeper-unknown-zones")).toBe("0");
  const text = await get("/api/v1/plan", { ...AUTHORIZED, accept: "text/plain" });
  expect(text.text).toBe(
    [
      "Plan: 1 change, 1 held",
      "",
      "zone         create  replace  remove  marker  held",
      "example.org       -        1       -       -     1",
      "",
      "the fuse of example.org holds a set of removals (12); zonekeeper approve 4f0c1d2e3b5a6978 approves it",
      "",
      "Why: 1 ValueChanged",
      "Held: 1 ForeignRecord. A record at the name exists and has another owner, or none; Zonekeeper must not change it. Choose another name, or remove the record yourself. To take over a record without an owner: zonekeeper ownership adopt NAME. One with an owner: let that owner permit the claim (docs/guides/ownership.md).",
      "",
      "example.org: replace, 1",
      "  ~ www.example.org A 300 192.0.2.1 -> 300 192.0.2.2   ValueChanged",
      "",
      "example.org: held, ForeignRecord, 1",
      "  ! www.example.org A ForeignRecord: somebody else's, service/default/web",
      "",
    ].join("\n"),
  );
  const asked = async (query: string, accept = "application/json") =>
    get(`/api/v1/plan?${query}`, { ...AUTHORIZED, accept });
  expect((await asked("zone=example.com")).status).toBe(404);
  expect((await asked("limit=x")).status).toBe(400);
  expect((await asked("name=a..b")).status).toBe(400);
  expect(JSON.parse((await asked("name=other.example.org")).text).groups).toEqual([]);
  expect((await asked("name=org")).status).toBe(200);
  const nowhere = await asked("name=nosuch.example.net");
  expect(nowhere.status).toBe(404);
  expect(nowhere.text).toContain("no open zone contains nosuch.example.net or a name below it");
  const elsewhere = await asked("zone=example.org&name=nosuch.example.net");
  expect(elsewhere.text).toContain("nosuch.example.net is not in the zone example.org");
  expect((await asked("zone=example.org", "text/markdown")).text).toMatch(
    /^### Zonekeeper plan: 1/,
  );
});

test.each([
  ["text/plain", "4f0c", 200, "approved 4f0c: example.org may go on with it now\n"],
  ["application/json", "4f0c", 200, '"approved":"4f0c","zones":["example.org"]}'],
  ["text/plain", "0000", 404, "no zone holds a set 0000; zonekeeper plan shows"],
])("an approval is told as %s: %s, %i", async (accept, hash, status, text) => {
  await start();
  const url = `http://127.0.0.1:${app?.local.port}/api/v1/approve/${hash}`;
  const headers = { ...AUTHORIZED, accept };
  const response = await asClients(await fetch(url, { method: "POST", headers }), headers);
  expect(response.status).toBe(status);
  expect(response.text).toContain(text);
});

test("an explanation tells what is wanted, what is there and whose it is", async () => {
  const get = await start();
  const text = await get("/api/v1/explain/WWW.example.org.", {
    ...AUTHORIZED,
    accept: "text/plain",
  });
  expect(text.text).toBe(
    [
      "www.example.org in zone example.org",
      "  wanted:",
      "    A 192.0.2.2   by service/default/web",
      "    A 192.0.2.2   by service/default/api: does not get the name; service/default/web comes first: the marker at the name names it",
      "  in the zone:",
      "    A 300 192.0.2.1   ours for service/default/web",
      "  owner: me, for service/default/web",
      "  the servers answer:",
      "    127.0.0.1:53, serial 7",
      "      A 300 192.0.2.1",
      "    ns2.example.net",
      "      cannot be asked: refused",
      "  last outcome: applied",
      "",
    ].join("\n"),
  );
  expect(text.headers.get("zonekeeper-name-verdict")).toBe("settled");
  const unknown = await get("/api/v1/explain/x.example.com", {
    ...AUTHORIZED,
    accept: "text/plain",
  });
  expect(unknown.text).toContain("no open zone contains it");
});

test.each([
  ["cache c/services", "not listed yet: etcd is too old"],
  ["objects dnsentry", "7 are still being read for the first time"],
])("while %s is unread, plan and explain say that they are not complete", async (name, message) => {
  const get = await start({ checks: () => [{ name, ok: false, message }] });
  const asked = { ...AUTHORIZED, accept: "text/plain" };
  const plan = await get("/api/v1/plan", asked);
  expect(plan.text).toContain(`${name}: ${message}`);
  expect(plan.headers.get(UNKNOWN_ZONES_HEADER)).toBe("1");
  const explained = await get("/api/v1/explain/www.example.org", asked);
  expect(explained.text).toContain(`  not complete yet:\n    ${name}: ${message}\n`);
  expect(explained.headers.get(NAME_VERDICT_HEADER)).toBe("unknown");
  const json = await get("/api/v1/explain/www.example.org", AUTHORIZED);
  expect(JSON.parse(json.text).caches).toEqual([`${name}: ${message}`]);
});

test("Z-30 a cluster that is not the one it was is in the plan, with the hash to approve", async () => {
  const message = "cluster c1 is not the one it was: zonekeeper approve 4f0c1d2e3b5a6978";
  const get = await start({ checks: () => [identityCheck("c1", message)] });
  const before = await (await start())("/api/v1/plan", AUTHORIZED);
  const open = Number(before.headers.get(OPEN_NAMES_HEADER));
  const plan = await get("/api/v1/plan", { ...AUTHORIZED, accept: "text/plain" });
  expect(plan.text).toContain(`\n${message}\n`);
  expect(plan.headers.get(OPEN_NAMES_HEADER)).toBe(String(open + 1));
  const json = await get("/api/v1/plan", AUTHORIZED);
  expect(JSON.parse(json.text).clusters).toEqual([message]);
});

test("what is asked twice in one address is refused, but names of a command about rights", async () => {
  const get = await start();
  const twice = await get("/api/v1/plan?zone=a.example&zone=b.example", AUTHORIZED);
  expect([twice.status, twice.text]).toEqual([400, expect.stringContaining("zone is given more")]);
  const names = "name=www.example.org&name=x.example.org";
  expect((await get(`/api/v1/ownership?${names}`, AUTHORIZED)).status).toBe(200);
});

test("a name that is none is refused with the reason", async () => {
  const get = await start();
  expect(await get("/api/v1/explain/a..b", AUTHORIZED)).toMatchObject({ status: 400 });
});

test("an international name may be asked for in its own letters and is shown in both forms", async () => {
  const get = await start();
  const asked = encodeURIComponent("bücher.example");
  const { text } = await get(`/api/v1/explain/${asked}`, {
    ...AUTHORIZED,
    accept: "text/plain",
  });
  expect(text).toContain("xn--bcher-kva.example (bücher.example): no open zone");
});

test("pause and resume: one zone or all, and nothing that nobody serves", async () => {
  const pauses = openPauses({
    state: new StoredState(new MemoryStore(), ""),
    owner: "me",
    given: { all: false, zones: [] },
    clock: new VirtualClock(),
    log: new MemoryLog(),
  });
  await start({ pauses });
  const post = async (path: string) => {
    const headers = { ...AUTHORIZED, accept: "text/plain" };
    const at = `http://127.0.0.1:${app?.local.port}/api/v1/${path}`;
    const { status, text } = await asClients(await fetch(at, { method: "POST", headers }), headers);
    return `${status} ${text}`;
  };
  expect(await post("pause?zone=example.org")).toMatch(/^200 zone example.org is paused since/);
  expect(await post("pause?all=true")).toMatch(/^200 all zones are paused .*\nzone example.org/);
  expect(await post("resume?all=true")).toMatch(/^200 zone example.org is paused/);
  expect(await post("resume?zone=example.org")).toBe("200 nothing is paused\n");
  expect(await post("resume?zone=example.org")).toMatch(/^404 .*NotPaused/);
  expect(await post("pause?zone=example.com")).toMatch(
    /^404 .*no open zone has the name example.com/,
  );
  for (const query of ["", "?zone=a..b", "?zone=example.org&all=true"])
    expect(await post(`pause${query}`)).toMatch(/^400 .*InvalidScope/);
  await app?.close();
  await start();
  expect(await post("pause?all=true")).toMatch(/^409 .*StandingBy/);
});

test.each(["/api/v1/plan", "/api/v1/explain/www.example.org", "/api/v1/ownership"])(
  "%s: an instance that stands by says so, and not that there is nothing to do",
  async (path) => {
    const message = "Ask the instance that holds the Lease";
    const get = await start({ standbyReply: () => message, leader: () => "zk-1_uid" });
    const answer = await get(path, AUTHORIZED);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      409,
      { code: "StandingBy", message, leader: "zk-1_uid" },
    ]);
    expect((await get(path)).status).toBe(401);
    expect((await get("/readyz")).status).toBe(200);
  },
);

const listing = (object: string, state: string, message: string) => ({
  ...{ object, cluster: "c", name: www, state, message },
});

test("a name that an object lists otherwise than it is published is open, also where a zone is as wanted", async () => {
  const message = "spec.targets: no address";
  const stale = listing("dnsentry/default/www", "Stale", message);
  const get = await start({
    explain: async () => [{ ...explanation, verdict: "settled" }],
    whoLists: async () => [stale],
  });
  const { headers, text } = await get("/api/v1/explain/www.example.org", {
    ...AUTHORIZED,
    accept: "text/plain",
  });
  expect(headers.get(NAME_VERDICT_HEADER)).toBe("open");
  expect(text).toContain("    dnsentry/default/www: Stale: spec.targets: no address\n");
  const plan = await get("/api/v1/plan?name=www.example.org", AUTHORIZED);
  expect(Number(plan.headers.get(OPEN_NAMES_HEADER))).toBeGreaterThan(0);
});

test("where no zone is open nobody can tell the plan", async () => {
  const get = await start({ zones: () => [] });
  const { headers } = await get("/api/v1/plan", AUTHORIZED);
  expect(headers.get(UNKNOWN_ZONES_HEADER)).toBe("1");
});

test("a provider that serves no zone can hide work: the plan names it, and nobody can tell", async () => {
  const get = await start({
    troubles: () => [{ provider: "default/dead", message: "cannot get hosted zones" }],
    whoLists: async () => [listing("dnsentry/default/w", "Error", "provider not valid")],
  });
  const plan = await get("/api/v1/plan", { ...AUTHORIZED, accept: "text/plain" });
  const line = "DNSProvider default/dead serves no zone: cannot get hosted zones";
  expect(plan.text).toContain(`\n${line}\n`);
  expect(plan.headers.get(UNKNOWN_ZONES_HEADER)).toBe("1");
  const markdown = await get("/api/v1/plan", { ...AUTHORIZED, accept: "text/markdown" });
  expect(markdown.text).toContain(`- ${line}`);
  const name = await get("/api/v1/plan?name=www.dead.example", AUTHORIZED);
  expect([name.status, JSON.parse(name.text).message]).toEqual([
    404,
    expect.stringContaining(`below it; ${line}. zonekeeper plan lists the zones`),
  ]);
  const one = await get("/api/v1/plan?zone=example.org", AUTHORIZED);
  expect(one.headers.get(UNKNOWN_ZONES_HEADER)).toBe("0");
  const asked = { ...AUTHORIZED, accept: "text/plain" };
  const { text } = await get("/api/v1/explain/www.dead.example", asked);
  expect(text).toBe(
    [
      "www.dead.example: no open zone contains it.",
      "  objects that are not published as they are now:",
      "    dnsentry/default/w: Error: provider not valid",
      "  could be held by:",
      `    ${line}`,
      "",
    ].join("\n"),
  );
  expect((await get("/api/v1/explain/www.example.org", asked)).text).not.toContain("DNSProvider");
});

test("plan and explain name an object that an annotation holds, what does it, and what to do", async () => {
  const message = "dns.gardener.cloud/targets keeps the object's records as they are: remove it";
  const held = listing("service/default/third", "Unsupported", message);
  const get = await start({ whoLists: async (isAsked) => (isAsked(www) ? [held] : []) });
  const asked = { ...AUTHORIZED, accept: "text/plain" };
  const explained = await get("/api/v1/explain/www.example.org", asked);
  expect(explained.text).toContain(
    `  objects that are not published as they are now:\n    service/default/third: Unsupported: ${message}\n`,
  );
  const json = await get("/api/v1/explain/www.example.org", AUTHORIZED);
  expect(JSON.parse(json.text).wishes).toEqual([held]);
  const plan = await get("/api/v1/plan", asked);
  expect(plan.text).toContain(
    `\nwww.example.org is not published as service/default/third has it: Unsupported: ${message}\n`,
  );
  const other = await get("/api/v1/plan?name=api.example.org", asked);
  expect(other.text).not.toContain("service/default/third has it");
});

describe("objects that name names for external-dns only", () => {
  const where = "the annotation external-dns.kubernetes.io/hostname";
  const objects = [
    { object: "service/default/web", name: www, where },
    { object: "service/default/api", name: trustedDnsName("www.example.net"), where },
  ];
  const more = { cluster: "c", source: "service-dns", kind: "service", isRead: false };
  const namedElsewhere = async (isAsked: (name: DnsName) => boolean) =>
    objects.filter(({ name }) => isAsked(name)).map((one) => ({ ...more, ...one }));

  test("the plan counts those whose names an open zone holds; they are no work", async () => {
    const get = await start({ namedElsewhere });
    const json = await get("/api/v1/plan", AUTHORIZED);
    expect(JSON.parse(json.text).unread).toEqual([
      { source: "service-dns", kind: "service", count: 1, objects: [objects[0]] },
    ]);
    expect(json.headers.get("zonekeeper-open-names")).toBe("2");
    expect(json.headers.get(UNKNOWN_ZONES_HEADER)).toBe("0");
    const line =
      "1 service has names for external-dns only, in its annotations or in the rules of an ingress; Zonekeeper does not read them: zonekeeper explain 'www.example.org', docs/guides/ownership.md#coming-from-external-dns";
    for (const accept of ["text/plain", "text/markdown"])
      expect((await get("/api/v1/plan", { ...AUTHORIZED, accept })).text).toContain(`${line}\n`);
    const asked = await get("/api/v1/plan?name=api.example.org", AUTHORIZED);
    expect(JSON.parse(asked.text).unread).toEqual([]);
  });

  test("explain says which object, where, and what to do, though another object has the name", async () => {
    const get = await start({ namedElsewhere });
    const json = await get("/api/v1/explain/www.example.org", AUTHORIZED);
    expect(JSON.parse(json.text).unread).toEqual([objects[0]]);
    const { text } = await get("/api/v1/explain/www.example.org", {
      ...AUTHORIZED,
      accept: "text/plain",
    });
    expect(text).toContain(
      `  not read:\n    service/default/web names it in ${where}, for external-dns, which Zonekeeper does not read; set dns.gardener.cloud/dnsnames\n`,
    );
    const other = await get("/api/v1/explain/api.example.org", AUTHORIZED);
    expect(JSON.parse(other.text).unread).toEqual([]);
  });
});

test("a port in use is an AddressInUse that names it", async () => {
  await start();
  const at = app?.local ?? { host: "", port: 0 };
  await expect(startHttpApp({ at, token: null, instance: IDLE_INSTANCE })).rejects.toMatchObject({
    code: "AddressInUse",
    message: expect.stringContaining(`127.0.0.1:${at.port}`),
  });
});
