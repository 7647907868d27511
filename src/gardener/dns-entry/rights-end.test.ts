/**
 * How rights end: a permit that is taken back, and records that are given up, whatever else is
 * wrong with the object.
 */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { describe, expect, test } from "vitest";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { DNS_ENDPOINT, DNS_ENTRY } from "../../model/kinds.ts";

const WWW = "www.example.org";
const OWNED_BY_US = `${WWW} 300 A 192.0.2.1`;
const PERMIT = {
  "zonekeeper.dev/permit-claim-by-resource": "dnsentry/west/shop",
  "zonekeeper.dev/permit-claim-by-owner": "west",
};
const RELEASE = { "zonekeeper.dev/release": "true" };
const PAUSED = { "zonekeeper.dev/paused": "true" };
const VALID = { dnsName: WWW, targets: ["192.0.2.1"], ttl: 300 };
const TYPO = { dnsName: WWW, targets: ["192.0.2.1", "a b"], ttl: 300 };

type Annotations = Readonly<Record<string, string>>;

function entry(world: SpineWorld, spec: object, annotations: Annotations = {}): void {
  world.cluster.apply(DNS_ENTRY, {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSEntry",
    metadata: { name: "web", namespace: "default", annotations },
    spec,
  });
}

/** An A record that stands, with what its entry says besides. */
async function published(annotations: Annotations = {}): Promise<SpineWorld> {
  const world = new SpineWorld(["example.org"], { endpoints: true });
  world.start();
  world.provider();
  await world.pass();
  entry(world, VALID, annotations);
  await world.pass(30_000);
  expect(data(world)).toEqual([OWNED_BY_US]);
  expect(isPermitted(world)).toBe(annotations === PERMIT);
  return world;
}

const data = (world: SpineWorld) => world.zone().filter((line) => !line.startsWith("_permit"));
const isPermitted = (world: SpineWorld) =>
  [...world.zone(), ...world.markers()].some((line) => line.startsWith("_permit.a.www"));
const markers = (world: SpineWorld) => world.markers().filter((name) => !name.startsWith("_per"));

async function restarted(world: SpineWorld): Promise<void> {
  await world.stop();
  world.start();
  await world.pass(30_000);
}

describe("a permit whose annotation is off is over", () => {
  test.each<[string, object]>([
    ["alone", VALID],
    ["with a change of type", { dnsName: WWW, targets: ["lb.example.com"], ttl: 300 }],
    [
      "with a text that looks like a marker",
      { dnsName: WWW, text: ["heritage=external-dns,external-dns/owner=x"], ttl: 300 },
    ],
    ["with a mistake in the targets", TYPO],
    ["with a name that nobody can read", { ...VALID, dnsName: "a b" }],
    ["with a name in no zone of ours", { ...VALID, dnsName: "www.example.net" }],
  ])("%s", async (_, spec) => {
    const world = await published(PERMIT);
    entry(world, spec);
    await world.pass(30_000);
    expect(isPermitted(world)).toBe(false);
  });

  test.each([
    ["in one life", false],
    ["over a restart", true],
  ])("after a mistake in the targets too, %s", async (_, isRestarted) => {
    const world = await published(PERMIT);
    entry(world, TYPO, PERMIT);
    await world.pass(30_000);
    if (isRestarted) await restarted(world);
    expect([data(world), isPermitted(world)]).toEqual([[OWNED_BY_US], true]);
    entry(world, TYPO);
    await world.pass(30_000);
    expect([data(world), isPermitted(world)]).toEqual([[OWNED_BY_US], false]);
    expect(world.entries()["web"]).toMatch(/^Stale: spec.targets/);
  });

  test("also where the Service that says it has no address any more", async () => {
    const world = await published();
    world.service("lb", "lb.example.org", "192.0.2.9");
    const names = { "dns.gardener.cloud/dnsnames": "lb.example.org" };
    world.annotate(SERVICE, "lb", { ...names, ...PERMIT });
    await world.pass(30_000);
    const permits = () => world.markers().filter((name) => name.startsWith("_permit.a.lb"));
    expect(permits()).toHaveLength(1);
    world.cluster.setStatus(SERVICE, "default", "lb", { loadBalancer: {} });
    world.annotate(SERVICE, "lb", names);
    await world.pass(30_000);
    expect(permits()).toEqual([]);
    expect(data(world)).toContain("lb.example.org 300 A 192.0.2.9");
  });
});

describe("an object that gives its records up", () => {
  const done = async (world: SpineWorld): Promise<void> => {
    await world.pass(30_000);
    expect([data(world), markers(world)]).toEqual([[OWNED_BY_US], []]);
    expect(world.entries()["web"]).toMatch(/^(Stale|Error|Invalid): /);
    world.cluster.delete(DNS_ENTRY, "default", "web");
    await world.pass(30_000);
    expect([data(world), world.entries()["web"]]).toEqual([[OWNED_BY_US], undefined]);
  };

  test.each<[string, object]>([
    ["as it is", VALID],
    ["with another type", { dnsName: WWW, targets: ["lb.example.com"], ttl: 300 }],
    ["with another type that may stand beside", { dnsName: WWW, targets: ["2001:db8::1"] }],
    ["with a mistake in the targets", TYPO],
    ["with a name that nobody can read", { ...VALID, dnsName: "a b" }],
    ["with nothing to publish", { dnsName: WWW }],
  ])("does so %s, and its deletion takes nothing away", async (_, spec) => {
    const world = await published();
    entry(world, spec, RELEASE);
    await done(world);
  });

  test("a mistake that came first changes nothing, and the entry says both", async () => {
    const world = await published();
    entry(world, TYPO);
    await world.pass(30_000);
    entry(world, TYPO, RELEASE);
    await world.pass(30_000);
    expect(world.entries()["web"]).toMatch(
      /^Stale: spec.targets: .*; its annotation release asks to release its records$/,
    );
    await done(world);
  });

  test.each<[string, object]>([
    ["as it is", VALID],
    ["with another type", { dnsName: WWW, targets: ["lb.example.com"], ttl: 300 }],
    ["with a mistake in the targets", TYPO],
    ["with a name that nobody can read", { ...VALID, dnsName: "a b" }],
  ])("and is deleted before it was done, %s: released, not removed", async (_, spec) => {
    const world = await published();
    entry(world, spec, { ...RELEASE, ...PAUSED });
    await world.pass(30_000);
    world.cluster.delete(DNS_ENTRY, "default", "web");
    await world.pass(30_000);
    await restarted(world);
    expect([data(world), markers(world).length > 0]).toEqual([[OWNED_BY_US], true]);
    world.annotate(DNS_ENTRY, "web", RELEASE);
    await world.pass(30_000);
    expect([data(world), markers(world)]).toEqual([[OWNED_BY_US], []]);
    expect(world.entries()["web"]).toBeUndefined();
  });

  test("a deletion without it takes the record, as always", async () => {
    const world = await published();
    world.cluster.delete(DNS_ENTRY, "default", "web");
    await world.pass(30_000);
    expect([data(world), markers(world)]).toEqual([[], []]);
  });

  test("records of a deleted DNSEndpoint are released, too", async () => {
    const world = await published();
    const endpoint = (endpoints: readonly object[], annotations: Annotations) =>
      world.cluster.apply(DNS_ENDPOINT, {
        apiVersion: "externaldns.k8s.io/v1alpha1",
        kind: "DNSEndpoint",
        metadata: { name: "many", namespace: "default", annotations },
        spec: { endpoints },
      });
    const record = { dnsName: "a.example.org", recordType: "A", targets: ["192.0.2.7"] };
    endpoint([record], {});
    await world.pass(30_000);
    endpoint([{ ...record, targets: ["a b"] }], RELEASE);
    await world.pass(30_000);
    expect(markers(world).some((name) => name.includes("a.example.org"))).toBe(false);
    world.cluster.delete(DNS_ENDPOINT, "default", "many");
    await world.pass(30_000);
    expect(data(world)).toContain("a.example.org 300 A 192.0.2.7");
  });
});
