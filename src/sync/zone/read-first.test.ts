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
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { trustedDnsName } from "../../model/dns-name.ts";
import type { ProviderSession } from "../../providers/provider.ts";

/** An engine over such a back end that counts its calls. */
function countedWorld(behaviour: MemoryBehaviour) {
  const world = engineWorld({ behaviour: { ...behaviour, rate: null, readLagMs: 0 } });
  const calls: string[] = [];
  const get = (target: ProviderSession, key: keyof ProviderSession) => {
    const value: unknown = Reflect.get(target, key);
    if (typeof value !== "function") return value;
    return (...args: readonly unknown[]) => {
      if (key === "records") calls.push(args[1] === null ? "load" : "read");
      if (key === "apply") calls.push("write");
      return Reflect.apply(value, target, args);
    };
  };
  const session = new Proxy(world.zoneInput.session, { get: get as never });
  const zoneInput = { ...world.zoneInput, session };
  return { ...world, zoneInput, calls };
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
