/** Addresses of name servers below the delegation that names them (Z-18, Z-26; RFC 1034 §4.2.1). */
import { describe, expect, test } from "vitest";
import { entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { entryOf, tenantWorld } from "../../../test/support/worlds/tenant-world.ts";
import type { Contribution } from "../contract/contribution.ts";
import { NO_TENANCY } from "../contract/zone.ts";

/** One object of a namespace for each record set. */
function contributionOf(namespace: string, name: string, values: readonly string[], type = "A") {
  const one = entryOf(namespace, entry(name, values, type));
  const object = { ...one.object, name: `${name}-${type}` };
  const items = one.found.items.map((item) => ({ ...item, provenance: object }));
  return { ...one, object, found: { ...one.found, items } };
}

const CUT = contributionOf("ta", "sub", ["ns1.sub.example.org", "ns.example.net"], "NS");
const GLUE = [
  contributionOf("ta", "ns1.sub", ["192.0.2.61"]),
  contributionOf("ta", "ns1.sub", ["2001:db8::61"], "AAAA"),
];
const ORDERS: readonly (readonly [string, readonly Contribution[]])[] = [
  ["the delegation first", [CUT, ...GLUE]],
  ["the addresses first", [...GLUE, CUT]],
  ["the delegation in between", [...GLUE.slice(0, 1), CUT, ...GLUE.slice(1)]],
];

describe("glue", () => {
  test.each(ORDERS)("%s: the same zone, and addresses are followed", async (_, contributions) => {
    const world = await tenantWorld();
    for (const one of contributions) {
      world.engine.contribute(KEY, one);
      await world.settle();
    }
    expect([world.typesAt("sub"), world.typesAt("ns1.sub")]).toEqual([["NS"], ["A", "AAAA"]]);
    expect(world.typesAt("a-ns1.sub")).toEqual(["TXT"]);
    world.engine.contribute(KEY, contributionOf("ta", "ns1.sub", ["192.0.2.62"]));
    await world.settle();
    expect([world.values("ns1.sub"), world.last("ta")]).toEqual([
      ["192.0.2.62", "2001:db8::61"],
      ["published"],
    ]);
  });

  test.each(ORDERS)(
    "%s: each goes with its object, and nothing is left",
    async (_, contributions) => {
      const world = await tenantWorld();
      for (const one of contributions) world.engine.contribute(KEY, one);
      await world.settle();
      world.gone();
      for (const [index, one] of contributions.entries()) {
        world.engine.withdraw(one.object, "deleted-object");
        await world.settle();
        const left = [...world.typesAt("sub"), ...world.typesAt("ns1.sub")];
        expect(left).toHaveLength(contributions.length - index - 1);
      }
      expect(world.typesAt("a-ns1.sub")).toEqual([]);
    },
  );

  test("an edit of the servers decides which addresses may come", async () => {
    const world = await tenantWorld();
    world.engine.contribute(KEY, CUT);
    await world.settle();
    world.engine.contribute(KEY, contributionOf("ta", "ns2.sub", ["192.0.2.2"]));
    world.engine.contribute(KEY, contributionOf("ta", "www.sub", ["192.0.2.3"]));
    await world.settle();
    expect([world.typesAt("ns2.sub"), world.typesAt("www.sub")]).toEqual([[], []]);
    world.engine.contribute(KEY, contributionOf("ta", "sub", ["ns2.sub.example.org"], "NS"));
    await world.settle();
    expect([world.typesAt("ns2.sub"), world.typesAt("www.sub")]).toEqual([["A"], []]);
  });

  test("a text or alias at a server's name is no glue", async () => {
    const world = await tenantWorld();
    world.engine.contribute(KEY, CUT);
    await world.settle();
    world.engine.contribute(KEY, contributionOf("ta", "ns1.sub", ['"x"'], "TXT"));
    world.engine.contribute(
      KEY,
      contributionOf("ta", "ns1.sub", ["elsewhere.example.net"], "CNAME"),
    );
    await world.settle();
    expect([world.typesAt("ns1.sub"), world.last("ta")]).toEqual([[], ["Delegated"]]);
  });
});

describe("glue is of the delegation's tenant (Z-26)", () => {
  test("not of another namespace, although it was first", async () => {
    const world = await tenantWorld();
    world.engine.contribute(KEY, CUT);
    await world.settle();
    world.engine.contribute(KEY, contributionOf("tb", "ns1.sub", ["192.0.2.66"]));
    await world.settle();
    expect([world.typesAt("ns1.sub"), world.last("tb")]).toEqual([[], ["NameTaken"]]);
    expect(world.message("tb")).toContain("ns1.sub.example.org is a server of the delegation");
    world.engine.contribute(KEY, GLUE[0] ?? CUT);
    await world.settle();
    expect(world.values("ns1.sub")).toEqual(["192.0.2.61"]);
  });

  test("not below a stranger's, unless the namespace alone has the zone or a name is allowed", async () => {
    const says = { tenancy: { ...NO_TENANCY, namespaces: ["ta", "tb"] } };
    const world = await tenantWorld(says);
    world.foreign("sub 300 NS ns1.sub.example.org");
    await world.poll();
    world.engine.contribute(KEY, contributionOf("tb", "ns1.sub", ["192.0.2.66"]));
    await world.settle();
    expect([world.typesAt("ns1.sub"), world.last("tb")]).toEqual([[], ["ForeignRecord"]]);
    says.tenancy = { ...says.tenancy, delegations: ["sub.example.org" as never] };
    world.engine.gatesChanged();
    await world.settle();
    expect(world.typesAt("ns1.sub")).toEqual([]);
    says.tenancy = { ...NO_TENANCY, namespaces: ["tb"] };
    world.engine.gatesChanged();
    await world.settle();
    expect([world.typesAt("ns1.sub"), world.last("tb")]).toEqual([["A"], ["published"]]);
  });
});

describe("below a DNAME", () => {
  test("the entry says which one is above, and comes when it goes", async () => {
    const world = await tenantWorld();
    world.foreign("old 300 DNAME new.example.net");
    await world.poll();
    world.engine.contribute(KEY, contributionOf("ta", "a.b.old", ["192.0.2.1"]));
    await world.settle();
    expect([world.typesAt("a.b.old"), world.last("ta")]).toEqual([[], ["Delegated"]]);
    expect(world.message("ta")).toBe(
      "DNAME new.example.net is at old.example.org: resolvers look for a.b.old.example.org below that target, and not here; choose another name, or remove the DNAME",
    );
    world.foreign("old 300 DNAME new.example.net", false);
    await world.poll();
    await world.clock.advance(600_000);
    expect([world.typesAt("a.b.old"), world.last("ta")]).toEqual([["A"], ["published"]]);
  });

  test("what is there when the DNAME comes is not green", async () => {
    const world = await tenantWorld();
    world.engine.contribute(KEY, contributionOf("ta", "www.sub", ["192.0.2.12"]));
    await world.settle();
    world.engine.contribute(KEY, contributionOf("ta", "sub", ["other.example.net"], "DNAME"));
    await world.settle();
    const report = world.reports.filter(({ object }) => object.name === "www.sub-A").at(-1);
    expect(world.typesAt("sub")).toEqual(["DNAME"]);
    expect(report?.names.map(({ state, code }) => code ?? state)).toEqual(["Delegated"]);
  });
});
