/**
 * Records of our owner id whose markers name no object, as Gardener until v0.22 and old versions of
 * external-dns wrote them: the object that wants one has it, and nothing else changes it.
 */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { describe, expect, test } from "vitest";
import { ownerWorld } from "../../../test/support/worlds/owner-world.ts";
import { objectOf } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const GARDENERS = (name: string, value: string, type = "A") => `${name} 300 ${type} ${value}
comment-${name} 600 TXT "owner=me"
comment-${name} 600 TXT "prefix=comment-"
`;
const PLAIN = (name: string, value: string, type = "A") => `${name} 300 ${type} ${value}
${type.toLowerCase()}-${name} 300 TXT "heritage=external-dns,external-dns/owner=me"
`;

const FORMATS = [
  ["gardener", GARDENERS],
  ["txt", PLAIN],
] as const;

describe.each(FORMATS)("Z-2 markers of %s without an object", (registry, kept) => {
  const world = (zone: string) => {
    const made = ownerWorld(zone, { registry, controllers: ["compound", "service-dns"] });
    const remove = (name: string) => made.cluster.delete(DNS_ENTRY, "default", name);
    return { ...made, remove };
  };

  test("an entry of equal values has the record: it is edited and goes with the entry", async () => {
    const { start, entry, remove, stateOf, values, rest, zone } = world(
      kept("a", "192.0.2.1") + kept("b", "192.0.2.2"),
    );
    entry("a", "192.0.2.1");
    const running = start();
    await rest();
    expect(stateOf("a")).toMatchObject({ state: "Ready" });
    expect(zone()).toContain("dnsentry/default/a");
    entry("a", "192.0.2.11");
    await rest();
    expect(values("a.example.org")).toEqual(["192.0.2.11"]);
    remove("a");
    await rest();
    expect(values("a.example.org")).toEqual([]);
    // What nobody ever wanted here stays.
    expect(values("b.example.org")).toEqual(["192.0.2.2"]);
    await running.stop();
  });

  test("other values wait as first contact; an entry that goes before it has the record leaves it", async () => {
    const { start, entry, remove, stateOf, values, rest } = world(
      kept("a", "192.0.2.1") + kept("b", "192.0.2.2"),
    );
    entry("a", "192.0.2.9");
    entry("b", "192.0.2.9");
    const running = start();
    await rest();
    expect(stateOf("a")).toMatchObject({ message: expect.stringContaining("for the first time") });
    expect(values("a.example.org")).toEqual(["192.0.2.1"]);
    remove("b");
    await rest();
    expect(values("b.example.org")).toEqual(["192.0.2.2"]);
    const [set] = running.zones().flatMap(({ heldSets }) => heldSets);
    await running.approve(set?.hash ?? "");
    await rest();
    expect(values("a.example.org")).toEqual(["192.0.2.9"]);
    expect(values("b.example.org")).toEqual(["192.0.2.2"]);
    await running.stop();
  });

  test("an entry of another owner id of ours, or of another type, does not have it", async () => {
    const { start, owner, entry, stateOf, values, rest } = world(
      kept("a", "192.0.2.1") + kept("b", "2001:db8::1", "AAAA"),
    );
    owner("shop", { ownerId: "shop", active: true });
    entry("a", "192.0.2.9", "shop");
    entry("b", "target.example.com");
    const running = start();
    await rest();
    for (const name of ["a", "b"])
      expect(stateOf(name)).toMatchObject({
        message: expect.stringContaining("Its marker names no object"),
      });
    expect(values("a.example.org")).toEqual(["192.0.2.1"]);
    expect(values("b.example.org")).toEqual(["2001:db8::1"]);
    await running.stop();
  });

  test("until every kind is read, nobody has it", async () => {
    const { start, cluster, entry, stateOf, rest, zone } = world(kept("a", "192.0.2.1"));
    cluster.setKindState(SERVICE, "syncing");
    entry("a", "192.0.2.1");
    const running = start();
    await rest();
    expect(stateOf("a")).toMatchObject({
      state: "Pending",
      message: expect.stringContaining("services of cluster c1"),
    });
    expect(zone()).not.toContain("dnsentry/default/a");
    cluster.relist(SERVICE);
    await rest();
    expect(stateOf("a")).toMatchObject({ state: "Ready" });
    expect(zone()).toContain("dnsentry/default/a");
    await running.stop();
  });
});

test("Z-15 a younger entry says that the older one, whose owner id is off, wants the record", async () => {
  const { start, entry, stateOf, values, clock, cluster, rest } = ownerWorld();
  entry("a", "192.0.2.1");
  const running = start();
  await rest();
  await clock.advance(60_000);
  const spec = { dnsName: "a.example.org", targets: ["192.0.2.9"] };
  cluster.apply(DNS_ENTRY, objectOf("dns.gardener.cloud/v1alpha1", "DNSEntry", "young", { spec }));
  await rest();
  entry("a", "192.0.2.1", "nobody");
  await rest();
  expect(stateOf("young")).toMatchObject({
    state: "Error",
    message: "the A record belongs to dnsentry/default/a: that object still wants the record",
  });
  expect(values("a.example.org")).toEqual(["192.0.2.1"]);
  await running.stop();
});
