/** Z-18: one zone has one actor, whatever accounts lead there; what is unproven writes nothing. */
import { OperationError } from "@zonekeeper/base/operation-error";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { type MemoryFaults, NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import { APEX, engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import type { ProviderSession } from "../../providers/provider.ts";
import type { OpenZoneInput, WayFacts, WayFailure, ZoneKey } from "../contract/zone.ts";

const nameOf = (label: string) => trustedDnsName(`${label}.example.org`);
const OTHER = { account: "b", zone: APEX };

const NO_PROOFS: MemoryFaults = {
  ...NO_FAULTS,
  apply: (_, groups) =>
    groups.some(({ name }) => name.includes("_zonekeeper-fence"))
      ? [{ kind: "rejects", code: "Refused", matches: () => true }]
      : [],
};

/** The calls of one account, which may be refused. */
interface Calls {
  loads: number;
  /** Names of the groups that it applied. */
  readonly written: string[];
  isRefused: boolean;
}

/** The session as another account has it. */
function accountOf(session: ProviderSession): { session: ProviderSession; calls: Calls } {
  const calls: Calls = { loads: 0, written: [], isRefused: false };
  const enter = (): void => {
    if (!calls.isRefused) return;
    throw new OperationError({ code: "BadKey", message: "the key is refused", retry: "backoff" });
  };
  const token = session.changeToken?.bind(session);
  const own: Partial<ProviderSession> = {
    async records(zone, names, signal) {
      enter();
      if (names === null) calls.loads += 1;
      return session.records(zone, names, signal);
    },
    ...(token && {
      async changeToken(zone, signal) {
        enter();
        return token(zone, signal);
      },
    }),
    async *apply(zone, groups, signal) {
      enter();
      calls.written.push(...groups.map(({ name }) => name));
      yield* session.apply(zone, groups, signal);
    },
  };
  const get = (_: ProviderSession, key: keyof ProviderSession): unknown => {
    const value: unknown = own[key] ?? session[key];
    return typeof value === "function" ? value.bind(session) : value;
  };
  return { session: new Proxy(session, { get: get as never }), calls };
}

/** Two accounts of one zone, as `127.0.0.1` and `localhost`. */
function twoWays(more: Partial<OpenZoneInput> = {}, ofFirst: Partial<OpenZoneInput> = {}) {
  const world = engineWorld();
  const { engine, zoneInput, reports, content } = world;
  const [one, other] = [accountOf(zoneInput.session), accountOf(zoneInput.session)];
  const second = { ...zoneInput, key: OTHER, session: other.session, ...more };
  engine.openZone({ ...zoneInput, session: one.session, ...ofFirst });
  engine.openZone({ ...second, zone: { ...zoneInput.zone, endpoint: "localhost" } });
  const stateOf = (name: string, key: ZoneKey) =>
    reports
      .filter(({ object, zone }) => object.name === name && zone.account === key.account)
      .at(-1)?.names[0];
  const names = () =>
    [...new Set(content.all().map(({ name }) => name))].filter((name) => name !== APEX).sort();
  return { ...world, one: one.calls, other: other.calls, stateOf, names };
}

/** When the accounts came, and what the copy is like. */
interface CopyCase {
  readonly first?: number;
  readonly copy?: number;
  readonly copyName?: string;
  readonly isCopyMute?: boolean;
  /** What the first one says. */
  readonly sameAs?: readonly string[];
  /** Default true. */
  readonly isCopyTrusted?: boolean;
}

/** The session of a server that tells its zone and its serial, and answers for no single name. */
function muteOf(session: ProviderSession): ProviderSession {
  const records: ProviderSession["records"] = async (zone, names, signal) => {
    if (names === null) return session.records(zone, names, signal);
    throw new OperationError({ code: "Timeout", message: "no answer", retry: "backoff" });
  };
  const get = (_: ProviderSession, key: keyof ProviderSession): unknown => {
    const value: unknown = key === "records" ? records : session[key];
    return typeof value === "function" ? value.bind(session) : value;
  };
  return new Proxy(session, { get: get as never });
}

/** A zone with a copy of the apex, which some account shows. */
function withCopy(given: CopyCase = {}) {
  type Said = Partial<WayFacts>;
  const world = engineWorld();
  const { engine, zoneInput, account } = world;
  const copy = account.addZone({ name: APEX, id: "copy", endpoint: "198.51.100.7" });
  const isTrusted = given.isCopyTrusted ?? true;
  const facts = (sinceMs: number, provider: string, said: Said) => ({
    facts: () => ({
      sinceMs,
      isTrusted: isTrusted || provider.startsWith("infra/"),
      providers: [provider],
      sameAs: [],
      otherThan: [],
      ...said,
    }),
  });
  const key = { account: "b", zone: "copy" };
  const why: (string | null)[] = [];
  const opens = {
    first: (said: Said = {}) =>
      engine.openZone({
        ...zoneInput,
        ...facts(given.first ?? 1, "infra/real", { sameAs: given.sameAs ?? [], ...said }),
      }),
    copy: (said: Said = {}) =>
      engine.openZone({
        ...zoneInput,
        ...facts(given.copy ?? 2, given.copyName ?? "tenant/copy", said),
        session: given.isCopyMute === true ? muteOf(zoneInput.session) : zoneInput.session,
        key,
        zone: copy.zone,
        onTrouble: (one) => why.push(one?.message ?? null),
      }),
  };
  // Without the proofs that are tried there.
  const inCopy = () =>
    copy.content.all().filter(({ name }) => name !== APEX && !name.includes("_way-")).length;
  return { ...world, opens, key, why, inCopy };
}

test("objects of two accounts of one zone are published, changed and deleted by one actor", async () => {
  const { engine, clock, values, one, other, names, stateOf } = twoWays();
  engine.contribute(KEY, entry("a", ["192.0.2.1"]));
  engine.contribute(OTHER, entry("b", ["192.0.2.2"]));
  await clock.advance(20_000);
  expect([values("a"), values("b")]).toEqual([["192.0.2.1"], ["192.0.2.2"]]);
  expect(stateOf("b", OTHER)).toMatchObject({ state: "published" });
  engine.contribute(KEY, entry("a", ["192.0.2.3"]));
  engine.contribute(OTHER, entry("b", ["192.0.2.4"]));
  await clock.advance(20_000);
  expect([values("a"), values("b")]).toEqual([["192.0.2.3"], ["192.0.2.4"]]);
  engine.contribute(KEY, { ...entry("a", ["192.0.2.3"]), deleting: true });
  engine.contribute(OTHER, { ...entry("b", ["192.0.2.4"]), deleting: true });
  await clock.advance(20_000);
  // The proofs of the ways are gone, too.
  expect(names()).toEqual([]);
  const own = (name: string): boolean => /^[ab]\./.test(name);
  expect(new Set(one.written.filter(own))).toEqual(new Set(["a.example.org"]));
  expect(new Set(other.written.filter(own))).toEqual(new Set(["b.example.org"]));
  expect(one.loads + other.loads).toBe(1);
  expect(engine.status()).toHaveLength(1);
  await engine.stop();
});

test("where one of two accounts is refused, it says so, its objects fail and the others go on", async () => {
  const said = new Map<ZoneKey, string | null>();
  const onTrouble = (key: ZoneKey) => (why: WayFailure | null) =>
    said.set(key, why?.message ?? null);
  const { engine, clock, values, one, other, stateOf } = twoWays(
    { onTrouble: onTrouble(OTHER) },
    { onTrouble: onTrouble(KEY) },
  );
  engine.contribute(KEY, entry("a", ["192.0.2.1"]));
  engine.contribute(OTHER, entry("b", ["192.0.2.2"]));
  await clock.advance(20_000);
  for (const [refused, key, free] of [
    [other, OTHER, "a"],
    [one, KEY, "b"],
  ] as const) {
    const [freeKey, name] = free === "a" ? [KEY, "b"] : [OTHER, "a"];
    refused.isRefused = true;
    await clock.advance(120_000);
    engine.contribute(freeKey, entry(free, ["192.0.2.9"]));
    engine.contribute(key, entry(name, ["192.0.2.8"]));
    await clock.advance(20_000);
    expect(values(free)).toEqual(["192.0.2.9"]);
    expect(values(name)).not.toEqual(["192.0.2.8"]);
    expect(stateOf(name, key)).toMatchObject({ state: "failed", isPublished: true });
    expect(stateOf(free, freeKey)).toMatchObject({ state: "published" });
    expect([said.get(key), said.get(freeKey)]).toEqual([
      expect.stringContaining("the key is refused"),
      null,
    ]);
    refused.isRefused = false;
    await clock.advance(60_000);
    expect(values(name)).toEqual(["192.0.2.8"]);
    expect(stateOf(name, key)).toMatchObject({ state: "published" });
    expect(said.get(key)).toBeNull();
  }
  await engine.stop();
});

test("when the first account is left, the zone goes on by the other one", async () => {
  const { engine, clock, values, other } = twoWays();
  engine.contribute(KEY, entry("a", ["192.0.2.1"]));
  engine.contribute(OTHER, entry("b", ["192.0.2.2"]));
  await clock.advance(20_000);
  await engine.closeZone(KEY);
  engine.contribute(OTHER, entry("b", ["192.0.2.3"]));
  engine.contribute(KEY, entry("a", ["192.0.2.4"]));
  await clock.advance(20_000);
  expect([values("a"), values("b")]).toEqual([["192.0.2.1"], ["192.0.2.3"]]);
  engine.contribute(OTHER, entry("a", ["192.0.2.5"]));
  await clock.advance(20_000);
  expect(values("a")).toEqual(["192.0.2.5"]);
  expect(other.written).toContain("a.example.org");
  await engine.stop();
});

test("an object that goes from one account of the zone to the other keeps its record, and is wanted", async () => {
  const { engine, clock, values, one } = twoWays();
  engine.contribute(KEY, entry("a", ["192.0.2.1"]));
  await clock.advance(20_000);
  engine.contribute(OTHER, entry("a", ["192.0.2.1"]));
  engine.contribute(KEY, entry("a", ["192.0.2.1"]));
  engine.contribute(OTHER, entry("a", ["192.0.2.1"]));
  engine.unassign(OTHER, entry("a", []).object);
  engine.contribute(OTHER, entry("a", ["192.0.2.1"]));
  engine.unassign(KEY, entry("a", []).object);
  await clock.advance(60_000);
  expect(values("a")).toEqual(["192.0.2.1"]);
  one.isRefused = true;
  engine.contribute(OTHER, entry("a", ["192.0.2.2"]));
  await clock.advance(20_000);
  expect(values("a")).toEqual(["192.0.2.2"]);
  await engine.stop();
});

test("a copy of a zone stops nobody, and nothing is written through it", async () => {
  const { engine, clock, values, opens, key, why, inCopy, reports } = withCopy();
  opens.first();
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(5_000);
  opens.copy();
  engine.contribute(key, entry("evil", ["192.0.2.66"]));
  const { object, found } = entry("evil", ["192.0.2.66"]);
  const items = found.items.map((item) => ({ ...item, name: nameOf("www") }));
  engine.contribute(key, { ...entry("evil", []), object, found: { ...found, items } });
  await clock.advance(60_000);
  expect(reports.at(-1)).toMatchObject({
    zone: key,
    names: [{ state: "failed", code: "MaybeSameZone" }],
  });
  expect(why.at(-1)).toMatch(/may be zone memory memory example.org of DNSProvider infra\/real/);
  engine.contribute(KEY, { ...entry("www", ["192.0.2.1"]), deleting: true });
  await clock.advance(60_000);
  expect(values("www")).toEqual([]);
  expect(inCopy()).toBe(0);
  await engine.closeZone(KEY);
  await clock.advance(60_000);
  expect(why.at(-1)).toBeNull();
  await engine.stop();
});

test("of two that may be one, the one that was known first goes on, also after a restart", async () => {
  const { engine, clock, values, opens, key, why, inCopy } = withCopy();
  opens.copy();
  engine.contribute(key, entry("evil", ["192.0.2.66"]));
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(5_000);
  const before = inCopy();
  opens.first();
  await clock.advance(120_000);
  expect(values("www")).toEqual(["192.0.2.1"]);
  engine.contribute(key, entry("evil", ["192.0.2.67"]));
  await clock.advance(120_000);
  expect(inCopy()).toBe(before);
  expect(why.at(-1)).toMatch(/MaybeSame|may be zone/);
  await engine.stop();
});

test.each([
  ["the older one", true],
  ["the newcomer", false],
])("a way is one where %s says so: %s", async (_, isSaidByOlder) => {
  const { engine, clock, opens, why } = withCopy();
  opens.first(isSaidByOlder ? { sameAs: ["tenant/copy"] } : {});
  opens.copy(isSaidByOlder ? {} : { sameAs: ["infra/real"] });
  await clock.advance(60_000);
  expect(engine.status()).toHaveLength(isSaidByOlder ? 1 : 2);
  expect(why.at(-1) === null).toBe(isSaidByOlder);
  await engine.stop();
});

test("an inner and an outer view are two zones as soon as a person says so on the older DNSProvider", async () => {
  const { engine, clock, values, opens, key, why, inCopy } = withCopy();
  opens.first();
  opens.copy();
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  engine.contribute(key, entry("www", ["10.0.0.1"]));
  await clock.advance(300_000);
  expect([values("www"), inCopy()]).toEqual([["192.0.2.1"], 0]);
  expect(why.at(-1)).toContain(
    "annotate DNSProvider infra/real with zonekeeper.dev/same-zone-as: tenant/copy if both are one zone, with zonekeeper.dev/other-zone-than: tenant/copy if they are two",
  );
  opens.first({ otherThan: ["tenant/copy"] });
  engine.retryZone(KEY);
  await clock.advance(40_000);
  expect(why.at(-1)).toBeNull();
  expect([values("www"), inCopy()]).toEqual([["192.0.2.1"], 2]);
  // Each goes on by itself, and neither is asked again when its zone changes.
  engine.contribute(KEY, { ...entry("www", ["192.0.2.1"]), deleting: true });
  engine.contribute(key, entry("more", ["10.0.0.2"]));
  await clock.advance(120_000);
  expect([values("www"), inCopy()]).toEqual([[], 4]);
  // The word is taken back: the younger one waits again.
  opens.first();
  engine.retryZone(KEY);
  await clock.advance(60_000);
  expect(why.at(-1)).toMatch(/may be zone/);
  await engine.stop();
});

test.each([
  ["by the newcomer of another namespace", "tenant/copy", { copy: ["infra/real"] }, 1],
  ["by the newcomer of the same namespace", "infra/copy", { copy: ["infra/real"] }, 2],
  ["by the older one", "infra/copy", { first: ["infra/copy"] }, 2],
  ["with the opposite", "infra/copy", { first: ["infra/copy"], sameAs: ["infra/real"] }, 1],
] as const)("two zones of one apex, declared to be two %s", async (_, copyName, said, zones) => {
  const { engine, clock, opens, key, inCopy } = withCopy({ copyName });
  const { first = [], copy = [], sameAs = [] } = said as Partial<Record<string, readonly string[]>>;
  opens.first({ otherThan: first });
  opens.copy({ otherThan: copy, sameAs });
  engine.contribute(key, entry("www", ["10.0.0.1"]));
  await clock.advance(60_000);
  expect(inCopy()).toBe(zones === 2 ? 2 : 0);
  await engine.stop();
});

test("ways that are proven to be one stay one, whatever a person says", async () => {
  const facts = (provider: string): Pick<OpenZoneInput, "facts"> => ({
    facts: () => ({
      ...{ sinceMs: 1, isTrusted: true, providers: [provider], sameAs: [], otherThan: ["infra/b"] },
    }),
  });
  const { engine, clock, values } = twoWays(facts("infra/b"), facts("infra/a"));
  engine.contribute(OTHER, entry("b", ["192.0.2.2"]));
  await clock.advance(60_000);
  expect(values("b")).toEqual(["192.0.2.2"]);
  expect(engine.status()).toHaveLength(1);
  await engine.stop();
});

test("two views at one address are not told apart: what is stored for them would be one", async () => {
  const { engine, clock, account, zoneInput } = engineWorld();
  const why: (string | null)[] = [];
  const facts = (sinceMs: number, provider: string, otherThan: readonly string[]) => ({
    facts: () => ({ sinceMs, isTrusted: true, providers: [provider], sameAs: [], otherThan }),
  });
  account.breakWith(NO_PROOFS);
  engine.openZone({ ...zoneInput, ...facts(1, "infra/outer", ["infra/inner"]) });
  const onTrouble = (one: WayFailure | null) => why.push(one?.message ?? null);
  engine.openZone({ ...zoneInput, key: OTHER, ...facts(2, "infra/inner", []), onTrouble });
  await clock.advance(60_000);
  expect(why.at(-1)).toContain("two views of one server need an address each to be told apart");
  expect(engine.status()).toHaveLength(2);
  await engine.stop();
});

test("zones of one name with other servers are two, and are not asked to prove anything", async () => {
  const { engine, clock, account, zoneInput, content } = engineWorld();
  const inside = account.addZone({ name: APEX, id: "inside", endpoint: "inside" });
  const [ns] = inside.content.at(APEX).filter(({ type }) => type === "NS");
  if (ns === undefined) throw new Error("no NS");
  inside.content.write([{ key: ns, next: { ...ns, values: ["ns.inside.example.net"] } }]);
  engine.openZone(zoneInput);
  engine.openZone({ ...zoneInput, key: OTHER, zone: inside.zone });
  engine.contribute(KEY, entry("a", ["192.0.2.1"]));
  engine.contribute(OTHER, entry("a", ["192.0.2.2"]));
  const serial = content.serial;
  await clock.advance(20_000);
  const at = nameOf("a");
  const inBoth = [content, inside.content].map((one) => one.at(at)[0]?.values[0]);
  expect(inBoth).toEqual(["192.0.2.1", "192.0.2.2"]);
  expect(content.serial - serial).toBe(1);
  // Later they look alike: the one that came later waits.
  inside.content.write([{ key: ns, next: ns }]);
  await clock.advance(120_000);
  engine.contribute(OTHER, entry("a", ["192.0.2.3"]));
  engine.contribute(KEY, entry("a", ["192.0.2.4"]));
  await clock.advance(60_000);
  const now = [content, inside.content].map((one) => one.at(at)[0]?.values[0]);
  expect(now).toEqual(["192.0.2.4", "192.0.2.2"]);
  await engine.stop();
});

test("a zone that cannot be read at the start keeps no other account from it", async () => {
  const { engine, clock, values, one } = twoWays();
  one.isRefused = true;
  engine.contribute(OTHER, entry("b", ["192.0.2.2"]));
  await clock.advance(120_000);
  expect(values("b")).toEqual(["192.0.2.2"]);
  one.isRefused = false;
  engine.contribute(KEY, entry("a", ["192.0.2.1"]));
  await clock.advance(900_000);
  expect(values("a")).toEqual(["192.0.2.1"]);
  expect(engine.status()).toHaveLength(1);
  await engine.stop();
});

test("where the proof may not be written, the newcomer waits and says which right it needs", async () => {
  const why: (string | null)[] = [];
  const { engine, clock, account, values } = twoWays({
    onTrouble: (one) => why.push(one?.message ?? null),
  });
  account.breakWith(NO_PROOFS);
  engine.contribute(KEY, entry("a", ["192.0.2.1"]));
  engine.contribute(OTHER, entry("b", ["192.0.2.2"]));
  await clock.advance(60_000);
  expect([values("a"), values("b")]).toEqual([["192.0.2.1"], []]);
  expect(why.at(-1)).toMatch(
    /_way-\w+\._zonekeeper-fence\.example\.org TXT cannot be written at \S+: /,
  );
  account.breakWith(NO_FAULTS);
  await clock.advance(1_200_000);
  expect(values("b")).toEqual(["192.0.2.2"]);
  await engine.stop();
});

test("a copy that came first and does not answer for its apex keeps the older one from nothing", async () => {
  const { engine, clock, values, opens } = withCopy({ isCopyMute: true });
  opens.copy();
  await clock.advance(5_000);
  opens.first();
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(120_000);
  expect(values("www")).toEqual(["192.0.2.1"]);
  await engine.stop();
});

test("a copy of a namespace that is not trusted goes after the others, also where it is older", async () => {
  const { engine, clock, values, opens, why } = withCopy({
    first: 2,
    copy: 1,
    isCopyTrusted: false,
  });
  opens.copy({ sameAs: ["infra/real"] });
  await clock.advance(5_000);
  opens.first();
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(120_000);
  expect(values("www")).toEqual(["192.0.2.1"]);
  expect(why.at(-1)).toMatch(/may be zone/);
  await engine.stop();
});

test("a newcomer is tried again as soon as the older DNSProvider says that it is one zone", async () => {
  const sameAs: string[] = [];
  const { engine, clock, opens, why } = withCopy({ sameAs });
  opens.first();
  opens.copy();
  await clock.advance(300_000);
  expect(why.at(-1)).toMatch(/may be zone/);
  sameAs.push("tenant/copy");
  engine.retryZone(KEY);
  await clock.advance(1_000);
  expect(why.at(-1)).toBeNull();
  await engine.stop();
});

test("an account that has written is not pushed out by a refusal", async () => {
  const { engine, clock, account, opens, why, values, inCopy, key } = withCopy();
  opens.first();
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(20_000);
  account.breakWith({
    ...NO_FAULTS,
    apply: (id) =>
      id === "copy" ? [] : [{ kind: "rejects", code: "Refused", matches: () => true }],
  });
  opens.copy();
  engine.contribute(key, entry("evil", ["192.0.2.66"]));
  await clock.advance(120_000);
  expect(why.at(-1)).toMatch(/may be zone/);
  expect(inCopy()).toBe(0);
  account.breakWith(NO_FAULTS);
  engine.contribute(KEY, entry("www", ["192.0.2.2"]));
  await clock.advance(120_000);
  expect(values("www")).toEqual(["192.0.2.2"]);
  await engine.stop();
});
