import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { instanceOf } from "../../../../test/support/programs/idle-instance.ts";
import type { Instance, Work } from "../../compose/instance.ts";
import { type HttpApp, startHttpApp } from "../http-app.ts";
import { PageDoor, type Session } from "./page-door.ts";

const folder = mkdtempSync(join(tmpdir(), "zk-page-"));
mkdirSync(join(folder, "assets"));
writeFileSync(join(folder, "index.html"), "<!doctype html><title>page</title>");
writeFileSync(join(folder, "assets/main-1a2b.js"), "export {};");
writeFileSync(join(folder, "assets/secret.pem"), "not of the page");
afterAll(() => rmSync(folder, { recursive: true }));

let app: HttpApp | null = null;
afterEach(async () => {
  await app?.close();
  app = null;
});

interface Given extends Partial<Instance & Work> {
  readonly origins?: readonly string[];
  readonly host?: string;
  readonly token?: () => Result<string>;
  readonly folder?: string;
}

async function start(given: Given = {}): Promise<void> {
  const { origins = [], host = "127.0.0.1", token = () => ok("t0ken"), ...more } = given;
  const page = { origins, folder: given.folder ?? folder };
  const instance = instanceOf(more);
  app = await startHttpApp({ at: { host, port: 0 }, token, instance, page });
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** `fetch` sends neither Host nor Sec-Fetch-Site. */
function send(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
): Promise<Reply> {
  const at = { host: "127.0.0.1", port: app?.local.port, path, method, headers };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(at, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}

const TOKEN = { authorization: "Bearer t0ken" };

/** As `zonekeeper open` and a browser do it. */
async function entered(headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const link = await send("/api/v1/page/link", TOKEN, "POST");
  const { path } = JSON.parse(link.text);
  const reply = await send(path, headers);
  expect(reply.status).toBe(200);
  return String(reply.headers["set-cookie"]);
}

async function cookie(): Promise<string> {
  return (await entered()).split(";", 1)[0] ?? "";
}

describe("the way in", () => {
  test("a link lets one browser in, once, with a cookie that scripts and others do not get", async () => {
    await start();
    const { text } = await send("/api/v1/page/link", TOKEN, "POST");
    const { path } = JSON.parse(text);
    const first = await send(path);
    expect(first.headers["set-cookie"]).toEqual([
      expect.stringMatching(
        new RegExp(
          `^zonekeeper-${app?.local.port}=[\\w-]{43}; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict$`,
        ),
      ),
    ]);
    expect(first.text).toContain("url=./");
    const second = await send(path);
    expect([second.status, second.headers["set-cookie"]]).toEqual([403, undefined]);
    expect(second.text).toContain("was used already");
    expect((await send("/page/open?code=guessed")).status).toBe(403);
    expect((await send("/page/open")).status).toBe(403);
  });

  test("a code is good for a minute, a session for twelve hours, the oldest make room", () => {
    let nowMs = 1_000;
    const door = new PageDoor({ origins: [], isLocal: true, isSecure: false }, () => nowMs);
    const request = (cookie = "") =>
      ({ headers: { host: "127.0.0.1:8080", cookie }, url: "/", method: "GET" }) as never;
    const origin = request();
    const asked = (set: string | null) => door.admit(request(set?.split(";", 1)[0]), "t");
    const late = door.makeCode();
    nowMs = late.untilMs;
    expect(door.enter(late.code, origin, "t")).toBeNull();
    const set = door.enter(door.makeCode().code, origin, "t");
    expect(asked(set)).toMatchObject({ endsAtMs: nowMs + 12 * 3_600_000 });
    const session = asked(set) as Session;
    expect([door.hasSession(session, "t"), door.hasSession(session, "u")]).toEqual([true, false]);
    nowMs += 12 * 3_600_000;
    expect(asked(set)).toMatchObject({ status: 401 });
    expect(door.hasSession(session, "t")).toBe(false);
    const codes = Array.from({ length: 18 }, () => door.makeCode().code);
    expect(door.enter(codes[0] ?? "", origin, "t"), "the oldest went").toBeNull();
    expect(door.enter(codes[17] ?? "", origin, "t")).not.toBeNull();
  });

  test("without a session there are no files, and the API refuses", async () => {
    await start();
    for (const path of ["/page/", "/page/names", "/page/assets/main-1a2b.js"])
      expect(await send(path)).toMatchObject({
        status: 401,
        text: "This page opens by a link: run zonekeeper open.\n",
      });
    const refused = await send("/api/v1/session", { cookie: `zonekeeper-${app?.local.port}=x` });
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([401, "Unauthorized"]);
  });

  test("the token of the API ends sessions when it changes, and when it is missing", async () => {
    let token: Result<string> = ok("t0ken");
    await start({ token: () => token });
    const headers = { cookie: await cookie() };
    expect((await send("/api/v1/session", headers)).status).toBe(200);
    token = ok("an0ther");
    expect((await send("/api/v1/session", headers)).status).toBe(401);
    expect((await send("/page/", headers)).status).toBe(401);
    token = fail("there is none");
    expect((await send("/api/v1/session", headers)).status).toBe(503);
    expect((await send("/page/", headers)).status).toBe(503);
    expect((await send("/page/open?code=x")).status).toBe(403);
  });

  test("a session that is ended lets nobody in any more", async () => {
    await start();
    const headers = { cookie: await cookie(), origin: `http://127.0.0.1:${app?.local.port}` };
    const stream = send("/api/v1/events", headers);
    const ended = await send("/api/v1/session/end", headers, "POST");
    expect([ended.status, String(ended.headers["set-cookie"])]).toEqual([
      204,
      expect.stringContaining("Max-Age=0"),
    ]);
    expect((await send("/api/v1/session", headers)).status).toBe(401);
    await expect(stream, "an open one ends").rejects.toThrow("aborted");
  });
});

describe("requests of others", () => {
  test.each([
    ["another host name: DNS rebinding", { host: "evil.example" }, "ForeignHost"],
    ["no host that can be read", { host: "[::1" }, "ForeignHost"],
    ["another site", { "sec-fetch-site": "cross-site" }, "ForeignOrigin"],
    ["another port of this host", { "sec-fetch-site": "same-site" }, "ForeignOrigin"],
  ])("%s reads nothing", async (_, more, code) => {
    await start();
    const reply = await send("/api/v1/session", { cookie: await cookie(), ...more });
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([403, code]);
    const page = await send("/page/", { cookie: await cookie(), ...more });
    expect(page.status).toBe(403);
  });

  test.each([
    ["without an origin", {}],
    ["of another site", { origin: "http://evil.example" }],
    ["of another port", { origin: "http://127.0.0.1:1" }],
    ["of no origin", { origin: "null" }],
    ["typed into the address bar", { "sec-fetch-site": "none" }],
  ])("an order %s is none", async (_, more) => {
    const approved: string[] = [];
    const approve = async (hash: string) => {
      approved.push(hash);
      return [];
    };
    await start({ approve });
    const path = "/api/v1/approve/4f0c1d2e3b5a6978?count=1";
    const reply = await send(path, { cookie: await cookie(), ...more }, "POST");
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([403, "ForeignOrigin"]);
    expect(approved).toEqual([]);
  });

  test("what a page of this instance orders is taken; so is the token, without any of it", async () => {
    await start();
    const origin = `http://127.0.0.1:${app?.local.port}`;
    const own = { cookie: await cookie(), origin, "sec-fetch-site": "same-origin" };
    expect((await send("/api/v1/session/end", own, "POST")).status).toBe(204);
    expect((await send("/api/v1/session", { ...TOKEN, host: "pod.example" })).status).toBe(200);
  });
});

describe("addresses that are not loopback", () => {
  test("serve no page until it is said how browsers come there", async () => {
    await start({ host: "0.0.0.0" });
    expect((await send("/page/")).status).toBe(404);
    const link = await send("/api/v1/page/link", TOKEN, "POST");
    expect([link.status, JSON.parse(link.text).code]).toEqual([409, "PageOff"]);
    expect((await send("/api/v1/session", TOKEN)).status, "the API is as it was").toBe(200);
  });

  test("then serve it under that origin alone, with a cookie for https", async () => {
    await start({ host: "0.0.0.0", origins: ["https://dns.example.org"] });
    const host = { host: "dns.example.org" };
    const set = await entered(host);
    expect(set).toMatch(/^__Host-zonekeeper-443=.*; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    const headers = { ...host, cookie: set.split(";", 1)[0] ?? "" };
    expect((await send("/page/", headers)).status).toBe(200);
    expect((await send("/page/", { ...headers, host: "127.0.0.1" })).status).toBe(403);
  });
});

describe("the files", () => {
  test("are sent as what they are; there is no other page", async () => {
    await start();
    const headers = { cookie: await cookie() };
    const index = await send("/page/?state=held", headers);
    expect(index.text).toContain("<title>page");
    expect(index.headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "content-security-policy": expect.stringMatching(/^default-src 'none'; script-src 'self';/),
    });
    const script = await send("/page/assets/main-1a2b.js", headers);
    expect(script.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(script.headers["cache-control"]).toContain("immutable");
    const etag = String(script.headers["etag"]);
    const again = await send("/page/assets/main-1a2b.js", { ...headers, "if-none-match": etag });
    expect(again.status).toBe(304);
    for (const path of ["assets/secret.pem", "assets/..%2f..%2fpackage.json", "names"])
      expect(await send(`/page/${path}`, headers)).toMatchObject({
        status: 404,
        text: expect.stringMatching(/^There is no such page\./),
      });
    expect((await send("/")).headers["location"]).toBe("page/");
  });

  test("a build without a page says so", async () => {
    await start({ folder: join(folder, "assets") });
    const reply = await send("/page/", { cookie: await cookie() });
    expect([reply.status, reply.text]).toEqual([404, expect.stringContaining("has no page")]);
  });
});

test("a standby says who leads, and lets browsers in all the same", async () => {
  await start({ standbyReply: () => "this instance does not lead", leader: () => "pod-b" });
  const headers = { cookie: await cookie() };
  expect((await send("/page/", headers)).status).toBe(200);
  const session = await send("/api/v1/session", headers);
  expect(JSON.parse(session.text)).toMatchObject({ state: "standby", leader: "pod-b" });
  expect((await send("/api/v1/plan", headers)).status).toBe(409);
});

describe("equal questions of open pages", () => {
  test("are reckoned once; a program gets an answer of its own, and a refusal is nobody else's", async () => {
    let asked = 0;
    await start({
      history: async () => {
        asked += 1;
        return { changes: [], isCut: asked > 1, troubles: ["Zürich \u202e"] };
      },
    });
    const [one, other] = [await cookie(), await cookie()];
    const [first, second] = await Promise.all([
      send("/api/v1/history?limit=12", { cookie: one }),
      send("/api/v1/history?limit=12", { cookie: other }),
    ]);
    expect([asked, second.text, second.headers["content-type"]]).toEqual([
      1,
      first.text,
      first.headers["content-type"],
    ]);
    expect(JSON.parse(second.text).troubles).toEqual(["Zürich \u202e"]);
    const own = await send("/api/v1/history?limit=12", TOKEN);
    expect([asked, JSON.parse(own.text).isCut]).toEqual([2, true]);
    const wrong = await Promise.all(
      [one, other].map((session) => send("/api/v1/history?limit=no", { cookie: session })),
    );
    expect(wrong.map(({ status }) => status)).toEqual([400, 400]);
  });
});
