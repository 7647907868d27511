/** azure-dns and azure-private-dns on their fake: calls that are counted, ETags, broken answers. */
import type { Fields } from "@zonekeeper/kube/objects/object-fields";
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
import type { FakeZone } from "../../../test/support/fakes/azure/fake-zone.ts";
import {
  addForeign,
  makeAzure,
  openAzure,
  setsOf,
} from "../../../test/support/fakes/azure/harness.ts";
import {
  errorBody,
  type FakeAzure,
  SUBSCRIPTION,
} from "../../../test/support/fakes/azure/server.ts";
import type { ProviderSession } from "../provider.ts";
import { fromRecordSet, toRecordSet } from "./convert.ts";
import { PRIVATE, PUBLIC } from "./flavours.ts";

let fake: FakeAzure;
let zone: FakeZone;
let endpoint: string;
let session: ProviderSession;

beforeEach(async () => {
  fake = makeAzure();
  endpoint = await fake.start();
  zone = fake.addZone("example.org");
  session = openAzure(endpoint);
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

/** Calls of record sets: `PUT A/www`, `GET recordsets`. */
function seen(): readonly string[] {
  return fake
    .takeCalls()
    .filter(({ path }) => path.includes("example.org/"))
    .map(({ method, path }) => `${method} ${/example\.org\/([^?]+)/.exec(path)?.[1]}`);
}

const values = (label: string): readonly string[] =>
  setsOf(zone).find(({ name }) => name === `${label}.example.org`)?.values ?? [];

test("the zones of one resource group alone, in any letter case", async () => {
  const signal = soon();
  const [found] = await session.zones(signal);
  const group = found?.id.split("/")[0] ?? "";
  for (const [resourceGroup, count] of [
    [group.toUpperCase(), 1],
    ["another", 0],
  ] as const) {
    const one = openAzure(endpoint, { config: { resourceGroup } });
    expect(await one.zones(signal)).toHaveLength(count);
    one.close();
  }
});

describe("calls", () => {
  test("what was read or written is changed by one call, and nothing is read", async () => {
    await mustApply(session, [create(address("one"))]);
    await mustApply(session, [replace(address("one"), address("one", "192.0.2.2"))]);
    await mustApply(session, [remove(address("one", "192.0.2.2"))]);
    expect(seen()).toEqual(["PUT A/one", "PUT A/one", "DELETE A/one"]);
  });

  test("an ETag that is not known is one reading", async () => {
    addForeign(zone, address("one"));
    await mustApply(session, [remove(address("one"))]);
    expect(seen()).toEqual(["GET A/one", "DELETE A/one"]);
  });

  test("the listing of a zone brings all ETags", async () => {
    addForeign(zone, address("one"));
    await session.records(await zoneOf(session), null, soon());
    await mustApply(session, [replace(address("one"), address("one", "192.0.2.2"))]);
    expect(seen()).toEqual(["GET recordsets", "PUT A/one"]);
  });

  test("a name is read by a listing, with types that are never written", async () => {
    addForeign(zone, address("n1"));
    addForeign(zone, address("n2"));
    for (const type of ["DS", "NAPTR", "TLSA"]) zone.put(type, "n1", { TTL: 300 });
    const { sets, pages } = await session.records(
      await zoneOf(session),
      [address("n1").name],
      soon(),
    );
    const opaque = { name: "n1.example.org", ttlSeconds: 300, values: [String.raw`\# 0`] };
    expect([pages, sets]).toMatchObject([
      1,
      [
        address("n1"),
        { ...opaque, type: "DS" },
        { ...opaque, type: "NAPTR" },
        { ...opaque, type: "TLSA" },
      ],
    ]);
    expect(seen()).toEqual(["GET recordsets"]);
  });

  test("all pages are read, and each further one waits for its turn", async () => {
    for (const label of ["a", "b", "c"]) addForeign(zone, address(label));
    fake.setsPerPage = 2;
    let turns = 0;
    session.pace?.(async () => {
      turns += 1;
    });
    const { sets, pages } = await session.records(await zoneOf(session), null, soon());
    expect([sets.length, pages, turns]).toEqual([5, 3, 2]);
  });

  test("a page at another host is not asked for: it would have the token", async () => {
    fake.setsPerPage = 1;
    const known = await zoneOf(session);
    fake.nextHost = "http://127.0.0.1:9";
    await expect(session.records(known, null, soon())).rejects.toMatchObject({
      code: "ProviderUnavailable",
      message: expect.stringContaining("the next page is at another host"),
    });
  });
});

describe("races", () => {
  test("a record set that exists is not created", async () => {
    addForeign(zone, address("a", "192.0.2.9"));
    expect(await applyOnce(session, [create(address("a"))])).toMatchObject([
      { status: "precondition-failed" },
    ]);
    expect(values("a")).toEqual(["192.0.2.9"]);
  });

  test.each(["replace", "remove"] as const)("%s: who comes between is not lost", async (what) => {
    await mustApply(session, [create(address("a"))]);
    addForeign(zone, address("a", "192.0.2.1", "192.0.2.9"));
    const next = address("a", "192.0.2.2");
    const change = what === "replace" ? replace(address("a"), next) : remove(address("a"));
    for (const _try of ["by its ETag", "by what was read"])
      expect(await applyOnce(session, [change])).toMatchObject([{ status: "precondition-failed" }]);
    expect(values("a")).toEqual(["192.0.2.1", "192.0.2.9"]);
  });

  test("a record set that is gone is not deleted twice", async () => {
    await mustApply(session, [create(address("a"))]);
    const other = openAzure(endpoint);
    await mustApply(other, [remove(address("a"))]);
    other.close();
    for (const _try of ["by its ETag", "by what was read"])
      expect(await applyOnce(session, [remove(address("a"))])).toMatchObject([
        { status: "precondition-failed" },
      ]);
  });

  test.each([
    ["CNAME beside A", address("a"), recordSet("a.example.org", "CNAME", "lb.example.com")],
    ["A beside CNAME", recordSet("a.example.org", "CNAME", "lb.example.com"), address("a")],
  ])("%s: the zone is not as it was read", async (_title, present, wanted) => {
    addForeign(zone, present);
    const found = await applyOnce(session, [create(wanted)]);
    expect(found).toMatchObject([{ status: "precondition-failed" }]);
  });
});

describe("record sets", () => {
  test("what people wrote beside a record set stays", async () => {
    const metadata = { team: "dns" };
    zone.put("A", "a", { TTL: 900, ARecords: [{ ipv4Address: "192.0.2.1" }], metadata });
    await session.records(await zoneOf(session), null, soon());
    await mustApply(session, [replace(address("a"), address("a", "192.0.2.2"))]);
    expect(zone.find("A", "a")?.properties).toMatchObject({ metadata });
  });

  test("one that follows a resource is read, and cannot be written so", async () => {
    const targetResource = { id: "/subscriptions/x/publicIPAddresses/y" };
    zone.put("A", "a", { TTL: 60, targetResource, ARecords: null });
    zone.put("A", "empty", { TTL: 60, ARecords: [] });
    const known = await zoneOf(session);
    const sets = (await session.records(known, null, soon())).sets.filter(
      ({ type }) => type === "A",
    );
    expect(sets).toMatchObject([{ name: "a.example.org", values: [targetResource.id] }]);
    for (const set of sets) expect(session.audit(set, known)).not.toEqual([]);
  });

  describe("an empty record set, which holds nothing of anybody", () => {
    const metadata = { team: "dns" };
    const empty = { TTL: 60, ARecords: [], metadata };

    test("is taken, with what people wrote beside it", async () => {
      zone.put("A", "a", empty);
      await mustApply(session, [create(address("a"))]);
      expect(zone.find("A", "a")?.properties).toMatchObject({
        TTL: 900,
        ARecords: [{ ipv4Address: "192.0.2.1" }],
        metadata,
      });
      await mustApply(session, [replace(address("a"), address("a", "192.0.2.2"))]);
    });

    test.each<[string, Fields]>([
      ["a value", { ...empty, ARecords: [{ ipv4Address: "192.0.2.9" }] }],
      ["a resource of Azure", { ...empty, targetResource: { id: "/subscriptions/x/y" } }],
      ["a profile", { ...empty, trafficManagementProfile: { id: "/subscriptions/x/y" } }],
      ["what nobody can read", { ...empty, ARecords: "192.0.2.9" }],
      ["what our version does not show", { TTL: 60, metadata }],
    ])("is not one with %s", async (_what, properties) => {
      zone.put("A", "a", properties);
      const [outcome] = await applyOnce(session, [create(address("a"))]);
      expect(outcome).toMatchObject({ status: "precondition-failed" });
      expect(zone.find("A", "a")?.properties).toMatchObject(properties);
    });

    test("is not taken when a value comes to it meanwhile", async () => {
      zone.put("A", "a", empty);
      fake.afterGet = () =>
        zone.put("A", "a", { TTL: 60, ARecords: [{ ipv4Address: "192.0.2.9" }] });
      const [outcome] = await applyOnce(session, [create(address("a"))]);
      expect(outcome).toMatchObject({ status: "precondition-failed" });
      expect(zone.find("A", "a")?.properties).toMatchObject({
        ARecords: [{ ipv4Address: "192.0.2.9" }],
      });
    });

    test("bars a CNAME, which is told with a remedy", async () => {
      zone.put("A", "a", empty);
      const [outcome] = await applyOnce(session, [
        create(recordSet("a.example.org", "CNAME", "b.example.net")),
      ]);
      expect(outcome).toMatchObject({
        status: "precondition-failed",
        message: expect.stringMatching(/delete record sets of the name that are empty in Azure/),
      });
    });
  });

  test.each([
    ["MX", "10 mail.example.net", "MXRecords", [{ preference: 10, exchange: "mail.example.net" }]],
    [
      "SRV",
      "0 5 443 a.example",
      "SRVRecords",
      [{ priority: 0, weight: 5, port: 443, target: "a.example" }],
    ],
    [
      "CAA",
      '0 issue "ca.example; a=b"',
      "caaRecords",
      [{ flags: 0, tag: "issue", value: "ca.example; a=b" }],
    ],
    ["TXT", '"a\\"b" "\\195\\188"', "TXTRecords", [{ value: ['a"b', "ü"] }]],
    ["CNAME", "lb.example.net", "CNAMERecord", { cname: "lb.example.net" }],
  ])("%s %s is written as %s", (type, value, field, records) => {
    const set = recordSet("x.example.org", type, value);
    const body = fromRecordSet(set, PUBLIC, {});
    expect(body).toEqual({ properties: { TTL: 900, [field]: records } });
    const read = { name: "x", type: `Microsoft.Network/dnszones/${type}`, ...body };
    expect(toRecordSet(read, { name: set.name })).toMatchObject({ type, values: [value] });
  });

  test("private zones have their own field names, and answers any capitals", () => {
    const set = recordSet("x.example.org", "AAAA", "2001:db8::1");
    const records = [{ ipv6Address: "2001:db8::1" }];
    const properties = { ttl: 900, aaaaRecords: records };
    expect(fromRecordSet(set, PRIVATE, {})).toEqual({ properties });
    const apex = { name: "@", type: "Microsoft.Network/privateDnsZones/AAAA" };
    for (const one of [properties, { TTL: "900", AaaaRecords: records, more: 1 }])
      expect(toRecordSet({ ...apex, properties: one }, { name: set.name })).toMatchObject({
        name: "x.example.org",
        ttlSeconds: 900,
        values: ["2001:db8::1"],
      });
    for (const odd of [null, [], {}, { name: "x" }, { ...apex, properties: null }])
      expect(toRecordSet(odd, { name: set.name })).toBeNull();
  });

  test.each([
    [
      address("a", ...Array.from({ length: 21 }, (_, index) => `192.0.2.${index}`)),
      "TooManyValues",
    ],
    [recordSet("a.example.org", "TXT", String.raw`"\255"`), "InvalidValue"],
    [
      recordSet(
        "a.example.org",
        "TXT",
        Array(17)
          .fill(`"${"x".repeat(250)}"`)
          .join(" "),
      ),
      "InvalidValue",
    ],
    [recordSet("a.example.org", "SSHFP", "1 1 aa"), "UnsupportedType"],
    [recordSet("example.org", "CNAME", "lb.example.com"), "InvalidValue"],
  ])("%# is held before it is tried", async (set, code) => {
    const problems = session.audit(set, await zoneOf(session));
    expect(problems.map((problem) => problem.code)).toContain(code);
  });
});

test("each type shows its own zones", async () => {
  fake.addZone("example.org", true, "Other.Group");
  const inside = openAzure(endpoint, { isPrivate: true });
  const shown = async (of: ProviderSession) =>
    (await of.zones(soon())).map(({ id, view, visibility }) => [id, view, visibility]);
  expect(await shown(session)).toEqual([["my-group/example.org", SUBSCRIPTION, "public"]]);
  expect(await shown(inside)).toEqual([["Other.Group/example.org", SUBSCRIPTION, "private"]]);
  await mustApply(inside, [create(address("a"))]);
  expect(seen()).toEqual(["PUT A/a"]);
  inside.close();
});

describe("refusals", () => {
  test("a group of several changes that breaks off must be read", async () => {
    const cname = recordSet("a.example.org", "CNAME", "lb.example.com");
    await mustApply(session, [create(address("a"))]);
    const changes = [
      { op: "remove", previous: address("a") },
      { op: "create", next: cname },
    ] as const;
    fake.breakNext(/^PUT/, { is: "refused", status: 429, body: "" });
    const found = await applyOnce(session, [group(cname.name, changes)]);
    expect(found).toMatchObject([{ status: "unknown" }]);
  });

  test("what was made before a throttle is told; what comes after it waits", async () => {
    fake.breakNext(/^PUT.*\/b\?/, { is: "refused", status: 429, body: "" });
    const asked = ["a", "b", "c"].map((label) => create(address(label)));
    const found = await applyOnce(session, asked);
    expect(found.map(({ status }) => status)).toEqual(["applied", "retry", "retry"]);
    expect(seen()).toEqual(["PUT A/a", "PUT A/b"]);
  });

  test("so it is in a pause that begins meanwhile", async () => {
    session.close();
    let calls = 0;
    const writeGate = () => (++calls > 1 ? "a pause" : null);
    session = openAzure(endpoint, { environment: { writeGate } });
    const found = await applyOnce(session, [create(address("a")), create(address("b"))]);
    expect(found.map(({ status }) => status)).toEqual(["applied", "retry"]);
  });

  test.each([
    [400, errorBody("BadRequest", "The TTL is invalid."), "rejected"],
    [403, errorBody("AuthorizationFailed", "The client does not have authorization"), "retry"],
    [404, errorBody("ResourceGroupNotFound", "Resource group could not be found."), "retry"],
    [409, errorBody("ScopeLocked", "The scope cannot perform write operation."), "rejected"],
    [409, errorBody("AnotherOperationInProgress", "Another operation is in progress."), "retry"],
    [412, "", "precondition-failed"],
    [500, errorBody("InternalServerError", "Encountered internal server error.", false), "unknown"],
    [502, "<html>Bad gateway</html>", "unknown"],
    [503, '{"error":null}', "unknown"],
    [200, "<html></html>", "unknown"],
  ])("%i %s is %s", async (status, body, outcome) => {
    fake.breakNext(/^PUT/, { is: "refused", status, body });
    const [found] = await applyOnce(session, [create(address("a"))]);
    expect(found?.status).toBe(outcome);
    expect(JSON.stringify(found)).not.toMatch(/html|token-|invented/);
  });

  test.each([
    [429, errorBody("TooManyRequests", "The request is being throttled.")],
    [429, ""],
    [503, errorBody("SubscriptionRequestsThrottled", "Number of requests exceeded.")],
  ])("%i makes the account wait", async (status, body) => {
    const headers = { "retry-after": "17" };
    fake.breakNext(/^PUT/, { is: "refused", status, body, headers });
    const error = await applyOnce(session, [create(address("a"))]).catch((one: unknown) => one);
    expect(error).toMatchObject({ code: "Throttled", nothingSent: true, retryAfterMs: 17_000 });
  });

  test.each(["cut-before", "cut-after", "half"] as const)("%s is unknown", async (is) => {
    fake.breakNext(/^PUT/, { is });
    expect(await applyOnce(session, [create(address("a"))])).toMatchObject([{ status: "unknown" }]);
  });

  test("no id of a request is shown", async () => {
    const message = "Failed. Activity ID: 0f5b2c1e-0000-0000-0000-000000000000.";
    fake.breakNext(/^PUT/, { is: "refused", status: 400, body: errorBody("BadRequest", message) });
    const [found] = await applyOnce(session, [create(address("a"))]);
    expect(found).toMatchObject({ message: "Failed." });
  });

  test.each([
    [200, "{}"],
    [200, '{"value":null}'],
    [200, '{"value":[]}'],
    [200, ""],
    [403, errorBody("AuthorizationFailed", "no")],
  ])("a reading that answers %i %s is no empty zone", async (status, body) => {
    const known = await zoneOf(session);
    fake.breakNext(/^GET .*recordsets/, { is: "refused", status, body });
    await expect(session.records(known, null, soon())).rejects.toMatchObject({
      name: "OperationError",
      code: status === 403 ? "ProviderCredentials" : "ProviderUnavailable",
    });
  });

  test.each(["{}", '{"value":null}', '{"value":{}}', "[]"])(
    "a listing of zones that answers %s is not empty",
    async (body) => {
      fake.breakNext(/^GET .*dnsZones\?/, { is: "refused", status: 200, body });
      await expect(session.zones(soon())).rejects.toMatchObject({ code: "ProviderUnavailable" });
    },
  );

  test("a pause holds what writes, and nothing else", async () => {
    const paused = openAzure(endpoint, { environment: { writeGate: () => "paused by a test" } });
    const known = await zoneOf(paused);
    const sent = applyOnce(paused, [create(address("a"))]);
    await expect(sent).rejects.toMatchObject({ code: "Paused" });
    await paused.records(known, null, soon());
    expect(seen()).toEqual(["GET recordsets"]);
    paused.close();
  });
});
