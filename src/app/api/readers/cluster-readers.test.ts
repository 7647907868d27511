import { OperationError } from "@zonekeeper/base/operation-error";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { instanceOf } from "../../../../test/support/programs/idle-instance.ts";
import { API_ROUTES } from "../../../../tools/openapi/api-routes.ts";
import type { ObjectMark } from "../../../model/provenance.ts";
import type { NameRow } from "../../../sync/contract/name-page.ts";
import type { ZoneChange } from "../../../sync/contract/zone-change.ts";
import type { ZoneStatus } from "../../../sync/contract/zone-status.ts";
import type { Instance, UserReviews, Work } from "../../compose/instance.ts";
import { type HttpApp, startHttpApp } from "../http-app.ts";
import { READER_ROUTES } from "./cluster-readers.ts";

const TOKEN = "0123456789abcdef";
const APEX = trustedDnsName("example.org");
const CANARY = "team-b-has-this";

/** Who has which name; the same namespace of another cluster has one, too. */
const OBJECTS: Readonly<Record<string, readonly ObjectMark[]>> = {
  a: [{ resource: "dnsentry/team-a/a", cluster: "home" }],
  [CANARY]: [{ resource: `dnsentry/team-b/${CANARY}`, cluster: "home" }],
  both: [
    { resource: `dnsentry/team-b/${CANARY}`, cluster: "home" },
    { resource: "dnsentry/team-a/both", cluster: "home" },
  ],
  away: [{ resource: `dnsentry/team-a/${CANARY}`, cluster: "away" }],
};
const nameOf = (label: string) => trustedDnsName(`${label}.${APEX}`);
const objectsAt = (name: string) => ({
  listed: OBJECTS[name.replace(`.${APEX}`, "")] ?? [],
  marked: [],
});
const provenance = { cluster: "home", kind: "dnsentry", namespace: "team-b", name: CANARY };
const keyOf = (label: string) => ({ name: nameOf(label), type: "A", setIdentifier: null });

const ZONE: ZoneStatus = {
  key: { account: "acc", zone: "example.org" },
  zone: { id: "z", name: APEX, providerType: "rfc2136", endpoint: "192.0.2.53:53", view: "" },
  ...{ state: "ready", message: null, paused: null, isAtomic: true },
  ...{ ownedNames: 4, foreignNames: 17, danglingNames: 3 },
  providers: [`team-b/${CANARY}`, "team-a/net"],
  heldSets: ["mine", "foreign"].map((hash) => {
    return { hash, kind: "removals" as const, changes: 1, removals: 1 };
  }),
  open: Object.keys(OBJECTS).map((label) => ({
    name: nameOf(label),
    changes: [],
    holds: [
      { key: keyOf(label), code: "FuseTripped" as const, message: "held", provenance: null },
      { key: keyOf(label), code: "NameTaken" as const, message: CANARY, provenance },
    ],
  })),
};

const rowOf = (label: string): NameRow => ({
  ...{
    zone: APEX,
    name: nameOf(label),
    state: "published",
    code: "",
    message: label === "a" ? "" : CANARY,
  },
  ...{ owner: "me", types: ["A"], values: ["192.0.2.1"], since: null },
  object: OBJECTS[label]?.[0]?.resource ?? "",
  others: [],
  cluster: OBJECTS[label]?.[0]?.cluster ?? "",
});

const changeOf = (label: string): ZoneChange => ({
  ...{ atMs: Date.now(), zone: APEX, name: nameOf(label), type: "A", is: "created", cause: "edit" },
  ...{
    why: "Wanted",
    providers: [`team-b/${CANARY}`],
    callMs: 1,
    object: OBJECTS[label]?.[0]?.resource ?? "",
    others: [],
  },
  cluster: OBJECTS[label]?.[0]?.cluster ?? "",
});

const RIGHTS = new Set([
  "alice get dnsentries team-a",
  "alice update dnsentries team-a",
  "bob get dnsentries team-a",
  "oscar get pods dns",
  "eve get dnsentries everything",
  "eve get dnsentries *",
]);

let app: HttpApp;
let approved: string[] = [];
let reviews: UserReviews | null | undefined;
let paused: string[] = [];
let asked: string[] = [];

const WORK = {
  zones: () => [ZONE],
  objectsAt,
  names: async ({ isShown = () => true }) => {
    const rows = Object.keys(OBJECTS).map(rowOf);
    return { total: 99, rows: rows.filter(({ name }) => isShown(objectsAt(name))), next: null };
  },
  heldRecords: (hash) => {
    const labels = { mine: ["a"], foreign: ["a", CANARY] }[hash] ?? [];
    return labels.map((label) => ({
      zone: APEX,
      ...keyOf(label),
      marker: null,
      hold: null,
      sinceMs: null,
    }));
  },
  history: async ({ name, isShown = () => true }) => ({
    changes: Object.keys(OBJECTS)
      .map(changeOf)
      .filter((change) => (name === null || change.name === name) && isShown(change)),
    isCut: false,
    troubles: [CANARY],
  }),
  explain: async () => [],
  troubles: () => [{ provider: `team-b/${CANARY}`, message: CANARY }],
  whoLists: async (isAsked) =>
    Object.entries(OBJECTS).flatMap(([label, marks]) =>
      marks
        .filter(() => isAsked(nameOf(label)))
        .map(({ resource, cluster }) => ({
          ...{ object: resource ?? "", cluster: cluster ?? "", name: nameOf(label) },
          ...{ state: "Error", message: resource ?? "" },
        })),
    ),
  approve: async (hash) => {
    approved.push(hash);
    return [ZONE.key];
  },
  undo: async () => ({
    choices: [CANARY, "a", "both"].map((label) => ({
      ...{ apex: APEX, key: keyOf(label), from: null, to: null, order: null },
      ...{ reason: label, isSo: false, again: null },
    })),
    troubles: [CANARY],
  }),
  pauses: {
    onChange: () => () => undefined,
    reasonAt: () => null,
    status: () => ({ all: null, zones: [], names: [{ name: nameOf(CANARY), reason: CANARY }] }),
    pause: async (...scopes: readonly unknown[]) => void paused.push(...scopes.map(String)),
    resume: async () => true,
  },
} satisfies Partial<Work>;

beforeEach(async () => {
  approved = [];
  paused = [];
  asked = [];
  reviews = {
    cluster: "home",
    namespace: "dns",
    userOf: async (token) => {
      asked.push("user");
      const user = token.replace(/^t-/, "");
      return token === user ? null : { user, uid: "", groups: [], extra: {} };
    },
    isAllowed: async ({ user }, { verb, kind, namespace }) => {
      asked.push(verb);
      return RIGHTS.has(`${user} ${verb} ${kind.plural} ${namespace}`);
    },
  };
  const instance = instanceOf({ ...WORK, scrape: async () => ({ contentType: "", text: "" }) });
  Object.defineProperty(instance, "reviews", { get: () => reviews });
  const at = { host: "127.0.0.1", port: 0 };
  app = await startHttpApp({ at, token: TOKEN, instance: instance as Instance });
});
afterEach(() => app.close());

async function send(path: string, token: string, namespaces = "", method = "GET") {
  const stop = new AbortController();
  const response = await fetch(`http://127.0.0.1:${app.local.port}${path}`, {
    ...{ method, signal: stop.signal },
    headers: { authorization: `Bearer ${token}`, "x-zonekeeper-namespaces": namespaces },
  });
  const isStream = response.headers.get("content-type") === "text/event-stream";
  const text = isStream ? "" : await response.text();
  stop.abort();
  return { status: response.status, text, code: text.startsWith("{") ? JSON.parse(text).code : "" };
}

/** A path that can be asked for. */
const pathOf = (path: string): string =>
  path.replace("{name}", nameOf("a")).replace("{hash}", "mine").replace("{verb}", "adopt");
const LIMITED = API_ROUTES.map(({ path, method }) => {
  const route = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`;
  return { path: pathOf(path), method: method.toUpperCase(), use: READER_ROUTES[route], route };
});

describe("each route", () => {
  const routes = LIMITED.filter(({ path }) => path !== "/api/v1/session/begin");
  test.each(routes)("$route refuses without a right", async ({ path, method, use }) => {
    const ask = (token: string, namespaces: string) => send(path, token, namespaces, method);
    expect(await ask("unknown", "team-a")).toMatchObject({ status: 401, code: "Unauthorized" });
    expect(await ask("t-alice", "team-b")).toMatchObject({ status: 403, code: "ReaderRefused" });
    expect(await ask("t-alice", "team-a,team-b")).toMatchObject({ status: 403 });
    expect(await ask("t-alice", "")).toMatchObject({ status: 403, code: "ReaderRefused" });
    const [bob, alice, oscar] = [
      await ask("t-bob", "team-a"),
      await ask("t-alice", "team-a"),
      await ask("t-oscar", ""),
    ];
    const isRefused = ({ code }: typeof bob): boolean => code === "ReaderRefused";
    expect([isRefused(bob), isRefused(alice), isRefused(oscar)]).toEqual([
      use !== "read",
      use !== "read" && use !== "order",
      use !== "read" && use !== "whole",
    ]);
    for (const { text } of [bob, alice]) expect(text).not.toContain(CANARY);
    if (method === "GET" && use !== undefined) expect(alice.status).not.toBe(500);
  });

  test("a table row is a route", () => {
    const known = new Set(LIMITED.map(({ route }) => route));
    expect(Object.keys(READER_ROUTES).filter((route) => !known.has(route))).toEqual([]);
  });
});

test("names, counts, holds and history are those of its namespaces, in its cluster", async () => {
  const get = async (path: string) => JSON.parse((await send(path, "t-bob", "team-a")).text);
  const names = await get("/api/v1/names");
  expect(names.rows.map(({ name }: NameRow) => name)).toEqual([nameOf("a"), nameOf("both")]);
  expect(names.rows[1]).toMatchObject({ object: "", message: "" });
  expect(names.total).toBe(2);
  const { zones } = await get("/api/v1/zones");
  expect(zones).toMatchObject([
    { ownedNames: 2, foreignNames: 0, openNames: 2, providers: ["team-a/net"] },
  ]);
  expect(zones[0].heldSets).toMatchObject([{ hash: "mine" }]);
  expect((await get("/api/v1/history")).changes.map(({ name }: ZoneChange) => name)).toEqual([
    nameOf("a"),
  ]);
  expect((await get("/api/v1/undo?ago=60000")).changes).toMatchObject([{ name: nameOf("a") }]);
  expect((await get("/api/v1/session")).namespaces).toEqual(["team-a"]);
});

test("whether anything may be ordered is asked of the cluster", async () => {
  const session = async (token: string, namespaces: string) =>
    JSON.parse((await send("/api/v1/session", token, namespaces)).text).mayOrder;
  expect([
    await session("t-alice", "team-a"),
    await session("t-bob", "team-a"),
    await session("t-oscar", ""),
    await session(TOKEN, ""),
  ]).toEqual([true, false, false, true]);
});

test("a name of others is refused like one that is not there; one that ended is explained", async () => {
  const codes = [];
  for (const label of [CANARY, "away", "nowhere"])
    codes.push((await send(`/api/v1/explain/${nameOf(label)}`, "t-bob", "team-a")).code);
  expect(codes).toEqual(["OutOfView", "OutOfView", "OutOfView"]);
  expect((await send(`/api/v1/explain/${nameOf("both")}`, "t-bob", "team-a")).status).toBe(200);
});

test("who sees everything by a token orders nothing", async () => {
  const all = JSON.parse((await send("/api/v1/names", "t-oscar")).text);
  expect([all.rows.length, all.total]).toEqual([4, 99]);
  expect(await send("/api/v1/approve/mine?count=1", "t-oscar", "", "POST")).toMatchObject({
    status: 403,
  });
  expect(approved).toEqual([]);
});

test("an answer that is kept for who sees everything is nobody else's", async () => {
  await send("/api/v1/names", "t-oscar");
  for (const namespace of ["everything", "*"])
    expect((await send("/api/v1/names", "t-eve", namespace)).text).not.toContain(CANARY);
});

test("an order is about own names alone", async () => {
  const post = (path: string) => send(path, "t-alice", "team-a", "POST");
  expect((await post("/api/v1/approve/foreign?count=1")).code).toBe("NothingToApprove");
  for (const scope of ["all=true", "zone=example.org", `name=${nameOf("both")}`])
    expect((await post(`/api/v1/pause?${scope}`)).code).toBe("OutOfView");
  expect([approved, paused]).toEqual([[], []]);
  expect((await post(`/api/v1/pause?name=${nameOf("a")}`)).status).toBe(200);
  expect((await post("/api/v1/approve/mine?count=1")).status).toBe(200);
  expect([approved, paused]).toEqual([["mine"], [`name ${nameOf("a")}`]]);
});

test("a right is asked about again for each order, and for reading after a while", async () => {
  await send("/api/v1/names", "t-alice", "team-a");
  await send("/api/v1/names?text=a", "t-alice", "team-a");
  expect(asked).toEqual(["user", "get"]);
  for (let turn = 0; turn < 2; turn++)
    await send(`/api/v1/pause?name=${nameOf("a")}`, "t-alice", "team-a", "POST");
  expect(asked).toEqual(["user", "get", "update", "update"]);
});

test("where nobody can tell, nobody is let in, and the next one is asked again", async () => {
  const working = reviews as UserReviews;
  const failing = async () => {
    throw new OperationError({ code: "Timeout", message: `of t-bob ${CANARY}`, retry: "backoff" });
  };
  reviews = { ...working, userOf: failing };
  const failed = await send("/api/v1/names", "t-bob", "team-a");
  expect(failed).toMatchObject({ status: 503, code: "ReviewFailed" });
  expect(failed.text).not.toContain("t-bob");
  reviews = { ...working, isAllowed: failing };
  expect((await send("/api/v1/names", "t-bob", "team-a")).status).toBe(503);
  reviews = null;
  expect((await send("/api/v1/names", "t-bob", "team-a")).status).toBe(503);
  reviews = undefined;
  expect((await send("/api/v1/names", "t-bob", "team-a")).status).toBe(401);
  reviews = working;
  expect((await send("/api/v1/names", "t-bob", "team-a")).status).toBe(200);
});

test("wrong namespaces and tokens reach nobody", async () => {
  const many = Array.from({ length: 33 }, (_, index) => `n${index}`).join(",");
  for (const namespaces of ["Team-A", "a/b", many])
    expect(await send("/api/v1/names", "t-bob", namespaces)).toMatchObject({ status: 400 });
  expect((await send("/api/v1/names", "t".repeat(20_000), "team-a")).status).toBeGreaterThan(400);
  expect(asked).toEqual([]);
});

test("more reviews at a time than there may be are refused", async () => {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const working = reviews as UserReviews;
  reviews = { ...working, userOf: () => gate.then(() => null) };
  const all = Array.from({ length: 40 }, (_, index) => send("/api/v1/names", `x${index}`, "a"));
  const early = await Promise.all(
    all.map((one) => Promise.race([one, gate.then(() => null)])).slice(32),
  );
  expect(early.map((one) => one?.code)).toEqual(Array.from({ length: 8 }, () => "ReviewFailed"));
  release();
  await Promise.all(all);
});
