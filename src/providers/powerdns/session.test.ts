/** powerdns on its fake: calls that are counted, values that stay, broken answers. */
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
import {
  openPowerDns,
  POWERDNS_KEY,
  setsOf,
} from "../../../test/support/fakes/powerdns/harness.ts";
import {
  FakePowerDns,
  type FakePowerDnsZone,
} from "../../../test/support/fakes/powerdns/server.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { ProviderSession } from "../provider.ts";
import { auditSet, normalizeSet, replaceSet, toKnownSet } from "./convert.ts";

let fake: FakePowerDns;
let zone: FakePowerDnsZone;
let server: string;
let session: ProviderSession;

beforeEach(async () => {
  fake = new FakePowerDns(POWERDNS_KEY);
  server = await fake.start();
  zone = fake.addZone("example.org");
  session = openPowerDns(server);
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

/** Calls without the list of zones: `GET name`, `GET` for the whole zone, `PATCH`. */
function seen(): readonly string[] {
  return fake
    .takeCalls()
    .filter(({ path }) => !path.endsWith("/zones"))
    .map(({ method, path }) => {
      const query = new URL(path, "http://fake").searchParams;
      if (query.has("q")) return `search ${query.get("q")}`;
      const name = query.get("rrset_name");
      return name === null ? method : `${method} ${name}`;
    });
}

const values = (label: string): readonly string[] =>
  setsOf(zone).find(({ name }) => name === `${label}.example.org`)?.values ?? [];

const foreign = (set: RecordSet): void => {
  expect(zone.patch([replaceSet(set)])).toBeNull();
};

describe("calls", () => {
  test("what was read or written is changed by one call and no reading", async () => {
    await mustApply(session, [create(address("one"))]);
    expect(seen()).toEqual(["GET one.example.org.", "PATCH"]);
    await mustApply(session, [replace(address("one"), address("one", "192.0.2.2"))]);
    await mustApply(session, [remove(address("one", "192.0.2.2"))]);
    await mustApply(session, [create(address("one"))]);
    expect(seen()).toEqual(["PATCH", "PATCH", "PATCH"]);
  });

  test("few names are asked for, many are read with the zone", async () => {
    const names = Array.from({ length: 6 }, (_, index) => address(`n${index}`).name);
    const known = await zoneOf(session);
    seen();
    const few = await session.records(known, names.slice(0, 5), soon());
    expect([few.pages, seen().length]).toEqual([5, 5]);
    const many = await session.records(known, names, soon());
    expect([many.pages, many.sets, seen()]).toEqual([2, [], ["GET", "search example.org"]]);
    const again = await session.records(known, names, soon());
    expect([again.pages, again.sets, seen()]).toEqual([1, [], ["GET"]]);
    await session.records(known, names.slice(0, 1), soon());
    expect(seen()).toEqual(["search n0.example.org"]);
  });

  test("two batches of one session do not meet at the server", async () => {
    const known = await zoneOf(session);
    const labels = ["a", "b", "c"];
    await Promise.all(
      labels.map(async (label) => {
        for await (const { status } of session.apply(known, [create(address(label))], soon()))
          expect(status).toBe("applied");
      }),
    );
    expect(seen().map((call) => call.split(" ")[0])).toEqual(
      labels.flatMap(() => ["GET", "PATCH"]),
    );
  });
});

describe("whole record sets", () => {
  test("a value that was not read stays when ours goes", async () => {
    foreign(address("a", "192.0.2.1", "192.0.2.9"));
    await mustApply(session, [remove(address("a"))]);
    expect(values("a")).toEqual(["192.0.2.9"]);
  });

  test("a set that exists is not created, and one that has changed is not replaced", async () => {
    foreign(address("a", "192.0.2.9"));
    const wanted = [create(address("a")), replace(address("a"), address("a", "192.0.2.2"))];
    for (const one of wanted)
      expect(await applyOnce(session, [one, create(address("b"))])).toMatchObject([
        { status: "precondition-failed" },
        { status: "refused-together" },
      ]);
    expect([values("a"), values("b")]).toEqual([["192.0.2.9"], []]);
  });

  test.each([
    ["all of it", ["198.51.100.7"], [], true],
    ["some of it", ["198.51.100.7"], ["192.0.2.1"], true],
    ["all of it, at a back end without search", ["198.51.100.7"], [], false],
    ["some of it, at such a one", ["198.51.100.7"], ["192.0.2.1"], false],
  ])("a record set that is disabled, %s, is never written", async (_what, off, on, canSearch) => {
    fake.canSearch = canSearch;
    const records = [
      ...off.map((content) => ({ content, disabled: true })),
      ...on.map((content) => ({ content, disabled: false })),
    ];
    const www = { name: "www.example.org.", type: "A", ttl: 60, records };
    expect(zone.patch([{ ...www, changetype: "REPLACE" }])).toBeNull();
    const before = JSON.stringify(zone.sets);
    const known = await zoneOf(session);
    await session.records(known, null, soon());
    const changes = [
      create(address("www")),
      replace(address("www", ...on), address("www", "192.0.2.9")),
      remove(address("www", ...on)),
    ];
    for (const change of changes) {
      await session.records(known, [address("www").name], soon());
      const [outcome, other] = await applyOnce(session, [change, create(address("other"))]);
      expect(outcome).toMatchObject({ status: "rejected", code: "PowerDnsDisabled" });
      expect(JSON.stringify(outcome)).toMatch(/www\.example\.org A .*enable or delete/);
      expect(other?.status).toBe("refused-together");
    }
    expect(JSON.stringify(zone.sets)).toBe(before);
    const { sets } = await session.records(known, null, soon());
    expect(sets.find(({ name }) => name === "www.example.org")?.values ?? []).toEqual(on);
    expect(zone.patch([{ ...www, changetype: "DELETE" }])).toBeNull();
    await mustApply(session, [create(address("www"))]);
  });

  test.each([
    ["www", [], "198.51.100.7"],
    ["www", ["192.0.2.1"], "198.51.100.7"],
    ["*.w", [], "198.51.100.7"],
  ])(
    "what is added disabled at %s beside %j since the last listing is seen",
    async (label, on, off) => {
      const known = await zoneOf(session);
      foreign(address(label, "192.0.2.1"));
      await session.records(known, null, soon());
      const records = [...on, off].map((content) => ({ content, disabled: content === off }));
      const set = { name: `${label}.example.org.`, type: "A", ttl: 60, records };
      expect(zone.patch([{ ...set, changetype: "REPLACE" }])).toBeNull();
      // Finds it as a content; and the name below the star.
      foreign(recordSet("alias.example.org", "CNAME", `${label}.example.org`));
      foreign(address(`x.${label}`));
      const before = JSON.stringify(zone.sets);
      const { sets, pages } = await session.records(known, [address(label).name], soon());
      expect([sets.flatMap(({ values }) => values), pages]).toEqual([on, 1]);
      const [outcome] = await applyOnce(session, [create(address(label, "192.0.2.9"))]);
      expect(outcome).toMatchObject({ status: "rejected", code: "PowerDnsDisabled" });
      expect(JSON.stringify(zone.sets)).toBe(before);
    },
  );

  test.each<[string, () => void]>([
    [
      "a back end that finds nothing",
      () => {
        fake.canSearch = false;
      },
    ],
    [
      "a proxy that lets zones pass alone",
      () => {
        for (let calls = 0; calls < 2; calls++)
          fake.breakNext(/search-data/, { is: "refused", status: 403, body: "" });
      },
    ],
    [
      "an answer that is no list",
      () => {
        fake.breakNext(/search-data/, { is: "refused", status: 200, body: "{}" });
      },
    ],
  ])("%s is not searched", async (_what, happens) => {
    happens();
    await mustApply(session, [create(address("www"))]);
    const known = await zoneOf(session);
    await session.records(known, null, soon());
    fake.takeCalls();
    const { sets } = await session.records(known, [address("www").name], soon());
    expect(sets).toMatchObject([{ values: ["192.0.2.1"] }]);
    expect(fake.takeCalls().map(({ path }) => path)).toEqual([
      expect.stringContaining("rrset_name=www.example.org."),
    ]);
  });

  test("a search that fails later is a reading that fails, and the next one asks for the name", async () => {
    await mustApply(session, [create(address("www"))]);
    const known = await zoneOf(session);
    await session.records(known, null, soon());
    fake.breakNext(/search-data/, { is: "refused", status: 403, body: "" });
    const read = () => session.records(known, [address("www").name], soon());
    await expect(read()).rejects.toMatchObject({ name: "OperationError" });
    expect((await read()).sets).toHaveLength(1);
  });

  test("a search that finds too much is followed by the whole zone", async () => {
    const known = await zoneOf(session);
    foreign(address("*.w"));
    for (let index = 0; index < 1000; index++) foreign(address(`n${index}.w`));
    await session.records(known, null, soon());
    const { sets, pages } = await session.records(known, [address("*.w").name], soon());
    expect([sets.map(({ name }) => name), pages]).toEqual([["*.w.example.org"], 2]);
  });

  test("without a search, what was switched off since the last listing is seen when a value is missing", async () => {
    fake.canSearch = false;
    await mustApply(session, [create(address("www"))]);
    const records = [{ content: "192.0.2.1", disabled: true }];
    const www = { name: "www.example.org.", type: "A", ttl: 60, records };
    expect(zone.patch([{ ...www, changetype: "REPLACE" }])).toBeNull();
    const { sets } = await session.records(await zoneOf(session), [address("www").name], soon());
    expect(sets).toEqual([]);
    const [outcome] = await applyOnce(session, [create(address("www"))]);
    expect(outcome).toMatchObject({ status: "rejected", code: "PowerDnsDisabled" });
  });

  test("a disabled record is none", () => {
    const records = [{ content: "192.0.2.1", disabled: true }, { content: "192.0.2.2" }];
    const rrset = { name: "A.example.org.", type: "A", ttl: "60", records };
    expect(toKnownSet(rrset)).toMatchObject({
      set: { name: "a.example.org", ttlSeconds: 60, values: ["192.0.2.2"] },
      hasDisabled: true,
    });
    expect(toKnownSet({ ...rrset, records: records.slice(0, 1) })?.set.values).toEqual([]);
    for (const odd of [null, [], {}, { ...rrset, records: null }, { ...rrset, name: 1 }])
      expect(toKnownSet(odd)).toBeNull();
  });

  test.each([
    ["CNAME", "other.example.net", "other.example.net."],
    ["MX", "10 mail.example.net", "10 mail.example.net."],
    ["SRV", "0 0 0 .", "0 0 0 ."],
    ["HTTPS", '1 svc.example.net alpn="h2,h3"', '1 svc.example.net. alpn="h2,h3"'],
    ["NAPTR", '1 2 "S" "SIP" "" _sip.example.org', '1 2 "S" "SIP" "" _sip.example.org.'],
    ["TXT", '"example.org"', '"example.org"'],
  ])("%s %s is written as %s", (type, value, content) => {
    const set = normalizeSet(recordSet("x.example.org", type, value));
    const written = replaceSet(set);
    expect(written["records"]).toEqual([{ content, disabled: false }]);
    expect(toKnownSet(written)).toEqual({ set, hasDisabled: false });
  });
});

test("zones of other kinds and variants for views are left out", async () => {
  fake.addZone("second.example", "Slave");
  fake.addZone("catalog.example", "Producer");
  fake.addZone("example.org..inner");
  fake.addZone("first.example", "Master");
  const zones = await session.zones(soon());
  expect(zones.map(({ name }) => name)).toEqual(["example.org", "first.example"]);
});

describe("refusals", () => {
  test("a refusal is everybody's", async () => {
    const bad = group(address("bad").name, [{ op: "create", next: address("bad", "300.1.1.1") }]);
    const cname = recordSet("taken.example.org", "CNAME", "lb.example.com");
    foreign(address("taken"));
    expect(await applyOnce(session, [create(address("good")), bad])).toMatchObject([
      { status: "rejected", code: "PowerDns422" },
      { status: "rejected", code: "PowerDns422" },
    ]);
    expect(await applyOnce(session, [create(cname), create(address("good"))])).toMatchObject([
      { status: "precondition-failed", message: expect.stringContaining("Conflicts") },
      { status: "precondition-failed" },
    ]);
    expect(values("good")).toEqual([]);
  });

  test.each([
    [401, "Unauthorized", "retry"],
    [403, "", "retry"],
    [404, "Not Found", "retry"],
    [413, "Request Entity Too Large", "rejected"],
    [422, '{"error":"Key \'ttl\' not present"}', "rejected"],
    [422, "{}", "rejected"],
    [500, '{"error":"Internal Server Error"}', "unknown"],
    [502, "<html>Bad gateway</html>", "unknown"],
    [302, "", "unknown"],
  ])("%i %s is %s", async (status, body, outcome) => {
    fake.breakNext(/^PATCH/, { is: "refused", status, body });
    const [found] = await applyOnce(session, [create(address("a"))]);
    expect(found?.status).toBe(outcome);
    expect(JSON.stringify(found)).not.toMatch(/html|test-api-key/);
  });

  test("429 of a proxy makes the account wait", async () => {
    const headers = { "retry-after": "7" };
    fake.breakNext(/^PATCH/, { is: "refused", status: 429, body: "", headers });
    const error = await applyOnce(session, [create(address("a"))]).catch((one: unknown) => one);
    expect(error).toMatchObject({ code: "Throttled", nothingSent: true, retryAfterMs: 7000 });
  });

  test.each(["cut-before", "cut-after"] as const)("%s is unknown", async (is) => {
    fake.breakNext(/^PATCH/, { is });
    const [found] = await applyOnce(session, [create(address("a"))]);
    expect(found?.status).toBe("unknown");
    await mustApply(session, [remove(address("a"))]);
    expect(values("a")).toEqual([]);
  });

  test.each([
    [200, "{}"],
    [200, '{"rrsets":null}'],
    [200, ""],
    [401, "Unauthorized"],
  ])("a reading that answers %i %s is no empty zone", async (status, body) => {
    const known = await zoneOf(session);
    fake.breakNext(/^GET .*zones\/./, { is: "refused", status, body });
    await expect(session.records(known, null, soon())).rejects.toMatchObject({
      name: "OperationError",
      code: status === 401 ? "ProviderCredentials" : "ProviderUnavailable",
    });
  });

  test("a pause holds what writes, and nothing else", async () => {
    const paused = openPowerDns(server, { writeGate: () => "paused by a test" });
    const known = await zoneOf(paused);
    const sent = applyOnce(paused, [create(address("a"))]);
    await expect(sent).rejects.toMatchObject({ code: "Paused" });
    await paused.records(known, null, soon());
    expect(seen()).toEqual(["GET a.example.org.", "GET", "search example.org"]);
    paused.close();
  });
});

test.each([
  [recordSet("example.com", "A", "192.0.2.1"), "InvalidName"],
  [recordSet("x.example.org", "LUA", "A x"), "UnsupportedType"],
  [recordSet("example.org", "CNAME", "a.example"), "InvalidValue"],
  [recordSet("x.example.org", "CNAME", "a.example", "b.example"), "InvalidValue"],
  [{ ...address("x"), ttlSeconds: -1 }, "InvalidTtl"],
  [{ ...address("x"), setIdentifier: "a" }, "UnsupportedRoutingPolicy"],
  [normalizeSet({ ...address("x"), properties: { proxied: "true" } }), "UnsupportedProperty"],
])("%o: %s", async (set, code) => {
  const problems = auditSet(set, await zoneOf(session));
  expect(problems.map((problem) => problem.code)).toContain(code);
});
