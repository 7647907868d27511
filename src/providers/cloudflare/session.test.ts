/** cloudflare-dns on its fake: calls that are counted, ids, throttles, broken answers. */
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
import type { FakeDnsZone } from "../../../test/support/fakes/cloudflare/dns-zone.ts";
import {
  makeFake,
  openCloudflare,
  setsIn,
} from "../../../test/support/fakes/cloudflare/harness.ts";
import { errorBody, type FakeCloudflare } from "../../../test/support/fakes/cloudflare/server.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { ChangeGroup } from "../../plan/changes.ts";
import { pack } from "../../sync/calls/pack-batches.ts";
import type { ProviderSession } from "../provider.ts";

let fake: FakeCloudflare;
let zone: FakeDnsZone;
let endpoint: string;
let session: ProviderSession;

beforeEach(async () => {
  fake = makeFake();
  endpoint = await fake.start();
  zone = fake.addZone("z1", "example.org");
  zone.recordsMax = 20_000;
  session = openCloudflare(endpoint);
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

/** Data with a marker, as the TXT registry writes them. */
function withMarker(label: string): ChangeGroup {
  const data = create(address(label));
  const text = `"heritage=external-dns,external-dns/owner=me"`;
  const marker = create(recordSet(`a-${label}.example.org`, "TXT", text));
  return group(data.name, [...data.changes, ...marker.changes], data.preconditions);
}

/** Calls without the list of zones: `GET name`, `GET` for the whole zone, `POST`. */
function seen(): readonly string[] {
  return fake
    .takeCalls()
    .filter(({ path }) => path.includes("/dns_records"))
    .map(({ method, path }) => {
      const query = new URL(path, "http://fake").searchParams;
      const name = query.get("name.exact") ?? `*${query.get("name.endswith") ?? ""}`;
      return method === "GET" ? `GET ${name}` : method;
    });
}

const values = (label: string): readonly string[] =>
  setsIn(zone).find(({ name }) => name === `${label}.example.org`)?.values ?? [];

describe("calls", () => {
  test.each([
    ["free", 10],
    ["pro", 1],
  ])("1000 names with their markers on the plan %s take %i calls", async (plan, calls) => {
    zone.plan = plan;
    const known = await zoneOf(session);
    const groups = Array.from({ length: 1000 }, (_, index) => withMarker(`name-${index}`));
    const batches = pack(groups, session.capabilitiesOf?.(known) ?? session.capabilities);
    fake.takeCalls();
    for (const batch of batches)
      for await (const { status } of session.apply(known, batch, soon()))
        expect(status).toBe("applied");
    expect(seen()).toHaveLength(calls);
  });

  test("an account with zones of several plans sends to each what its plan takes", async () => {
    fake.addZone("z2", "example.com", "enterprise");
    const zones = await session.zones(soon());
    const limits = zones.map((one) => session.capabilitiesOf?.(one)?.batch.valuesMax);
    expect(limits).toEqual([200, 3500]);
  });

  test("what was read or written is changed by one call and no reading", async () => {
    await mustApply(session, [withMarker("one")]);
    fake.takeCalls();
    await mustApply(session, [replace(address("one"), address("one", "192.0.2.2"))]);
    await mustApply(session, [remove(address("one", "192.0.2.2"))]);
    expect(seen()).toEqual(["POST", "POST"]);
    zone.add({ type: "A", name: "two", content: "192.0.2.1", ttl: 900 });
    await session.records(await zoneOf(session), null, soon());
    fake.takeCalls();
    await mustApply(session, [remove(address("two"))]);
    expect(seen()).toEqual(["POST"]);
  });

  test("a name whose ids are not known is read once before", async () => {
    zone.add({ type: "A", name: "one", content: "192.0.2.1", ttl: 900 });
    await mustApply(session, [replace(address("one"), address("one", "192.0.2.2"))]);
    expect(seen()).toEqual(["GET one.example.org", "POST"]);
    expect(values("one")).toEqual(["192.0.2.2"]);
  });

  test("names are read one by one, and many by a listing that takes less", async () => {
    await mustApply(session, [create(address("a")), create(address("b"))]);
    const labels = ["a", "b", "c", "d", "e", "f"];
    const names = labels.map((label) => address(label).name);
    const known = await zoneOf(session);
    fake.takeCalls();
    const before = await session.records(known, names, soon());
    expect(seen()).toEqual(names.map((name) => `GET ${name}`));
    await session.records(known, null, soon());
    fake.takeCalls();
    const { sets, pages } = await session.records(known, names, soon());
    expect(seen()).toEqual(["GET *"]);
    expect([sets, pages]).toEqual([before.sets, 1]);
  });
});

test("a name and its markers are read by one question, and nothing of their neighbours", async () => {
  await mustApply(session, [withMarker("one"), withMarker("two"), create(address("x.one"))]);
  const known = await zoneOf(session);
  fake.takeCalls();
  const names = ["one", "a-one"].map((label) => address(label).name);
  const { sets, pages } = await session.records(known, names, soon());
  expect(seen()).toEqual(["GET *one.example.org"]);
  expect([sets.map(({ name }) => name), pages]).toEqual([[...names].reverse(), 1]);
  const apex = recordSet("example.org", "A", "192.0.2.1").name;
  await session.records(known, [apex, ...names], soon());
  expect(seen()).toEqual(["GET example.org", "GET *one.example.org"]);
});

describe("records by id", () => {
  test("a value that stays keeps its id, and its comment with another TTL", async () => {
    const kept = zone.add({ type: "A", name: "a", content: "192.0.2.1", ttl: 900, comment: "why" });
    const set = address("a");
    const next = withTtl(address("a", "192.0.2.1", "192.0.2.2"), 600);
    await mustApply(session, [replace(set, next)]);
    expect(zone.records).toMatchObject([
      { id: kept.id, content: "192.0.2.1", ttl: 600, comment: "why" },
      { content: "192.0.2.2", ttl: 600 },
    ]);
  });

  test("a record that takes the place of another keeps its comment and tags", async () => {
    const notes = { comment: "ticket 7", tags: ["team:web"] };
    zone.plan = "pro";
    const session = openCloudflare(endpoint);
    await zoneOf(session);
    zone.add({ type: "A", name: "a", content: "192.0.2.1", ttl: 900, ...notes });
    await mustApply(session, [replace(address("a"), address("a", "192.0.2.2"))]);
    expect(zone.records).toMatchObject([{ content: "192.0.2.2", ...notes }]);
    session.close();
  });

  test("tags that an older plan has left are not copied where the plan has none", async () => {
    zone.plan = "pro";
    zone.add({ type: "A", name: "a", content: "192.0.2.1", comment: "ticket 7", tags: ["a:b"] });
    zone.plan = "free";
    const session = openCloudflare(endpoint);
    await zoneOf(session);
    await mustApply(session, [replace(address("a"), address("a", "192.0.2.2"))]);
    expect(zone.records).toMatchObject([{ content: "192.0.2.2", comment: "ticket 7" }]);
    expect(zone.records[0]?.tags ?? []).toEqual([]);
    session.close();
  });

  test("a record that was taken away is not replaced, and what came stays", async () => {
    await mustApply(session, [create(address("a"))]);
    zone.remove(zone.records[0]?.id ?? "");
    zone.add({ type: "A", name: "a", content: "192.0.2.9" });
    const change = replace(address("a"), address("a", "192.0.2.2"));
    const first = await applyOnce(session, [change]);
    expect(first).toMatchObject([
      { status: "precondition-failed", message: "Record does not exist (81044)" },
    ]);
    seen();
    // The id is not believed any more, and a reading shows that there is nothing to replace.
    expect(await applyOnce(session, [change])).toMatchObject([{ status: "precondition-failed" }]);
    expect(seen()).toEqual(["GET a.example.org"]);
    expect(values("a")).toEqual(["192.0.2.9"]);
  });

  test("of two who replace one value the second is refused", async () => {
    const other = openCloudflare(endpoint);
    await mustApply(session, [create(address("a"))]);
    await other.records(await zoneOf(other), null, soon());
    await mustApply(session, [replace(address("a"), address("a", "192.0.2.2"))]);
    const late = replace(address("a"), address("a", "192.0.2.3"));
    expect(await applyOnce(other, [late])).toMatchObject([{ status: "precondition-failed" }]);
    expect(values("a")).toEqual(["192.0.2.2"]);
    other.close();
  });

  test("the same record that somebody else made is not ours", async () => {
    zone.add({ type: "A", name: "a", content: "192.0.2.1", ttl: 900 });
    expect(await applyOnce(session, [create(address("a"))])).toMatchObject([
      { status: "precondition-failed", message: "An identical record already exists (81058)" },
    ]);
  });

  test("a name outside of the zone is never sent: the API would put the zone behind it", async () => {
    const outside = create(recordSet("www.example.com", "A", "192.0.2.1"));
    const outcomes = await applyOnce(session, [create(address("a")), outside]);
    expect(outcomes.map(({ status }) => status)).toEqual(["refused-together", "rejected"]);
    expect(seen()).toEqual([]);
  });
});

describe("pages", () => {
  test.each([49, 50, 51, 200])("a zone of %i records is read whole", async (size) => {
    for (let index = 0; index < size; index++)
      zone.add({ type: "A", name: `n${index}`, content: "192.0.2.1" });
    fake.perPageMax = 50;
    const paced: string[] = [];
    session.pace?.(async () => void paced.push("read"));
    const found = await session.records(await zoneOf(session), null, soon());
    expect(found.sets.filter(({ type }) => type === "A")).toHaveLength(size);
    expect([found.pages, paced.length]).toEqual([Math.ceil(size / 50), Math.ceil(size / 50) - 1]);
  });

  test("a listing from which a record goes between two pages is none", async () => {
    for (let index = 0; index < 60; index++)
      zone.add({ type: "A", name: `n${index}`, content: "192.0.2.1" });
    fake.perPageMax = 50;
    fake.afterPage = () => {
      fake.afterPage = () => undefined;
      zone.remove(zone.records[0]?.id ?? "");
    };
    await expect(session.records(await zoneOf(session), null, soon())).rejects.toMatchObject({
      code: "ProviderUnavailable",
      message: expect.stringContaining("changes while it is listed"),
    });
    const { sets } = await session.records(await zoneOf(session), null, soon());
    expect(sets.filter(({ type }) => type === "A")).toHaveLength(59);
  });

  test("zones are listed by pages of 50", async () => {
    for (let index = 0; index < 60; index++) fake.addZone(`more${index}`, `z${index}.example`);
    expect(await session.zones(soon())).toHaveLength(61);
    expect(fake.takeCalls()).toHaveLength(2);
  });
});

describe("zones", () => {
  test("the apex has the name servers of the zone; another vendor's are among them", async () => {
    zone.add({ type: "NS", name: "@", content: "ns1.example.net", ttl: 3600 });
    const { sets } = await session.records(await zoneOf(session), [zoneName()], soon());
    expect(sets).toMatchObject([
      {
        type: "NS",
        values: ["alice.ns.cloudflare.com", "ns1.example.net", "tom.ns.cloudflare.com"],
      },
      { type: "SOA" },
    ]);
  });

  test("a session that did not list its zones asks for the one that it reads", async () => {
    const known = await zoneOf(session);
    const other = openCloudflare(endpoint);
    const { sets } = await other.records(known, [zoneName()], soon());
    expect(sets.map(({ type }) => type)).toEqual(["NS", "SOA"]);
    other.close();
  });

  test("internal zones are private, secondary ones are left out, partial ones have no servers", async () => {
    fake.addZone("z2", "example.org").type = "internal";
    fake.addZone("z3", "second.example").type = "secondary";
    fake.addZone("z4", "partial.example").type = "partial";
    const shown = async (config: Readonly<Record<string, unknown>>): Promise<readonly string[]> => {
      const one = openCloudflare(endpoint, {}, config);
      const zones = await one.zones(soon());
      one.close();
      return zones.map(({ id, visibility = "public" }) => `${id} ${visibility}`);
    };
    expect(await shown({})).toEqual(["z1 public", "z2 private", "z4 public"]);
    expect(await shown({ zoneType: "private" })).toEqual(["z2 private"]);
    const partial = (await session.zones(soon())).find(({ id }) => id === "z4");
    if (partial === undefined) throw new Error("no zone");
    expect((await session.records(partial, null, soon())).sets).toEqual([]);
  });

  function zoneName(): RecordSet["name"] {
    return recordSet("example.org", "A", "192.0.2.1").name;
  }
});

describe("refusals", () => {
  const taken = (): ChangeGroup => create(address("taken", "192.0.2.1"));

  test("a refusal is everybody's", async () => {
    zone.add({ type: "A", name: "taken", content: "192.0.2.1" });
    const outcomes = await applyOnce(session, [create(address("good")), taken()]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      "precondition-failed",
      "precondition-failed",
    ]);
    expect(values("good")).toEqual([]);
  });

  test.each([
    [
      "81053",
      () => recordSet("taken.example.org", "CNAME", "lb.example.com"),
      "precondition-failed",
    ],
    ["9005", () => address("bad", "300.1.1.1"), "rejected"],
    ["81045", () => address("quota"), "rejected"],
  ] as const)("%s", async (code, next, status) => {
    zone.add({ type: "A", name: "taken", content: "192.0.2.9" });
    zone.recordsMax = code === "81045" ? 1 : 100;
    const set = next();
    const [outcome] = await applyOnce(session, [group(set.name, [{ op: "create", next: set }])]);
    expect(outcome).toMatchObject({ status, message: expect.stringContaining(`(${code})`) });
    if (status === "rejected") expect(outcome).toMatchObject({ code: `Cloudflare${code}` });
  });
});

describe("trouble", () => {
  const POST = /^POST/;

  test.each([
    [429, errorBody(971, "Please wait"), { "retry-after": "7" }, 7000],
    [429, errorBody(971, "Please wait"), {}, null],
    [429, "<html>1015</html>", { "retry-after": "30" }, 30_000],
    [400, errorBody(971, "Please wait"), {}, null],
  ])("%i %s %o makes the account wait", async (status, body, headers, retryAfterMs) => {
    fake.breakNext(POST, { is: "refused", status, body, headers });
    const error = await applyOnce(session, [create(address("a"))]).catch((one: unknown) => one);
    expect(error).toMatchObject({ code: "Throttled", nothingSent: true, retryAfterMs });
  });

  test("1200 requests, then none for five minutes", async () => {
    fake.requestsMax = 2;
    await session.zones(soon());
    await session.zones(soon());
    await expect(session.zones(soon())).rejects.toMatchObject({
      code: "Throttled",
      retryAfterMs: 300_000,
    });
  });

  test.each([
    [500, errorBody(1000, "Internal error"), "unknown"],
    [502, "<html>Bad gateway</html>", "unknown"],
    [404, errorBody(7003, "Could not route to /zones/z1"), "retry"],
    [400, errorBody(6003, "Invalid request headers"), "retry"],
    [403, errorBody(10000, "Authentication error"), "retry"],
    [403, "<html>1020</html>", "retry"],
    [200, "{}", "unknown"],
    [200, errorBody(9005, "no"), "unknown"],
    [307, "", "unknown"],
    [200, "[]", "unknown"],
    [200, "", "unknown"],
    [400, '{"success":false,"errors":null}', "retry"],
    [400, '{"success":false,"errors":[{"code":"9005","message":null,"extra":1}]}', "rejected"],
    [
      400,
      '{"success":false,"errors":[{"code":1004,"message":"DNS Validation Error","error_chain":[{"code":9021,"message":"Invalid TTL."}]}]}',
      "rejected",
    ],
  ])("%i %s is %s", async (status, body, outcome) => {
    fake.breakNext(POST, { is: "refused", status, body });
    const [found] = await applyOnce(session, [create(address("a"))]);
    expect(found?.status).toBe(outcome);
  });

  test("a message shows neither token nor ids", async () => {
    const body = errorBody(9109, "no 023e105f4ecef8ad9ca31a8372d0c353 \u001b[31m");
    fake.breakNext(POST, { is: "refused", status: 403, body });
    const [found] = await applyOnce(session, [create(address("a"))]);
    expect(JSON.stringify(found)).toContain("no … \\\\u001b[31m (9109)");
    expect(JSON.stringify(found)).toContain("permissions Zone Read and DNS Edit");
    expect(JSON.stringify(found)).not.toContain(fake.token);
  });

  test.each(["cut-before", "cut-after", "half"] as const)("%s is unknown", async (is) => {
    fake.breakNext(POST, { is });
    const [found] = await applyOnce(session, [create(address("a"))]);
    expect(found?.status).toBe("unknown");
    // Whatever became of it, the next removal finds what there is.
    await mustApply(session, [remove(address("a"))]);
    expect(values("a")).toEqual([]);
  });

  test.each([
    ['{"success":true,"result":null}', "no list"],
    ['{"success":true,"result":{}}', "no list"],
    ['{"success":true}', "no list"],
    ['{"success":true,"result":null,"result_info":{"total_count":0}}', null],
  ])("a page of %s is no empty zone, unless it counts none", async (body, trouble) => {
    const known = await zoneOf(session);
    fake.breakNext(/^GET .*dns_records/, { is: "refused", status: 200, body });
    const found = await session.records(known, null, soon()).catch((one: unknown) => one);
    if (trouble === null) expect(found).toMatchObject({ sets: [{ type: "NS" }, { type: "SOA" }] });
    else expect(found).toMatchObject({ message: expect.stringContaining(trouble) });
  });

  test("half a page is no page", async () => {
    const known = await zoneOf(session);
    fake.breakNext(/^GET .*dns_records/, { is: "half" });
    await expect(session.records(known, null, soon())).rejects.toMatchObject({
      name: "OperationError",
    });
  });

  test("a wrong token, a wrong key, and a zone that may only be read", async () => {
    fake.readOnly.add("z1");
    const [found] = await applyOnce(session, [create(address("a"))]);
    expect(found).toMatchObject({ status: "retry", message: expect.stringContaining("DNS Edit") });
    fake.token = "another-token-of-somebody-else-1234567890";
    await expect(session.zones(soon())).rejects.toMatchObject({
      code: "ProviderCredentials",
      message: expect.stringContaining("Invalid access token (9109); correct the Secret"),
    });
  });

  test("a pause holds what writes, and nothing else", async () => {
    const paused = openCloudflare(endpoint, { writeGate: () => "paused by a test" });
    const known = await zoneOf(paused);
    const sent = applyOnce(paused, [create(address("a"))]);
    await expect(sent).rejects.toMatchObject({ code: "Paused" });
    await paused.records(known, null, soon());
    expect(seen()).toEqual(["GET *"]);
    paused.close();
  });

  test("who may not learn what answers is told the same of a closed port as of silence", async () => {
    const hidden = openCloudflare("http://127.0.0.1:1", { hidesTroubles: true });
    await expect(hidden.zones(soon())).rejects.toMatchObject({
      code: "ProviderUnavailable",
      message: expect.stringContaining("cannot be reached, or does not answer"),
    });
    hidden.close();
  });
});
