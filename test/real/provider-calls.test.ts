/**
 * How many calls the whole engine makes on the fake of each vendor, with markers of the TXT
 * registry: for one change, and for many new names at once, against the least that is possible.
 */
import { afterEach, describe, expect, test } from "vitest";
import { RealClock } from "../../src/app/ports/real-clock.ts";
import { openTxtOwnership } from "../../src/ownership/txt/ownership.ts";
import type { Capabilities, ProviderSession } from "../../src/providers/provider.ts";
import { SYNC_DEFAULTS } from "../../src/sync/contract/settings.ts";
import { Engine } from "../../src/sync/engine.ts";
import { type ProviderHarness, zoneOf } from "../conformance/provider-harness.ts";
import { aliDnsHarness } from "../support/fakes/alidns/harness.ts";
import { azureHarness } from "../support/fakes/azure/harness.ts";
import { cloudflareHarness } from "../support/fakes/cloudflare/harness.ts";
import { coreDnsHarness } from "../support/fakes/coredns/harness.ts";
import { designateHarness } from "../support/fakes/designate/harness.ts";
import { googleHarness } from "../support/fakes/google/harness.ts";
import { infobloxHarness } from "../support/fakes/infoblox/harness.ts";
import { powerDnsHarness } from "../support/fakes/powerdns/harness.ts";
import { route53Harness } from "../support/fakes/route53/harness.ts";
import { webhookHarness } from "../support/fakes/webhook/harness.ts";
import { eventually } from "../support/ports/eventually.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../support/ports/test-ports.ts";
import { fakeObserver } from "../support/values/fake-observer.ts";
import { entry } from "../support/worlds/engine-world.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Calls since the last question. */
interface Calls {
  /** `apply` of the session: what one batch is. */
  readonly writes: number;
  /** Questions by name, and listings of the zone. */
  readonly names: number;
  readonly listings: number;
  /** Requests that reach the vendor, all of them. */
  readonly requests: number;
}

/** The session without a rate, so that nothing waits, and its calls counted. */
function counted(session: ProviderSession, count: (kind: keyof Calls) => void): ProviderSession {
  const free = (given: Capabilities): Capabilities => ({ ...given, rate: null, rateLimits: [] });
  const more: Partial<ProviderSession> = {
    capabilities: free(session.capabilities),
    ...(session.capabilitiesOf === undefined
      ? {}
      : { capabilitiesOf: (zone) => free(session.capabilitiesOf?.(zone) ?? session.capabilities) }),
    records: async (zone, names, signal) => {
      const read = await session.records(zone, names, signal);
      count(names === null ? "listings" : "names");
      return read;
    },
    apply: (zone, groups, signal) => {
      count("writes");
      return session.apply(zone, groups, signal);
    },
  };
  return new Proxy(session, {
    get(target, key) {
      const own = Reflect.get(more, key) as unknown;
      const value = own ?? (Reflect.get(target, key, target) as unknown);
      return own === undefined && typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** An engine on the zone of the harness. */
async function engineOn(harness: ProviderHarness) {
  ends.push(() => harness.stop());
  const seen = { writes: 0, names: 0, listings: 0, requests: 0 };
  const session = counted(harness.open(), (kind) => {
    seen[kind] += 1;
  });
  ends.push(() => session.close());
  const zone = await zoneOf(session);
  const capabilities = session.capabilitiesOf?.(zone) ?? session.capabilities;
  const engine = new Engine({
    identity: { owners: new Set(["me"]), mainOwner: "me", clusterRank: {} },
    observer: fakeObserver("alive"),
    openGuard: () => ({
      admit: async (plans) => plans,
      approve: async () => false,
      heldSets: () => [],
    }),
    clock: new RealClock(),
    random: new SeededRandom(),
    log: new MemoryLog(),
    metrics: new MemoryMetrics(),
    settings: SYNC_DEFAULTS,
  });
  ends.push(() => engine.stop());
  const published = new Map<string, string>();
  engine.onReport(({ object, names: [name] }) => {
    const values = name?.sets.flatMap((set) => set.values).join() ?? "";
    published.set(object.name, `${name?.state} ${values} ${name?.message}`.trim());
  });
  const key = { account: "a", zone: zone.name };
  engine.openZone({
    key,
    zone,
    session,
    ownership: openTxtOwnership({
      apex: zone.name,
      isOwnedByUs: (owner) => owner === "me",
      atomic: capabilities.atomicity === "zone",
      starInNames: capabilities.starInNames ?? false,
      isMerging: capabilities.preconditions.written.absent === "never",
    }),
    policy: "sync",
    adoption: { mode: "never" },
    managedTypes: new Set(["A", "TXT"]),
    defaultTtlSeconds: 900,
  });
  await eventually(
    "the zone is read",
    async () => seen.listings,
    (count) => count > 0,
  );
  const take = (): Calls => {
    const calls = { ...seen, requests: harness.takeCalls?.().length ?? 0 };
    Object.assign(seen, { writes: 0, names: 0, listings: 0 });
    return calls;
  };
  /** Each of the names gets the value; the calls that it took. */
  const publish = async (labels: readonly string[], value: string): Promise<Calls> => {
    take();
    for (const label of labels) {
      const one = entry(label, [value]);
      const items = one.found.items.map((item) => ({ ...item, ttlSeconds: 900 }));
      engine.contribute(key, { ...one, found: { ...one.found, items } });
    }
    await eventually(
      `${labels.length} names are published`,
      async () => labels.find((label) => published.get(label) !== `published ${value}`),
      (missing) => missing === undefined,
      200_000,
    );
    await untilQuiet(() => JSON.stringify(seen));
    return take();
  };
  return publish;
}

/** What is read after the last write counts, too. */
async function untilQuiet(state: () => string): Promise<void> {
  for (let before = ""; before !== state(); await new Promise((wake) => setTimeout(wake, 1000)))
    before = state();
}

type Start = () => Promise<ProviderHarness>;

/** Of one name. */
interface Price {
  readonly writes: number;
  /** Questions by name at most, and requests at most that they are. */
  readonly names: number;
  readonly reads: number;
}

/** A call that compares what it writes: nothing is read. */
const ONE: Price = { writes: 1, names: 0, reads: 0 };
/** Read right before the call, and right after it, the marker's name with it (Z-27). */
const VERIFIED: Price = { writes: 1, names: 2, reads: 2 };
/**
 * Marker, data, marker (Z-10), with a reading between two of them, and one before the first where
 * it compares nothing.
 */
const STEPS: Price = { writes: 3, names: 3, reads: 3 };

describe("a new name, and then a change of its value, listing nothing", () => {
  test.each<[string, Start, Price]>([
    ["aws-route53", () => route53Harness("common"), ONE],
    ["google-clouddns", () => googleHarness("index"), ONE],
    ["coredns-etcd", coreDnsHarness, ONE],
    ["cloudflare", () => cloudflareHarness(true), VERIFIED],
    ["powerdns", powerDnsHarness, VERIFIED],
    ["infoblox-dns", infobloxHarness, VERIFIED],
    ["azure-dns", () => azureHarness(false, true), STEPS],
    ["azure-private-dns", () => azureHarness(true, true), STEPS],
    ["openstack-designate", designateHarness, STEPS],
    ["alicloud-dns", aliDnsHarness, STEPS],
    // There are listings only; the data is adjusted by the webhook first (/adjustendpoints).
    ["external-dns-webhook", webhookHarness, { ...STEPS, reads: 4 }],
  ])("%s", async (_, start, price) => {
    const publish = await engineOn(await start());
    for (const value of ["192.0.2.1", "192.0.2.2"]) {
      const { writes, names, listings, requests } = await publish(["www"], value);
      expect({ writes, listings }).toEqual({ writes: price.writes, listings: 0 });
      expect(names).toBeLessThanOrEqual(price.names);
      expect(requests).toBeLessThanOrEqual(price.writes + price.reads);
      expect(requests).toBeGreaterThanOrEqual(price.writes);
    }
  });
});

/** Of calls that write; the least follows from the limits on the page of each vendor. */
const SURPLUS_MAX = 1.05;

describe("a thousand new names with their markers", () => {
  const labels = Array.from({ length: 1000 }, (_, index) => `n${index}`);

  test.each<[string, Start, { readonly least: number; readonly readsMax: number }]>([
    ["aws-route53", () => route53Harness("common"), { least: 4, readsMax: 0 }],
    ["google-clouddns", () => googleHarness("index"), { least: 2, readsMax: 0 }],
    // On the plan of the fake's zone.
    ["cloudflare", () => cloudflareHarness(true), { least: 1, readsMax: 20 }],
    ["powerdns", powerDnsHarness, { least: 1, readsMax: 20 }],
    // Two thousand objects, a thousand of them in a call.
    ["infoblox-dns", infobloxHarness, { least: 2, readsMax: 150 }],
    // A record a call: a pending marker, the data, the marker.
    ["alicloud-dns", aliDnsHarness, { least: 3000, readsMax: 150 }],
  ])("%s", { timeout: 240_000 }, async (_, start, { least, readsMax }) => {
    const publish = await engineOn(await start());
    const { writes, listings, requests } = await publish(labels, "192.0.2.1");
    expect(writes).toBeGreaterThanOrEqual(least);
    expect(writes).toBeLessThanOrEqual(least * SURPLUS_MAX);
    expect(requests - writes).toBeLessThanOrEqual(readsMax);
    expect(listings).toBe(0);
  });
});
