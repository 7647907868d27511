/**
 * What the call cannot assert is read right before it (Z-8): back ends that compare nothing, and
 * those that compare by the writes alone.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import {
  LIKE_ALIDNS,
  LIKE_CLOUDFLARE,
  LIKE_POWERDNS,
  LIKE_ROUTE53,
  LIKE_WEBHOOK,
  type MemoryBehaviour,
} from "../../../test/support/memory-provider/behaviour.ts";
import { NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import { txtOwnershipOf } from "../../../test/support/values/txt-ownership.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import type { ProviderSession, RateLimit } from "../../providers/provider.ts";

/** An engine over such a back end that counts its calls, and notes when they were made. */
function countedWorld(
  behaviour: MemoryBehaviour,
  rate: MemoryBehaviour["rate"] = null,
  rateLimits: readonly RateLimit[] = [],
) {
  const world = engineWorld({ behaviour: { ...behaviour, rate, readLagMs: 0 } });
  const calls: string[] = [];
  const times: (readonly [call: string, atMs: number])[] = [];
  const get = (target: ProviderSession, key: keyof ProviderSession) => {
    if (key === "capabilities") return { ...target.capabilities, rateLimits };
    const value: unknown = Reflect.get(target, key);
    if (typeof value !== "function") return value;
    return (...args: readonly unknown[]) => {
      if (key === "records") calls.push(args[1] === null ? "load" : "read");
      if (key === "apply") calls.push("write");
      if (key === "records" || key === "apply")
        times.push([calls.at(-1) ?? "", world.clock.monotonicMs()]);
      return Reflect.apply(value, target, args);
    };
  };
  const session = new Proxy(world.zoneInput.session, { get: get as never });
  const zoneInput = { ...world.zoneInput, session };
  return { ...world, zoneInput, calls, times };
}

type Counted = ReturnType<typeof countedWorld>;

/** Somebody else writes an address there now. */
function writeForeign({ content, clock }: Counted, name: string): void {
  const key = { name: trustedDnsName(name), type: "A", setIdentifier: null };
  const rest = { ttlSeconds: 300, properties: {}, routingPolicy: null };
  content.write([{ key, next: { ...key, ...rest, values: [FOREIGN] } }], clock.monotonicMs());
}

const FOREIGN = "198.51.100.1";
const ONE_A_CALL = { ...LIKE_POWERDNS, batch: { ...LIKE_POWERDNS.batch, groupsMax: 1 } };

/** The calls that write are throttled for so long, if `isThrottled`. */
function throttle({ account }: Counted, afterMs: number, isThrottled: (zoneId: string) => boolean) {
  const apply = (zoneId: string) =>
    isThrottled(zoneId) ? [{ kind: "throttled", afterMs } as const] : [];
  account.breakWith({ ...NO_FAULTS, apply });
}

/** Opens a further zone of the account. */
function openFurther({ account, engine, zoneInput }: Counted, name: string, like: MemoryBehaviour) {
  const apex = trustedDnsName(name);
  const behaviour = { ...like, rate: null, readLagMs: 0 };
  const { zone, content } = account.addZone({ name: apex, behaviour });
  const ownership = txtOwnershipOf({ apex, owner: "me" }, like);
  const key = { account: "a", zone: apex };
  engine.openZone({ ...zoneInput, key, zone, ownership });
  const contribute = (label: string): void => {
    const one = entry(`${label}.${name}`, ["192.0.2.1"]);
    const items = one.found.items.map((item) => ({
      ...item,
      name: trustedDnsName(`${label}.${name}`),
    }));
    engine.contribute(key, { ...one, found: { ...one.found, items } });
  };
  const values = (label: string): readonly string[] =>
    content.at(trustedDnsName(`${label}.${name}`)).flatMap((set) => set.values);
  return { id: zone.id, contribute, values };
}

test.each([
  ["Cloudflare", LIKE_CLOUDFLARE],
  ["AliDNS", LIKE_ALIDNS],
])(
  "Z-8 like %s: a stranger's record that came after the load is no record to add to",
  async (_like, behaviour) => {
    const world = countedWorld(behaviour);
    const { clock, engine, zoneInput, values, reports } = world;
    engine.openZone(zoneInput);
    await clock.advance(5_000);
    writeForeign(world, "www.example.org");
    engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    await clock.advance(60_000);
    expect(values("www")).toEqual([FOREIGN]);
    expect(reports.at(-1)?.names[0]).toMatchObject({ state: "held", code: "ForeignRecord" });
    await engine.stop();
  },
);

test.each([
  ["Route53", LIKE_ROUTE53, ["write"]],
  ["Cloudflare", LIKE_CLOUDFLARE, ["read", "write", "read"]],
])("like %s, a new name takes %j", async (_like, behaviour, expected) => {
  const { clock, engine, zoneInput, calls, values } = countedWorld(behaviour);
  engine.openZone(zoneInput);
  await clock.advance(5_000);
  calls.length = 0;
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(5_000);
  expect(values("www")).toEqual(["192.0.2.1"]);
  expect(calls).toEqual(expected);
  await engine.stop();
});

test("Z-8 a thousand names are read at once, before their calls and after them", async () => {
  const { clock, engine, zoneInput, calls, values } = countedWorld(LIKE_CLOUDFLARE);
  engine.openZone(zoneInput);
  await clock.advance(5_000);
  calls.length = 0;
  for (let index = 0; index < 1000; index++)
    engine.contribute(KEY, entry(`n${index}`, ["192.0.2.1"]));
  await clock.advance(30_000);
  expect(values("n999")).toEqual(["192.0.2.1"]);
  expect(calls).toEqual(["read", ...Array<string>(10).fill("write"), "read"]);
  await engine.stop();
});

test.each([
  [null, ["read", "write", "write", "read"]],
  [9_000, ["read", "write", "write", "read"]],
  [11_000, ["read", "write", "read", "write", "read"]],
])("Z-8 too many calls for %j ms: what was read is old after ten seconds", async (afterMs, all) => {
  const { account, clock, engine, zoneInput, calls, values } = countedWorld(LIKE_CLOUDFLARE);
  engine.openZone(zoneInput);
  await clock.advance(5_000);
  calls.length = 0;
  let isFirst = true;
  account.breakWith({
    ...NO_FAULTS,
    apply: () => {
      const faults = isFirst ? [{ kind: "throttled", afterMs } as const] : [];
      isFirst = false;
      return faults;
    },
  });
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(60_000);
  expect(values("www")).toEqual(["192.0.2.1"]);
  expect(calls).toEqual(all);
  await engine.stop();
});

test("Z-8 many names, one a call: what waits for longer than ten seconds is read again", async () => {
  const rate = { burst: 1, perSecond: 2 };
  const { clock, engine, zoneInput, times, values } = countedWorld(LIKE_ALIDNS, rate);
  engine.openZone(zoneInput);
  await clock.advance(5_000);
  times.length = 0;
  for (let index = 0; index < 100; index++)
    engine.contribute(KEY, entry(`n${index}`, ["192.0.2.1"]));
  await clock.advance(600_000);
  expect(values("n99")).toEqual(["192.0.2.1"]);
  let readAtMs = Number.NEGATIVE_INFINITY;
  const ages = times.flatMap(([call, atMs]) => {
    if (call === "write") return [atMs - readAtMs];
    readAtMs = atMs;
    return [];
  });
  expect(Math.max(...ages)).toBeLessThan(11_000);
  expect(ages).toHaveLength(300);
  expect(times.length - ages.length).toBeLessThan(30);
  await engine.stop();
});

test.each([
  ["a webhook", 25_000, LIKE_WEBHOOK],
  ["a webhook", 300_000, LIKE_WEBHOOK],
  ["PowerDNS", 25_000, ONE_A_CALL],
  ["PowerDNS", 300_000, ONE_A_CALL],
])(
  "Z-8 like %s: whichever call is throttled for %i ms, what a stranger writes meanwhile stays",
  async (_like, afterMs, behaviour) => {
    for (const throttled of [0, 1, 2, 3]) {
      const world = countedWorld(behaviour);
      const { clock, engine, zoneInput, values } = world;
      engine.openZone(zoneInput);
      await clock.advance(5_000);
      let calls = 0;
      throttle(world, afterMs, () => calls++ === throttled);
      engine.contribute(KEY, entry("a", ["192.0.2.1"]));
      engine.contribute(KEY, entry("b", ["192.0.2.2"]));
      await clock.advance(20_000);
      const isForeign = values("b").length === 0;
      if (isForeign) writeForeign(world, "b.example.org");
      await clock.advance(400_000);
      expect([throttled, values("a")]).toEqual([throttled, ["192.0.2.1"]]);
      expect([throttled, values("b")]).toEqual([throttled, [isForeign ? FOREIGN : "192.0.2.2"]]);
      await engine.stop();
    }
  },
);

test.each([
  ["a webhook", LIKE_WEBHOOK],
  ["PowerDNS", LIKE_POWERDNS],
  ["Cloudflare", LIKE_CLOUDFLARE],
])(
  "Z-8 like %s: nor does the first call go on an old reading when another zone of the account is throttled",
  async (_like, like) => {
    const behaviour = { ...like, latencyMs: 200 };
    const world = countedWorld(behaviour);
    const { clock, engine, zoneInput, values, times } = world;
    engine.openZone(zoneInput);
    const net = openFurther(world, "example.net", behaviour);
    await clock.advance(5_000);
    let isFirst = true;
    throttle(world, 300_000, (zoneId) => {
      const isNow = isFirst && zoneId === net.id;
      if (isNow) isFirst = false;
      return isNow;
    });
    net.contribute("x");
    await clock.advance(100);
    times.length = 0;
    engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    await clock.advance(30_000);
    // It has read, and waits for its turn.
    expect(times.map(([call]) => call).filter((call) => call === "read")).toHaveLength(1);
    expect(values("www")).toEqual([]);
    writeForeign(world, "www.example.org");
    await clock.advance(400_000);
    expect(values("www")).toEqual([FOREIGN]);
    expect(net.values("x")).toEqual(["192.0.2.1"]);
    await engine.stop();
  },
);

test("Z-8 many zones whose turns all come late are written, and not read for ever", async () => {
  const slow: RateLimit = { counts: "writes", scope: "account", burst: 1, perSecond: 0.1 };
  const world = countedWorld(LIKE_POWERDNS, null, [slow]);
  const { clock, engine, zoneInput, calls } = world;
  engine.openZone(zoneInput);
  const zones = Array.from({ length: 40 }, (_, at) =>
    openFurther(world, `z${at}.example.net`, LIKE_POWERDNS),
  );
  await clock.advance(5_000);
  calls.length = 0;
  for (const label of ["first", "second"]) {
    for (const zone of zones) zone.contribute(label);
    await clock.advance(3_600_000);
    for (const zone of zones) expect(zone.values(label)).toEqual(["192.0.2.1"]);
  }
  expect(calls.filter((call) => call === "write")).toHaveLength(80);
  expect(calls.filter((call) => call === "read").length).toBeLessThan(600);
  await engine.stop();
});
