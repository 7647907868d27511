/**
 * Replicas of one installation with real elections over one API server, engines and one zone, each
 * replica with a clock of its own. Somebody changes the wish every second; the zone must follow
 * within a lease (L7) and never go back (S6).
 */
import { LEASE_TIMING, LeaseElection } from "@zonekeeper/kube/client/lease/lease-election";
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { ApiClusterWriter } from "@zonekeeper/kube/client/write/cluster-writer";
import { LEASE } from "@zonekeeper/kube/objects/kinds";
import { type LeaseRef, leaseTerm } from "../../../src/app/compose/lease-epochs.ts";
import { HandlerClient } from "../../support/clients/handler-client.ts";
import { LIKE_RFC2136 } from "../../support/memory-provider/behaviour.ts";
import { MemoryAccount } from "../../support/memory-provider/provider.ts";
import { FakeApiServer } from "../../support/ports/fake-api-server.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../../support/ports/test-ports.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { APEX, engineWorld, entry, KEY } from "../../support/worlds/engine-world.ts";
import { Violation } from "../checks/checks.ts";

const STEP_MS = 250;
/** A call takes a while, so that it can be under way when its sender is paused. */
const BEHAVIOUR = { ...LIKE_RFC2136, latencyMs: 200 };
const LEASE_ADDRESS = { namespace: "kube-system", name: "zonekeeper" };
const ELECTED = { election: null, cluster: "uid-1" };
/**
 * L7. It is a lease, the retry that notices its end with its jitter, and the first load of the
 * zone.
 */
const FAIL_OVER_MS_MAX = LEASE_TIMING.durationMs + 5_000;

/** The name of its election, and the cluster of its Lease. */
export type Elected = Pick<LeaseRef, "election" | "cluster">;

/** One process with its election, and its engine while it leads. */
export class Replica {
  readonly clock = new VirtualClock();
  readonly #stopping = new AbortController();
  readonly #account: MemoryAccount;
  readonly #random: SeededRandom;
  readonly #election: LeaseElection;
  readonly #elected: Elected;
  readonly ended: Promise<void>;
  #world: ReturnType<typeof engineWorld> | null = null;
  isAway = false;

  constructor(
    server: FakeApiServer,
    account: MemoryAccount,
    seed: number,
    elected: Elected = ELECTED,
  ) {
    this.#elected = elected;
    const { clock } = this;
    this.#account = account;
    this.#random = new SeededRandom(seed);
    const client = new ApiClient({ http: new HandlerClient(server.handler), clock });
    this.#election = new LeaseElection({
      writer: new ApiClusterWriter({ clusterId: "c1", client, clock, rate: null }),
      clock,
      random: this.#random,
      log: new MemoryLog(),
      metrics: new MemoryMetrics(),
      ...LEASE_ADDRESS,
      installation: "--owner one",
      identity: `replica-${seed}`,
      replacedPauseMs: elected.election === null ? 0 : LEASE_TIMING.durationMs,
      onStartedLeading: (epoch, copyEpoch) => this.#begin(epoch, copyEpoch),
      onStoppedLeading: () => this.#end(),
    });
    this.ended = this.#election.run(this.#stopping.signal);
  }

  desired(contribution: ReturnType<typeof entry>): void {
    if (!this.isAway) this.#world?.engine.contribute(KEY, contribution);
  }

  /** Our owner id is taken from this domain in every zone; answers in how many. */
  async takeOwner(from: string): Promise<number> {
    return (await this.#world?.engine.takeOwner(from, false))?.length ?? 0;
  }

  stop(): void {
    this.#stopping.abort();
  }

  #begin(epoch: number, copyEpoch: number | null): void {
    const given = { ...LEASE_TIMING, epoch, copyEpoch, random: this.#random };
    const term = leaseTerm(this.#election, { ...LEASE_ADDRESS, ...this.#elected }, given);
    const engine = { fence: { term, record: true } };
    const { clock } = this;
    this.#world = engineWorld({ clock, account: this.#account, behaviour: BEHAVIOUR, engine });
    this.#world.engine.openZone(this.#world.zoneInput);
  }

  async #end(): Promise<void> {
    await this.#world?.engine.stop();
    this.#world = null;
  }
}

/** Replicas of one installation. */
export class Cluster {
  readonly account = new MemoryAccount();
  readonly replicas: Replica[] = [];
  /** By cluster: one for each Lease. */
  readonly #servers = new Map<string | null, FakeApiServer>();
  #nowMs = 0;
  #desiredAddress = 0;
  #seen = 0;
  #seenAtMs = 0;
  longestGapMs = 0;

  async start(elected: Elected = ELECTED): Promise<Replica> {
    const server = this.#servers.get(elected.cluster) ?? new FakeApiServer([LEASE]);
    this.#servers.set(elected.cluster, server);
    const replica = new Replica(server, this.account, this.replicas.length + 1, elected);
    this.replicas.push(replica);
    await replica.clock.settle();
    return replica;
  }

  /** Time goes on for everybody who is not away; a new wish each second. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= STEP_MS) {
      this.#nowMs += STEP_MS;
      if (this.#nowMs % 1_000 === 0) this.#desiredAddress += 1;
      // Everybody who runs is told in each step, as by a watch that was just opened.
      const desired = entry("www", [`192.0.2.${this.#desiredAddress % 250}`]);
      for (const replica of this.replicas) {
        replica.desired(desired);
        if (!replica.isAway) await replica.clock.advance(STEP_MS);
      }
      this.#check();
    }
  }

  /** Back after a pause: its time is over before anything of it runs. */
  async resume(replica: Replica, awayMs: number): Promise<void> {
    await replica.clock.pause(awayMs);
    replica.isAway = false;
    this.#check();
  }

  #check(): void {
    const all = this.account.zoneNamed(APEX)?.content.all() ?? [];
    if (all.some(({ values }) => values.some((value) => value.includes(";contested="))))
      throw new Violation("Z-17: replicas of one installation were taken for two");
    const sets = all.filter(({ name, type }) => name.startsWith("www.") && type === "A");
    const value = Number(sets[0]?.values[0]?.split(".")[3] ?? 0);
    if (value < this.#seen)
      throw new Violation(`S6: the zone goes back from wish ${this.#seen} to ${value}`);
    if (value > this.#seen) {
      this.longestGapMs = Math.max(this.longestGapMs, this.#nowMs - this.#seenAtMs);
      this.#seenAtMs = this.#nowMs;
    }
    this.#seen = value;
    const gapMs = this.#nowMs - this.#seenAtMs;
    if (gapMs > FAIL_OVER_MS_MAX)
      throw new Violation(`L7: nobody has written for ${gapMs} ms, at most ${FAIL_OVER_MS_MAX} ms`);
  }

  async close(): Promise<void> {
    for (const replica of this.replicas) replica.stop();
    for (let round = 0; round < 200; round++)
      for (const { clock } of this.replicas) await clock.advance(STEP_MS);
    await Promise.all(this.replicas.map(({ ended }) => ended));
  }
}

/**
 * The election gets a name, its Lease moves to another cluster, and the former replica runs on
 * beside the new one for this long. Answers the longest time in which nobody wrote, milliseconds.
 */
export async function playMove(overlapMs: number): Promise<number> {
  const cluster = new Cluster();
  const unnamed = await cluster.start();
  await cluster.pass(5_000);
  const former = await cluster.start({ ...ELECTED, election: "shop" });
  unnamed.stop();
  await cluster.pass(10_000);
  await cluster.start({ election: "shop", cluster: "uid-2" });
  await cluster.pass(overlapMs);
  former.stop();
  await cluster.pass(150_000);
  await cluster.close();
  return cluster.longestGapMs;
}

/**
 * L7: the leader dies at this moment. Answers the longest time in which nobody wrote, milliseconds.
 */
export async function playFailOver(afterMs: number): Promise<number> {
  const cluster = new Cluster();
  const first = await cluster.start();
  await cluster.start();
  await cluster.pass(afterMs);
  first.isAway = true;
  await cluster.pass(2 * FAIL_OVER_MS_MAX);
  await cluster.close();
  return cluster.longestGapMs;
}
