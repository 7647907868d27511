/** alicloud-dns on its fake: calls that are counted, ids, lines, TTLs of editions, refusals. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  address,
  applyOnce,
  create,
  group,
  mustApply,
  recordSet,
  remove,
  replace,
  soon,
  withTtl,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import type { FakeDomain } from "../../../test/support/fakes/alidns/fake-domain.ts";
import {
  ALIDNS_SECRET,
  addForeign,
  makeFake,
  openAliDns,
  setsOf,
  tooMany,
  WRITES,
} from "../../../test/support/fakes/alidns/harness.ts";
import { errorBody, type FakeAliDns } from "../../../test/support/fakes/alidns/server.ts";
import type { Outcome } from "../../plan/changes.ts";
import type { ProviderSession } from "../provider.ts";

let fake: FakeAliDns;
let domain: FakeDomain;
let origin: string;
let session: ProviderSession;

beforeEach(async () => {
  fake = makeFake();
  origin = await fake.start();
  domain = fake.addDomain("d-1", "example.org");
  session = openAliDns(origin);
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

/** What was asked, but for the zone itself. */
function seen(): readonly string[] {
  return fake.takeActions().filter((action) => !/^Describe(Domains|DomainInfo)\b/.test(action));
}

const data = (label: string): readonly string[] =>
  setsOf(domain).find(({ name }) => name === `${label}.example.org`)?.values ?? [];

describe("calls", () => {
  test("one change is one call that writes, and no reading", async () => {
    await mustApply(session, [create(address("one"))]);
    await mustApply(session, [replace(address("one"), address("one", "192.0.2.2"))]);
    await mustApply(session, [remove(address("one", "192.0.2.2"))]);
    expect(seen()).toEqual([
      "AddDomainRecord one A",
      "UpdateDomainRecord one A",
      "DeleteDomainRecord",
    ]);
  });

  test("values take each other's places; others come before others go", async () => {
    const [few, many] = [address("v", "192.0.2.1"), address("v", "192.0.2.2", "192.0.2.3")];
    await mustApply(session, [create(few)]);
    seen();
    await mustApply(session, [replace(few, many)]);
    expect(seen()).toEqual(["UpdateDomainRecord v A", "AddDomainRecord v A"]);
    await mustApply(session, [replace(many, address("v", "192.0.2.3"))]);
    expect(seen()).toEqual(["DeleteDomainRecord"]);
    expect(data("v")).toEqual(["192.0.2.3"]);
  });

  test("a TTL alone changes each record, and no value", async () => {
    const set = address("t", "192.0.2.1", "192.0.2.2");
    await mustApply(session, [create(set)]);
    const ids = domain.at("t").map(({ RecordId }) => RecordId);
    await mustApply(session, [replace(set, withTtl(set, 3600))]);
    expect(domain.at("t").map(({ RecordId, TTL }) => [RecordId, TTL])).toEqual(
      ids.map((id) => [id, 3600]),
    );
  });

  test("an id that is not known is read by name, the apex by its own", async () => {
    const apex = recordSet("example.org", "MX", "10 mx.example.net");
    addForeign(domain, apex);
    await mustApply(session, [replace(apex, recordSet("example.org", "MX", "20 mx.example.net"))]);
    expect(seen()).toEqual(["DescribeSubDomainRecords example.org 1", "UpdateDomainRecord @ MX"]);
    expect(domain.at("@")).toMatchObject([{ Value: "mx.example.net", Priority: 20 }]);
  });

  test("few names are asked for, many are read with the zone", async () => {
    const names = Array.from({ length: 6 }, (_, index) => address(`n${index}`).name);
    for (const name of names) addForeign(domain, recordSet(name, "A", "192.0.2.1"));
    const zone = await zoneOf(session);
    const first = await session.records(zone, names.slice(0, 1), soon());
    expect([first.pages, first.sets.length]).toEqual([2, 1]);
    const few = await session.records(zone, names.slice(0, 5), soon());
    expect([few.pages, few.sets.length]).toEqual([5, 5]);
    seen();
    const many = await session.records(zone, names, soon());
    expect([many.pages, many.sets.length, seen()]).toEqual([1, 6, ["DescribeDomainRecords 1"]]);
  });

  test("a zone of several pages is whole, and none when a record goes or comes meanwhile", async () => {
    for (let index = 0; index < 501; index++) addForeign(domain, address(`p${index}`));
    const zone = await zoneOf(session);
    fake.afterPage = () => {
      fake.afterPage = () => undefined;
      domain.remove(domain.at("p0")[0]?.RecordId ?? "");
    };
    await expect(session.records(zone, null, soon())).rejects.toThrow(/changes while/);
    const { sets, pages } = await session.records(zone, null, soon());
    expect([sets.filter(({ type }) => type === "A").length, pages]).toEqual([500, 1]);
    for (const label of ["y", "z"]) addForeign(domain, address(label));
    fake.afterPage = () => addForeign(domain, address(`x${domain.records.length}`));
    await expect(session.records(zone, null, soon())).rejects.toThrow(/changes while/);
  });
});

describe("zones", () => {
  test("the least TTL is the edition's, and asked for anew with another edition", async () => {
    domain.minTtl = 60;
    const zone = await zoneOf(session);
    const low = withTtl(address("low"), 1);
    expect(session.normalize(low, zone).ttlSeconds).toBe(600);
    await session.records(zone, null, soon());
    expect(session.normalize(low, zone).ttlSeconds).toBe(60);
    expect(session.capabilitiesOf?.(zone).ttl.minSeconds).toBe(60);
    domain.minTtl = 1;
    domain.versionCode = "version_enterprise_advanced";
    await session.records(await zoneOf(session), null, soon());
    await mustApply(session, [create(low)]);
    expect(domain.at("low")).toMatchObject([{ TTL: 1 }]);
  });

  test("what is written has a TTL that the zone takes, whatever was planned", async () => {
    await mustApply(session, [create(withTtl(recordSet("a.example.org", "TXT", '"x"'), 300))]);
    expect(domain.at("a")).toMatchObject([{ TTL: 600 }]);
    await mustApply(session, [remove(recordSet("a.example.org", "TXT", '"x"'))]);
  });

  test("records of other lines are shown as members, and stay", async () => {
    domain.add({ RR: "w", Type: "A", Value: "192.0.2.9", Line: "oversea" });
    await mustApply(session, [create(address("w"))]);
    const zone = await zoneOf(session);
    const { sets } = await session.records(zone, [address("w").name], soon());
    expect(sets).toMatchObject([
      { setIdentifier: null, values: ["192.0.2.1"], routingPolicy: null },
      {
        setIdentifier: "oversea",
        values: ["192.0.2.9"],
        routingPolicy: { type: "line", parameters: { line: "oversea" } },
      },
    ]);
    await mustApply(session, [remove(address("w"))]);
    expect(domain.at("w")).toMatchObject([{ Line: "oversea" }]);
  });
});

describe("records that are disabled", () => {
  const live = { RR: "www", Type: "A", Value: "192.0.2.1", TTL: "600" };
  const [www, other] = [address("www"), address("www", "192.0.2.9")];

  test.each([
    ["DISABLE", ["192.0.2.1"]],
    ["Disable", []],
  ])(
    "%s beside %j: they are no values, and their record set is never written",
    async (status, on) => {
      for (const value of on) domain.add({ ...live, Value: value });
      domain.add({ ...live, Value: "198.51.100.7", Status: status });
      const zone = await zoneOf(session);
      for (const names of [null, [www.name]]) {
        const { sets } = await session.records(zone, names, soon());
        expect(
          sets.filter(({ name }) => name === www.name).flatMap(({ values }) => values),
        ).toEqual(on);
      }
      const before = JSON.stringify(domain.records);
      const present = address("www", ...on);
      for (const change of [create(other), replace(present, other), remove(present)]) {
        const [outcome] = await applyOnce(session, [change]);
        expect(outcome).toMatchObject({
          status: "rejected",
          code: "AliDnsDisabled",
          message: expect.stringMatching(/www\.example\.org A .*enable or delete them/),
        });
      }
      expect(JSON.stringify(domain.records)).toBe(before);
    },
  );

  test("one that was switched on or deleted meanwhile is no reason any more", async () => {
    const { RecordId: id } = domain.add({ ...live, Status: "DISABLE" });
    await session.records(await zoneOf(session), null, soon());
    domain.remove(id);
    await mustApply(session, [create(www)]);
    expect(data("www")).toEqual(["192.0.2.1"]);
  });

  test("of another type or line nothing of them matters", async () => {
    domain.add({ ...live, Type: "AAAA", Value: "2001:db8::1", Status: "DISABLE" });
    domain.add({ ...live, Line: "oversea", Status: "DISABLE" });
    const { sets } = await session.records(await zoneOf(session), [www.name], soon());
    expect(sets).toEqual([]);
    await mustApply(session, [create(www)]);
    await mustApply(session, [remove(www)]);
    expect(domain.at("www")).toHaveLength(2);
  });
});

describe("refusals", () => {
  async function outcome(of: Parameters<typeof applyOnce>[1][number]): Promise<Outcome> {
    const [one] = await applyOnce(session, [of]);
    if (one === undefined) throw new Error("no outcome");
    return one;
  }

  test("a record that exists, is gone or conflicts fails a precondition", async () => {
    addForeign(domain, address("one"));
    expect(await outcome(create(address("one")))).toMatchObject({ status: "precondition-failed" });
    const cname = recordSet("one.example.org", "CNAME", "x.example.net");
    expect(await outcome(create(cname))).toMatchObject({
      status: "precondition-failed",
      code: "AliDnsConflict",
      message: expect.stringMatching(
        /conflict with other records \(DomainRecordConflict\); delete what conflicts .* or choose another name/,
      ),
    });
    await mustApply(session, [replace(address("one"), address("one", "192.0.2.2"))]);
    domain.remove(domain.at("one")[0]?.RecordId ?? "");
    const late = replace(address("one", "192.0.2.2"), address("one", "192.0.2.3"));
    expect(await outcome(late)).toMatchObject({ status: "precondition-failed" });
    expect(await outcome(late)).toMatchObject({ status: "precondition-failed" });
    expect(data("one")).toEqual([]);
  });

  test("a quota is shown in the API's words; after a first value the name is read", async () => {
    for (let index = 1; index <= 90; index++) addForeign(domain, address("q", `192.0.2.${index}`));
    expect(await outcome(create(address("q", "198.51.100.1")))).toMatchObject({
      status: "rejected",
      code: "QuotaExceeded.Record",
      message: expect.stringContaining("MAX count (90)"),
    });
    domain.remove(domain.at("q")[0]?.RecordId ?? "");
    const two = create(address("q", "198.51.100.1", "198.51.100.2"));
    expect(await outcome(two)).toMatchObject({ status: "unknown" });
  });

  test("a name outside of the zone is never sent", async () => {
    const set = recordSet("www.example.com", "A", "192.0.2.1");
    expect(await outcome(create(set))).toMatchObject({ status: "rejected", code: "InvalidName" });
    expect(seen()).toEqual([]);
  });

  test.each([
    ["Throttling", 400],
    ["Throttling.User", 400],
    ["Throttling.Api", 429],
    ["Throttling.User", 503],
  ])("%s with status %i makes the account wait", async (code, status) => {
    fake.breakNext(WRITES, { is: "refused", status, body: errorBody(code, "denied") });
    const error: unknown = await applyOnce(session, [create(address("one"))]).catch(
      (one: unknown) => one,
    );
    expect(error).toMatchObject({ code: "Throttled", nothingSent: true });
    fake.breakNext(WRITES, tooMany(7));
    await expect(applyOnce(session, [create(address("one"))])).rejects.toMatchObject({
      retryAfterMs: 7000,
    });
  });

  test("after a first value the account waits as well, and the name is read", async () => {
    fake.breakNext(/Value=192\.0\.2\.2/, tooMany(7));
    const two = create(address("one", "192.0.2.1", "192.0.2.2"));
    await expect(applyOnce(session, [two])).rejects.toMatchObject({
      code: "Throttled",
      retryAfterMs: 7000,
      nothingSent: false,
    });
    expect(data("one")).toEqual(["192.0.2.1"]);
  });

  test.each([
    ["InternalError", 500, "unknown"],
    ["UnKnownError", 400, "unknown"],
    ["ServiceUnavailable", 503, "unknown"],
    ["LastOperationNotFinished", 400, "retry"],
    ["InvalidTimeStamp.Expired", 400, "retry"],
    ["InvalidLine", 400, "rejected"],
  ])("%s with status %i is %s", async (code, status, expected) => {
    fake.breakNext(WRITES, { is: "refused", status, body: errorBody(code, "It is so.") });
    expect(await outcome(create(address("one")))).toMatchObject({ status: expected });
  });

  // The error tables of "AddDomainRecord", "UpdateDomainRecord" and "DeleteDomainRecord".
  test.each([
    ["DomainForbidden", "its console or its support"],
    ["IncorrectDomainUser", "use a key of the account that has it"],
    ["QuotaExceeded.ARecord", "write fewer addresses"],
    ["QuotaExceeded.Record", "write fewer values"],
    ["RecordForbidden.BlackHole", "wait until its defence ends"],
  ])("%s is told with a remedy", async (code, remedy) => {
    fake.breakNext(WRITES, { is: "refused", status: 400, body: errorBody(code, "It is so.") });
    expect(await outcome(create(address("one")))).toMatchObject({
      status: "rejected",
      code,
      message: expect.stringContaining(remedy),
    });
  });

  test("a locked record is neither changed nor removed, and the remedy is told", async () => {
    await mustApply(session, [create(address("one"))]);
    domain.lock(domain.at("one")[0]?.RecordId ?? "");
    for (const change of [
      replace(address("one"), address("one", "192.0.2.2")),
      remove(address("one")),
    ])
      expect(await outcome(change)).toMatchObject({
        status: "rejected",
        code: "DomainRecordLocked",
        message: expect.stringContaining("unlock the record in Alibaba Cloud DNS"),
      });
    expect(data("one")).toEqual(["192.0.2.1"]);
  });

  test("a key that may not write is told with a remedy", async () => {
    const zone = await zoneOf(session);
    await session.records(zone, null, soon());
    fake.forbidden.add("example.org");
    expect(await outcome(create(address("one")))).toMatchObject({
      status: "retry",
      message: expect.stringMatching(/Forbidden\.RAM.*Secret of the DNSProvider/),
    });
  });

  test("a pause holds what writes, in the middle of a record set too", async () => {
    let calls = 0;
    const writeGate = (): string | null => (++calls > 2 ? "paused by a test" : null);
    const paused = openAliDns(origin, { writeGate });
    const set = address("p", "192.0.2.1", "192.0.2.2", "192.0.2.3");
    const [one] = await applyOnce(paused, [group(set.name, [{ op: "create", next: set }])]);
    expect([one?.status, data("p")]).toEqual(["unknown", ["192.0.2.1", "192.0.2.2"]]);
    paused.close();
  });
});

describe("keys", () => {
  test.each([
    [{ ...ALIDNS_SECRET, ACCESS_KEY_ID: "LTAI5tOtherKey" }, "InvalidAccessKeyId.NotFound"],
    [{ ...ALIDNS_SECRET, ACCESS_KEY_SECRET: "AnotherSecretOfTests" }, "SignatureDoesNotMatch"],
    [{ ...ALIDNS_SECRET, SECURITY_TOKEN: "CAISended" }, "InvalidSecurityToken.Expired"],
  ])("%j is refused: %s", async (secret, code) => {
    const wrong = openAliDns(origin, {}, secret);
    const error: unknown = await wrong.zones(soon()).catch((one: unknown) => one);
    expect(error).toMatchObject({ code: "ProviderCredentials", nothingSent: true });
    expect(String(error)).toMatch(new RegExp(`\\(${code}\\).*Secret of the DNSProvider`));
    expect(String(error)).not.toMatch(/to sign|536E9CAD|AnotherSecret|CAISended|[0-9a-f]{64}/);
    wrong.close();
  });

  test("a key that ends goes with its token", async () => {
    fake.securityToken = "CAISvalid";
    const ending = openAliDns(origin, {}, { ...ALIDNS_SECRET, SECURITY_TOKEN: "CAISvalid" });
    expect(await ending.zones(soon())).toHaveLength(1);
    ending.close();
  });
});
