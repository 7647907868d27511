/** coredns-etcd on its fake: counted calls, keys as CoreDNS reads them, what is compared. */
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
import { keysOf, openCoreDns, setsIn } from "../../../test/support/fakes/coredns/harness.ts";
import { FakeEtcd } from "../../../test/support/fakes/coredns/server.ts";
import type { RecordSet } from "../../model/record-set.ts";
import { pack } from "../../sync/calls/pack-batches.ts";
import type { ProviderSession } from "../provider.ts";
import { auditSet, normalizeSet } from "./convert.ts";

let fake: FakeEtcd;
let server: string;
let session: ProviderSession;

beforeEach(async () => {
  fake = new FakeEtcd();
  server = await fake.start();
  session = openCoreDns(server);
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

/** Calls, without the question whether the zone may be read. */
const seen = (): readonly string[] =>
  fake
    .takeCalls()
    .map(({ path }) => path.replace(/^.*\//, ""))
    .slice(1);

const foreign = (set: RecordSet): void => {
  for (const [key, value] of keysOf(set)) fake.put(key, value);
};

const published = (): readonly string[] =>
  setsIn(fake.keys).map(({ name, type, values }) => `${name} ${type} ${values.join(" ")}`);

const TEXT = (label: string): RecordSet => recordSet(`${label}.example.org`, "TXT", '"marker"');

describe("calls", () => {
  test("a new name, its change and its removal are one call each, with no reading", async () => {
    await mustApply(session, [create(address("a"))]);
    expect(seen()).toEqual(["txn"]);
    await mustApply(session, [replace(address("a"), address("a", "192.0.2.2"))]);
    expect(seen()).toEqual(["txn"]);
    await mustApply(session, [remove(address("a", "192.0.2.2"))]);
    expect([seen(), fake.keys]).toEqual([["txn"], []]);
  });

  test("1000 new names with their markers are 33 calls, also with a fence record", async () => {
    const fence = TEXT("_fence");
    foreign(fence);
    const groups = Array.from({ length: 1000 }, (_, index) => {
      const sets = [address(`n${index}`), TEXT(`a-n${index}`)];
      const changes = sets.map((next) => ({ op: "create", next }) as const);
      // As markers have it: the other form of their names is not in use.
      const key = { ...TEXT(`_owner.a.n${index}`), type: "TXT" };
      return group(address(`n${index}`).name, changes, [{ is: "absent", key }]);
    });
    const compare = { is: "exact", set: fence } as const;
    for (const [first, ...rest] of pack(groups, session.capabilities, [compare])) {
      if (first === undefined) continue;
      const fenced = { ...first, preconditions: [compare, ...first.preconditions] };
      const outcomes = await applyOnce(session, [fenced, ...rest]);
      expect(outcomes.every(({ status }) => status === "applied")).toBe(true);
    }
    const calls = fake.takeCalls().filter(({ path }) => path.endsWith("/txn"));
    expect([calls.length, fake.keys.length]).toEqual([33, 2001]);
  });

  test("what does not fit into a transaction waits for the next one", async () => {
    const sets = Array.from({ length: 32 }, (_, index) => address(`n${index}`));
    await mustApply(session, sets.map(create));
    const removals = sets.map((set, index) => {
      const other = { name: TEXT(`m${index}`).name, type: "TXT", setIdentifier: null };
      const absent = { is: "absent", key: other } as const;
      return group(set.name, [{ op: "remove", previous: set }], [absent]);
    });
    const outcomes = await applyOnce(session, removals);
    const later = removals.filter((_, index) => outcomes[index]?.status === "refused-together");
    expect(later.length).toBe(7);
    await mustApply(session, later);
    expect(fake.keys).toEqual([]);
  });

  test("a reading goes on from page to page; few names are read alone", async () => {
    for (const label of ["a", "b", "c"]) foreign(address(label));
    fake.keysPerPage = 1;
    const zone = await zoneOf(session);
    fake.takeCalls();
    const { sets, pages } = await session.records(zone, null, soon());
    expect([sets.length, pages]).toEqual([3, 3]);
    fake.keysPerPage = 100;
    expect((await session.records(zone, [address("b").name], soon())).sets).toHaveLength(1);
  });
});

describe("keys", () => {
  test("one key for each value, in a group that keeps names below out of the answer", async () => {
    await mustApply(session, [create(address("www", "192.0.2.1", "192.0.2.2"))]);
    expect(fake.keys.map(([key]) => key.replace(/[0-9a-f]{8}$/, "*"))).toEqual([
      "/skydns/org/example/www/*",
      "/skydns/org/example/www/*",
    ]);
    expect(fake.keys.map(([, value]) => JSON.parse(value)).sort()).toEqual(
      ["192.0.2.1", "192.0.2.2"].map((host) =>
        expect.objectContaining({ host, ttl: 900, group: "www.example.org", targetstrip: 1 }),
      ),
    );
  });

  test("addresses of the apex are where CoreDNS looks for them, and are read where others put them", async () => {
    const apex = recordSet("example.org", "A", "192.0.2.1");
    await mustApply(session, [create(apex)]);
    expect(fake.keys.map(([key]) => key)).toEqual([
      expect.stringMatching(/^\/skydns\/org\/example\/dns\/apex\/[0-9a-f]{8}$/),
    ]);
    await mustApply(session, [remove(apex)]);
    fake.put("/skydns/org/example/x", '{"host":"192.0.2.1","targetstrip":1}');
    const read = await session.records(await zoneOf(session), [apex.name], soon());
    expect(read.sets).toMatchObject([{ name: "example.org", type: "A", ttlSeconds: 300 }]);
  });

  test("PTR is at the name itself", async () => {
    const reverse = "2.0.192.in-addr.arpa";
    const other = openCoreDns(server, { config: { zones: [reverse], prefix: "dns/inner" } });
    const pointer = recordSet(`1.${reverse}`, "PTR", "www.example.org");
    await mustApply(other, [create(pointer)]);
    expect(fake.keys.map(([key]) => key)).toEqual(["/dns/inner/arpa/in-addr/192/0/2/1"]);
    const { sets } = await other.records(await zoneOf(other), null, soon());
    expect(sets).toEqual([pointer]);
    await mustApply(other, [remove(pointer)]);
    other.close();
  });

  test("what others wrote is read as CoreDNS answers it", async () => {
    fake.put("/skydns/org/example/old", '{"host":"192.0.2.1"}');
    fake.put(
      "/skydns/org/example/both/x",
      '{"host":"lb.example.com.","text":"a\\"b","targetstrip":1}',
    );
    fake.put("/skydns/org/example/mixed/x", '{"host":"2001:DB8::1","ttl":60,"targetstrip":1}');
    fake.put("/skydns/org/example/mixed/y", '{"host":"2001:db8::2","ttl":30,"targetstrip":1}');
    fake.put("/skydns/org/example/broken/x", "no JSON");
    const { sets } = await session.records(await zoneOf(session), null, soon());
    expect(sets.map((set) => [set.name, set.type, set.ttlSeconds, ...set.values])).toEqual([
      ["both.example.org", "CNAME", 300, "lb.example.com"],
      ["both.example.org", "TXT", 300, '"a\\"b"'],
      ["mixed.example.org", "AAAA", 30, "2001:db8::1", "2001:db8::2"],
      ["old.example.org", "A", 300, "192.0.2.1"],
    ]);
  });

  test("the other half of a key, fields that nobody knows and broken keys stay", async () => {
    const value = '{"host":"192.0.2.1","text":"keep","ttl":900,"targetstrip":1,"owner":"x"}';
    fake.put("/skydns/org/example/a/x", value);
    fake.put("/skydns/org/example/a/y/z", "no JSON");
    await mustApply(session, [replace(address("a"), { ...address("a"), ttlSeconds: 60 })]);
    expect(JSON.parse(fake.keys[0]?.[1] ?? "")).toMatchObject({
      owner: "x",
      text: "keep",
      ttl: 60,
    });
    await mustApply(session, [remove({ ...address("a"), ttlSeconds: 60 })]);
    expect(fake.keys.map(([, one]) => one)).toEqual([
      '{"ttl":60,"targetstrip":1,"owner":"x","text":"keep"}',
      "no JSON",
    ]);
  });
});

describe("what is compared", () => {
  const next = replace(address("a"), address("a", "192.0.2.2"));

  test.each<[string, () => void, string]>([
    ["nothing", () => undefined, "applied"],
    ["a value of the set", () => foreign(address("a", "192.0.2.9")), "precondition-failed"],
    [
      "the set is gone",
      () => fake.remove(keysOf(address("a"))[0]?.[0] ?? ""),
      "precondition-failed",
    ],
    [
      "the same value by another key",
      () => fake.put("/skydns/org/example/a/x", '{"host":"192.0.2.7","targetstrip":1}'),
      "precondition-failed",
    ],
    [
      "the old form of a key",
      () => fake.put("/skydns/org/example/a", '{"host":"192.0.2.7"}'),
      "precondition-failed",
    ],
    ["another type", () => foreign(TEXT("a")), "applied"],
    ["a name below", () => foreign(address("x.a")), "applied"],
    ["a neighbour", () => foreign(address("a-b")), "applied"],
  ])("%s came after the reading", async (_what, change, status) => {
    await mustApply(session, [create(address("a"))]);
    change();
    const before = published();
    expect(await applyOnce(session, [next])).toMatchObject([{ status }]);
    if (status !== "applied") expect(published()).toEqual(before);
    expect(published().length).toBeGreaterThanOrEqual(before.length);
  });

  test("a set that exists is not created, nor is a CNAME beside it; neighbours go again", async () => {
    foreign(address("a", "192.0.2.9"));
    for (const wanted of [address("a"), recordSet("a.example.org", "CNAME", "lb.example.com")])
      expect(await applyOnce(session, [create(wanted), create(address("b"))])).toMatchObject([
        { status: "precondition-failed" },
        { status: "refused-together" },
      ]);
    expect(published()).toEqual(["a.example.org A 192.0.2.9"]);
  });
});

describe("users and troubles", () => {
  const secret = { Username: "dns", Password: "s3cret word" };

  test("a token that counts no more is renewed once; a wrong password is told as such", async () => {
    fake.user = { name: "dns", password: secret.Password };
    const known = openCoreDns(server, { secret });
    await mustApply(known, [create(address("a"))]);
    fake.revokeTokens();
    fake.takeCalls();
    await mustApply(known, [replace(address("a"), address("a", "192.0.2.2"))]);
    expect(fake.takeCalls().filter(({ path }) => path.endsWith("authenticate"))).toHaveLength(1);
    known.close();
    const wrong = openCoreDns(server, { secret: { ...secret, Password: "other" } });
    for (const opened of [wrong, session]) {
      const error: unknown = await opened.zones(soon()).catch((one: unknown) => one);
      expect(error).toMatchObject({ code: "ProviderCredentials" });
      expect(String(error)).not.toMatch(/s3cret|other/);
    }
    wrong.close();
  });

  test("a user where nobody is asked", async () => {
    const known = openCoreDns(server, { secret });
    await expect(known.zones(soon())).rejects.toMatchObject({
      code: "ProviderCredentials",
      message: expect.stringContaining("authentication is not enabled"),
    });
    known.close();
  });

  test("a pause holds what writes, and nothing else", async () => {
    const paused = openCoreDns(server, { environment: { writeGate: () => "paused by a test" } });
    const sent = applyOnce(paused, [create(address("a"))]);
    await expect(sent).rejects.toMatchObject({ code: "Paused" });
    await paused.records(await zoneOf(paused), null, soon());
    expect(fake.keys).toEqual([]);
    paused.close();
  });

  test("a zone below another configured one keeps its names", async () => {
    const both = openCoreDns(server, { config: { zones: ["example.org", "sub.example.org"] } });
    foreign(address("www.sub"));
    const [upper, lower] = await both.zones(soon());
    if (upper === undefined || lower === undefined) throw new Error("two zones");
    expect((await both.records(upper, null, soon())).sets).toEqual([]);
    expect((await both.records(lower, null, soon())).sets).toHaveLength(1);
    both.close();
  });

  test("the zone . has the names of all zones", async () => {
    const all = openCoreDns(server, { config: { zones: ["."] } });
    foreign(address("www"));
    const [zone] = await all.zones(soon());
    if (zone === undefined) throw new Error("a zone");
    const other = recordSet("nas.lan", "A", "192.0.2.2");
    expect(auditSet(normalizeSet(other), zone)).toEqual([]);
    for await (const outcome of all.apply(zone, [create(other)], soon()))
      expect(outcome.status).toBe("applied");
    const { sets } = await all.records(zone, null, soon());
    expect(sets.map(({ name }) => name).sort()).toEqual(["nas.lan", "www.example.org"]);
    expect(fake.keys.map(([key]) => key.replace(/\/\w+$/, ""))).toContain("/skydns/lan/nas");
    all.close();
  });
});

test.each([
  [recordSet("example.com", "A", "192.0.2.1"), "InvalidName"],
  [recordSet("*.example.org", "A", "192.0.2.1"), "InvalidName"],
  [recordSet("any.example.org", "A", "192.0.2.1"), "InvalidName"],
  [recordSet("x.dns.example.org", "A", "192.0.2.1"), "InvalidName"],
  [recordSet("x.example.org", "MX", "10 mail.example.org"), "UnsupportedType"],
  [recordSet("x.example.org", "PTR", "a.example"), "InvalidValue"],
  [recordSet("x.example.org", "TXT", '""'), "InvalidValue"],
  [recordSet("x.example.org", "TXT", `"${"x".repeat(253)}\\195" "x"`), "InvalidValue"],
  [{ ...address("x"), setIdentifier: "a" }, "UnsupportedRoutingPolicy"],
])("%o: %s", async (set, code) => {
  const problems = auditSet(normalizeSet(set), await zoneOf(session));
  expect(problems.map((problem) => problem.code)).toContain(code);
});
