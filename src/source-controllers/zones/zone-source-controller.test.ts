import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { describe, expect, test } from "vitest";
import { LIKE_RFC2136 } from "../../../test/support/memory-provider/behaviour.ts";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { DNS_ENDPOINT } from "../../model/kinds.ts";

const PREFIX = "external-dns.alpha.kubernetes.io";
const NS = { recordType: "NS", recordTTL: 300, targets: ["ns1.example.com", "ns2.example.com"] };
const PUBLISHED = ["zone.example.com 300 NS ns1.example.com ns2.example.com"];

/** The object of the seed's example. */
function endpoint(
  world: SpineWorld,
  path: string,
  annotations: object = {},
  endpoints: readonly object[] = [{ dnsName: "zone.example.com", ...NS }],
): void {
  const [namespace = "", name = ""] = path.split("/");
  world.cluster.apply(DNS_ENDPOINT, {
    apiVersion: "externaldns.k8s.io/v1alpha1",
    kind: "DNSEndpoint",
    metadata: { name, namespace, annotations: { ...annotations } },
    spec: { endpoints },
  });
}

/** Two instances of the seed's example; they share a zone and nothing else. */
async function opened() {
  const giver = new SpineWorld(["example.com"], { endpoints: true });
  const taker = new SpineWorld([], { endpoints: true, owner: "someowner", beside: giver });
  for (const world of [giver, taker]) {
    world.start();
    for (const namespace of ["default", "external-dns"]) world.provider("p", {}, namespace);
  }
  await giver.pass();
  return { giver, taker };
}

const rightsAt = (world: SpineWorld, name: string) =>
  world.engine.ownership(new Set([trustedDnsName(name)]));

const owner = async (world: SpineWorld): Promise<string | null> =>
  (await world.engine.explain(trustedDnsName("zone.example.com")))[0]?.owner ?? null;
const events = (world: SpineWorld, name: string): readonly string[] =>
  world.cluster.events
    .filter(({ object }) => object.includes(name))
    .map(({ note }) => note.message);

describe("the example of external-dns-ownership-transfer", () => {
  const permit = {
    [`${PREFIX}/permit-claim-by-resource`]: "crd/external-dns/ns-record-b",
    [`${PREFIX}/permit-claim-by-owner`]: "someowner",
  };

  test("ns-record-a permits, ns-record-b claims: it has the record, which never changed", async () => {
    const { giver, taker } = await opened();
    endpoint(giver, "default/ns-record-a");
    await giver.pass();
    endpoint(taker, "external-dns/ns-record-b", { [`${PREFIX}/claim`]: "true" });
    await giver.pass();
    expect([giver.zone("example.com"), await owner(taker)]).toEqual([PUBLISHED, "me"]);
    expect(events(taker, "ns-record-b").join()).toContain(
      'permit-claim-by-resource "crd/external-dns/ns-record-b"',
    );
    endpoint(giver, "default/ns-record-a", permit);
    await giver.pass(120_000);
    expect([giver.zone("example.com"), await owner(taker)]).toEqual([PUBLISHED, "someowner"]);
    expect(giver.markers("example.com")).toEqual(["ns-zone.example.com"]);
    expect(events(giver, "ns-record-a").join()).toContain("as this object permits");
    giver.cluster.delete(DNS_ENDPOINT, "default", "ns-record-a");
    await giver.pass(120_000);
    expect(giver.zone("example.com")).toEqual(PUBLISHED);
  });

  test("as the seed has it, naming ns-record-a itself, it permits nothing to ns-record-b", async () => {
    const { giver, taker } = await opened();
    const slip = {
      ...permit,
      [`${PREFIX}/permit-claim-by-resource`]: "crd/external-dns/ns-record-a",
    };
    endpoint(giver, "default/ns-record-a", slip);
    await giver.pass();
    endpoint(taker, "external-dns/ns-record-b", { [`${PREFIX}/claim`]: "true" });
    await giver.pass(120_000);
    expect(await owner(taker)).toBe("me");
  });

  test("Z-15: inside one instance the claim goes before the object in the marker", async () => {
    const { giver } = await opened();
    endpoint(giver, "default/ns-record-a");
    await giver.pass();
    const other = [{ dnsName: "zone.example.com", ...NS, targets: ["ns9.example.com"] }];
    endpoint(giver, "external-dns/ns-record-b", { [`${PREFIX}/claim`]: "true" }, other);
    await giver.pass();
    expect(giver.zone("example.com")).toEqual(PUBLISHED);
    const local = { [`${PREFIX}/permit-claim-by-resource`]: "crd/external-dns/ns-record-b" };
    endpoint(giver, "default/ns-record-a", local);
    await giver.pass();
    expect(giver.zone("example.com")).toEqual(["zone.example.com 300 NS ns9.example.com"]);
    const [row] = (await rightsAt(giver, "zone.example.com"))[0]?.rows ?? [];
    expect(row).toMatchObject({ owners: ["me"], resource: "crd/external-dns/ns-record-b" });
    // What ns-record-a wants does not count any more.
    endpoint(giver, "default/ns-record-a", local, [
      { dnsName: "zone.example.com", ...NS, targets: ["ns5.example.com"] },
    ]);
    await giver.pass();
    expect(giver.zone("example.com")).toEqual(["zone.example.com 300 NS ns9.example.com"]);
  });
});

describe("a DNSEndpoint", () => {
  test("its generation is noted, names that it drops go, and so does all when it is deleted", async () => {
    const { giver } = await opened();
    const a = { dnsName: "a.example.com", recordType: "A", targets: ["192.0.2.1"] };
    const b = { dnsName: "b.example.com", recordType: "A", targets: ["192.0.2.2"] };
    endpoint(giver, "default/both", {}, [a, b]);
    await giver.pass();
    expect(giver.zone("example.com")).toHaveLength(2);
    const [object] = giver.cluster.all(DNS_ENDPOINT);
    expect(fieldsOf(object?.["status"])["observedGeneration"]).toBe(object?.metadata.generation);
    endpoint(giver, "default/both", {}, [a]);
    await giver.pass();
    expect(giver.zone("example.com")).toEqual(["a.example.com 300 A 192.0.2.1"]);
    giver.cluster.delete(DNS_ENDPOINT, "default", "both");
    await giver.pass();
    expect(giver.zone("example.com")).toEqual([]);
  });

  test("one bad endpoint and one without a zone are reported, and block no other endpoint", async () => {
    const { giver } = await opened();
    endpoint(giver, "default/mixed", {}, [
      { dnsName: "a.example.com", recordType: "A", targets: ["192.0.2.1"] },
      { dnsName: "bad.example.com", recordType: "A", targets: ["here"] },
      { dnsName: "a.example.net", recordType: "A", targets: ["192.0.2.1"] },
    ]);
    await giver.pass();
    expect(giver.zone("example.com")).toEqual(["a.example.com 300 A 192.0.2.1"]);
    expect(events(giver, "mixed").join()).toMatch(
      /a\.example\.net: no DNSProvider.*invalid target/,
    );
  });
});

describe("a DNSEndpoint with an endpoint that is refused", () => {
  const refused = { dnsName: "bad.example.com", recordType: "A", targets: ["here"] };

  test("says it once: one Event, and no word about an address", async () => {
    const { giver } = await opened();
    endpoint(giver, "default/bad", {}, [refused]);
    await giver.pass(120_000);
    expect(events(giver, "bad")).toEqual([expect.stringContaining("invalid target")]);
  });

  test("keeps its record, and says it once, too", async () => {
    const { giver } = await opened();
    endpoint(giver, "default/bad", {}, [{ ...refused, targets: ["192.0.2.1"] }]);
    await giver.pass();
    endpoint(giver, "default/bad", {}, [refused]);
    await giver.pass(120_000);
    expect(giver.zone("example.com")).toEqual(["bad.example.com 300 A 192.0.2.1"]);
    const expected = ["published: bad.example.com", expect.stringContaining("invalid target")];
    expect(events(giver, "bad")).toEqual(expected);
  });
});

describe("a type that needs its provider", () => {
  const moved = { dnsName: "old.example.com", recordType: "DNAME", targets: ["New.example.com."] };

  test("DNAME is published, with one target only", async () => {
    const { giver } = await opened();
    endpoint(giver, "default/moved", {}, [moved]);
    await giver.pass();
    expect(giver.zone("example.com")).toEqual(["old.example.com 300 DNAME new.example.com"]);
    endpoint(giver, "default/moved", {}, [
      { ...moved, targets: ["a.example.org", "b.example.org"] },
    ]);
    await giver.pass();
    expect(giver.zone("example.com")).toEqual(["old.example.com 300 DNAME new.example.com"]);
    expect(events(giver, "moved").join()).toContain("a DNAME has exactly one target");
  });

  test("is held where the provider does not take it; other types are published", async () => {
    const world = new SpineWorld([], { endpoints: true });
    const behaviour = { ...LIKE_RFC2136, types: ["A", "TXT"] };
    world.account.addZone({ name: trustedDnsName("example.com"), behaviour });
    world.start();
    world.provider("p", {}, "default");
    const a = { dnsName: "a.example.com", recordType: "A", targets: ["192.0.2.1"] };
    endpoint(world, "default/moved", {}, [moved, a]);
    await world.pass();
    expect(world.zone("example.com")).toEqual(["a.example.com 300 A 192.0.2.1"]);
    expect(events(world, "moved").join()).toContain("memory zones take A");
  });
});

describe("orders of a person", () => {
  const dead =
    "heritage=external-dns,external-dns/owner=gone,external-dns/resource=crd/default/ns-record-a";

  test("a forced transfer takes what is wanted here, in the state that was seen, once", async () => {
    const { giver } = await opened();
    const { content } = giver.account.zoneNamed(trustedDnsName("example.com")) ?? {};
    endpoint(giver, "default/ns-record-a");
    await giver.pass();
    const [marker] = content?.all().filter((set) => set.values[0]?.includes("owner=me")) ?? [];
    if (marker === undefined || content === undefined) throw new Error("no marker");
    content.write([{ key: marker, next: { ...marker, values: [`"${dead}"`] } }]);
    await giver.pass(600_000);
    expect(await owner(giver)).toBe("gone");
    const [zone] = await giver.engine.ownership(null);
    const row = zone?.rows.find(({ name }) => name === "zone.example.com");
    expect(row).toMatchObject({ whose: "another", wantedBy: "crd/default/ns-record-a" });
    if (zone === undefined || row === undefined) throw new Error("no row");
    const order = { is: "transfer" as const, marker: JSON.stringify(["something else"]) };
    giver.engine.order(zone.key, [{ key: row, order }]);
    await giver.pass();
    expect(await owner(giver)).toBe("gone");
    giver.engine.order(zone.key, [{ key: row, order: { ...order, marker: row.marker ?? "" } }]);
    await giver.pass();
    expect([await owner(giver), giver.zone("example.com")]).toEqual(["me", PUBLISHED]);
  });

  test("release and adoption by order: the marker goes and comes, the record stays", async () => {
    const { giver } = await opened();
    endpoint(giver, "default/ns-record-a");
    await giver.pass();
    const rowNow = async () => {
      const [zone] = await rightsAt(giver, "zone.example.com");
      const [row] = zone?.rows ?? [];
      if (zone === undefined || row === undefined) throw new Error("no row");
      return { zone, row };
    };
    const first = await rowNow();
    giver.engine.order(first.zone.key, [
      { key: first.row, order: { is: "release", marker: first.row.marker ?? "" } },
    ]);
    await giver.pass(120_000);
    expect([(await rowNow()).row.whose, giver.zone("example.com")]).toEqual(["nobody", PUBLISHED]);
    const second = await rowNow();
    const adopt = { is: "adopt" as const, values: second.row.values ?? [] };
    giver.engine.order(second.zone.key, [{ key: second.row, order: adopt }]);
    await giver.pass();
    expect([(await rowNow()).row.whose, giver.zone("example.com")]).toEqual(["ours", PUBLISHED]);
  });
});
