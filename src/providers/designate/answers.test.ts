/**
 * Answers in every form that the API's description allows ("DNS API v2", "Identity API v3"): absent
 * fields, numbers as text, fields that nobody knows, null, and pages of whoever is between.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  applyOnce,
  create,
  recordSet,
  soon,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import { designateSecret, openDesignate } from "../../../test/support/fakes/designate/harness.ts";
import { FakeDesignate } from "../../../test/support/fakes/designate/server.ts";
import type { Zone } from "../../model/zone.ts";
import type { ProviderSession } from "../provider.ts";

let fake: FakeDesignate;
let session: ProviderSession;
let zone: Zone;

beforeEach(async () => {
  fake = new FakeDesignate();
  const origin = await fake.start();
  fake.addZone("example.org");
  session = openDesignate(designateSecret(origin));
  zone = await zoneOf(session);
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

const SOA = {
  id: "s1",
  name: "example.org.",
  type: "SOA",
  ttl: null,
  records: ["ns1.example.org. h.example.org. 1 2 3 4 5"],
};
const SET = { id: "a1", name: "a.example.org.", type: "A", ttl: 60, records: ["192.0.2.1"] };

describe("record sets", () => {
  test.each<[string, object, string | null]>([
    ["bare", SET, "60 192.0.2.1"],
    ["with a TTL as text", { ...SET, ttl: "60" }, "60 192.0.2.1"],
    ["without a TTL", { ...SET, ttl: undefined }, "3600 192.0.2.1"],
    ["with unknown fields and null", { ...SET, description: null, new: {} }, "60 192.0.2.1"],
    ["in capitals", { ...SET, name: "A.Example.ORG." }, "60 192.0.2.1"],
    ["without records", { ...SET, records: [] }, null],
    ["with null for records", { ...SET, records: null }, null],
    ["that are being deleted", { ...SET, action: "DELETE", status: "PENDING" }, null],
    ["that nobody can read", { ...SET, name: null }, null],
  ])("%s", async (_what, set, expected) => {
    fake.answerNext(/recordsets/, 200, { recordsets: [SOA, set, null], links: {} });
    const { sets } = await session.records(zone, null, soon());
    const found = sets.filter(({ type }) => type !== "SOA");
    expect(found.map(({ ttlSeconds, values }) => [ttlSeconds, ...values].join(" "))).toEqual(
      expected === null ? [] : [expected],
    );
  });

  test.each([
    "",
    "null",
    "[]",
    "<html>Log in</html>",
    { recordsets: null },
    { recordsets: [SET] },
    { recordsets: [SOA], links: { next: "https://evil.example/v2/zones?limit=1" } },
  ])("%j is no zone", async (body) => {
    fake.answerNext(/recordsets/, 200, body);
    await expect(session.records(zone, null, soon())).rejects.toMatchObject({
      code: "ProviderUnavailable",
    });
  });
});

const ZONE = { id: "z1", name: "example.org.", type: "PRIMARY", ttl: 60 };

test.each<[string, readonly unknown[], readonly string[]]>([
  ["none", [], []],
  ["without a type, a TTL as text", [{ ...ZONE, type: undefined, ttl: "60" }], ["z1"]],
  ["with null and unknown fields", [{ ...ZONE, attributes: null, shared: true }], ["z1"]],
  ["in ERROR", [{ ...ZONE, status: "ERROR", action: "CREATE" }], ["z1"]],
  ["without an id, or none at all", [{ ...ZONE, id: "" }, null, { ...ZONE, name: 1 }], []],
])("zones: %s", async (_what, zones, expected) => {
  fake.answerNext(/zones\?/, 200, { zones, links: { next: null } });
  expect((await session.zones(soon())).map(({ id }) => id)).toEqual(expected);
});

test.each<[number, unknown, string]>([
  [201, { ...SET, status: "ACTIVE" }, "applied"],
  [202, { ...SET, status: "PENDING" }, "applied"],
  [202, {}, "applied"],
  [202, "", "unknown"],
  [200, "<html>Log in</html>", "unknown"],
  [409, { code: 409, type: "duplicate_recordset", request_id: "r" }, "precondition-failed"],
  [409, "Conflict", "retry"],
  // Open Telekom Cloud, Flexible Engine, Huawei Cloud.
  [
    400,
    { code: "DNS.0312", message: "Attribute 'name' conflicts with Record Set 'a' type 'A'." },
    "precondition-failed",
  ],
  [404, { code: "DNS.0313", message: "This record set does not exist." }, "precondition-failed"],
  [400, { code: "DNS.0307", message: "Attribute 'type' is invalid." }, "rejected"],
  [403, { code: "DNS.0030", message: "No permission." }, "retry"],
  [400, { code: 400, type: "invalid_object", errors: { errors: [{ message: "no" }] } }, "rejected"],
  [400, { code: 400, type: "invalid_object", errors: null }, "rejected"],
  [403, { code: 403, type: "forbidden", message: null }, "retry"],
  [403, { code: 403, type: "invalid_ttl", message: "TTL is below the minimum" }, "rejected"],
  [404, { code: 404, type: "zone_not_found", message: "Could not find Zone" }, "retry"],
  [413, { code: 413, type: "over_quota", message: "Quota exceeded" }, "rejected"],
  [500, { code: 500, type: "unknown" }, "unknown"],
  [503, "<html>The Keystone service is temporarily unavailable</html>", "unknown"],
  [504, { code: 504, type: "communication_failure" }, "unknown"],
])("a write that is answered with %i %j is %s", async (status, body, expected) => {
  fake.answerNext(/^POST .*recordsets/, status, body);
  const set = recordSet("a.example.org", "A", "192.0.2.1");
  const [outcome] = await applyOnce(session, [create(set)]);
  expect(outcome?.status).toBe(expected);
  const message = outcome !== undefined && "message" in outcome ? outcome.message : "x";
  expect(message).not.toMatch(/^$|[<>]|req-/);
});

test("a write without the right says what to give", async () => {
  const message = "policy does not allow this request to be performed";
  fake.answerNext(/^POST .*recordsets/, 403, { code: 403, type: "forbidden", message });
  const [outcome] = await applyOnce(session, [create(recordSet("a.example.org", "A", "1.2.3.4"))]);
  expect(outcome).toMatchObject({
    message: expect.stringMatching(/does not allow .*; correct the Secret .* roles of its user/),
  });
});

test.each<[number, unknown, string]>([
  [401, { error: { code: 401, message: "no", title: "Unauthorized" } }, "ProviderCredentials"],
  [403, "", "ProviderCredentials"],
  [404, { error: { code: 404, message: "Not Found" } }, "ProviderUnavailable"],
  [300, { versions: {} }, "ProviderUnavailable"],
  [201, { token: {} }, "ProviderUnavailable"],
  [503, "<html>busy</html>", "ProviderUnavailable"],
])("a token call that is answered with %i %j is %s", async (status, body, code) => {
  fake.keystone.revokeTokens();
  fake.answerNext(/tokens/, status, body);
  const error: unknown = await session.zones(soon()).catch((one: unknown) => one);
  expect(error).toMatchObject({ code, nothingSent: true });
  expect(String(error)).not.toMatch(/<|pass word/);
  expect(await session.zones(soon())).toHaveLength(1);
});
