/**
 * Random histories of contributions at the engine itself (docs/safety.md#proof-1): what controllers
 * never let happen at once happens here, so that each clause of Z-1 to Z-3 stands alone. Every
 * removal that is sent is judged by rules of our own.
 */

import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { RealCrypto } from "../../../src/app/ports/real-crypto.ts";
import type { DesiredRecordSet } from "../../../src/model/record-set.ts";
import { openTxtOwnership } from "../../../src/ownership/txt/ownership.ts";
import type { KeyChange } from "../../../src/plan/changes.ts";
import type { Found } from "../../../src/sources/source.ts";
import { SYNC_DEFAULTS } from "../../../src/sync/contract/settings.ts";
import type { ZoneKey } from "../../../src/sync/contract/zone.ts";
import { Engine } from "../../../src/sync/engine.ts";
import { LIKE_RFC2136 } from "../../support/memory-provider/behaviour.ts";
import { MemorySession } from "../../support/memory-provider/memory-session.ts";
import { MemoryZone } from "../../support/memory-provider/memory-zone.ts";
import { MemoryLog, MemoryMetrics } from "../../support/ports/test-ports.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { fakeObserver } from "../../support/values/fake-observer.ts";
import { MapState } from "../../support/values/fuse.ts";
import { OPEN_GUARD } from "../../support/values/open-guard.ts";
import { Violation } from "../checks/checks.ts";
import { Knowledge } from "../checks/knowledge.ts";
import { SimRandom } from "../world/sim-random.ts";

const OWNER = "sim";
const APEX = trustedDnsName("example.org");
const NAMES = ["n0", "n1", "n2"].map((label) => trustedDnsName(`${label}.example.org`));
const OBJECTS = ["o0", "o1", "o2"];
/** Two accounts that show the same zone; now and then one is closed, and opened again. */
const ACCOUNTS = ["a", "b"];
const STEPS = 50;

/** Plays one history. Throws a Violation with what had happened. */
export async function playSeed(seed: number): Promise<void> {
  const history = new History(seed);
  for (let step = 0; step < STEPS; step++) {
    await history.step();
    if (history.violation !== null)
      throw new Violation(`${history.violation}\n${history.diary.join("\n")}`);
  }
}

class History {
  readonly diary: string[] = [];
  violation: string | null = null;
  readonly #random: SimRandom;
  readonly #clock = new VirtualClock();
  readonly #state = new MapState();
  readonly #zone = new MemoryZone({ name: APEX, behaviour: LIKE_RFC2136 });
  readonly #alive = new Set(OBJECTS);
  #isGateOpen = true;
  #isKindKnown = true;
  #knowledge = new Knowledge();
  #engine: Engine;

  constructor(seed: number) {
    this.#random = new SimRandom(seed);
    this.#engine = this.#start();
  }

  async step(): Promise<void> {
    const choice = this.#random.below(20);
    const object = this.#random.pick(OBJECTS);
    if (choice < 9) this.#contribute(object);
    else if (choice < 11) this.#remove(object);
    else if (choice < 13) this.#unassign(object);
    else if (choice < 15) await this.#restart();
    else if (choice < 17) this.#set("gate", this.#random.chance(0.6));
    else if (choice < 18) this.#set("kind", this.#random.chance(0.6));
    else await this.#turnWay(this.#random.pick(ACCOUNTS));
    await this.#clock.advance(this.#random.pick([0, 200, 2_000, 400_000]));
  }

  #start(): Engine {
    this.#knowledge = new Knowledge();
    const ports = {
      clock: this.#clock,
      random: this.#random,
      log: new MemoryLog(),
      metrics: new MemoryMetrics(),
    };
    const engine = new Engine({
      ...ports,
      identity: { owners: new Set([OWNER]), mainOwner: OWNER, clusterRank: {} },
      observer: fakeObserver((resource) => this.#stateOf(resource), {
        kinds: () => [
          {
            ...{
              cluster: "c1",
              kind: "dnsentries",
              markerKind: "dnsentry",
              isRemembered: this.#isGateOpen,
              trouble: null,
            },
            state: this.#isGateOpen ? "live" : "syncing",
          },
        ],
      }),
      openGuard: () => OPEN_GUARD,
      seenBefore: { state: this.#state, crypto: new RealCrypto() },
      settings: SYNC_DEFAULTS,
    });
    for (const account of ACCOUNTS) this.#open(engine, account);
    return engine;
  }

  #open(engine: Engine, account: string): void {
    const session = new MemorySession({
      zones: () => [this.#zone],
      faults: {
        apply: (_zone, groups) => {
          for (const key of groups.flatMap(({ keys }) => keys)) this.#judge(account, key);
          return [];
        },
        read: () => [],
      },
      environment: { clock: this.#clock, dryRun: false },
    });
    engine.openZone({
      key: keyOf(account),
      zone: this.#zone.zone,
      session,
      ownership: openTxtOwnership({ apex: APEX, isOwnedByUs: (owner) => owner === OWNER }),
      policy: "sync",
      adoption: { mode: "never" },
      managedTypes: new Set(["A"]),
      defaultTtlSeconds: 300,
    });
  }

  #stateOf(resource: string): "alive" | "absent" | "unknown" {
    if (!this.#isKindKnown) return "unknown";
    return this.#alive.has(resource.split("/")[2] ?? "") ? "alive" : "absent";
  }

  #contribute(object: string): void {
    if (!this.#alive.has(object)) {
      this.#alive.add(object);
      this.#note(`${object} is created`);
      return;
    }
    const account = this.#random.pick(ACCOUNTS);
    const found = this.#found(object);
    this.#knowledge.contributed(object, account, found);
    const names = found.items.map(({ name }) => name);
    const waiting = found.waiting.map(({ name }) => name);
    this.#note(`${object} to ${account}: [${names}] waiting [${waiting}] ${found.complete}`);
    this.#engine.contribute(keyOf(account), {
      object: provenanceOf(object),
      generation: 1,
      found,
      deleting: false,
    });
  }

  #found(object: string): Found<DesiredRecordSet> {
    const roles = NAMES.map((name) => ({ name, role: this.#random.below(4) }));
    return {
      items: roles.filter(({ role }) => role === 0).map(({ name }) => desired(object, name)),
      waiting: roles
        .filter(({ role }) => role === 1)
        .map(({ name }) => ({ name, reason: "NoTargets" })),
      problems: [],
      complete: this.#random.chance(0.6),
    };
  }

  /** Seen, as a deletion; or unseen, while nobody looks. */
  #remove(object: string): void {
    this.#alive.delete(object);
    if (this.#random.chance(0.5) || !this.#isGateOpen) {
      this.#note(`${object} is gone, unseen`);
      return;
    }
    this.#note(`${object} is deleted`);
    this.#knowledge.withdrawn(object);
    this.#engine.withdraw(provenanceOf(object), "deleted-object");
  }

  #unassign(object: string): void {
    const account = this.#random.pick(ACCOUNTS);
    this.#note(`${object} is no longer routed to ${account}`);
    this.#knowledge.unrouted(object, account);
    this.#engine.unassign(keyOf(account), provenanceOf(object));
  }

  async #restart(): Promise<void> {
    this.#note("restart");
    await this.#engine.stop();
    this.#engine = this.#start();
  }

  /** What is contributed through a way that is closed waits for it. */
  async #turnWay(account: string): Promise<void> {
    const isOpen = this.#engine.isOpen(keyOf(account));
    this.#note(`${account} ${isOpen ? "is closed" : "is opened again"}`);
    if (isOpen) await this.#engine.closeZone(keyOf(account));
    else this.#open(this.#engine, account);
  }

  #set(what: "gate" | "kind", to: boolean): void {
    this.#note(`${what} ${to ? "open" : "closed"}`);
    if (what === "gate") this.#isGateOpen = to;
    else this.#isKindKnown = to;
    this.#engine.gatesChanged();
  }

  /** Z-2 and Z-3, said anew: may this removal be sent? */
  #judge(account: string, change: KeyChange): void {
    if (change.desired !== null) return;
    const { name } = change.key;
    const resource = change.current?.marker?.resource ?? "";
    this.#note(`${account} removes ${name} of ${resource} (${change.proof})`);
    const object = resource.split("/")[2] ?? "";
    const trouble = this.#isGateOpen
      ? (this.#knowledge.objection(name, account) ?? this.#unproven(object, name))
      : "Z-3: a gate is closed";
    if (trouble !== null) this.violation ??= `${trouble}: removal of ${name} by ${account}`;
  }

  #unproven(object: string, name: DnsName): string | null {
    if (this.#knowledge.isGone(object) || this.#knowledge.omits(object, name)) return null;
    if (!this.#isKindKnown) return `Z-3: whether ${object} exists is not known`;
    return this.#alive.has(object) ? `Z-2: ${object} has not let it go` : null;
  }

  #note(line: string): void {
    this.diary.push(`${this.#clock.monotonicMs()} ${line}`);
  }
}

function keyOf(account: string): ZoneKey {
  return { account, zone: APEX };
}

function provenanceOf(object: string) {
  return { cluster: "c1", kind: "dnsentry", namespace: "default", name: object };
}

function desired(object: string, name: DnsName): DesiredRecordSet {
  return {
    name,
    type: "A",
    setIdentifier: null,
    ttlSeconds: 300,
    values: [`192.0.2.${OBJECTS.indexOf(object) + 1}`],
    properties: {},
    routingPolicy: null,
    provenance: provenanceOf(object),
    owner: null,
    createdAtMs: 0,
  };
}
