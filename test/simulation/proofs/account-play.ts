/**
 * L8: one process, two accounts with a zone each. What one of them suffers from (throttling,
 * blackouts, a small rate that is used up) delays the other by nothing: its zone shows each wish at
 * the same moment of virtual time as in fair weather.
 */

import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { openTxtOwnership } from "../../../src/ownership/txt/ownership.ts";
import type { Contribution } from "../../../src/sync/contract/contribution.ts";
import { SYNC_DEFAULTS } from "../../../src/sync/contract/settings.ts";
import { Engine } from "../../../src/sync/engine.ts";
import { LIKE_RFC2136, type MemoryBehaviour } from "../../support/memory-provider/behaviour.ts";
import { MemorySession } from "../../support/memory-provider/memory-session.ts";
import { MemoryAccount } from "../../support/memory-provider/provider.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../../support/ports/test-ports.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { fakeObserver } from "../../support/values/fake-observer.ts";
import { OPEN_GUARD } from "../../support/values/open-guard.ts";
import { Violation } from "../checks/checks.ts";
import { SimRandom } from "../world/sim-random.ts";

const QUIET = trustedDnsName("quiet.example");
const BUSY = trustedDnsName("busy.example");
const DESIRED_ADDRESSES = 12;
/** Names of the busy zone that change with each wish. */
const NEIGHBOURS = 4;
const STEP_MS = 10;
const PATIENCE_MS = 3_000;

/** What the other account is like. */
export type Weather = "fair" | "throttled" | "down" | "small-rate";

/**
 * Plays it in fair weather and in this one. Throws a Violation; answers how many wishes were
 * compared.
 */
export async function playNeighbours(seed: number, weather: Weather): Promise<number> {
  const fair = await new Neighbours("fair").shownAt(seed);
  const foul = await new Neighbours(weather).shownAt(seed);
  for (const [index, shownMs] of foul.entries())
    if (shownMs !== fair[index])
      throw new Violation(
        `L8: wish ${index} was shown after ${shownMs} ms beside an account that is ${weather}, and after ${fair[index]} ms without`,
      );
  return foul.length;
}

class Neighbours {
  readonly #clock = new VirtualClock();
  readonly #engine: Engine;
  readonly #quiet: MemoryAccount;

  constructor(weather: Weather) {
    this.#engine = new Engine({
      identity: { owners: new Set(["me"]), mainOwner: "me", clusterRank: {} },
      observer: fakeObserver("alive"),
      openGuard: () => OPEN_GUARD,
      clock: this.#clock,
      random: new SeededRandom(),
      log: new MemoryLog(),
      metrics: new MemoryMetrics(),
      settings: SYNC_DEFAULTS,
    });
    const rate = weather === "small-rate" ? { burst: 1, perSecond: 0.1 } : null;
    const busy = this.#open(BUSY, { ...LIKE_RFC2136, rate, latencyMs: 20 });
    if (weather === "throttled" || weather === "down") {
      const kind = weather;
      const fault = kind === "down" ? { kind } : { kind, afterMs: 30_000 };
      busy.breakWith({ apply: () => [fault], read: () => [] });
    }
    this.#quiet = this.#open(QUIET, { ...LIKE_RFC2136, latencyMs: 20 });
  }

  /** After how many milliseconds each wish for the quiet zone was shown. */
  async shownAt(seed: number): Promise<readonly number[]> {
    const random = new SimRandom(seed);
    const shown: number[] = [];
    for (let desired = 0; desired < DESIRED_ADDRESSES; desired++) {
      for (let index = 0; index < NEIGHBOURS; index++) this.#desired(BUSY, `n${index}`, desired);
      this.#desired(QUIET, "www", desired);
      shown.push(await this.#waitFor(addressOf(desired)));
      await this.#clock.advance(random.below(3_000));
    }
    // Whoever waits for a token now waits for a time that does not come.
    void this.#engine.stop();
    return shown;
  }

  async #waitFor(address: string): Promise<number> {
    for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += STEP_MS) {
      const zone = this.#quiet.zoneNamed(QUIET);
      const sets = zone?.content.at(trustedDnsName(`www.${QUIET}`)) ?? [];
      if (sets.some(({ type, values }) => type === "A" && values.includes(address)))
        return waitedMs;
      await this.#clock.advance(STEP_MS);
    }
    return Number.POSITIVE_INFINITY;
  }

  #open(apex: DnsName, behaviour: MemoryBehaviour): MemoryAccount {
    const account = new MemoryAccount();
    const { zone } = account.addZone({ name: apex, behaviour });
    const session = new MemorySession({
      zones: () => account.zones(),
      faults: {
        apply: (...call) => account.faults.apply(...call),
        read: (...call) => account.faults.read(...call),
      },
      environment: { clock: this.#clock, dryRun: false },
    });
    this.#engine.openZone({
      key: { account: apex, zone: apex },
      zone,
      session,
      ownership: openTxtOwnership({ apex, isOwnedByUs: (owner) => owner === "me" }),
      policy: "sync",
      adoption: { mode: "never" },
      managedTypes: new Set(["A"]),
      defaultTtlSeconds: 300,
    });
    return account;
  }

  #desired(apex: DnsName, label: string, desired: number): void {
    this.#engine.contribute({ account: apex, zone: apex }, contributionOf(apex, label, desired));
  }
}

function addressOf(desired: number): string {
  return `192.0.2.${desired + 1}`;
}

function contributionOf(apex: DnsName, label: string, desired: number): Contribution {
  const object = { cluster: "c1", kind: "dnsentry", namespace: apex, name: label };
  const item = {
    name: trustedDnsName(`${label}.${apex}`),
    type: "A",
    setIdentifier: null,
    ttlSeconds: 300,
    values: [addressOf(desired)],
    properties: {},
    routingPolicy: null,
    provenance: object,
    owner: null,
    createdAtMs: 0,
  };
  const found = { items: [item], waiting: [], problems: [], complete: true };
  return { object, generation: desired + 1, deleting: false, found };
}
