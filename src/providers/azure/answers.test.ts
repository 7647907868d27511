/**
 * Answers in every form that the descriptions allow (dns.json, privatedns.json): absent fields,
 * numbers as text, other capitals, null, both forms of errors, and pages of whoever is between.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  applyOnce,
  create,
  recordSet,
  replace,
  soon,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import { makeAzure, openAzure } from "../../../test/support/fakes/azure/harness.ts";
import type { FakeAzure } from "../../../test/support/fakes/azure/server.ts";
import type { Zone } from "../../model/zone.ts";
import type { ProviderSession } from "../provider.ts";

let fake: FakeAzure;
let endpoint: string;
let session: ProviderSession;
let zone: Zone;

beforeEach(async () => {
  fake = makeAzure();
  endpoint = await fake.start();
  fake.addZone("example.org");
  session = openAzure(endpoint);
  zone = await zoneOf(session);
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

const TYPE = "Microsoft.Network/dnszones";
const SOA = {
  name: "@",
  type: `${TYPE}/SOA`,
  properties: { TTL: 3600, SOARecord: { host: "ns.", email: "h.", serialNumber: 1 } },
};
const A = { TTL: 60, ARecords: [{ ipv4Address: "192.0.2.1" }] };
const SET = { name: "a", type: `${TYPE}/A`, etag: "e1", properties: A };
const TARGET = { targetResource: { id: "/subscriptions/s/x" } };

describe("record sets", () => {
  test.each<[string, object, string | null]>([
    ["bare", SET, "60 192.0.2.1"],
    ["with a TTL as text", { ...SET, properties: { ...A, TTL: "60" } }, "60 192.0.2.1"],
    ["without a TTL", { ...SET, properties: { ARecords: A.ARecords } }, "0 192.0.2.1"],
    ["with unknown fields and null", { ...SET, id: null, systemData: {} }, "60 192.0.2.1"],
    ["without an ETag", { ...SET, etag: undefined }, "60 192.0.2.1"],
    [
      "in other capitals",
      { ...SET, name: "A", properties: { ttl: 60, aRecords: [{ IPv4Address: "192.0.2.1" }] } },
      "60 192.0.2.1",
    ],
    [
      "of a resource",
      { ...SET, properties: { TTL: 60, ARecords: null, ...TARGET } },
      "60 /subscriptions/s/x",
    ],
    [
      "with an empty resource",
      { ...SET, properties: { ...A, targetResource: {} } },
      "60 192.0.2.1",
    ],
    [
      "of a Traffic Manager profile",
      { ...SET, properties: { TTL: 60, trafficManagementProfile: { id: "/p" } } },
      "60 /p",
    ],
    [
      "of a type of a later version",
      { ...SET, type: `${TYPE}/TLSA`, properties: { TTL: 60, TLSARecords: [{ usage: 3 }] } },
      String.raw`60 \# 0`,
    ],
    ["without records", { ...SET, properties: { TTL: 60, ARecords: [] } }, null],
    ["with null for records", { ...SET, properties: { TTL: 60, ARecords: null } }, null],
    ["without properties", { ...SET, properties: null }, null],
    ["that nobody can read", { ...SET, name: null }, null],
  ])("%s", async (_what, set, expected) => {
    fake.answerNext(/recordsets/i, 200, { value: [SOA, set, null] });
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
    "<html>Sign in</html>",
    { value: null },
    { value: {} },
    { value: [SET] },
    { value: [SOA], nextLink: "https://evil.example/subscriptions?api-version=1" },
  ])("%j is no zone", async (body) => {
    fake.answerNext(/recordsets/i, 200, body);
    await expect(session.records(zone, null, soon())).rejects.toMatchObject({
      code: "ProviderUnavailable",
    });
  });
});

const ZONE_ID = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/dnsZones/z";
const ZONE = { id: ZONE_ID, name: "example.org" };

test.each<[string, readonly unknown[], readonly string[]]>([
  ["none", [], []],
  ["with null and unknown fields", [{ ...ZONE, tags: null, properties: null }], ["g/example.org"]],
  ["in capitals", [{ ...ZONE, id: ZONE_ID.toLowerCase() }], ["g/example.org"]],
  ["formerly private", [{ ...ZONE, properties: { zoneType: "Private" } }], []],
  ["without an id, or none at all", [{ ...ZONE, id: "" }, null, { ...ZONE, name: 1 }], []],
])("zones: %s", async (_what, value, expected) => {
  fake.answerNext(/dnsZones\?/i, 200, { value, nextLink: "" });
  expect((await session.zones(soon())).map(({ id }) => id)).toEqual(expected);
});

/** As in dnscontrol#4363. */
const PENDING =
  "Another operation is pending for requested object. Operation group 'g-01234567' already has 1 operations like '/operations/type/DeleteAliasRecordSet/id/01234567-0123-0123-0123-0123456789ab' queued.";
const IDS = "(Activity ID: 01234567-0123-0123-0123-0123456789ab)";

test.each<[number, unknown, string]>([
  [201, SET, "applied"],
  [200, { ...SET, etag: null }, "applied"],
  [200, {}, "applied"],
  [200, "", "unknown"],
  [200, "<html>Sign in</html>", "unknown"],
  [
    412,
    { code: "PreconditionFailed", message: `The condition failed. ${IDS}` },
    "precondition-failed",
  ],
  [412, { error: { code: "PreconditionFailed", message: "no" } }, "precondition-failed"],
  [412, "", "precondition-failed"],
  [400, { error: { code: "BadRequest", message: "The IP address is invalid." } }, "rejected"],
  [400, { code: "BadRequest", message: null }, "rejected"],
  [
    400,
    { code: "Bad", message: "The record could not be created because a CNAME exists." },
    "precondition-failed",
  ],
  [409, { error: { code: "AnotherOperationInProgress", message: "busy" } }, "retry"],
  [409, { code: "Conflict", message: PENDING }, "retry"],
  [409, "Conflict", "rejected"],
  // The token is renewed, and the call made again.
  [401, { error: { code: "ExpiredAuthenticationToken" } }, "applied"],
  [500, { error: { code: "InternalServerError" } }, "unknown"],
  [503, "<html>busy</html>", "unknown"],
])("a write that is answered with %i %j is %s", async (status, body, expected) => {
  fake.answerNext(/^PUT /, status, body);
  const [outcome] = await applyOnce(session, [
    create(recordSet("a.example.org", "A", "192.0.2.1")),
  ]);
  expect(outcome?.status).toBe(expected);
  const message = outcome !== undefined && "message" in outcome ? outcome.message : "x";
  expect(message).not.toMatch(/^$|[<>]|01234567/);
});

test.each<[number, unknown, string]>([
  [403, { error: { code: "AuthorizationFailed", message: "no" } }, "ProviderCredentials"],
  [429, { error: { code: "TooManyRequests" } }, "Throttled"],
  [400, { code: "SubscriptionRequestsThrottled", message: "slow" }, "Throttled"],
  [404, { error: { code: "ResourceNotFound", message: "no zone" } }, "ProviderUnavailable"],
  [500, "<html>busy</html>", "ProviderUnavailable"],
])("a reading that is answered with %i %j is %s", async (status, body, code) => {
  fake.answerNext(/recordsets/i, status, body);
  const error: unknown = await session.records(zone, null, soon()).catch((one: unknown) => one);
  expect(error).toMatchObject({ code });
  expect(String(error)).not.toMatch(/[<>]|01234567/);
});

test.each<[unknown, string]>([
  [{ code: "NotFound", message: "The resource record 'a' does not exist." }, "precondition-failed"],
  [{ error: { code: "NotFound", message: "no such record" } }, "precondition-failed"],
  [{ error: { code: "ResourceNotFound", message: "no such zone" } }, "retry"],
  [{ error: { code: "ParentResourceNotFound", message: "no such zone" } }, "retry"],
  [{ error: { code: "ResourceGroupNotFound", message: "no such group" } }, "retry"],
  ["<html>404 page not found</html>", "retry"],
  ["", "retry"],
])("a record set that is asked for with 404 %j: %s", async (body, expected) => {
  const set = recordSet("a.example.org", "A", "192.0.2.1");
  fake.answerNext(/^GET .*\/A\/a/, 404, body);
  const next = recordSet("a.example.org", "A", "192.0.2.2");
  const [outcome] = await applyOnce(session, [replace(set, next)]);
  expect(outcome?.status).toBe(expected);
});
