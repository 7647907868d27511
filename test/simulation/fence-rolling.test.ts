/**
 * Proof 3 of SAFETY, the whole way: replicas with elections over one API server, engines and one zone, each replica with a
 * clock of its own. Somebody changes the wish every second; the zone must follow within a lease and never go back.
 */
import { expect, test } from "vitest";
import { leaseTerm } from "../../src/app/writer-terms.ts";
import { ApiClient } from "../../src/cluster/api-client.ts";
import { ApiClusterWriter } from "../../src/cluster/cluster-writer.ts";
import { LEASE_TIMING, LeaseElection } from "../../src/cluster/lease-election.ts";
import { LEASE } from "../../src/model/kinds.ts";
import { LIKE_RFC2136 } from "../../src/providers/memory/behaviour.ts";
import { MemoryAccount } from "../../src/providers/memory/provider.ts";
import { APEX, engineWorld, entry, KEY } from "../support/engine-world.ts";
import { FakeApiServer } from "../support/fake-api-server.ts";
import { HandlerClient } from "../support/handler-client.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../support/test-ports.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const STEP_MS = 250;
/** A call takes a while, so that it can be under way when its sender is paused. */
const BEHAVIOUR = { ...LIKE_RFC2136, latencyMs: 200 };
const PLACE = { cluster: "uid-1", namespace: "kube-system", name: "zonekeeper" };
/** A lease, the retry that notices its end with its jitter, and the first load of the zone. */
const GAP_MS_MAX = LEASE_TIMING.durationMs + 1.2 * LEASE_TIMING.retryPeriodMs + 2_000;

class Replica {
  readonly clock = new VirtualClock();
  readonly #stopping = new AbortController();
  readonly #account: MemoryAccount;
  readonly #election: LeaseElection;
  readonly ended: Promise<void>;
  #world: ReturnType<typeof engineWorld> | null = null;
  isAway = false;

  constructor(server: FakeApiServer, account: MemoryAccount, seed: number) {
    const { clock } = this;
    this.#account = account;
    const client = new ApiClient({ http: new HandlerClient(server.handler), clock });
    this.#election = new LeaseElection({
      writer: new ApiClusterWriter({ clusterId: "c1", client, clock, rate: null }),
      clock,
      random: new SeededRandom(seed),
      log: new MemoryLog(),
      metrics: new MemoryMetrics(),
      ...PLACE,
      identity: `replica-${seed}`,
      onStartedLeading: (epoch) => this.#begin(epoch),
      onStoppedLeading: () => this.#end(),
    });
    this.ended = this.#election.run(this.#stopping.signal);
  }

  wish(contribution: ReturnType<typeof entry>): void {
    if (!this.isAway) this.#world?.engine.contribute(KEY, contribution);
  }

  stop(): void {
    this.#stopping.abort();
  }

  #begin(epoch: number): void {
    const term = leaseTerm(this.#election, PLACE, { ...LEASE_TIMING, epoch });
    const engine = { fence: { term, record: true } };
    const { clock } = this;
    this.#world = engineWorld({ clock, account: this.#account, behaviour: BEHAVIOUR, engine });
    this.#world.engine.openZone(this.#world.setup);
  }

  async #end(): Promise<void> {
    await this.#world?.engine.stop();
    this.#world = null;
  }
}

class Cluster {
  readonly account = new MemoryAccount();
  readonly replicas: Replica[] = [];
  readonly #server = new FakeApiServer([LEASE]);
  #nowMs = 0;
  #wished = 0;
  #seen = 0;
  #seenAtMs = 0;
  longestGapMs = 0;

  async start(): Promise<Replica> {
    const replica = new Replica(this.#server, this.account, this.replicas.length + 1);
    this.replicas.push(replica);
    await replica.clock.settle();
    return replica;
  }

  /** Time goes on for everybody who is not away; a new wish each second. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= STEP_MS) {
      this.#nowMs += STEP_MS;
      if (this.#nowMs % 1_000 === 0) this.#wished += 1;
      // Everybody who runs is told in each step, as by a watch that was just opened.
      const wish = entry("www", [`192.0.2.${this.#wished % 250}`]);
      for (const replica of this.replicas) {
        replica.wish(wish);
        if (!replica.isAway) await replica.clock.advance(STEP_MS);
      }
      this.#look();
    }
  }

  /** Back after a pause: its time is over before anything of it runs. */
  async resume(replica: Replica, awayMs: number): Promise<void> {
    await replica.clock.pause(awayMs);
    replica.isAway = false;
    this.#look();
  }

  #look(): void {
    const content = this.account.zoneNamed(APEX)?.content;
    const sets = content?.all().filter(({ name, type }) => name.startsWith("www.") && type === "A");
    const value = Number(sets?.[0]?.values[0]?.split(".")[3] ?? 0);
    expect(value, "the zone goes back to an earlier wish").toBeGreaterThanOrEqual(this.#seen);
    if (value > this.#seen) {
      this.longestGapMs = Math.max(this.longestGapMs, this.#nowMs - this.#seenAtMs);
      this.#seenAtMs = this.#nowMs;
    }
    this.#seen = value;
    expect(this.#nowMs - this.#seenAtMs).toBeLessThanOrEqual(GAP_MS_MAX);
  }

  async close(): Promise<void> {
    for (const replica of this.replicas) replica.stop();
    for (let round = 0; round < 200; round++)
      for (const { clock } of this.replicas) await clock.advance(STEP_MS);
    await Promise.all(this.replicas.map(({ ended }) => ended));
  }
}

test("a rolling update: each replica is replaced, and writing goes on", async () => {
  const cluster = new Cluster();
  let present = await cluster.start();
  await cluster.pass(10_000);
  for (let at = 0; at < 3; at++) {
    const next = await cluster.start();
    await cluster.pass(5_000);
    present.stop();
    await cluster.pass(10_000);
    present = next;
  }
  expect(cluster.longestGapMs).toBeLessThanOrEqual(2 * LEASE_TIMING.retryPeriodMs + 2_000);
  await cluster.close();
});

test("a replica that dies is followed within a lease", async () => {
  const cluster = new Cluster();
  const first = await cluster.start();
  await cluster.start();
  await cluster.pass(10_000);
  first.isAway = true;
  await cluster.pass(30_000);
  expect(cluster.longestGapMs).toBeGreaterThan(LEASE_TIMING.renewDeadlineMs);
  await cluster.close();
});

test.each([1, 2, 3, 4])(
  "a machine that was paused with a batch under way wakes and changes nothing (P01), phase %i",
  async (phase) => {
    const cluster = new Cluster();
    const first = await cluster.start();
    await cluster.start();
    await cluster.pass(10_000 + phase * STEP_MS);
    first.isAway = true;
    await cluster.pass(40_000);
    await cluster.resume(first, 40_000);
    await cluster.pass(20_000);
    await cluster.close();
  },
);

test("two replicas that are paused in turn hand over for ever", async () => {
  const cluster = new Cluster();
  await cluster.start();
  await cluster.start();
  await cluster.pass(5_000);
  for (const at of [0, 1, 0, 1]) {
    const replica = cluster.replicas[at];
    if (replica === undefined) throw new Error("not started");
    replica.isAway = true;
    await cluster.pass(20_000);
    await cluster.resume(replica, 20_000);
    await cluster.pass(5_000);
  }
  await cluster.close();
});
