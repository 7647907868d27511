/**
 * An engine with one zone in memory and a virtual clock, for tests of the loops. The guard lets
 * everything pass unless a test hands in another; every object is alive unless a test's observer
 * says otherwise.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { RealCrypto } from "../../../src/app/ports/real-crypto.ts";
import type { NamePlan } from "../../../src/plan/changes.ts";
import type { Contribution, ContributionReport } from "../../../src/sync/contract/contribution.ts";
import type { ObjectObserver } from "../../../src/sync/contract/object-observation.ts";
import { SYNC_DEFAULTS } from "../../../src/sync/contract/settings.ts";
import type { OpenZoneInput } from "../../../src/sync/contract/zone.ts";
import { Engine, type EngineOptions } from "../../../src/sync/engine.ts";
import { CLASS_A, type MemoryBehaviour } from "../memory-provider/behaviour.ts";
import { MemorySession } from "../memory-provider/memory-session.ts";
import { MemoryAccount } from "../memory-provider/provider.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../ports/test-ports.ts";
import { VirtualClock } from "../ports/virtual-clock.ts";
import { fakeObserver } from "../values/fake-observer.ts";
import { MapState } from "../values/fuse.ts";
import { txtOwnershipOf } from "../values/txt-ownership.ts";

/** The zone's apex. */
export const APEX = trustedDnsName("example.org");
/** The zone, as the engine knows it. */
export const KEY = { account: "a", zone: APEX };

/** What the DNSEntry `name` contributes: one record set at `<name>.example.org`. */
export function entry(name: string, values: readonly string[], type = "A"): Contribution {
  const object = { cluster: "c1", kind: "dnsentry", namespace: "default", name };
  const item = {
    name: trustedDnsName(`${name}.example.org`),
    type,
    setIdentifier: null,
    ttlSeconds: 300,
    values,
    properties: {},
    routingPolicy: null,
    provenance: object,
    owner: null,
    createdAtMs: 0,
  };
  const found = { items: [item], waiting: [], problems: [], complete: true };
  return { object, generation: 1, deleting: false, found };
}

/** What a test may replace. */
export interface WorldOptions {
  readonly clock?: VirtualClock;
  /** How the zone behaves; default: atomic, as RFC 2136 servers are. */
  readonly behaviour?: MemoryBehaviour;
  readonly dryRun?: boolean;
  /** Owner id of the engine; default `me`. */
  readonly owner?: string;
  /** The account of an earlier world, whose process has gone; its zone is as it was left. */
  readonly account?: MemoryAccount;
  /** What the process of an earlier world has stored. */
  readonly state?: MapState;
  readonly observer?: ObjectObserver;
  readonly openGuard?: EngineOptions["openGuard"];
  readonly engine?: Partial<EngineOptions>;
}

/** An engine with one memory zone, whose guard fails as often as `trouble` says. */
export function engineWorld(options: WorldOptions = {}) {
  const { clock = new VirtualClock(), account = new MemoryAccount(), dryRun = false } = options;
  const { behaviour = CLASS_A, state = new MapState(), owner: mainOwner = "me" } = options;
  const { content, zone } = account.zoneNamed(APEX) ?? account.addZone({ name: APEX, behaviour });
  const session = new MemorySession({
    zones: () => account.zones(),
    faults: {
      apply: (...call) => account.faults.apply(...call),
      read: (...call) => account.faults.read(...call),
    },
    environment: { clock, dryRun },
  });
  const trouble = { guard: 0 };
  const reports: ContributionReport[] = [];
  const admit = async (plans: readonly NamePlan[]): Promise<readonly NamePlan[]> => {
    if (trouble.guard-- <= 0) return plans;
    throw new OperationError({
      code: "StoreWriteFailed",
      message: "not now",
      retry: "backoff",
    });
  };
  const engine = new Engine({
    identity: { owners: new Set([mainOwner]), mainOwner, clusterRank: {} },
    observer: options.observer ?? fakeObserver("alive"),
    seenBefore: { state, crypto: new RealCrypto() },
    openGuard:
      options.openGuard ?? (() => ({ admit, approve: async () => false, heldSets: () => [] })),
    clock,
    random: new SeededRandom(),
    log: new MemoryLog(),
    metrics: new MemoryMetrics(),
    settings: SYNC_DEFAULTS,
    ...options.engine,
  });
  engine.onReport((report) => {
    if ("names" in report) reports.push(report);
  });
  const zoneInput: OpenZoneInput = {
    key: KEY,
    zone,
    session,
    ownership: txtOwnershipOf(
      { apex: APEX, owner: mainOwner },
      { ...behaviour, flattensApex: session.capabilities.flattensApex ?? false },
    ),
    policy: "sync",
    adoption: { mode: "never" },
    managedTypes: new Set(["A", "CNAME", "TXT"]),
    defaultTtlSeconds: 300,
  };
  const values = (name: string): readonly string[] =>
    content.at(trustedDnsName(`${name}.example.org`)).flatMap((set) => set.values);
  return { clock, account, content, engine, state, zoneInput, values, trouble, reports };
}
