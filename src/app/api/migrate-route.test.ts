import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { afterEach, describe, expect, test } from "vitest";
import { asClients } from "../../../test/support/programs/client-text.ts";
import { instanceOf } from "../../../test/support/programs/idle-instance.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { MigrationReport, MigrationRequest } from "../../sync/contract/ownership-rows.ts";
import { type HttpApp, startHttpApp } from "./http-app.ts";

const set = (name: string): RecordSet => ({
  name: trustedDnsName(name),
  type: "TXT",
  setIdentifier: null,
  ttlSeconds: 300,
  values: ['"heritage=external-dns"'],
  properties: {},
  routingPolicy: null,
});
const apex = trustedDnsName("example.org");
const key = { name: trustedDnsName("x.example.org"), type: "A", setIdentifier: null };
const REPORT: MigrationReport = {
  zone: { account: "a", zone: "example.org" },
  apex,
  trouble: null,
  hasForms: true,
  outdated: 1,
  stuck: 2,
  unlisted: 1,
  items: [
    {
      name: trustedDnsName("www.example.org"),
      writes: [
        { op: "create", next: set("_owner.a.www.example.org") },
        { op: "remove", previous: set("a-www.example.org") },
        { op: "replace", previous: set("b"), next: set("b") },
      ],
      holds: [],
    },
    {
      name: key.name,
      writes: [],
      holds: [{ key, code: "MarkerTooLong", message: "too long", provenance: null }],
    },
  ],
};

let app: HttpApp | null = null;
afterEach(async () => {
  await app?.close();
  app = null;
});

/** Asks an instance that answers `reports`; what it was asked is in `asked`. */
async function post(query: string, reports: readonly MigrationReport[] = [REPORT], accept = "") {
  const asked: MigrationRequest[] = [];
  app = await startHttpApp({
    at: { host: "127.0.0.1", port: 0 },
    token: "t0ken",
    instance: instanceOf({
      migrate: async (request) => {
        asked.push(request);
        return reports;
      },
    }),
  });
  const url = `http://127.0.0.1:${app.local.port}/api/v1/registry/migrate${query}`;
  const headers = { authorization: "Bearer t0ken", accept };
  const response = await fetch(url, { method: "POST", headers });
  return { asked, ...(await asClients(response, headers)) };
}

describe("POST /api/v1/registry/migrate", () => {
  test("asks for what the query says; headers carry the counts", async () => {
    const { asked, status, headers } = await post(
      "?zone=Example.org.&layout=label&encrypt=true&apply=true",
    );
    expect(asked).toEqual([
      { zone: apex, target: { location: "label", encrypt: true }, apply: true },
    ]);
    expect(status).toBe(200);
    const counts = ["open-names", "stuck-names", "unknown-zones"];
    expect(counts.map((name) => headers.get(`zonekeeper-${name}`))).toEqual(["1", "2", "0"]);
  });

  test("without a query every zone, as configured, nothing written", async () => {
    const { asked, text } = await post("");
    expect(asked).toEqual([
      { zone: null, target: { location: null, encrypt: false }, apply: false },
    ]);
    expect(JSON.parse(text).zones).toHaveLength(1);
  });

  test("as text", async () => {
    const { text } = await post("", [REPORT], "text/plain");
    expect(text).toBe(`zone example.org: 1 names to migrate, 2 that cannot be migrated
  www.example.org: + TXT _owner.a.www.example.org
  www.example.org: - TXT a-www.example.org
  www.example.org: ~ TXT b (another form)
  x.example.org: held A: MarkerTooLong: too long
  and 1 more
`);
  });

  test("zones that are done, and that cannot tell", async () => {
    const done = { ...REPORT, outdated: 0, stuck: 0, unlisted: 0, items: [] };
    const { text, headers } = await post("", [done, { ...done, trouble: "no" }], "text/plain");
    expect(text).toBe(
      "zone example.org: all markers of this installation have this form\n\nzone example.org: cannot be read: no\n",
    );
    expect(headers.get("zonekeeper-unknown-zones")).toBe("1");
  });

  test("a registry without forms says that, and not that its markers have the form", async () => {
    const none = { ...REPORT, hasForms: false, outdated: 0, stuck: 0, unlisted: 0, items: [] };
    expect((await post("", [none], "text/plain")).text).toBe(
      "zone example.org: its registry has one form of markers, so there is nothing to migrate\n",
    );
  });

  test.each([
    ["?layout=other", 400],
    ["?zone=a..b", 400],
  ])("%s is refused", async (query, status) => {
    const answer = await post(query);
    expect([answer.status, answer.asked]).toEqual([status, []]);
  });

  test("a zone that is not open is not found", async () => {
    expect((await post("?zone=example.net", [])).status).toBe(404);
  });
});
