import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { describe, expect, test } from "vitest";
import { GardenerWorld } from "../../../test/support/worlds/gardener-world.ts";
import { LISTING_INTERVAL_MS } from "../../controllers/accounts/account.ts";
import { DNS_PROVIDER } from "../../model/kinds.ts";

const FINALIZERS = ["dns.gardener.cloud/compound"];
const WWW = { dnsName: "www.example.org", targets: ["192.0.2.1"] };

function stage(): GardenerWorld {
  const world = new GardenerWorld();
  world.start();
  return world;
}

const shown = (world: GardenerWorld, name = "p"): unknown => world.provider(name)?.["status"];

describe("a provider's life", () => {
  test("Ready with its selection; finalizers on it and its Secret", async () => {
    const world = stage();
    await world.withProvider();
    expect(shown(world)).toMatchObject({
      state: "Ready",
      message: "provider operational",
      observedGeneration: 1,
      defaultTTL: 300,
      domains: { included: ["example.org"], excluded: [] },
      zones: { included: ["example.org"], excluded: [] },
    });
    expect(world.provider()?.metadata.finalizers).toEqual(FINALIZERS);
    expect(world.cluster.now(SECRET, "default", "p")?.metadata.finalizers).toEqual(FINALIZERS);
  });

  test("annotations that have no effect are said, and everything works on", async () => {
    const world = stage();
    await world.withProvider("p");
    await world.pass(600_000);
    const provider = world.provider();
    const annotations = { "zonekeeper.dev/shared-name": "true" };
    if (provider !== null)
      world.cluster.apply(DNS_PROVIDER, {
        ...provider,
        metadata: { ...provider.metadata, annotations },
        spec: { type: "memory", secretRef: { name: "p" } },
      });
    await world.pass();
    expect(shown(world)).toMatchObject({
      message:
        "provider operational; metadata.annotations[zonekeeper.dev/shared-name]: no annotation is called so: write zonekeeper.dev/shared-names, or remove it",
    });
  });

  test("without the right to list Secrets it is no Ready one, and is again with the right", async () => {
    const world = new GardenerWorld();
    world.cluster.setKindState(SECRET, "forbidden");
    world.start();
    await world.withProvider();
    expect(shown(world)).toMatchObject({
      state: "Error",
      message: expect.stringMatching(/^secret default\/p may not be read or held: .*deploy\/rbac/),
    });
    world.cluster.relist(SECRET);
    await world.pass();
    expect(shown(world)).toMatchObject({ state: "Ready" });
  });

  test("where Secrets are read by namespace: the commands, and Ready with the right; without it again it stays", async () => {
    const world = new GardenerWorld();
    world.cluster.setKindState(SECRET, "forbidden");
    world.start();
    await world.withProvider();
    expect(shown(world)).toMatchObject({
      state: "Error",
      message: expect.stringMatching(
        /kubectl create role zonekeeper-secrets -n default --resource=secrets --verb=get,list,watch,patch .*; kubectl create rolebinding zonekeeper-secrets -n default --role=zonekeeper-secrets --serviceaccount=NAMESPACE:NAME/,
      ),
    });
    world.cluster.grantIn(SECRET, "default");
    await world.pass();
    expect(shown(world)).toMatchObject({ state: "Ready" });
    world.cluster.grantIn(SECRET, "default", false);
    await world.pass(60_000);
    expect(shown(world)).toMatchObject({ state: "Ready" });
  });

  test("without the right to patch its Secret it is no Ready one, and soon is again with the right", async () => {
    const world = new GardenerWorld();
    world.start();
    for (let times = 0; times < 3; times++)
      world.cluster.fail({ on: "patch", kind: SECRET, code: "Forbidden", applied: false });
    await world.withProvider();
    expect(shown(world)).toMatchObject({
      state: "Error",
      message: expect.stringMatching(/^secret default\/p may not be read or held: .*create role/),
    });
    await world.pass(30_000);
    expect(shown(world)).toMatchObject({ state: "Ready" });
  });

  test("the Secret may come later", async () => {
    const world = stage();
    world.cluster.apply(DNS_PROVIDER, {
      apiVersion: "dns.gardener.cloud/v1alpha1",
      kind: "DNSProvider",
      metadata: { name: "p", namespace: "default" },
      spec: { type: "memory", secretRef: { name: "p" } },
    });
    await world.pass();
    expect(shown(world)).toMatchObject({
      state: "Error",
      message: "secret default/p not found; create it or correct spec.secretRef",
    });
    await world.withProvider();
    expect(shown(world)).toMatchObject({ state: "Ready" });
    const logged = world.log.lines.map(({ level, message, fields }) => ({
      level,
      message,
      ...fields,
    }));
    const provider = "default/p";
    expect(logged).toEqual([
      {
        ...{ level: "warn", message: "DNSProvider is not ready", provider },
        reason: "secret default/p not found; create it or correct spec.secretRef",
      },
      { level: "info", message: "DNSProvider is ready", provider },
    ]);
  });

  test.each([
    ["no type", { type: undefined }, "spec.type is missing"],
    [
      "an unknown type",
      { type: "nope" },
      'provider type "nope" is not supported; known types: memory',
    ],
    [
      "an unknown type, whose Secret is not there either",
      { type: "nope", secretRef: { name: "gone" } },
      'provider type "nope" is not supported; known types: memory',
    ],
    ["no Secret named", { secretRef: {} }, "no secret specified"],
    [
      "a Secret of another namespace",
      { secretRef: { name: "p", namespace: "kube-system" } },
      "must be the provider's own namespace",
    ],
    [
      "a wildcard domain",
      { domains: { include: ["*.example.org"] } },
      "wildcards are not possible",
    ],
    [
      "a domain that is not hosted",
      { domains: { include: ["example.net"] } },
      "Need to be a (sub)domain of [example.org]",
    ],
  ])("%s is an Error that says so", async (_, spec, message) => {
    const world = stage();
    await world.withProvider("p", spec);
    expect(shown(world)).toMatchObject({ state: "Error" });
    expect((shown(world) as { message: string }).message).toContain(message);
  });

  test("an Error of another kind is another Event; the same one is not told again", async () => {
    const world = stage();
    world.cluster.apply(DNS_PROVIDER, {
      apiVersion: "dns.gardener.cloud/v1alpha1",
      kind: "DNSProvider",
      metadata: { name: "p", namespace: "default" },
      spec: { type: "memory", secretRef: { name: "p" } },
    });
    await world.pass(60_000);
    world.accounts.failure = "the server is down";
    await world.withProvider();
    await world.pass(300_000);
    const notes = world.cluster.events.filter(({ note }) => note.reason === "DNSProviderError");
    expect(notes.map(({ note }) => note.message)).toEqual([
      "secret default/p not found; create it or correct spec.secretRef",
      "cannot get hosted zones: the server is down",
    ]);
  });

  test("no message and no Event holds a value of the Secret", async () => {
    const world = stage();
    await world.withProvider();
    world.cluster.apply(SECRET, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "p", namespace: "default", finalizers: FINALIZERS },
      data: { OTHER: btoa("hush-hush") },
    });
    await world.pass();
    expect(shown(world)).toMatchObject({
      state: "Error",
      message: 'the Secret lacks the key "KEY" (secret default/p)',
    });
    const events = JSON.stringify([world.cluster.all(DNS_PROVIDER), world.cluster.events]);
    expect(events).not.toContain("hush");
  });
});

describe("accounts", () => {
  test("equal settings share a session; the last holder closes it", async () => {
    const world = stage();
    await world.withProvider("p");
    await world.withProvider("q", { secretRef: { name: "p" } });
    expect(world.accounts.opened).toBe(1);
    world.cluster.delete(DNS_PROVIDER, "default", "p");
    await world.pass(10_000);
    expect(world.accounts.closed).toBe(0);
    expect(world.cluster.now(SECRET, "default", "p")?.metadata.finalizers).toEqual(FINALIZERS);
    world.cluster.delete(DNS_PROVIDER, "default", "q");
    await world.pass(10_000);
    expect(world.accounts.closed).toBe(1);
    expect(world.cluster.now(SECRET, "default", "p")?.metadata.finalizers).toEqual([]);
  });

  test("a changed Secret opens the account anew; entries follow", async () => {
    const world = stage();
    await world.withProvider();
    world.entry("web", WWW);
    await world.pass();
    world.cluster.apply(SECRET, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "p", namespace: "default" },
      data: { KEY: btoa("rotated") },
    });
    await world.pass();
    expect([world.accounts.opened, world.accounts.closed]).toEqual([2, 1]);
    world.entry("web", { ...WWW, targets: ["192.0.2.2"] });
    await world.pass();
    expect(world.shown("web")).toBe("Ready: dns entry active");
    expect(world.zone()).toContain("www.example.org 300 A 192.0.2.2");
  });

  test("a Secret that stops working leaves entries Stale and records in place", async () => {
    const world = stage();
    await world.withProvider();
    world.entry("web", WWW);
    await world.pass();
    world.cluster.apply(SECRET, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "p", namespace: "default" },
      data: {},
    });
    await world.pass();
    expect(world.shown("web")).toBe(
      'Stale: provider "default/p" not valid: the Secret lacks the key "KEY" (secret default/p)',
    );
    expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.1"]);
  });
});

describe("listings", () => {
  test("a server that is down at first: Error, then Ready without help", async () => {
    const world = stage();
    world.accounts.failure = "no answer from 192.0.2.53:53";
    await world.withProvider();
    expect(shown(world)).toMatchObject({
      state: "Error",
      message: "cannot get hosted zones: no answer from 192.0.2.53:53",
    });
    world.accounts.failure = null;
    await world.pass(30_000);
    expect(shown(world)).toMatchObject({ state: "Ready" });
  });

  test("Z-18: a listing that fails, or lacks a zone, takes nothing away", async () => {
    const world = stage();
    await world.withProvider();
    world.entry("web", WWW);
    await world.pass();
    world.accounts.failure = "down";
    await world.pass(LISTING_INTERVAL_MS);
    expect(shown(world)).toMatchObject({
      state: "Error",
      message: "cannot get hosted zones: down",
    });
    expect(world.shown("web")).toBe("Ready: dns entry active");
    world.accounts.failure = null;
    world.accounts.zones = [];
    await world.pass(LISTING_INTERVAL_MS);
    expect(shown(world)).toMatchObject({
      state: "Ready",
      message: "the listing no longer shows these zones; their records stay: example.org",
    });
    world.entry("web", { ...WWW, targets: ["192.0.2.2"] });
    await world.pass();
    expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.2"]);
  });

  test("Z-18: two zones of one name are ambiguous as long as both are listed; one that goes keeps its records", async () => {
    const world = stage();
    world.accounts.zones = ["old@example.org"];
    await world.withProvider();
    world.entry("web", WWW);
    await world.pass();
    world.accounts.zones = ["old@example.org", "new@example.org"];
    await world.pass(LISTING_INTERVAL_MS);
    const ambiguous = "duplicate zones new(example.org) and old(example.org)";
    expect(shown(world)).toMatchObject({ state: "Error" });
    expect(world.shown("web")).toContain(ambiguous);

    world.accounts.zones = ["new@example.org"];
    await world.pass(LISTING_INTERVAL_MS);
    // Or it would count as a zone that may be the new one.
    expect(world.engine.closed).toEqual(["old"]);
    expect(shown(world)).toMatchObject({
      state: "Ready",
      message: "the listing no longer shows these zones; their records stay: old",
      zones: { included: ["new"] },
      domains: { included: ["example.org"], excluded: [] },
    });
    expect(world.shown("web")).toBe("Ready: dns entry active");
    const RECORDS = ["www.example.org 300 A 192.0.2.1"];
    expect([world.zone("new"), world.zone("old")]).toEqual([RECORDS, RECORDS]);

    world.accounts.zones = [];
    await world.pass(LISTING_INTERVAL_MS);
    expect(shown(world)).toMatchObject({ state: "Ready", zones: { included: ["new"] } });
    world.accounts.zones = ["old@example.org", "new@example.org"];
    await world.pass(LISTING_INTERVAL_MS);
    expect(world.shown("web")).toContain(ambiguous);
    expect([world.zone("new"), world.zone("old")]).toEqual([RECORDS, RECORDS]);
  });

  test("failing listings back off, up to 30 s apart", async () => {
    const world = stage();
    world.accounts.failure = "down";
    await world.withProvider();
    await world.pass(300_000);
    expect(world.accounts.listings).toBeGreaterThan(8);
    expect(world.accounts.listings).toBeLessThan(18);
  });
});

test("a domain taken from the provider leaves its entries Stale with their records", async () => {
  const world = stage();
  await world.withProvider();
  world.entry("web", WWW);
  await world.pass();
  await world.withProvider("p", { domains: { include: ["sub.example.org"] } });
  expect(world.shown("web")).toMatch(/^Stale: No responsible provider found/);
  expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.1"]);
  await world.crash();
  world.start();
  await world.pass();
  world.cluster.delete(
    { ...DNS_PROVIDER, kind: "DNSEntry", plural: "dnsentries" },
    "default",
    "web",
  );
  await world.pass();
  expect(world.zone()).toEqual([]);
});

test("Z-18: a provider whose zone may be another one's says so, until a person tells them apart", async () => {
  const world = stage();
  await world.withProvider("outer");
  await world.pass(60_000);
  await world.withProvider("inner");
  const [outer, inner] = world.engine.ways();
  inner?.onTrouble?.({
    code: "MaybeSameZone",
    message: "zone example.org may be that of DNSProvider default/outer",
  });
  await world.pass(60_000);
  expect(shown(world, "outer")).toMatchObject({ state: "Ready" });
  expect(shown(world, "inner")).toMatchObject({
    state: "Error",
    message: "zone example.org may be that of DNSProvider default/outer",
  });
  const provider = world.provider("outer");
  if (provider === null || outer === undefined) throw new Error("no DNSProvider outer");
  const annotations = { "zonekeeper.dev/other-zone-than": "inner" };
  world.cluster.apply(DNS_PROVIDER, {
    ...provider,
    metadata: { ...provider.metadata, annotations },
  });
  await world.pass();
  expect(world.engine.retried).toEqual([outer.key]);
  expect(outer.facts?.()).toMatchObject({ otherThan: ["default/inner"] });
  inner?.onTrouble?.(null);
  await world.pass(60_000);
  expect(shown(world, "inner")).toMatchObject({ state: "Ready" });
});

test("Z-18: of several providers with one account the oldest says what it leads to", async () => {
  const world = stage();
  await world.withProvider("z");
  await world.pass(60_000);
  const like = world.provider("z");
  for (const [name, says] of [
    ["z", "older"],
    ["a", "younger"],
  ] as const)
    world.cluster.apply(DNS_PROVIDER, {
      ...{ apiVersion: "dns.gardener.cloud/v1alpha1", kind: "DNSProvider", spec: like?.["spec"] },
      metadata: {
        ...(name === "z" ? like?.metadata : {}),
        ...{ name, namespace: "default", annotations: { "zonekeeper.dev/other-zone-than": says } },
      },
    });
  await world.pass(60_000);
  const [way, ...others] = world.engine.ways();
  expect(others).toEqual([]);
  expect(way?.facts?.()).toMatchObject({
    providers: ["default/z", "default/a"],
    otherThan: ["default/older"],
  });
});
