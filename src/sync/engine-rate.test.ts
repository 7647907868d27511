/**
 * A rate-limited account with several zones, in virtual time: loads by pages, bulk, edits, reloads
 * (Z-20).
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { LIKE_ROUTE53 } from "../../test/support/memory-provider/behaviour.ts";
import { MemorySession } from "../../test/support/memory-provider/memory-session.ts";
import { MemoryAccount } from "../../test/support/memory-provider/provider.ts";
import { expectWithinRate } from "../../test/support/ports/rate-window.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../test/support/ports/virtual-clock.ts";
import { fakeObserver } from "../../test/support/values/fake-observer.ts";
import { OPEN_GUARD } from "../../test/support/values/open-guard.ts";
import { openTxtOwnership } from "../ownership/txt/ownership.ts";
import type { Contribution } from "./contract/contribution.ts";
import { SYNC_DEFAULTS } from "./contract/settings.ts";
import { Engine } from "./engine.ts";

const ZONES = ["a.org", "b.org", "c.org"].map(trustedDnsName);
const RATE = { burst: 5, perSecond: 5 };
/** Small pages and batches, so that little content makes many calls. */
const BEHAVIOUR = {
  ...LIKE_ROUTE53,
  readLagMs: 0,
  setsPerPage: 5,
  rate: RATE,
  batch: { groupsMax: 2, valuesMax: 1000, bytesMax: 32_000 },
};
const PLAIN = { setIdentifier: null, properties: {}, routingPolicy: null, ttlSeconds: 300 };

function entry(name: DnsName, address: string): Contribution {
  const object = { cluster: "c1", kind: "dnsentry", namespace: "default", name };
  const set = { ...PLAIN, name, type: "A", values: [address] };
  const item = { ...set, provenance: object, owner: null, createdAtMs: 0 };
  const found = { items: [item], waiting: [], problems: [], complete: true };
  return { object, generation: 1, deleting: false, found };
}

/** `accountOf`: each DNSProvider has an account of its own, which one vendor account pays. */
function world(accountOf: (zone: DnsName) => string = () => "acc", rateKey?: string) {
  const clock = new VirtualClock();
  const account = new MemoryAccount();
  const calls: { readonly zone: string; readonly kind: "read" | "write"; readonly atMs: number }[] =
    [];
  const note = (zone: string, kind: "read" | "write") => {
    calls.push({ zone, kind, atMs: clock.monotonicMs() });
    return [];
  };
  for (const name of ZONES) {
    const foreign = Array.from({ length: 100 }, (_, index) => ({
      ...PLAIN,
      name: trustedDnsName(`f${index}.${name}`),
      type: "A",
      values: ["198.51.100.1"],
    }));
    account.addZone({ name, behaviour: BEHAVIOUR, records: foreign });
  }
  const session = new MemorySession({
    zones: () => account.zones(),
    faults: { apply: (zone) => note(zone, "write"), read: (zone) => note(zone, "read") },
    environment: { clock, dryRun: false },
  });
  if (rateKey !== undefined) Object.assign(session, { rateKey });
  const engine = new Engine({
    identity: { owners: new Set(["me"]), mainOwner: "me", clusterRank: {} },
    observer: fakeObserver("alive"),
    openGuard: () => OPEN_GUARD,
    clock,
    random: new SeededRandom(),
    log: new MemoryLog(),
    metrics: new MemoryMetrics(),
    settings: SYNC_DEFAULTS,
  });
  for (const { zone } of account.zones())
    engine.openZone({
      key: { account: accountOf(zone.name), zone: zone.id },
      zone,
      session,
      ownership: openTxtOwnership({ apex: zone.name, isOwnedByUs: (owner) => owner === "me" }),
      policy: "sync",
      adoption: { mode: "never" },
      managedTypes: new Set(["A"]),
      defaultTtlSeconds: 300,
    });
  const want = (zone: DnsName, label: string, address: string) =>
    engine.contribute(
      { account: accountOf(zone), zone },
      entry(trustedDnsName(`${label}.${zone}`), address),
    );
  const isPublished = (zone: DnsName, label: string) =>
    account.zoneNamed(zone)?.content.at(trustedDnsName(`${label}.${zone}`)).length !== 0;
  return { clock, engine, calls, want, isPublished };
}

test("S20 and L8: pages, bulk, edits and reloads of three zones stay within one account's rate", async () => {
  const { clock, engine, calls, want, isPublished } = world();
  for (const zone of ZONES)
    for (let index = 0; index < 60; index++) want(zone, `n${index}`, "192.0.2.1");
  await clock.advance(120_000);
  for (const zone of ZONES)
    for (const index of [0, 59]) expect(isPublished(zone, `n${index}`)).toBe(true);
  await clock.advance(1_800_000);
  expectWithinRate(
    calls.map(({ atMs }) => atMs),
    RATE,
  );
  const reads = calls.filter(({ kind }) => kind === "read");
  expectWithinRate(
    reads.map(({ atMs }) => atMs),
    { burst: 1.25, perSecond: 1.25 },
  );
  for (const zone of ZONES) {
    const own = reads.filter((call) => call.zone === zone).length;
    expect(own, `${zone} is read again and again`).toBeGreaterThan(100);
  }
  await engine.stop();
});

test("an edit does not wait for the bulk of its own zone or of another", async () => {
  const { clock, engine, want, isPublished } = world();
  await clock.advance(120_000);
  const [first = ZONES[0], second = ZONES[1]] = ZONES;
  if (first === undefined || second === undefined) throw new Error("no zones");
  for (let index = 0; index < 200; index++) want(first, `n${index}`, "192.0.2.1");
  await clock.advance(3_000);
  want(first, "edit", "192.0.2.2");
  want(second, "edit", "192.0.2.2");
  await clock.advance(2_500);
  expect([
    isPublished(first, "n199"),
    isPublished(first, "edit"),
    isPublished(second, "edit"),
  ]).toEqual([false, true, true]);
  await clock.advance(120_000);
  expect(isPublished(first, "n199")).toBe(true);
  await engine.stop();
});

test("changes that come one by one cost no more calls than the account may make", async () => {
  const { clock, engine, calls, want, isPublished } = world();
  await clock.advance(120_000);
  const [zone = ZONES[0]] = ZONES;
  if (zone === undefined) throw new Error("no zones");
  calls.length = 0;
  for (let index = 0; index < 100; index++) {
    want(zone, `n${index}`, "192.0.2.1");
    await clock.advance(100);
  }
  await clock.advance(10_000);
  expect([isPublished(zone, "n0"), isPublished(zone, "n99")]).toEqual([true, true]);
  expectWithinRate(
    calls.map(({ atMs }) => atMs),
    RATE,
  );
  await engine.stop();
});

test.each([
  ["one vendor account pays for", "vendor", true],
  ["each pays for itself of", undefined, false],
])("%s three DNSProviders", async (_title, rateKey, isWithin) => {
  const { clock, engine, calls, want } = world((zone) => zone, rateKey);
  for (const zone of ZONES)
    for (let index = 0; index < 60; index++) want(zone, `n${index}`, "192.0.2.1");
  await clock.advance(120_000);
  const [first = ZONES[0]] = ZONES;
  if (first === undefined) throw new Error("no zones");
  await engine.closeZone({ account: first, zone: first });
  const check = (): void =>
    expectWithinRate(
      calls.map(({ atMs }) => atMs),
      RATE,
    );
  if (isWithin) check();
  else expect(check).toThrow();
  await engine.stop();
});
