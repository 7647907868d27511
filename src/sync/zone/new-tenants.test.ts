/** Records that would get another tenant beside names of the first (Z-26, Z-28, ADR 0084). */
import { describe, expect, test } from "vitest";
import { entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { entryOf, tenantWorld } from "../../../test/support/worlds/tenant-world.ts";
import type { Contribution } from "../contract/contribution.ts";
import { NO_TENANCY } from "../contract/zone.ts";

const TWO = { ...NO_TENANCY, namespaces: ["ta", "tb"] };
const of = (namespace: string, name: string, value: string, type?: string) =>
  entryOf(namespace, entry(name, [value], type), namespace === "ta" ? 1 : 2);
const edited = (one: Contribution): Contribution => ({ ...one, generation: 2 });

describe("equal data is not inherited at names that concern another tenant's", () => {
  test.each([
    ["vic", "192.0.2.1", "A", "_acme-challenge.vic", '"token"', '"evil"', "TXT"],
    ["*.wild", "192.0.2.1", "A", "a.wild", "192.0.2.2", "192.0.2.66", "A"],
    ["sub", "ns1.sub.example.org", "NS", "ns1.sub", "192.0.2.2", "192.0.2.66", "A"],
    ["www.sub", "192.0.2.1", "A", "sub", "ns.example.net", "ns.evil.test", "NS"],
  ])("%s %s %s: %s", async (mine, value, type, name, shared, evil, kind) => {
    const world = await tenantWorld({ tenancy: TWO });
    const first = of("ta", name, shared, kind);
    world.engine.contribute(KEY, of("ta", mine, value, type));
    await world.settle();
    world.engine.contribute(KEY, first);
    await world.settle();
    world.engine.contribute(KEY, of("tb", name, shared, kind));
    await world.settle();
    world.engine.withdraw(first.object, "deleted-object");
    await world.settle();
    world.engine.contribute(KEY, edited(of("tb", name, evil, kind)));
    await world.settle();
    expect([world.values(mine), world.values(name)]).toEqual([[value], []]);
  });
});

test.each(["equal", "listed"] as const)(
  "no tenant adopts (%s) an unowned text below another tenant's name",
  async (mode) => {
    const world = await tenantWorld({ tenancy: TWO });
    await world.engine.closeZone(KEY);
    const adoption = mode === "equal" ? { mode } : { mode, keys: [] };
    world.engine.openZone({ ...world.zoneInput, adoption });
    await world.settle();
    world.engine.contribute(KEY, of("ta", "vic", "192.0.2.12"));
    await world.settle();
    world.foreign('_acme-challenge.vic 300 TXT "old"');
    await world.poll();
    const one = of("tb", "_acme-challenge.vic", '"old"', "TXT");
    const adopt = [{ type: "TXT", value: '"old"' }];
    const transfer = { claim: false, permit: null, release: false, adopt, merge: false } as const;
    const items = one.found.items.map((item) => ({ ...item, transfer }));
    world.engine.contribute(KEY, { ...one, found: { ...one.found, items } });
    await world.settle();
    world.engine.contribute(KEY, edited(of("tb", "_acme-challenge.vic", '"evil"', "TXT")));
    await world.settle();
    expect(world.values("_acme-challenge.vic")).toEqual(['"old"']);
  },
);

describe("a wish that is held does not get another tenant's record when its object goes", () => {
  test.each([
    ["vic", "192.0.2.1", "A", "_acme-challenge.vic", '"token"', '"evil"', "TXT"],
    ["*.wild", "192.0.2.1", "A", "a.wild", "192.0.2.2", "192.0.2.66", "A"],
    ["sub", "ns1.sub.example.org", "NS", "ns1.sub", "192.0.2.2", "192.0.2.66", "A"],
  ])("%s %s %s: %s", async (mine, value, type, name, first, evil, kind) => {
    const world = await tenantWorld({ tenancy: TWO });
    const own = of("ta", name, first, kind);
    world.engine.contribute(KEY, of("ta", mine, value, type));
    await world.settle();
    world.engine.contribute(KEY, own);
    world.engine.contribute(KEY, of("tb", name, evil, kind));
    await world.settle();
    const before = world.values(name);
    world.engine.withdraw(own.object, "deleted-object");
    await world.settle();
    expect([before, world.values(mine), world.values(name)]).toEqual([[first], [value], []]);
  });
});
