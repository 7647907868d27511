/**
 * An engine over one memory zone, for tests of the zone actor: contributions in, record sets and reports out, under a
 * virtual clock. The guard can be told to fail.
 */
import { trustedDnsName } from "../../src/model/dns-name.ts";
import { OperationError } from "../../src/model/operation-error.ts";
import { openTxtOwnership } from "../../src/ownership/txt/ownership.ts";
import type { NamePlan } from "../../src/plan/changes.ts";
import { CLASS_A, type MemoryBehaviour } from "../../src/providers/memory/behaviour.ts";
import { MemorySession } from "../../src/providers/memory/memory-session.ts";
import { MemoryAccount } from "../../src/providers/memory/provider.ts";
import type { Contribution, ContributionReport, ZoneSetup } from "../../src/sync/contract.ts";
import { Engine } from "../../src/sync/engine.ts";
import { SYNC_DEFAULTS } from "../../src/sync/settings.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "./test-ports.ts";
import { VirtualClock } from "./virtual-clock.ts";

const APEX = trustedDnsName("example.org");
/** The zone of the world. */
export const ZONE_KEY = { account: "a", zone: APEX };
const down = (code: string): OperationError =>
  new OperationError({ code, message: "not now", retry: "backoff" });

/** A DNSEntry that wants `name.example.org`. */
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

/** How the zone behaves, and whether this process may write; `account` and `clock` of an earlier one go on living. */
export interface ActorWorldOptions {
  readonly behaviour?: MemoryBehaviour;
  readonly dryRun?: boolean;
  readonly after?: { readonly account: MemoryAccount; readonly clock: VirtualClock };
}

/** An engine with one memory zone, whose guard fails as often as `trouble` says. */
export function actorWorld({ behaviour = CLASS_A, dryRun = false, after }: ActorWorldOptions = {}) {
  const clock = after?.clock ?? new VirtualClock();
  const account = after?.account ?? new MemoryAccount();
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
    if (trouble.guard-- > 0) throw down("StoreWriteFailed");
    return plans;
  };
  const engine = new Engine({
    identity: { owners: new Set(["me"]), mainOwner: "me", clusterRank: {} },
    oracle: { gate: () => ({ open: true }), object: () => "alive" },
    openGuard: () => ({ admit, approve: async () => false }),
    clock,
    random: new SeededRandom(),
    log: new MemoryLog(),
    metrics: new MemoryMetrics(),
    settings: SYNC_DEFAULTS,
  });
  engine.onReport((report) => reports.push(report));
  const setup: ZoneSetup = {
    key: ZONE_KEY,
    zone,
    session,
    ownership: openTxtOwnership({
      apex: APEX,
      isOurs: (owner) => owner === "me",
      atomic: behaviour.atomicity === "zone",
    }),
    policy: "sync",
    adoption: { mode: "never" },
    managedTypes: new Set(["A", "CNAME", "TXT"]),
    defaultTtlSeconds: 300,
  };
  const values = (name: string): readonly string[] =>
    content.at(trustedDnsName(`${name}.example.org`)).flatMap((set) => set.values);
  return { clock, account, content, engine, setup, values, trouble, reports };
}
