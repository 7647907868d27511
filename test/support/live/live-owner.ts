/**
 * An engine of one owner on a zone that is reached by a real session, in real time: what `run`
 * makes of a DNSEntry, without a cluster. Its owner id is its own: it owns nothing that was there.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { RealClock } from "../../../src/app/ports/real-clock.ts";
import { RealCrypto } from "../../../src/app/ports/real-crypto.ts";
import type { Zone } from "../../../src/model/zone.ts";
import type { ProviderSession } from "../../../src/providers/provider.ts";
import type { NameReport } from "../../../src/sync/contract/contribution.ts";
import { SYNC_DEFAULTS } from "../../../src/sync/contract/settings.ts";
import { Engine } from "../../../src/sync/engine.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../ports/test-ports.ts";
import { fakeObserver } from "../values/fake-observer.ts";
import { MapState } from "../values/fuse.ts";
import { OPEN_GUARD } from "../values/open-guard.ts";
import { txtOwnershipOf } from "../values/txt-ownership.ts";

const TTL_SECONDS = 300;
const RELOAD_MS = 60_000;

/** Data of a name. */
export interface LiveData {
  readonly type: string;
  readonly values: readonly string[];
}

/** One for each owner. */
export class LiveOwner {
  readonly #engine: Engine;
  readonly #key: { readonly account: string; readonly zone: Zone["name"] };
  readonly #reports = new Map<string, NameReport>();
  #generation = 0;

  constructor(owner: string, zone: Zone, session: ProviderSession) {
    this.#key = { account: owner, zone: zone.name };
    this.#engine = new Engine({
      identity: { owners: new Set([owner]), mainOwner: owner, clusterRank: {} },
      observer: fakeObserver("alive"),
      seenBefore: { state: new MapState(), crypto: new RealCrypto() },
      openGuard: () => OPEN_GUARD,
      clock: new RealClock(),
      random: new SeededRandom(),
      log: new MemoryLog(),
      metrics: new MemoryMetrics(),
      // Whoever goes first in a race may write after the second look of an owner that withdraws
      // then with its next reading (ADR 0038), which the story waits for.
      settings: { ...SYNC_DEFAULTS, reloadWithoutTokenMs: RELOAD_MS },
    });
    this.#engine.onReport((report) => {
      if ("names" in report) for (const one of report.names) this.#reports.set(one.name, one);
    });
    this.#engine.openZone({
      key: this.#key,
      zone,
      session,
      ownership: txtOwnershipOf({ apex: zone.name, owner }, session.capabilities),
      policy: "sync",
      adoption: { mode: "never" },
      managedTypes: new Set(["A", "CNAME", "TXT"]),
      defaultTtlSeconds: TTL_SECONDS,
    });
  }

  /** The entry of this name wants this. */
  wants(name: string, { type, values }: LiveData): void {
    const object = objectOf(name);
    this.#reports.delete(name);
    this.#generation += 1;
    const item = {
      ...{ name: trustedDnsName(name), type, values, setIdentifier: null, properties: {} },
      ...{ ttlSeconds: TTL_SECONDS, routingPolicy: null, provenance: object, owner: null },
      createdAtMs: 0,
    };
    const found = { items: [item], waiting: [], problems: [], complete: true };
    const contribution = { object, generation: this.#generation, deleting: false, found };
    this.#engine.contribute(this.#key, contribution);
  }

  /** The entry of this name was deleted. */
  drops(name: string): void {
    this.#engine.withdraw(objectOf(name), "deleted-object");
  }

  /** Null = nothing was said of it. */
  reportOf(name: string): NameReport | null {
    return this.#reports.get(name) ?? null;
  }

  stop(): Promise<void> {
    return this.#engine.stop();
  }
}

function objectOf(name: string) {
  return { cluster: "c1", kind: "dnsentry", namespace: "default", name: name.split(".")[0] ?? "" };
}
