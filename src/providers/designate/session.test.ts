/** openstack-designate on its fake: calls that are counted, ids, tokens, statuses, refusals. */
import type { OpenHttp } from "@zonekeeper/base/ports/http";
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
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import type { FakeZone } from "../../../test/support/fakes/designate/fake-zone.ts";
import {
  addForeign,
  designateSecret,
  openDesignate,
  setsOf,
} from "../../../test/support/fakes/designate/harness.ts";
import { KEYSTONE_CREDENTIAL } from "../../../test/support/fakes/designate/keystone.ts";
import { FakeDesignate } from "../../../test/support/fakes/designate/server.ts";
import { RealHttpClient } from "../../app/ports/real-http-client.ts";
import type { ProviderSession } from "../provider.ts";
import { auditSet, creationOf, normalizeSet, toRecordSet } from "./convert.ts";

let fake: FakeDesignate;
let zone: FakeZone;
let origin: string;
let session: ProviderSession;

beforeEach(async () => {
  fake = new FakeDesignate();
  origin = await fake.start();
  zone = fake.addZone("example.org");
  session = openDesignate(designateSecret(origin));
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

/** Calls about record sets and tokens: `GET name`, `GET`, `POST`, `TOKEN`. */
function seen(): readonly string[] {
  return fake.takeCalls().flatMap(({ method, path }) => {
    if (path.endsWith("/auth/tokens")) return ["TOKEN"];
    const { pathname, searchParams } = new URL(path, "http://fake");
    if (!pathname.includes("/recordsets")) return [];
    const name = searchParams.get("name");
    return [name === null ? method : `${method} ${name}`];
  });
}

const values = (label: string): readonly string[] =>
  setsOf(zone).find(({ name }) => name === `${label}.example.org`)?.values ?? [];

describe("calls", () => {
  test("what was read or written is changed by one call and no reading, with one token", async () => {
    await mustApply(session, [create(address("one"))]);
    await mustApply(session, [replace(address("one"), address("one", "192.0.2.2"))]);
    await mustApply(session, [remove(address("one", "192.0.2.2"))]);
    expect(seen()).toEqual(["TOKEN", "POST", "PUT", "DELETE"]);
  });

  test("an id that is not known is read by name", async () => {
    addForeign(zone, address("one"));
    await mustApply(session, [replace(address("one"), address("one", "192.0.2.2"))]);
    expect(seen()).toEqual(["TOKEN", "GET one.example.org.", "PUT"]);
  });

  test("few names are asked for, many are read with the zone, by pages at one address", async () => {
    const names = Array.from({ length: 6 }, (_, index) => address(`n${index}`).name);
    for (const name of names) addForeign(zone, recordSet(name, "A", "192.0.2.1"));
    const known = await zoneOf(session);
    seen();
    const few = await session.records(known, names.slice(0, 5), soon());
    expect([few.pages, few.sets.length, seen().length]).toEqual([5, 5, 5]);
    fake.itemsPerPage = 3;
    const many = await session.records(known, names, soon());
    expect([many.pages, many.sets.length, seen()]).toEqual([3, 6, ["GET", "GET", "GET"]]);
  });

  test("a star in a question stands for itself alone", async () => {
    addForeign(zone, recordSet("*.w.example.org", "A", "192.0.2.1"));
    addForeign(zone, address("x.w"));
    const known = await zoneOf(session);
    const { sets } = await session.records(known, [address("*.w").name], soon());
    expect(sets.map(({ name }) => name)).toEqual(["*.w.example.org"]);
  });
});

describe("tokens", () => {
  test("a token that counts no more is renewed once, in the middle of a change too", async () => {
    const known = await zoneOf(session);
    seen();
    fake.keystone.revokeTokens();
    await mustApply(session, [create(address("one"))]);
    expect(seen()).toEqual(["TOKEN", "POST"]);
    fake.keystone.revokeTokens();
    await Promise.all([1, 2, 3].map(() => session.records(known, null, soon())));
    expect(seen().filter((call) => call === "TOKEN")).toHaveLength(1);
  });

  test("a user without rights is told as such, and no call goes on", async () => {
    const known = await zoneOf(session);
    for (const _try of [1, 2])
      fake.breakNext(/recordsets/, { is: "refused", status: 401, body: "Authentication required" });
    const [outcome] = await applyOnce(session, [create(address("one"))]);
    expect(outcome).toMatchObject({ status: "retry", message: expect.stringContaining("Secret") });
    await session.records(known, null, soon());
  });

  test("an application credential is a way in, a wrong password is none", async () => {
    const secret = { OS_AUTH_URL: origin, ...KEYSTONE_CREDENTIAL };
    const credential = openDesignate(secret);
    expect(await credential.zones(soon())).toHaveLength(1);
    credential.close();
    const wrong = openDesignate({ ...designateSecret(origin), OS_PASSWORD: "wrong-password" });
    const error: unknown = await wrong.zones(soon()).catch((one: unknown) => one);
    expect(error).toMatchObject({ code: "ProviderCredentials", nothingSent: true });
    expect(String(error)).toContain("requires authentication");
    expect(String(error)).not.toContain("wrong-password");
    wrong.close();
  });

  test.each([
    [{ OS_REGION_NAME: "Nowhere" }, "in region Nowhere; known are RegionOne, RegionTwo"],
    [{ OS_INTERFACE: "admin" }, "no admin endpoint of type dns"],
  ])("%o: %s", async (more, text) => {
    fake.keystone.endpoints = ["RegionOne", "RegionTwo"].map((region) => ({
      interface: "public",
      region,
    }));
    const other = openDesignate({ ...designateSecret(origin), ...more });
    await expect(other.zones(soon())).rejects.toMatchObject({
      code: "ProviderCredentials",
      message: expect.stringContaining(text),
    });
    other.close();
  });

  test("an http address in the catalog of an https Keystone never sees the token", async () => {
    const asked: string[] = [];
    const http: OpenHttp = (target) => {
      asked.push(target.origin);
      return new RealHttpClient({ ...target, origin });
    };
    const OS_AUTH_URL = "https://keystone.example.org:5000";
    const other = openDesignate({ ...designateSecret(origin), OS_AUTH_URL }, { http });
    await expect(other.zones(soon())).rejects.toMatchObject({
      code: "ProviderCredentials",
      message: expect.stringContaining("names an http address"),
    });
    expect(asked).toEqual([OS_AUTH_URL]);
    other.close();
  });

  test("the region and the kind choose the endpoint, with /v2 or without", async () => {
    fake.keystone.endpoints = [
      { interface: "internal", region: "RegionTwo", url: `${origin}/dns/v2/` },
      { interface: "public", region: "RegionTwo", url: "http://127.0.0.1:9" },
    ];
    const more = { OS_REGION_NAME: "RegionTwo", OS_INTERFACE: "internalURL" };
    const other = openDesignate({ ...designateSecret(origin), ...more });
    expect(await other.zones(soon())).toHaveLength(1);
    other.close();
  });
});

describe("statuses", () => {
  test("a change is PENDING, then live or in ERROR; one that removes is live when the set is gone", async () => {
    const known = await zoneOf(session);
    const stateOf = (receipt: string) => session.propagationOf?.(known, receipt, soon());
    for (const one of [create(address("a")), remove(address("a"))]) {
      const [outcome] = await applyOnce(session, [one]);
      if (outcome?.status !== "applied" || outcome.receipt === undefined)
        throw new Error("no receipt");
      const { receipt } = outcome;
      expect(await stateOf(receipt)).toEqual({ is: "pending" });
      zone.fail("a.example.org");
      // A set that is removed is not listed, and the fake fails none.
      const failed = { is: "failed", message: expect.stringContaining("ask its operator") };
      const isRemoval = one.changes.some(({ op }) => op === "remove");
      expect(await stateOf(receipt)).toEqual(isRemoval ? { is: "pending" } : failed);
      zone.propagate();
      expect(await stateOf(receipt)).toEqual({ is: "live" });
    }
  });

  test("a record set without a TTL has its zone's; one on its way out is none", async () => {
    zone.ttl = 77;
    const known = await zoneOf(session);
    const body = { ...creationOf(address("a")), ttl: null };
    zone.create(body as Parameters<FakeZone["create"]>[0]);
    const { sets } = await session.records(known, [address("a").name], soon());
    expect(sets.map(({ ttlSeconds }) => ttlSeconds)).toEqual([77]);
    const set = { name: "a.example.org.", type: "A", ttl: 1, records: ["192.0.2.1"] };
    expect(toRecordSet({ ...set, action: "DELETE", status: "PENDING" }, 1)).toBeNull();
    expect(toRecordSet({ ...set, action: "UPDATE", status: "ERROR" }, 1)).not.toBeNull();
  });

  test("secondary zones and zones that are being deleted are left out", async () => {
    fake.addZone("second.example").type = "SECONDARY";
    fake.addZone("gone.example").action = "DELETE";
    expect((await session.zones(soon())).map(({ name }) => name)).toEqual(["example.org"]);
  });
});

describe("refusals", () => {
  test("a set that exists is not created, one that changed or is gone is not replaced", async () => {
    addForeign(zone, address("a", "192.0.2.9"));
    const wanted = [
      create(address("a")),
      replace(address("a"), address("a", "192.0.2.2")),
      remove(address("nothing")),
      create(recordSet("a.example.org", "CNAME", "lb.example.com")),
    ];
    for (const one of wanted)
      expect(await applyOnce(session, [one])).toMatchObject([{ status: "precondition-failed" }]);
    expect(values("a")).toEqual(["192.0.2.9"]);
  });

  test("an id that was read and is gone now", async () => {
    await mustApply(session, [create(address("a"))]);
    zone.remove(zone.sets.find(({ name }) => name === "a.example.org.")?.id ?? "");
    const change = replace(address("a"), address("a", "192.0.2.2"));
    expect(await applyOnce(session, [change])).toMatchObject([{ status: "precondition-failed" }]);
    await mustApply(session, [create(address("a"))]);
  });

  test("a quota and a value that does not fit are shown in the API's words", async () => {
    zone.setsMax = 2;
    expect(await applyOnce(session, [create(address("a"))])).toMatchObject([
      { status: "rejected", code: "Designate413", message: "Quota exceeded for zone_recordsets." },
    ]);
    const bad = group(address("bad").name, [{ op: "create", next: address("bad", "300.1.1.1") }]);
    expect(await applyOnce(session, [bad])).toMatchObject([
      { status: "rejected", message: "'300.1.1.1' is not a 'ipv4'" },
    ]);
  });

  test("429 of a proxy makes the account wait, of Keystone's too", async () => {
    for (const at of [/tokens/, /recordsets/]) {
      const headers = { "retry-after": "7" };
      fake.breakNext(at, { is: "refused", status: 429, body: "", headers });
      const error = await applyOnce(session, [create(address("a"))]).catch((one: unknown) => one);
      expect(error).toMatchObject({ code: "Throttled", nothingSent: true, retryAfterMs: 7000 });
    }
  });

  test.each(["cut-before", "cut-after"] as const)("%s is unknown", async (is) => {
    await zoneOf(session);
    fake.breakNext(/^POST .*recordsets/, { is });
    expect(await applyOnce(session, [create(address("a"))])).toMatchObject([{ status: "unknown" }]);
    expect(values("a")).toHaveLength(is === "cut-after" ? 1 : 0);
  });

  test("a pause holds what writes, and nothing else", async () => {
    const paused = openDesignate(designateSecret(origin), { writeGate: () => "paused by a test" });
    const known = await zoneOf(paused);
    const sent = applyOnce(paused, [create(address("a"))]);
    await expect(sent).rejects.toMatchObject({ code: "Paused" });
    await paused.records(known, null, soon());
    expect(seen()).toEqual(["TOKEN", "GET"]);
    paused.close();
  });
});

describe("texts", () => {
  const text = (value: string): readonly string[] =>
    normalizeSet(recordSet("t.example.org", "TXT", value)).values;

  test.each([
    ['"a b" " c"', ['"a b c"']],
    [`"${"x".repeat(253)}"`, [`"${"x".repeat(253)}"`]],
    [`"${"x".repeat(254)}"`, [`"${"x".repeat(253)}" "x"`]],
    [`"${"x".repeat(251)}\\195"`, [`"${"x".repeat(251)}" "\\195"`]],
    ['""', ['""']],
  ])("%s", (given, expected) => {
    expect(text(given)).toEqual(expected);
    expect(text(expected[0] ?? "")).toEqual(expected);
  });

  test("CAA is written without quotes, and comes back with them", () => {
    const set = normalizeSet(recordSet("c.example.org", "CAA", '0 issue "ca.example"'));
    const body = creationOf(set);
    expect(body["records"]).toEqual(["0 issue ca.example"]);
    expect(toRecordSet(body, 1)).toEqual(set);
  });
});

test.each([
  [recordSet("example.com", "A", "192.0.2.1"), "InvalidName"],
  [recordSet("x.example.org", "TLSA", "3 1 1 00"), "UnsupportedType"],
  [recordSet("example.org", "CNAME", "a.example"), "InvalidValue"],
  [recordSet("example.org", "NS", "ns.example"), "InvalidValue"],
  [recordSet("x.example.org", "CAA", '0 issue "ca.example; a=b"'), "InvalidValue"],
  [recordSet("x.example.org", "CAA", '0 issue ";"'), "InvalidValue"],
  [{ ...address("x"), ttlSeconds: -1 }, "InvalidTtl"],
  [{ ...address("x"), setIdentifier: "a" }, "UnsupportedRoutingPolicy"],
])("%o: %s", async (set, code) => {
  const problems = auditSet(set, await zoneOf(session));
  expect(problems.map((problem) => problem.code)).toContain(code);
});
