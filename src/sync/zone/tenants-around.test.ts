/** Names around names of another namespace, through the whole engine (Z-28, ADR 0057). */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { entryOf, tenantWorld } from "../../../test/support/worlds/tenant-world.ts";
import { NO_TENANCY } from "../contract/zone.ts";

const TWO = { ...NO_TENANCY, namespaces: ["ta", "tb"] };
const of = (namespace: string, name: string, value: string, type?: string) =>
  entryOf(namespace, entry(name, [value], type), namespace === "ta" ? 1 : 2);

describe("R1 names around names of another namespace", () => {
  test.each<[string, string, string, string]>([
    ["_acme-challenge.vic", "TXT", '"x"', "NameTaken"],
    ["_acme-challenge.vic", "CNAME", "x.evil.test", "NameTaken"],
    ["_25._tcp.vic", "TLSA", `3 1 1 ${"00".repeat(32)}`, "NameTaken"],
    ["_dmarc.vic", "TXT", '"v=DMARC1"', "NameTaken"],
    ["x._domainkey.vic", "TXT", '"k"', "NameTaken"],
    ["_sip._udp.vic", "SRV", "0 0 1 x.evil.test", "NameTaken"],
    ["*.vic", "A", "192.0.2.66", "NameTaken"],
    ["_acme-challenge.wild", "TXT", '"x"', "NameTaken"],
    ["foo.wild", "A", "192.0.2.66", "NameTaken"],
    ["x.bar.wild", "A", "192.0.2.66", "NameTaken"],
    ["*", "A", "192.0.2.66", "NameTaken"],
    ["_acme-challenge.www", "TXT", '"x"', "ForeignRecord"],
    ["_acme-challenge.mail", "TXT", '"x"', "ForeignRecord"],
    ["_acme-challenge.fw", "TXT", '"x"', "ForeignRecord"],
    ["_acme-challenge.zz.fw", "TXT", '"x"', "ForeignRecord"],
    ["*._tcp.zz.fw", "TXT", '"x"', "ForeignRecord"],
    ["zz.fw", "A", "192.0.2.66", "published"],
    ["*.zz.fw", "A", "192.0.2.66", "published"],
    ["free", "A", "192.0.2.66", "published"],
    ["_acme-challenge.free", "TXT", '"x"', "published"],
    ["under.vic", "A", "192.0.2.66", "published"],
  ])("%s %s", async (name, type, value, expected) => {
    const world = await tenantWorld({ tenancy: TWO });
    world.foreign("www 300 A 192.0.2.3\nmail 300 MX 10 m.example.com.\n*.fw 300 A 192.0.2.4");
    world.engine.contribute(KEY, of("ta", "vic", "192.0.2.12"));
    world.engine.contribute(KEY, of("ta", "*.wild", "192.0.2.13"));
    await world.poll();
    world.engine.contribute(KEY, of("tb", name, value, type));
    await world.settle();
    expect(world.last("tb")).toEqual([expected]);
    expect(world.typesAt(name)).toEqual(expected === "published" ? [type] : []);
  });

  test("what is told names both names, the object and three ways out", async () => {
    const world = await tenantWorld({ tenancy: TWO });
    world.engine.contribute(KEY, of("ta", "vic", "192.0.2.12"));
    await world.settle();
    world.engine.contribute(KEY, of("tb", "_dmarc.vic", '"x"', "TXT"));
    await world.settle();
    expect(world.message("tb")).toBe(
      '_dmarc.vic.example.org belongs to vic.example.org, and others have A vic.example.org (dnsentry/ta/vic); choose another name, remove the name from dnsentry/ta/vic, or let that object permit it with permit-claim-by-resource "dnsentry/tb/_dmarc.vic"; or annotate each DNSProvider of the zone with zonekeeper.dev/allow-delegation "_dmarc.vic.example.org"',
    );
  });

  test.each<[string, string]>([
    ["vic", "_acme-challenge.vic"],
    ["vic", "*.vic"],
    ["a.wild", "*.wild"],
    ["*.wild", "a.wild"],
  ])("%s that exists first keeps %s out, until it goes", async (name, other) => {
    const world = await tenantWorld({ tenancy: TWO });
    const first = of("ta", name, "192.0.2.1");
    world.engine.contribute(KEY, first);
    await world.settle();
    world.engine.contribute(KEY, of("tb", other, "192.0.2.2"));
    await world.settle();
    expect([world.last("ta"), world.last("tb")]).toEqual([["published"], ["NameTaken"]]);
    world.gone();
    world.engine.withdraw(first.object, "deleted-object");
    await world.settle();
    expect([world.typesAt(name), world.last("tb")]).toEqual([[], ["published"]]);
  });

  test("below a stranger's wildcard the name comes first, and then what belongs to it", async () => {
    const world = await tenantWorld({ tenancy: TWO });
    world.foreign("*.fw 300 A 192.0.2.4");
    await world.poll();
    world.engine.contribute(KEY, of("tb", "_dmarc.shop.fw", '"x"', "TXT"));
    await world.settle();
    expect(world.message("tb")).toBe(
      '*.fw.example.org answers for _dmarc.shop.fw.example.org, and others have A *.fw.example.org (no known owner); choose another name, remove that, or annotate each DNSProvider of the zone with zonekeeper.dev/allow-delegation "*.fw.example.org"',
    );
    world.engine.contribute(KEY, of("tb", "shop.fw", "192.0.2.2"));
    await world.settle();
    expect([world.typesAt("shop.fw"), world.typesAt("_dmarc.shop.fw")]).toEqual([["A"], ["TXT"]]);
    world.engine.contribute(KEY, of("tb", "fw", "192.0.2.2"));
    await world.settle();
    world.engine.contribute(KEY, of("tb", "_acme-challenge.fw", '"x"', "TXT"));
    await world.settle();
    expect([world.typesAt("fw"), world.last("tb")]).toEqual([["A"], ["ForeignRecord"]]);
  });

  test("a name whose `_acme-challenge` another namespace has is not published, until that goes", async () => {
    const world = await tenantWorld({ tenancy: TWO });
    const early = of("tb", "_acme-challenge.new", '"x"', "TXT");
    world.engine.contribute(KEY, early);
    await world.settle();
    world.engine.contribute(KEY, of("ta", "new", "192.0.2.1"));
    await world.settle();
    expect([world.last("ta"), world.last("tb")]).toEqual([["NameTaken"], ["published"]]);
    world.gone();
    world.engine.withdraw(early.object, "deleted-object");
    await world.settle();
    expect(world.last("ta")).toEqual(["published"]);
  });

  test("at one time: the name goes before what belongs to it, and both orders end alike", async () => {
    for (const order of [0, 1]) {
      const world = await tenantWorld({ tenancy: TWO });
      const both = [of("ta", "vic", "192.0.2.1"), of("tb", "_dmarc.vic", '"x"', "TXT")];
      for (const one of order === 0 ? both : both.reverse()) world.engine.contribute(KEY, one);
      await world.settle();
      expect([world.last("ta"), world.last("tb")]).toEqual([["published"], ["NameTaken"]]);
    }
  });

  test("what is published before the rule stays, may change, and does not block the first one", async () => {
    const says = { tenancy: { ...TWO, sharedNames: true } };
    const world = await tenantWorld(says);
    world.engine.contribute(KEY, of("ta", "vic", "192.0.2.1"));
    world.engine.contribute(KEY, of("tb", "_dmarc.vic", '"x"', "TXT"));
    world.engine.contribute(KEY, of("tb", "*", "192.0.2.9"));
    await world.settle();
    says.tenancy = TWO;
    world.engine.gatesChanged();
    world.engine.contribute(KEY, of("tb", "_dmarc.vic", '"y"', "TXT"));
    world.engine.contribute(KEY, of("tb", "*", "2001:db8::9", "AAAA"));
    world.engine.contribute(KEY, of("ta", "vic", "vic.example.com", "CNAME"));
    await world.settle();
    expect([world.values("_dmarc.vic"), world.typesAt("*"), world.typesAt("vic")]).toEqual([
      ['"y"'],
      ["AAAA"],
      ["CNAME"],
    ]);
  });

  test("one namespace sees no difference, also beside strangers", async () => {
    const world = await tenantWorld({ tenancy: { ...NO_TENANCY, namespaces: ["tb"] } });
    world.foreign("@ 300 A 192.0.2.3\nmail 300 MX 10 m.example.com.\nx.deep 300 A 192.0.2.4");
    await world.poll();
    const names = ["*", "www", "_acme-challenge.www", "_dmarc", "_dmarc.mail", "*.deep", "a.deep"];
    for (const name of names) world.engine.contribute(KEY, of("tb", name, '"x"', "TXT"));
    await world.settle();
    expect(names.map((name) => world.typesAt(name))).toEqual(names.map(() => ["TXT"]));
  });

  test("a DNSProvider allows a wildcard, and names below it", async () => {
    const delegations = [trustedDnsName("*.apps.example.org")];
    const world = await tenantWorld({ tenancy: { ...TWO, delegations } });
    world.engine.contribute(KEY, of("ta", "*.apps", "192.0.2.1"));
    await world.settle();
    world.engine.contribute(KEY, of("tb", "shop.apps", "192.0.2.2"));
    await world.settle();
    expect(world.last("tb")).toEqual(["published"]);
  });
});

test.each(["foo._bar", "a.b._tcp.x"])(
  "`_acme-challenge` of a name with an inner `_` label is of its tenant: %s",
  async (host) => {
    const world = await tenantWorld({ tenancy: TWO });
    world.engine.contribute(KEY, of("ta", host, "192.0.2.12"));
    await world.settle();
    world.engine.contribute(KEY, of("tb", `_acme-challenge.${host}`, '"x"', "TXT"));
    await world.settle();
    expect([world.last("ta"), world.last("tb")]).toEqual([["published"], ["NameTaken"]]);
  },
);

test("a name that can never be published keeps no wildcard of the zone's own namespace out", async () => {
  const world = await tenantWorld({ tenancy: { ...NO_TENANCY, namespaces: ["ta"] } });
  world.engine.contribute(KEY, of("ta", "sub", "ns.example.net", "NS"));
  await world.settle();
  world.engine.contribute(KEY, of("tb", "x.sub", "192.0.2.66"));
  await world.settle();
  world.engine.contribute(KEY, of("ta", "*", "192.0.2.1"));
  await world.settle();
  expect([world.last("tb"), world.last("ta")]).toEqual([["Delegated"], ["published"]]);
});
