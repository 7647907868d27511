/**
 * Answers in every form that the gateway gives (etcd 3.4 to 3.6, "gRPC gateway"): numbers as text
 * or not, what is empty left out or `null`, fields that nobody knows, and pages of whoever is
 * between.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  applyOnce,
  create,
  recordSet,
  soon,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import { openCoreDns } from "../../../test/support/fakes/coredns/harness.ts";
import { FakeEtcd } from "../../../test/support/fakes/coredns/server.ts";
import type { Zone } from "../../model/zone.ts";
import type { ProviderSession } from "../provider.ts";

let fake: FakeEtcd;
let session: ProviderSession;
let zone: Zone;

beforeEach(async () => {
  fake = new FakeEtcd();
  session = openCoreDns(await fake.start());
  zone = await zoneOf(session);
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

const header = { revision: "7" };
const kv = {
  key: btoa("/skydns/org/example/a/x"),
  value: btoa('{"host":"192.0.2.1","targetstrip":1}'),
  mod_revision: "5",
};

test.each<[string, object, readonly string[]]>([
  ["bare", { header, kvs: [kv] }, ["192.0.2.1"]],
  ["with numbers", { header: { revision: 7 }, kvs: [{ ...kv, mod_revision: 5 }] }, ["192.0.2.1"]],
  [
    "with unknown fields and null",
    { header, kvs: [{ ...kv, lease: null, x: 1 }], more: false },
    ["192.0.2.1"],
  ],
  ["without keys", { header }, []],
  ["with null for keys", { header, kvs: null }, []],
  ["with an empty value", { header, kvs: [{ ...kv, value: undefined }] }, []],
])("keys: %s", async (_what, body, expected) => {
  fake.answerNext(/range/, 200, body);
  const { sets } = await session.records(zone, null, soon());
  expect(sets.flatMap(({ values }) => values)).toEqual(expected);
});

test.each([
  "",
  "null",
  "[]",
  "<html>Log in</html>",
  {},
  { header, kvs: {} },
  { header, kvs: [null] },
  { header, kvs: [{ ...kv, mod_revision: null }] },
  { header, more: true },
  { kvs: [kv] },
])("%j is no zone", async (body) => {
  fake.answerNext(/range/, 200, body);
  await expect(session.records(zone, null, soon())).rejects.toMatchObject({
    code: "ProviderUnavailable",
  });
});

test.each<[number, unknown, string]>([
  [200, { header, succeeded: true, responses: [] }, "applied"],
  [200, { header: { revision: 8 }, succeeded: true, responses: null }, "applied"],
  [200, { succeeded: true }, "unknown"],
  [200, "", "unknown"],
  [200, "<html>Log in</html>", "unknown"],
  [400, { error: "etcdserver: too many operations in txn request", code: 3 }, "rejected"],
  [400, { code: 3, message: "etcdserver: request is too large", details: [] }, "rejected"],
  [400, { code: 9, message: "etcdserver: lease not found" }, "rejected"],
  [403, { error: "etcdserver: permission denied", code: 7 }, "retry"],
  [404, "Not Found", "retry"],
  [500, { error: "etcdserver: request timed out", code: 14 }, "unknown"],
  [503, { error: "etcdserver: no leader", code: 14 }, "unknown"],
  [502, "<html>Bad gateway</html>", "unknown"],
])("a write that is answered with %i %j is %s", async (status, body, expected) => {
  fake.answerNext(/txn/, status, body);
  const [outcome] = await applyOnce(session, [
    create(recordSet("a.example.org", "A", "192.0.2.1")),
  ]);
  expect(outcome?.status).toBe(expected);
  const message = outcome !== undefined && "message" in outcome ? outcome.message : "x";
  expect(message).not.toMatch(/^$|[<>]/);
});

test("a store that is full, or too many calls, make the account wait", async () => {
  fake.answerNext(/txn/, 429, { error: "etcdserver: mvcc: database space exceeded", code: 8 });
  const sent = applyOnce(session, [create(recordSet("a.example.org", "A", "192.0.2.1"))]);
  await expect(sent).rejects.toMatchObject({
    code: "Throttled",
    message: expect.stringContaining("space exceeded"),
  });
});
