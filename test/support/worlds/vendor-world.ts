/**
 * The whole engine on the fake of a vendor, with markers of the TXT registry, and every request
 * that reaches the fake counted. Clocks are real; the rates of the vendor are not kept, so that
 * nothing waits.
 */

import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { RealClock } from "../../../src/app/ports/real-clock.ts";
import type { Capabilities, ProviderSession } from "../../../src/providers/provider.ts";
import { SYNC_DEFAULTS } from "../../../src/sync/contract/settings.ts";
import { Engine } from "../../../src/sync/engine.ts";
import { type ProviderHarness, soon, zoneOf } from "../../conformance/provider-harness.ts";
import { eventually } from "../ports/eventually.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../ports/test-ports.ts";
import { fakeObserver } from "../values/fake-observer.ts";
import { OPEN_GUARD } from "../values/open-guard.ts";
import { txtOwnershipOf } from "../values/txt-ownership.ts";
import { entry } from "./engine-world.ts";

/** Requests that reached the vendor. */
export interface Calls {
  readonly writes: number;
  /** All others: questions by name, pages of listings, and what else is asked. */
  readonly reads: number;
}

/** What the engine does in the zone. */
export interface VendorWorld {
  /** Each of the names gets the value; `except`: names that are not expected to be published. */
  publish(labels: readonly string[], value: string, except?: readonly string[]): Promise<Calls>;
  /** The objects of these names are deleted. */
  remove(labels: readonly string[]): Promise<Calls>;
  /** What the engine says of a name: `published 192.0.2.1`, `held …`. */
  stateOf(label: string): string;
  /** Awaited before the next call that writes. */
  beforeNextWrite(act: () => Promise<void>): void;
  /** Requests of one listing of the zone as it is now. */
  listingCalls(): Promise<number>;
  stop(): Promise<void>;
}

const free = (given: Capabilities): Capabilities => ({ ...given, rate: null, rateLimits: [] });

/** The session without a rate; `watch` shows that it works. */
function unrated(session: ProviderSession, watch: Watch): ProviderSession {
  const more: Partial<ProviderSession> = {
    capabilities: free(session.capabilities),
    ...(session.capabilitiesOf === undefined
      ? {}
      : { capabilitiesOf: (zone) => free(session.capabilitiesOf?.(zone) ?? session.capabilities) }),
    records: async (zone, names, signal) => {
      const read = await session.records(zone, names, signal);
      watch.reads += read.pages ?? 1;
      return read;
    },
    async *apply(zone, groups, signal) {
      watch.writes += 1;
      await watch.before?.();
      yield* session.apply(zone, groups, signal);
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

interface Watch {
  writes: number;
  reads: number;
  before: (() => Promise<void>) | null;
}

/** Reads the zone. */
export async function vendorWorld(harness: ProviderHarness): Promise<VendorWorld> {
  const { fake } = harness;
  const watch: Watch = { writes: 0, reads: 0, before: null };
  const session = unrated(harness.open(), watch);
  const zone = await zoneOf(session);
  const key = { account: "a", zone: zone.name };
  const engine = makeEngine();
  const published = new Map<string, string>();
  engine.onReport((report) => {
    if (!("names" in report)) return;
    const {
      object,
      names: [name],
    } = report;
    const values = name?.sets.flatMap((set) => set.values).join() ?? "";
    published.set(object.name, `${name?.state} ${values} ${name?.message}`.trim());
  });
  const capabilities = session.capabilitiesOf?.(zone) ?? session.capabilities;
  engine.openZone({
    key,
    zone,
    session,
    ownership: txtOwnershipOf({ apex: zone.name, owner: "me" }, capabilities),
    policy: "sync",
    adoption: { mode: "never" },
    managedTypes: new Set(["A", "TXT"]),
    defaultTtlSeconds: 900,
  });
  await eventually(
    "the zone is read",
    async () => watch.reads,
    (count) => count > 0,
  );

  const take = (): Calls => {
    const calls = fake?.takeCalls() ?? [];
    const writes = calls.filter((call) => isWriting(call, fake?.writes ?? /$^/)).length;
    return { writes, reads: calls.length - writes };
  };
  const stateOf = (label: string): string => published.get(label) ?? "";
  const quiet = () => untilQuiet(() => `${watch.writes} ${watch.reads}`);

  return {
    stateOf,
    beforeNextWrite: (act) => {
      watch.before = () => {
        watch.before = null;
        return act();
      };
    },
    publish: async (labels, value, except = []) => {
      take();
      for (const label of labels) {
        const one = entry(label, [value]);
        const items = one.found.items.map((item) => ({ ...item, ttlSeconds: 900 }));
        engine.contribute(key, { ...one, found: { ...one.found, items } });
      }
      const isMissing = (label: string): boolean =>
        !except.includes(label) && stateOf(label) !== `published ${value}`;
      await eventually(
        `${labels.length} names are published`,
        async () => labels.find(isMissing),
        (missing) => missing === undefined,
        200_000,
      );
      await quiet();
      return take();
    },
    remove: async (labels) => {
      take();
      for (const label of labels) engine.withdraw(entry(label, []).object, "deleted-object");
      await eventually(
        `${labels.length} names are removed`,
        lastPresent(harness, labels),
        (present) => present === null,
        200_000,
      );
      await quiet();
      const calls = take();
      const left = (await session.records(zone, null, soon())).sets;
      const removed = new Set(labels.flatMap((label) => [label, `a-${label}`]));
      const names = left
        .map(({ name }) => name)
        .filter((name) => removed.has(name.split(".")[0] ?? ""));
      if (names.length > 0) throw new Error(`not removed: ${names.length}, ${names[0]} first`);
      take();
      return calls;
    },
    listingCalls: async () => {
      take();
      await session.records(zone, null, soon());
      const { writes, reads } = take();
      return writes + reads;
    },
    stop: async () => {
      await engine.stop();
      session.close();
      await harness.stop();
    },
  };
}

/** Infoblox is asked by POST, too: by transactions of GET alone. */
function isWriting(
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: string },
  writes: RegExp,
): boolean {
  return writes.test(`${method} ${path}`) && !body.startsWith('[{"method":"GET"');
}

/** The clock asks for drift; a slow machine would count that as calls of a change. */
const NO_DRIFT = { tokenPollMs: 3_600_000, hintPollMs: 3_600_000, reloadWithoutTokenMs: 3_600_000 };

function makeEngine(): Engine {
  return new Engine({
    identity: { owners: new Set(["me"]), mainOwner: "me", clusterRank: {} },
    observer: fakeObserver("alive"),
    openGuard: () => OPEN_GUARD,
    clock: new RealClock(),
    random: new SeededRandom(),
    log: new MemoryLog(),
    metrics: new MemoryMetrics(),
    settings: { ...SYNC_DEFAULTS, ...NO_DRIFT },
  });
}

/** What is read after the last write counts, too. */
async function untilQuiet(state: () => string): Promise<void> {
  for (let before = ""; before !== state(); await new Promise((wake) => setTimeout(wake, 1500)))
    before = state();
}

/** As the back end itself has it, without a call of the engine's; a name that is gone stays so. */
function lastPresent(
  harness: ProviderHarness,
  labels: readonly string[],
): () => Promise<string | null> {
  const left = [...labels];
  return async () => {
    for (let label = left.at(-1); label !== undefined; label = left.at(-1)) {
      const name = trustedDnsName(`${label}.${harness.zone}`);
      if ((await harness.poll(name, "A")) !== null) return label;
      left.pop();
    }
    return null;
  };
}
