/**
 * Answers in every form that the documents and models of the API allow (2015-01-09): numbers as
 * text, absent fields, lists of none, fields that nobody knows, null, and pages of
 * whoever is between.
 */
import type { Fields } from "@zonekeeper/kube/objects/object-fields";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  applyOnce,
  create,
  mustApply,
  recordSet,
  remove,
  soon,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import { makeFake, openAliDns, WRITES } from "../../../test/support/fakes/alidns/harness.ts";
import type { FakeAliDns } from "../../../test/support/fakes/alidns/server.ts";
import type { Zone } from "../../model/zone.ts";
import type { ProviderSession } from "../provider.ts";

let fake: FakeAliDns;
let session: ProviderSession;
let zone: Zone;

beforeEach(async () => {
  fake = makeFake();
  const origin = await fake.start();
  fake.addDomain("d-1", "example.org");
  session = openAliDns(origin);
  zone = await zoneOf(session);
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

/** Answers of the action become this; the fake keeps its state. */
function disguise(action: string, as: (body: Fields) => unknown): void {
  fake.disguise = (asked, body) => (asked === action ? as(body) : body);
}

async function texts(): Promise<readonly string[]> {
  const { sets } = await session.records(zone, null, soon());
  return sets
    .filter(({ type }) => type !== "NS" && type !== "SOA")
    .map((set) => [set.name, set.ttlSeconds, set.type, ...set.values].join(" "));
}

const RECORD = { RecordId: "9", RR: "www", Type: "A", Value: "192.0.2.1", TTL: 600 };
const OTHER = { ...RECORD, RecordId: "10" };
const A = "www.example.org 600 A 192.0.2.1";

describe("records", () => {
  test.each<[string, object, string | null]>([
    ["bare", RECORD, A],
    ["of the document's example", { ...RECORD, Line: "default", Status: "Enable", Weight: 2 }, A],
    ["with numbers as text", { ...RECORD, TTL: "600", Locked: "false", Weight: "1" }, A],
    ["with an id as a number", { ...RECORD, RecordId: 9_999_985 }, A],
    ["with unknown fields and null", { ...RECORD, Remark: null, Priority: null, New: {} }, A],
    ["with an empty status", { ...RECORD, Status: "" }, A],
    ["without a TTL", { ...RECORD, TTL: undefined }, A],
    ["in capitals", { ...RECORD, RR: "WWW", Type: "a" }, A],
    ["of the apex", { ...RECORD, RR: "@" }, "example.org 600 A 192.0.2.1"],
    ["of all names", { ...RECORD, RR: "*.w" }, "*.w.example.org 600 A 192.0.2.1"],
    ["of Chinese names", { ...RECORD, RR: "例子" }, "xn--fsqu00a.example.org 600 A 192.0.2.1"],
    [
      "MX with a priority as text",
      { ...RECORD, Type: "MX", Value: "MX1.example.net.", Priority: "5" },
      "www.example.org 600 MX 5 mx1.example.net",
    ],
    [
      "SRV",
      { ...RECORD, Type: "SRV", Value: "1 2 443 Host.example.net", Priority: 1 },
      "www.example.org 600 SRV 1 2 443 host.example.net",
    ],
    [
      "TXT with quotes",
      { ...RECORD, Type: "TXT", Value: '"v=spf1" " -all"' },
      'www.example.org 600 TXT "v=spf1 -all"',
    ],
    [
      "TXT",
      { ...RECORD, Type: "TXT", Value: 'a"b\\' },
      String.raw`www.example.org 600 TXT "a\"b\\"`,
    ],
    [
      "redirects",
      { ...RECORD, Type: "REDIRECT_URL", Value: "http://a.example/" },
      "www.example.org 600 REDIRECT_URL http://a.example/",
    ],
  ])("%s", async (_what, record, expected) => {
    const DomainRecords = { Record: [record] };
    disguise("DescribeDomainRecords", (body) => ({ ...body, TotalCount: 1, DomainRecords }));
    expect(await texts()).toEqual([expected]);
  });

  test.each<[string, unknown]>([
    ["without an id", { ...RECORD, RecordId: null }],
    ["with an id that lost digits", { ...RECORD, RecordId: 2 ** 60 }],
    ["without a host", { ...RECORD, RR: undefined }],
    ["with null for a host", { ...RECORD, RR: null }],
    ["with an empty host", { ...RECORD, RR: "" }],
    ["without a type", { ...RECORD, Type: undefined }],
  ])("one %s makes the reading incomplete", async (_what, record) => {
    const DomainRecords = { Record: [record, OTHER] };
    disguise("DescribeDomainRecords", (body) => ({ ...body, TotalCount: 2, DomainRecords }));
    await expect(texts()).rejects.toMatchObject({ code: "ProviderUnavailable" });
  });

  test.each<[string, Fields, readonly string[]]>([
    [
      "totals as text",
      { TotalCount: "1", PageSize: "500", DomainRecords: { Record: [RECORD] } },
      [A],
    ],
    ["no total", { TotalCount: undefined, DomainRecords: { Record: [RECORD] } }, [A]],
    ["an empty list", { TotalCount: 0, DomainRecords: { Record: [] } }, []],
    ["null for a list", { TotalCount: 0, DomainRecords: { Record: null } }, []],
    ["nothing for an empty list", { TotalCount: 0, DomainRecords: {} }, []],
    ["null for all", { TotalCount: 0, DomainRecords: null }, []],
  ])("%s", async (_what, answer, expected) => {
    disguise("DescribeDomainRecords", (body) => ({ ...body, ...answer }));
    expect(await texts()).toEqual(expected);
  });

  test.each<[string, unknown]>([
    ["nothing", {}],
    ["no list where there is a total", { TotalCount: 3, DomainRecords: null }],
    ["an empty list where there is a total", { TotalCount: 3, DomainRecords: { Record: [] } }],
    ["less than the total", { TotalCount: 2, DomainRecords: { Record: [RECORD] } }],
    ["more than the total", { TotalCount: 1, DomainRecords: { Record: [RECORD, OTHER] } }],
    ["the same twice", { TotalCount: 2, DomainRecords: { Record: [RECORD, RECORD] } }],
    ["a text for the list", { TotalCount: 3, DomainRecords: { Record: "x" } }],
    ["another thing", []],
    ["null", null],
  ])("%s is no zone", async (_what, answer) => {
    disguise("DescribeDomainRecords", () => answer);
    await expect(texts()).rejects.toMatchObject({ code: "ProviderUnavailable" });
  });

  test.each([null, ""])("the code %j is that of a good answer", async (Code) => {
    const DomainRecords = { Record: [RECORD] };
    disguise("DescribeDomainRecords", (body) => ({ ...body, Code, TotalCount: 1, DomainRecords }));
    expect(await texts()).toEqual([A]);
  });

  test("a page that is shorter than its total is not the whole zone", async () => {
    const DomainRecords = { Record: [RECORD] };
    disguise("DescribeDomainRecords", (body) => ({ ...body, TotalCount: 501, DomainRecords }));
    await expect(texts()).rejects.toMatchObject({ code: "ProviderUnavailable" });
  });

  test.each(["", "<html>Log in</html>", '{"TotalCount": 1,'])("%j is no answer", async (body) => {
    fake.breakNext(/DomainName/, { is: "refused", status: 200, body });
    await expect(texts()).rejects.toMatchObject({ code: "ProviderUnavailable" });
  });
});

describe("zones", () => {
  test.each<[string, Fields, string | null]>([
    ["bare", { DomainName: "example.org" }, "example.org example.org"],
    ["with an id as a number", { DomainName: "a.org", DomainId: 12 }, "12 a.org"],
    ["in capitals", { DomainName: "Example.ORG", DomainId: "d" }, "d example.org"],
    ["with letters", { DomainName: "例子.org", DomainId: "d" }, "d xn--fsqu00a.org"],
    [
      "with both",
      { DomainName: "例.org", PunyCode: "xn--fsq.org", DomainId: "d" },
      "d xn--fsq.org",
    ],
    ["without a name", { DomainId: "d" }, null],
  ])("%s", async (_what, domain, expected) => {
    disguise("DescribeDomains", (body) => ({ ...body, Domains: { Domain: [domain] } }));
    const zones = await session.zones(soon());
    expect(zones.map(({ id, name }) => `${id} ${name}`)).toEqual(
      expected === null ? [] : [expected],
    );
  });

  test.each<[string, Fields, number, number]>([
    ["numbers", { MinTtl: 60 }, 60, 2],
    ["numbers as text", { MinTtl: "1" }, 1, 2],
    ["no least TTL", { MinTtl: undefined }, 600, 2],
    ["one server", { DnsServers: { DnsServer: "NS1.example.net" } }, 600, 1],
    ["no servers", { DnsServers: null }, 600, 0],
  ])("facts with %s", async (_what, facts, ttl, servers) => {
    disguise("DescribeDomainInfo", (body) => ({ ...body, ...facts }));
    const { sets } = await session.records(zone, null, soon());
    expect(sets.find(({ type }) => type === "NS")?.values ?? []).toHaveLength(servers);
    expect(session.capabilitiesOf?.(zone).ttl.minSeconds).toBe(ttl);
  });
});

describe("writes", () => {
  const set = recordSet("www.example.org", "A", "192.0.2.1");

  test.each<[string, (body: Fields) => unknown]>([
    ["as a number", (body) => ({ ...body, RecordId: Number(body["RecordId"]) })],
    ["nowhere", () => ({})],
    ["as null", () => ({ RecordId: null })],
  ])("an id %s: the record can be removed", async (_what, as) => {
    disguise("AddDomainRecord", as);
    await mustApply(session, [create(set)]);
    await mustApply(session, [remove(set)]);
    expect(fake.domains[0]?.records).toEqual([]);
  });

  test.each<[string, number, string, string]>([
    ["a code alone", 400, '{"Code": "QuotaExceeded.Record"}', "rejected"],
    ["null for a message", 400, '{"Code": "QuotaExceeded.Record", "Message": null}', "rejected"],
    ["a code with status 200", 200, '{"Code": "DomainRecordDuplicate"}', "precondition-failed"],
    ["no code", 400, '{"Message": "no"}', "retry"],
    ["a page", 502, "<html>Bad Gateway</html>", "unknown"],
    ["nothing", 500, "", "unknown"],
    ["XML", 400, "<Error><Code>DomainRecordDuplicate</Code></Error>", "retry"],
    ["half an answer", 200, '{"RecordId": "12', "unknown"],
  ])("%s with status %i: %s", async (_what, status, body, expected) => {
    fake.breakNext(WRITES, { is: "refused", status, body });
    const [outcome] = await applyOnce(session, [create(set)]);
    expect(outcome).toMatchObject({ status: expected });
    expect(outcome).not.toMatchObject({ message: expect.stringMatching(/[<>]|null/) });
  });
});
