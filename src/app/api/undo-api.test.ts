/** Undo over HTTP: shown first, done as it was shown, and the names are paused before. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { afterEach, expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { instanceOf } from "../../../test/support/programs/idle-instance.ts";
import { MapState } from "../../../test/support/values/fuse.ts";
import { parseDesired, parseZone } from "../../../test/support/values/zone-text.ts";
import type { OwnershipRow, UndoChoice, UndoQuery } from "../../sync/contract/ownership-rows.ts";
import { PauseRegistry } from "../../sync/guards/pause-registry.ts";
import { type HttpApp, startHttpApp } from "./http-app.ts";

const APEX = trustedDnsName("example.org");
const KEY = { name: trustedDnsName("www.example.org"), type: "A", setIdentifier: null };
const ZONE = { account: "a", zone: "example.org" };
const [FROM = null] = parseZone("www 300 A 192.0.2.2");
const [TO = null] = parseDesired("www 300 A 192.0.2.1");
const CHOICE: UndoChoice = {
  ...{
    apex: APEX,
    key: KEY,
    from: { values: ["192.0.2.2"], ttlSeconds: 300 },
    to: { values: ["192.0.2.1"], ttlSeconds: 300 },
  },
  order: { zone: ZONE, change: { is: "undo", from: FROM, to: TO } },
  ...{ reason: "", isSo: false, again: null },
};

let app: HttpApp | null = null;
afterEach(() => app?.close());

/** `order` is carried out at once, and seen with the pauses of that moment. */
async function start(choices: readonly UndoChoice[], isDown = false) {
  const asked: UndoQuery[] = [];
  const pausedAt: (string | null)[] = [];
  let values = ["192.0.2.2"];
  const state = new MapState();
  const given = { all: false, zones: [] };
  const ports = { clock: new VirtualClock(), log: new MemoryLog() };
  const pauses = new PauseRegistry({ key: "pause/me", state, given, ...ports });
  await pauses.known();
  const instance = instanceOf({
    undo: async (query) => {
      asked.push(query);
      return { choices, troubles: [] };
    },
    pauses: isDown ? null : pauses,
    order: (_, orders) => {
      pausedAt.push(...orders.map(({ key }) => pauses.reasonAt(key.name)));
      values = ["192.0.2.1"];
      return true;
    },
    rights: async () => {
      const row = { ...KEY, values, isPending: false } as unknown as OwnershipRow;
      return [{ key: ZONE, rows: [row] } as never];
    },
  });
  app = await startHttpApp({ at: { host: "127.0.0.1", port: 0 }, token: "t0ken", instance });
  const url = `http://127.0.0.1:${app.local.port}/api/v1/undo`;
  const send = async (method: string, query: string) => {
    const headers = { authorization: "Bearer t0ken" };
    const reply = await fetch(`${url}${query}`, { method, headers });
    return { status: reply.status, body: await reply.json() };
  };
  return { send, asked, pausedAt };
}

test("what was shown is done, once, and its name is paused by then", async () => {
  const { send, asked, pausedAt } = await start([CHOICE]);
  expect(await send("POST", "?name=www.example.org")).toMatchObject({
    body: { shown: "unseen", isDone: false, changes: [{ state: "would", zone: APEX }] },
  });
  expect(pausedAt).toEqual([]);
  expect(await send("POST", "?name=www.example.org")).toMatchObject({
    body: { shown: "same", isDone: true, changes: [{ state: "undone", reason: "" }] },
  });
  expect(pausedAt).toEqual([expect.stringContaining("www.example.org is paused since")]);
  expect(asked[0]).toEqual({ zone: null, name: KEY.name, hash: null, sinceMs: null });
  expect(await send("POST", "?name=www.example.org")).toMatchObject({ body: { shown: "unseen" } });
});

test("what is another choice than it was shown is shown anew", async () => {
  const choices = [CHOICE];
  const { send, pausedAt } = await start(choices);
  await send("GET", "?ago=600000");
  choices[0] = { ...CHOICE, order: { zone: ZONE, change: { is: "undo", from: null, to: TO } } };
  expect(await send("POST", "?ago=600000")).toMatchObject({ body: { shown: "changed" } });
  expect(pausedAt).toEqual([]);
});

test("where no pause is kept nothing is undone", async () => {
  const { send, pausedAt } = await start([CHOICE], true);
  await send("GET", "?hash=0011223344556677");
  expect(await send("POST", "?hash=0011223344556677")).toMatchObject({
    status: 503,
    body: { code: "PausesNotKept" },
  });
  expect(pausedAt).toEqual([]);
});

test.each([
  ["", "give one of name, hash and ago"],
  ["?name=a..b", "name: the name has an empty label"],
  ["?ago=soon", "ago: soon is no number of milliseconds"],
  ["?zone=example.org", "give one of name, hash and ago"],
])("%s is refused", async (query, message) => {
  const { send } = await start([]);
  expect(await send("GET", query)).toMatchObject({
    status: 400,
    body: { code: "InvalidQuery", message: expect.stringContaining(message) },
  });
});
