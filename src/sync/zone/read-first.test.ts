/**
 * What the call cannot assert is read right before it (Z-8): back ends that compare nothing, and
 * those that compare by the writes alone.
 */
import { expect, test } from "vitest";
import {
  LIKE_ALIDNS,
  LIKE_CLOUDFLARE,
  LIKE_ROUTE53,
  type MemoryBehaviour,
} from "../../../test/support/memory-provider/behaviour.ts";
import { NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { trustedDnsName } from "../../model/dns-name.ts";
import type { ProviderSession } from "../../providers/provider.ts";

/** An engine over such a back end that counts its calls, and notes when they were made. */
function countedWorld(behaviour: MemoryBehaviour, rate: MemoryBehaviour["rate"] = null) {
  const world = engineWorld({ behaviour: { ...behaviour, rate, readLagMs: 0 } });
  const calls: string[] = [];
  const times: (readonly [call: string, atMs: number])[] = [];
  const get = (target: ProviderSession, key: keyof ProviderSession) => {
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

test.each([
  ["Cloudflare", LIKE_CLOUDFLARE],
  ["AliDNS", LIKE_ALIDNS],
])(
  "Z-8 like %s: a stranger's record that came after the load is no record to add to",
  async (_like, behaviour) => {
    const { clock, engine, zoneInput, content, values, reports } = countedWorld(behaviour);
    engine.openZone(zoneInput);
    await clock.advance(5_000);
    const key = { name: trustedDnsName("www.example.org"), type: "A", setIdentifier: null };
    const foreign = {
      ...key,
      ttlSeconds: 300,
      values: ["198.51.100.1"],
      properties: {},
      routingPolicy: null,
    };
    content.write([{ key, next: foreign }], clock.monotonicMs());
    engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    await clock.advance(60_000);
    expect(values("www")).toEqual(["198.51.100.1"]);
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
