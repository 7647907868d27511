/**
 * Answers in every form that the discovery document (dns:v1) allows: absent fields, numbers as
 * text, fields that nobody knows, null, both forms of errors, and pages of whoever is between.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  applyOnce,
  create,
  recordSet,
  soon,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import {
  openGoogle,
  type StartedGoogle,
  startGoogle,
} from "../../../test/support/fakes/google/harness.ts";
import type { Zone } from "../../model/zone.ts";
import type { ProviderSession } from "../provider.ts";

let started: StartedGoogle;
let session: ProviderSession;
let zone: Zone;

beforeEach(async () => {
  started = await startGoogle();
  started.fake.addZone("example-org", "example.org");
  session = openGoogle(started);
  zone = await zoneOf(session);
});
afterEach(async () => {
  session.close();
  await started.fake.stop();
});

const SOA = { name: "example.org.", type: "SOA", ttl: 21600, rrdatas: ["ns. h. 1 2 3 4 5"] };
const SET = { name: "a.example.org.", type: "A", ttl: 60, rrdatas: ["192.0.2.1"] };
const WEIGHTED = { wrr: { items: [{ weight: "1.5", rrdatas: ["192.0.2.7"] }] } };

describe("record sets", () => {
  test.each<[string, object, string | null]>([
    ["bare", SET, "60 192.0.2.1"],
    ["with a TTL as text", { ...SET, ttl: "60" }, "60 192.0.2.1"],
    ["without a TTL", { ...SET, ttl: undefined }, "0 192.0.2.1"],
    ["with unknown fields", { ...SET, signatureRrdatas: [], new: { a: 1 } }, "60 192.0.2.1"],
    ["with null for a policy", { ...SET, routingPolicy: null }, "60 192.0.2.1"],
    ["with an empty policy", { ...SET, routingPolicy: {} }, "60 192.0.2.1"],
    ["in capitals", { ...SET, name: "A.Example.ORG." }, "60 192.0.2.1"],
    ["weighted", { ...SET, rrdatas: undefined, routingPolicy: WEIGHTED }, "60 192.0.2.7"],
    ["without values", { ...SET, rrdatas: [] }, null],
    ["with null for values", { ...SET, rrdatas: null }, null],
    ["that nobody can read", { ...SET, name: null }, null],
  ])("%s", async (_what, set, expected) => {
    started.fake.answerNext(/rrsets/, 200, {
      kind: "dns#resourceRecordSetsListResponse",
      rrsets: [SOA, set, null],
    });
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
    { rrsets: null },
    { rrsets: [SET] },
    { rrsets: {} },
    { kind: "dns#resourceRecordSetsListResponse" },
    { kind: "dns#managedZonesListResponse", rrsets: null },
  ])("%j is no zone", async (body) => {
    started.fake.answerNext(/rrsets/, 200, body);
    await expect(session.records(zone, null, soon())).rejects.toMatchObject({
      code: "ProviderUnavailable",
    });
  });

  test("a name without record sets has an answer without a list", async () => {
    await session.records(zone, null, soon());
    started.fake.answerNext(/rrsets/, 200, { kind: "dns#resourceRecordSetsListResponse" });
    const read = await session.records(zone, [recordSet("b.example.org", "A", "x").name], soon());
    expect(read.sets).toEqual([]);
  });
});

const ZONE = { name: "z1", dnsName: "example.org." };

test.each<[string, readonly unknown[], readonly string[]]>([
  ["none", [], []],
  ["with null and unknown fields", [{ ...ZONE, peeringConfig: null, labels: null }], ["z1"]],
  ["with an id as a number", [{ ...ZONE, id: 1234567890 }], ["z1"]],
  ["in capitals", [{ ...ZONE, dnsName: "Example.Org." }], ["z1"]],
  ["that answer from elsewhere", [{ ...ZONE, forwardingConfig: {} }], []],
  ["without a name, or none at all", [{ ...ZONE, name: "" }, null, { ...ZONE, dnsName: 1 }], []],
])("zones: %s", async (_what, managedZones, expected) => {
  started.fake.answerNext(/managedZones\?/, 200, {
    kind: "dns#managedZonesListResponse",
    managedZones,
  });
  const zones = await session.zones(soon());
  expect(zones.map(({ id }) => id.replace(/^.*\//, ""))).toEqual(expected);
  expect(new Set(zones.map(({ name }) => name)).size).toBeLessThanOrEqual(1);
});

const errors = (reason: string, message: string) => [{ domain: "global", reason, message }];
const CONFLICT = "The resource 'entity.change.additions[0]' named 'a.' already exists";

test("a project that is none is told in Google's words", async () => {
  const message = "Invalid value for 'parameters.project': 'My-Project'";
  const error = { code: 400, message, errors: errors("invalidParameter", message) };
  started.fake.answerNext(/managedZones\?/, 400, { error });
  const other = openGoogle({ ...started, secret: { ...started.secret, project: "My-Project" } });
  await expect(other.zones(soon())).rejects.toThrow(`cannot be listed: ${message}`);
  other.close();
});

test.each<[number, unknown, string]>([
  [200, { kind: "dns#change", id: "7", status: "pending" }, "applied"],
  [200, { kind: "dns#change", id: 7, status: "done", additions: null }, "applied"],
  [200, {}, "applied"],
  [200, "", "unknown"],
  [200, "<html>Sign in</html>", "unknown"],
  [
    409,
    { error: { code: 409, message: CONFLICT, errors: errors("alreadyExists", CONFLICT) } },
    "precondition-failed",
  ],
  [
    409,
    { error: { code: 409, message: CONFLICT, status: "ALREADY_EXISTS" } },
    "precondition-failed",
  ],
  [412, { error: { code: 412, message: "Precondition not met for 'a'" } }, "precondition-failed"],
  [400, { error: { code: 400, message: "Invalid value", errors: null } }, "rejected"],
  [400, { error: { code: "400", message: null, status: "INVALID_ARGUMENT" } }, "rejected"],
  [403, { error: { code: 403, errors: errors("quotaExceeded", "Quota exceeded") } }, "rejected"],
  [500, { error: { code: 500, errors: errors("backendError", "Backend Error") } }, "unknown"],
  [502, "<html>That's an error.</html>", "unknown"],
  [503, { error: { code: 503, status: "UNAVAILABLE" } }, "unknown"],
])("a write that is answered with %i %j is %s", async (status, body, expected) => {
  started.fake.answerNext(/^POST .*changes/, status, body);
  const [outcome] = await applyOnce(session, [
    create(recordSet("a.example.org", "A", "192.0.2.1")),
  ]);
  expect(outcome?.status).toBe(expected);
  const message = outcome !== undefined && "message" in outcome ? outcome.message : "x";
  expect(message).not.toMatch(/^$|[<>]/);
});

test.each<[number, unknown, string]>([
  [403, { error: { errors: errors("forbidden", "Forbidden") } }, "ProviderCredentials"],
  [403, { error: { status: "PERMISSION_DENIED", message: "no" } }, "ProviderCredentials"],
  [403, { error: { errors: errors("rateLimitExceeded", "Rate Limit Exceeded") } }, "Throttled"],
  [429, { error: { code: 429, status: "RESOURCE_EXHAUSTED" } }, "Throttled"],
  [429, "<html>too many</html>", "Throttled"],
  [404, { error: { code: 404, message: "Not Found" } }, "ProviderUnavailable"],
])("a reading that is answered with %i %j is %s", async (status, body, code) => {
  started.fake.answerNext(/rrsets/, status, body);
  const error: unknown = await session.records(zone, null, soon()).catch((one: unknown) => one);
  expect(error).toMatchObject({ code });
  expect(String(error)).not.toMatch(/[<>]|PRIVATE/);
});

test("a change has a receipt until it is done; an old one is everywhere", async () => {
  const [outcome] = await applyOnce(session, [
    create(recordSet("a.example.org", "A", "192.0.2.1")),
  ]);
  if (outcome?.status !== "applied" || outcome.receipt === undefined) throw new Error("no receipt");
  const { receipt } = outcome;
  started.fake.takeCalls();
  expect(await session.propagationOf?.(zone, receipt, soon())).toEqual({ is: "pending" });
  expect(await session.propagationOf?.(zone, receipt, soon())).toEqual({ is: "live" });
  expect(started.fake.takeCalls()).toHaveLength(2);
  expect(await session.propagationOf?.(zone, "404", soon())).toEqual({ is: "live" });
  started.fake.answerNext(/changes\//, 503, "<html>busy</html>");
  await expect(session.propagationOf?.(zone, receipt, soon())).rejects.toMatchObject({
    code: "ProviderUnavailable",
  });
});
