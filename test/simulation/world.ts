/**
 * A whole system in one process: a cluster and a zone in memory, the product's own controllers, engine, planner and
 * registry, a virtual clock and one seed. Processes come and go; cluster and zone stay. Every write to the zone and
 * every call that is sent is checked.
 */
import { type Composition, compose } from "../../src/app/compose.ts";
import { RealCrypto } from "../../src/app/ports/real-crypto.ts";
import { Reconciler } from "../../src/cluster/reconciler.ts";
import { trustedDnsName } from "../../src/model/dns-name.ts";
import { DNS_PROVIDER, SECRET } from "../../src/model/kinds.ts";
import type { KindRef } from "../../src/model/kubernetes.ts";
import type { RecordSet } from "../../src/model/record-set.ts";
import { openTxtOwnership } from "../../src/ownership/txt/ownership.ts";
import type { ChangeGroup } from "../../src/plan/changes.ts";
import { LIKE_RFC2136 } from "../../src/providers/memory/behaviour.ts";
import type { ApplyFault, ReadFault } from "../../src/providers/memory/faults.ts";
import type { MemoryZone } from "../../src/providers/memory/memory-zone.ts";
import { MemoryAccount, memoryProvider } from "../../src/providers/memory/provider.ts";
import { SYNC_DEFAULTS } from "../../src/sync/settings.ts";
import { MemoryCluster } from "../support/memory-cluster.ts";
import { MemoryLog, MemoryMetrics } from "../support/test-ports.ts";
import { VirtualClock } from "../support/virtual-clock.ts";
import { checkForeignUntouched, checkMarked, checkRemovals, notePublished } from "./checks.ts";
import { type Passage, ProcessGate } from "./process-gate.ts";
import { ProcessView } from "./process-view.ts";
import { SimRandom } from "./sim-random.ts";
import { Truth } from "./truth.ts";
import { contentText, statementOf } from "./zone-truth.ts";

/** Milliseconds between two full loads. */
export const RELOAD_MS = 300_000;
/** Shorter than in `run`, so that a quiet time that is worth looking at costs little. */
const SETTINGS = {
  ...SYNC_DEFAULTS,
  tokenPollMs: 5_000,
  retryMostMs: 60_000,
  reloadWithTokenMs: RELOAD_MS,
  reloadWithoutTokenMs: 60_000,
};

/** The owner id of the instance under test. */
export const OWNER = "sim";
const APEX = trustedDnsName("example.org");

interface Process {
  readonly gate: ProcessGate;
  readonly view: ProcessView;
  readonly composition: Composition;
}

/** What the faults of the moment do; replaced by the script. */
export interface Weather {
  passage(what: string): Passage;
  apply(groups: readonly ChangeGroup[]): readonly ApplyFault[];
  read(): readonly ReadFault[];
}

/** No trouble. */
export const CALM: Weather = { passage: () => "pass", apply: () => [], read: () => [] };

/** One seed's world. */
export class World {
  readonly random: SimRandom;
  readonly clock = new VirtualClock();
  readonly cluster: MemoryCluster;
  readonly zone: MemoryZone;
  readonly truth = new Truth();
  readonly log = new MemoryLog();
  /** What happened, in order; printed with a failure. */
  readonly diary: string[] = [];
  weather: Weather = CALM;
  /** First violation of an invariant; ends the run. */
  violation: unknown = null;
  /** Writes of ours that changed the zone. */
  ownWrites = 0;
  /** Crashes so far. */
  crashes = 0;
  readonly #account = new MemoryAccount();
  #process: Process | null = null;
  #foreignHand = false;

  constructor(seed: number) {
    this.random = new SimRandom(seed);
    this.cluster = new MemoryCluster("c1", () => this.clock.nowMs());
    this.zone = this.#account.addZone({ name: APEX, behaviour: LIKE_RFC2136 });
    this.#account.breakWith({
      apply: (_zone, groups) => this.#onSend(groups),
      read: () => this.weather.read(),
    });
    this.#watchWrites();
    this.cluster.apply(SECRET, object("v1", "Secret", "dns", {}));
    const spec = { spec: { type: "memory", secretRef: { name: "dns" } } };
    this.cluster.apply(
      DNS_PROVIDER,
      object("dns.gardener.cloud/v1alpha1", "DNSProvider", "dns", spec),
    );
  }

  /** All record sets of the zone. */
  content(): readonly RecordSet[] {
    return this.zone.content.all();
  }

  /** Notes what happens, with the virtual time. */
  note(line: string): void {
    this.diary.push(`${String(Math.round(this.clock.monotonicMs())).padStart(8)} ${line}`);
  }

  /** Starts a process; at most one lives. */
  start(): void {
    const gate = new ProcessGate(
      (what) => this.weather.passage(what),
      () => this.#crashed(),
    );
    const view = new ProcessView(this.cluster, this.clock, this.random);
    const ports = {
      clock: this.clock,
      random: this.random,
      log: this.log,
      metrics: new MemoryMetrics(),
    };
    const access = {
      view,
      writer: gate.writer(this.cluster),
      recorder: gate.recorder(this.cluster),
    };
    const composition = compose({
      owner: OWNER,
      publish: { dnsClass: "gardendns", policy: "sync", ttlSeconds: 300, dryRun: false },
      adoption: { mode: "never" },
      controllers: new Set(["compound", "service-dns", "ingress-dns"]),
      sourceClusters: [access],
      target: access,
      provider: access,
      types: [gate.provider(memoryProvider(this.#account))],
      openOwnership: (zone) =>
        openTxtOwnership({ apex: zone.name, isOurs: (owner) => owner === OWNER }),
      // Without the fuse: it stops what the story is about. Its own proof is plan/fuse.test.ts.
      openGuard: () => ({ admit: async (plans) => plans, approve: async () => false }),
      toAscii: null,
      startQueue: (options) => new Reconciler(options, ports),
      ports: { ...ports, net: NO_NET, crypto: new RealCrypto() },
      settings: SETTINGS,
    });
    this.#process = { gate, view, composition };
    this.note("process started");
  }

  /** `kill -9`. */
  kill(): void {
    if (this.#process === null) return;
    this.note("process killed");
    this.#bury();
  }

  /** Whether a process lives. */
  get isRunning(): boolean {
    return this.#process !== null;
  }

  /** F02, F03. */
  interrupt(kind: KindRef, state: "stale" | "forbidden", forMs: number): void {
    this.note(`watch of ${kind.plural} ${state} for ${forMs} ms`);
    this.#process?.view.interrupt(kind, state, forMs);
  }

  /** F12: somebody else writes into the zone. */
  foreign(what: string, write: () => void): void {
    this.note(`foreign: ${what}`);
    this.#foreignHand = true;
    write();
    this.#foreignHand = false;
  }

  /** What the process says of the zone now; for messages. */
  explain(): string {
    const open = this.#process?.composition.zones().flatMap((zone) => zone.open) ?? [];
    return JSON.stringify(open, null, 1);
  }

  #onSend(groups: readonly ChangeGroup[]): readonly ApplyFault[] {
    const names = groups.map(groupText).join("; ");
    const faults = this.weather.apply(groups);
    this.note(`sent ${names}${faults.map((fault) => ` (${fault.kind})`).join("")}`);
    this.#check(() => checkRemovals(groups, this.content(), this.truth));
    return faults;
  }

  /** Every write to the zone, whoever makes it, passes here. */
  #watchWrites(): void {
    const { content } = this.zone;
    const write = content.write.bind(content);
    content.write = (edits, atMs) => {
      const before = content.all();
      write(edits, atMs ?? this.clock.monotonicMs());
      const after = content.all();
      if (this.#foreignHand) {
        for (const line of differences(before, after)) this.note(`  ${line}`);
        return;
      }
      this.ownWrites += 1;
      this.#check(() => {
        checkForeignUntouched(before, after, OWNER);
        checkMarked(before, after, OWNER);
        notePublished({ before, after }, this.truth, OWNER);
      });
    };
  }

  #check(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.violation ??= error;
    }
  }

  #crashed(): void {
    this.crashes += 1;
    this.note("process crashed at an external call");
    this.#bury();
  }

  #bury(): void {
    this.#process?.gate.die();
    this.#process?.view.die();
    // What is left of the old process runs on and reaches nothing; a real one would be gone.
    this.#process = null;
  }
}

/** What a write changed, as lines of zone text after + and -. The SOA is left out. */
function differences(before: readonly RecordSet[], after: readonly RecordSet[]): readonly string[] {
  const texts = (sets: readonly RecordSet[]): readonly string[] =>
    sets.filter(({ type }) => type !== "SOA").map(contentText);
  const [old, now] = [new Set(texts(before)), new Set(texts(after))];
  return [
    ...[...old].filter((line) => !now.has(line)).map((line) => `- ${line}`),
    ...[...now].filter((line) => !old.has(line)).map((line) => `+ ${line}`),
  ];
}

function groupText({ changes }: ChangeGroup): string {
  const texts = changes.map((change) => {
    const set = change.op === "remove" ? change.previous : change.next;
    return `${change.op} ${set.name} ${set.type} ${statementOf(set)?.resource ?? set.values.join(",")}`;
  });
  return texts.join(", ");
}

const NO_NET = {
  connectTcp: () => Promise.reject(new Error("the simulator has no network")),
  listenTcp: () => Promise.reject(new Error("the simulator has no network")),
  bindUdp: () => Promise.reject(new Error("the simulator has no network")),
};

function object(
  apiVersion: string,
  kind: string,
  name: string,
  rest: Readonly<Record<string, unknown>>,
): Parameters<MemoryCluster["apply"]>[1] {
  return { apiVersion, kind, metadata: { namespace: "default", name }, ...rest };
}
