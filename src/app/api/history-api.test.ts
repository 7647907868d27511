/** The history over HTTP: what may be asked, and how it is answered. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { afterAll, beforeAll, expect, test } from "vitest";
import { instanceOf } from "../../../test/support/programs/idle-instance.ts";
import type { ChangeHistory, ChangeQuery, ZoneChange } from "../../sync/contract/zone-change.ts";
import { type HttpApp, startHttpApp } from "./http-app.ts";

const asked: ChangeQuery[] = [];
let app: HttpApp;
beforeAll(async () => {
  const history = async (query: ChangeQuery): Promise<ChangeHistory> => {
    asked.push(query);
    const zone = trustedDnsName("example.org");
    const change: ZoneChange = {
      ...{ atMs: 0, zone, name: trustedDnsName("www.example.org"), type: "A" },
      ...{
        is: "removed",
        object: "",
        cause: "edit",
        why: "deleted-object",
        providers: [],
        callMs: 1,
      },
    } as const;
    return { changes: [change], isCut: true, troubles: ["one"] };
  };
  const instance = instanceOf({ history });
  app = await startHttpApp({ at: { host: "127.0.0.1", port: 0 }, token: "t0ken", instance });
});
afterAll(() => app.close());

async function get(query: string) {
  asked.length = 0;
  const url = `http://127.0.0.1:${app.local.port}/api/v1/history${query}`;
  const reply = await fetch(url, { headers: { authorization: "Bearer t0ken" } });
  return { status: reply.status, body: await reply.json() };
}

test("everything is asked for by default, a hundred changes of it", async () => {
  expect(await get("")).toEqual({
    status: 200,
    body: {
      schema: "zonekeeper.dev/history/v1",
      ...{ now: expect.any(String), zone: null, name: null },
      changes: [
        {
          ...{ at: "1970-01-01T00:00:00.000Z", zone: "example.org", name: "www.example.org" },
          ...{
            type: "A",
            is: "removed" as const,
            object: "",
            cause: "edit",
            why: "deleted-object",
          },
          ...{ providers: [], callMs: 1 },
        },
      ],
      ...{ isCut: true, troubles: ["one"] },
    },
  });
  expect(asked).toEqual([{ zone: null, name: null, sinceMs: null, hash: null, limit: 100 }]);
});

test.each([
  [
    "?zone=Example.ORG.&name=www.example.org&limit=7",
    { zone: "example.org", name: "www.example.org", limit: 7 },
  ],
  ["?since=2026-01-31T12:00:00Z", { sinceMs: Date.UTC(2026, 0, 31, 12) }],
  ["?since=1000", { sinceMs: 1_000 }],
  ["?hash=3f9c2a", { hash: "3f9c2a" }],
])("%s", async (query, expected) => {
  expect((await get(query)).status).toBe(200);
  expect(asked).toMatchObject([expected]);
});

test.each([
  ["?zone=a..b", "zone: the name has an empty label"],
  ["?name=", "name: the name is empty"],
  ["?since=yesterday", "since: yesterday is no time; write 2026-01-31T12:00:00Z"],
  ["?limit=0", "limit: 0 is no number from 1 to 10000"],
  ["?limit=1.5", "limit: 1.5 is no number"],
  ["?limit=many", "limit: many is no number"],
])("%s is refused", async (query, message) => {
  expect(await get(query)).toMatchObject({
    status: 400,
    body: { code: "InvalidQuery", message: expect.stringContaining(message) },
  });
  expect(asked).toEqual([]);
});
