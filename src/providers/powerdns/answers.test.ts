/**
 * Answers in every form that the API's description allows (PowerDNS documentation, "HTTP API"):
 * absent fields, numbers as text, fields that nobody knows, and pages of whoever is between.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  applyOnce,
  create,
  recordSet,
  soon,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import { openPowerDns, POWERDNS_KEY } from "../../../test/support/fakes/powerdns/harness.ts";
import { FakePowerDns } from "../../../test/support/fakes/powerdns/server.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { ProviderSession } from "../provider.ts";

let fake: FakePowerDns;
let session: ProviderSession;
let zone: Zone;

beforeEach(async () => {
  fake = new FakePowerDns(POWERDNS_KEY);
  fake.addZone("example.org");
  session = openPowerDns(await fake.start());
  zone = await zoneOf(session);
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

const RRSET = { name: "a.example.org.", type: "A", ttl: 60, records: [{ content: "192.0.2.1" }] };

const SOA = {
  name: "example.org.",
  type: "SOA",
  ttl: 3600,
  records: [{ content: "ns1.example.org. h.example.org. 1 2 3 4 5" }],
};

/** All but the SOA record. */
async function readData(): Promise<readonly RecordSet[]> {
  const { sets } = await session.records(zone, null, soon());
  return sets.filter(({ type }) => type !== "SOA");
}

describe("record sets", () => {
  test.each<[string, object, string]>([
    ["without `disabled`", RRSET, "60 192.0.2.1"],
    ["with a TTL as text", { ...RRSET, ttl: "60" }, "60 192.0.2.1"],
    [
      "with unknown fields and null",
      { ...RRSET, comments: null, account: null, new: {} },
      "60 192.0.2.1",
    ],
    [
      "with comments",
      { ...RRSET, comments: [{ content: "x", account: "", modified_at: 1 }] },
      "60 192.0.2.1",
    ],
    ["in capitals", { ...RRSET, name: "A.Example.ORG." }, "60 192.0.2.1"],
    [
      "with a disabled record",
      { ...RRSET, records: [...RRSET.records, { content: "192.0.2.9", disabled: true }] },
      "60 192.0.2.1",
    ],
  ])("%s", async (_what, rrset, expected) => {
    fake.answerNext(/^GET/, 200, { ...ZONE, rrsets: [SOA, rrset] });
    expect(
      (await readData()).map(({ name, ttlSeconds, values }) =>
        [name, ttlSeconds, ...values].join(" "),
      ),
    ).toEqual([`a.example.org ${expected}`]);
  });

  test.each<[string, object]>([
    ["of disabled records only", { ...RRSET, records: [{ content: "192.0.2.9", disabled: true }] }],
    ["without records", { ...RRSET, records: [] }],
    ["with null for records", { ...RRSET, records: null }],
  ])("%s are none", async (_what, rrset) => {
    fake.answerNext(/^GET/, 200, { ...ZONE, rrsets: [SOA, rrset] });
    expect(await readData()).toEqual([]);
  });

  test.each([
    "",
    "null",
    "[]",
    "<html>Log in</html>",
    { name: "example.org." },
    { rrsets: {} },
    { rrsets: [] },
  ])("%j is no zone", async (body) => {
    fake.answerNext(/^GET/, 200, body);
    await expect(session.records(zone, null, soon())).rejects.toMatchObject({
      name: "OperationError",
    });
  });
});

const ZONE = { id: "example.org.", name: "example.org.", kind: "Native", serial: 1 };

test.each<[string, unknown, readonly string[]]>([
  ["none", [], []],
  [
    "in other words",
    [
      { ...ZONE, kind: "PRIMARY" },
      { ...ZONE, id: "b", kind: "master" },
    ],
    ["example.org.", "b"],
  ],
  [
    "with null, unknown fields and a serial as text",
    [{ ...ZONE, serial: "1", catalog: null, new: [] }],
    ["example.org."],
  ],
  [
    "secondary, or without a kind or an id",
    [{ ...ZONE, kind: "Slave" }, { ...ZONE, kind: null }, { ...ZONE, id: "" }, null],
    [],
  ],
])("zones: %s", async (_what, body, expected) => {
  fake.answerNext(/zones$/, 200, body);
  expect((await session.zones(soon())).map(({ id }) => id)).toEqual(expected);
});

test.each(["", "null", "{}", "<html>Log in</html>"])("%j is no listing of zones", async (body) => {
  fake.answerNext(/zones$/, 200, body);
  await expect(session.zones(soon())).rejects.toMatchObject({ code: "ProviderUnavailable" });
});

test.each([
  [204, "", "applied"],
  [200, "", "applied"],
  [200, { ...ZONE, rrsets: [] }, "applied"],
  [200, "<html>Log in</html>", "unknown"],
  [422, { error: "Conflicts with pre-existing RRset", errors: ["x"] }, "precondition-failed"],
  [422, "Unprocessable Entity", "rejected"],
  [422, "", "rejected"],
  [400, { error: null }, "rejected"],
  [502, "<html>Bad gateway</html>", "unknown"],
])("a write that is answered with %i %j is %s", async (status, body, expected) => {
  fake.answerNext(/^PATCH/, status, body);
  const [outcome] = await applyOnce(session, [
    create(recordSet("a.example.org", "A", "192.0.2.1")),
  ]);
  expect(outcome?.status).toBe(expected);
  expect(outcome !== undefined && "message" in outcome ? outcome.message : "x").not.toMatch(
    /^$|[<>]/,
  );
});
