import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { entryOf, tenantWorld } from "../../../test/support/worlds/tenant-world.ts";
import { NO_TENANCY, type ZoneTenancy } from "../contract/zone.ts";

test("AAAA of one namespace beside the A of another is held, and comes when the first goes (B2)", async () => {
  const world = await tenantWorld();
  const first = entryOf("ta", entry("six", ["192.0.2.11"]), 1);
  world.engine.contribute(KEY, first);
  await world.settle();
  world.engine.contribute(KEY, entryOf("tb", entry("six", ["2001:db8::666"], "AAAA")));
  await world.settle();
  expect([world.typesAt("six"), world.last("tb"), world.last("ta")]).toEqual([
    ["A"],
    ["NameTaken"],
    ["published"],
  ]);
  world.gone();
  world.engine.withdraw(first.object, "deleted-object");
  await world.settle();
  expect([world.typesAt("six"), world.last("tb")]).toEqual([["AAAA"], ["published"]]);
});

test("a DNSProvider that shares its names frees what waits (Z-28)", async () => {
  const says = { tenancy: NO_TENANCY };
  const world = await tenantWorld(says);
  world.engine.contribute(KEY, entryOf("ta", entry("six", ["192.0.2.11"])));
  world.engine.contribute(KEY, entryOf("tb", entry("six", ["2001:db8::1"], "AAAA"), 1));
  await world.settle();
  expect(world.last("tb")).toEqual(["NameTaken"]);
  says.tenancy = { ...NO_TENANCY, sharedNames: true };
  world.engine.gatesChanged();
  await world.settle();
  expect([world.typesAt("six"), world.last("tb")]).toEqual([["A", "AAAA"], ["published"]]);
  // What was published under another rule stays.
  says.tenancy = NO_TENANCY;
  world.engine.contribute(KEY, entryOf("tb", entry("six", ["2001:db8::2"], "AAAA"), 1));
  await world.settle();
  expect(world.values("six")).toContain("2001:db8::2");
});

test("equal data: both are published, and the record outlives the first object (Z-28)", async () => {
  const world = await tenantWorld();
  const first = entryOf("ta", entry("six", ["192.0.2.11"]));
  world.engine.contribute(KEY, first);
  world.engine.contribute(KEY, entryOf("tb", entry("six", ["192.0.2.11"]), 1));
  await world.settle();
  const shared = world.reports.filter(({ object }) => object.namespace === "tb").at(-1)?.names[0];
  expect([shared?.code, shared?.isPublished, shared?.sets.map(({ values }) => values)]).toEqual([
    "SharedRecord",
    true,
    [["192.0.2.11"]],
  ]);
  world.gone();
  world.engine.withdraw(first.object, "deleted-object");
  await world.settle();
  expect([world.values("six"), world.last("tb")]).toEqual([["192.0.2.11"], ["published"]]);
});

/** A wish of `tb` for a zone cut at `<name>.example.org`. */
const cutOfTb = (name: string, type = "NS", value = "ns.evil.test") =>
  entryOf("tb", entry(name, [value], type), 9);

describe("NS, DS and DNAME take no names of others (Z-26)", () => {
  test.each<[string, string, string]>([
    ["a wanted and published name below", "corp", "A app.corp.example.org (dnsentry/ta/app.corp)"],
    ["foreign mail at the name", "mail", "MX mail.example.org (no known owner)"],
    ["a foreign text at the name", "foreign", "TXT foreign.example.org (no known owner)"],
    ["another namespace's name", "fill7", "A fill7.example.org (dnsentry/ta/fill7)"],
    ["what waits for its address", "wait", "a.wait.example.org (dnsentry/ta/a.wait)"],
    ["a wildcard that answers there", "x.y.wild", "A *.wild.example.org (dnsentry/ta/*.wild)"],
  ])("%s blocks it (B1)", async (_, name, taken) => {
    const world = await tenantWorld();
    world.foreign('mail 300 MX 10 m.example.com.\nforeign 300 TXT "x"');
    for (const one of ["app.corp", "fill7", "*.wild"])
      world.engine.contribute(KEY, entryOf("ta", entry(one, ["192.0.2.1"])));
    const waits = entryOf("ta", entry("a.wait", []));
    const names = [{ name: trustedDnsName("a.wait.example.org"), reason: "NoTargets" as const }];
    world.engine.contribute(KEY, {
      ...waits,
      found: { ...waits.found, items: [], waiting: names },
    });
    await world.settle();
    for (const [type, value] of [
      ["NS", "ns.evil.test"],
      ["DS", `1 8 2 ${"00".repeat(32)}`],
      ["DNAME", "evil.test"],
    ] as const) {
      world.engine.contribute(KEY, cutOfTb(name, type, value));
      await world.settle();
      const [report] =
        world.reports.filter(({ object }) => object.namespace === "tb").at(-1)?.names ?? [];
      expect([report?.code, report?.message]).toEqual([
        name === "fill7" ? "NameTaken" : "DelegationRefused",
        name === "fill7"
          ? expect.stringContaining("dnsentry/ta/fill7 has the name")
          : `${type} at ${name}.example.org would take ${taken} from its owner; remove that, or annotate each DNSProvider of the zone with zonekeeper.dev/allow-delegation "${name}.example.org"`,
      ]);
    }
    expect(world.typesAt(name)).not.toContain("NS");
  });

  test("what the tenant has itself does not, nor what no object wants any more", async () => {
    const world = await tenantWorld();
    world.engine.contribute(KEY, entryOf("tb", entry("app.corp", ["192.0.2.1"])));
    await world.settle();
    world.engine.contribute(KEY, cutOfTb("corp"));
    await world.settle();
    expect(world.typesAt("corp")).toEqual(["NS"]);
  });

  test("the DNSProvider may allow it, and a later name of another namespace is Delegated", async () => {
    const allowed: ZoneTenancy = {
      ...NO_TENANCY,
      delegations: [trustedDnsName("corp.example.org")],
    };
    const says = { tenancy: allowed };
    const world = await tenantWorld(says);
    world.engine.contribute(KEY, entryOf("ta", entry("app.corp", ["192.0.2.1"])));
    world.engine.contribute(KEY, cutOfTb("corp"));
    world.engine.contribute(KEY, cutOfTb("corpse"));
    await world.settle();
    expect([world.typesAt("corp"), world.last("ta")]).toEqual([["NS"], ["Delegated"]]);
    says.tenancy = NO_TENANCY;
    world.engine.contribute(KEY, entryOf("ta", entry("b.corp", ["192.0.2.2"])));
    world.engine.contribute(KEY, cutOfTb("corp", "NS", "ns2.evil.test"));
    await world.settle();
    // What exists is kept up.
    expect([world.values("corp"), world.last("ta")]).toEqual([["ns2.evil.test"], ["Delegated"]]);
  });

  test("it waits for what is in its way, and comes by itself", async () => {
    const world = await tenantWorld();
    const first = entryOf("ta", entry("app.corp", ["192.0.2.1"]));
    world.foreign('a.b.corp 300 TXT "x"');
    world.engine.contribute(KEY, first);
    await world.poll();
    world.engine.contribute(KEY, cutOfTb("corp"));
    await world.settle();
    expect(world.last("tb")).toEqual(["DelegationRefused"]);
    world.foreign('a.b.corp 300 TXT "x"', false);
    await world.poll();
    expect([world.typesAt("corp"), world.last("tb")]).toEqual([[], ["DelegationRefused"]]);
    world.gone();
    world.engine.withdraw(first.object, "deleted-object");
    await world.settle();
    expect([world.typesAt("corp"), world.last("tb")]).toEqual([["NS"], ["published"]]);
  });

  test("a wildcard answers up to the closest name that exists (RFC 4592)", async () => {
    const world = await tenantWorld();
    world.foreign("* 300 A 192.0.2.1\ndeep 300 A 192.0.2.2");
    await world.poll();
    world.engine.contribute(KEY, cutOfTb("sub.deep"));
    await world.settle();
    expect(world.typesAt("sub.deep")).toEqual(["NS"]);
    world.engine.contribute(KEY, cutOfTb("sub"));
    await world.settle();
    expect(world.last("tb")).toEqual(["DelegationRefused"]);
    world.foreign("* 300 A 192.0.2.1", false);
    await world.poll();
    expect(world.typesAt("sub")).toEqual(["NS"]);
  });

  test("a marker below the cut blocks like its record, whose name may be elsewhere", async () => {
    const world = await tenantWorld();
    world.foreign(
      'a-corp 300 A 192.0.2.9\na-a-corp 300 TXT "heritage=external-dns,external-dns/owner=you,external-dns/resource=service/tc/x"',
    );
    await world.poll();
    world.engine.contribute(KEY, cutOfTb("a-a-corp"));
    await world.settle();
    expect(world.last("tb")).toEqual(["DelegationRefused"]);
  });
});
