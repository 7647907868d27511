/**
 * A cluster whose snapshot was restored beside it: two API servers with one UID and one Lease, each
 * with a replica of its own, and one zone. The two want different addresses at one name.
 */
import { LEASE } from "@zonekeeper/kube/objects/kinds";
import { MemoryAccount } from "../../support/memory-provider/provider.ts";
import { FakeApiServer } from "../../support/ports/fake-api-server.ts";
import { APEX, entry } from "../../support/worlds/engine-world.ts";
import { Violation } from "../checks/checks.ts";
import { Replica } from "./replicas.ts";

const STEP_MS = 250;
const DOMAIN = "uid-1/kube-system/zonekeeper";
/** Each of the two may be replaced once before it knows (Z-17). */
const TURNS_MAX = 4;

/** The cluster, and the copy of it. */
type Side = "original" | "copy";
const PREFIX: Readonly<Record<Side, string>> = { original: "192.0.2.", copy: "198.51.100." };

/** What differs between the stories. */
export interface CopyStory {
  /** Milliseconds between the snapshot and the start of the copy. */
  readonly startAfterMs: number;
  /** The original begins another term then, too, so that both have the same epoch. */
  readonly restartsBoth: boolean;
}

/** Both run on the state of one snapshot. Throws with the rule that was broken. */
export async function playCopies(story: CopyStory): Promise<void> {
  const world = new CopiedCluster();
  await world.start("original");
  await world.pass(10_000);
  world.copy();
  await world.pass(story.startAfterMs);
  if (story.restartsBoth) await world.stop("original");
  await Promise.all([
    world.start("copy"),
    ...(story.restartsBoth ? [world.start("original")] : []),
  ]);
  await world.pass(120_000);
  world.isStill("after both met");
  await world.restart();
  world.isStill("after both were started again");
  await world.settle("copy");
  await world.stop("original");
  await world.goesOn("copy");
  await world.close();
}

class CopiedCluster {
  readonly account = new MemoryAccount();
  readonly #servers = { original: new FakeApiServer([LEASE]), copy: new FakeApiServer([LEASE]) };
  readonly #present = new Map<Side, Replica>();
  readonly #started: Replica[] = [];
  #nowMs = 0;
  #value = "";
  #turns = 0;
  #writtenAtMs = 0;

  /** The copy's API server gets the Lease as it is now. */
  copy(): void {
    const [lease] = this.#servers.original.objects(LEASE);
    if (lease === undefined) throw new Error("no Lease");
    this.#servers.copy.put(LEASE, "kube-system", { name: "zonekeeper", spec: lease["spec"] });
  }

  async start(side: Side): Promise<void> {
    const replica = new Replica(this.#servers[side], this.account, this.#started.length + 1);
    this.#started.push(replica);
    this.#present.set(side, replica);
    await replica.clock.settle();
  }

  async stop(side: Side): Promise<void> {
    this.#present.get(side)?.stop();
    await this.pass(5_000);
    this.#present.delete(side);
  }

  async restart(): Promise<void> {
    for (const side of ["original", "copy"] as const) {
      await this.stop(side);
      await this.start(side);
    }
    await this.pass(60_000);
  }

  /** A person gives the owner id to one; the other one runs on. */
  async settle(stays: Side): Promise<void> {
    if ((await this.#await(this.#present.get(stays)?.takeOwner(DOMAIN))) !== 1)
      throw new Violation("Z-17: nobody can say which of the copies stays");
    await this.pass(5_000);
    this.#turns = TURNS_MAX - 1;
    await this.goesOn(stays);
  }

  async goesOn(stays: Side): Promise<void> {
    await this.pass(40_000);
    this.isStillWritten();
    if (!this.#value.startsWith(PREFIX[stays]))
      throw new Violation("L1: the copy that stays does not write");
  }

  isStillWritten(): void {
    if (this.#nowMs - this.#writtenAtMs > 5_000)
      throw new Violation("L1: the copy that stays does not write any more");
  }

  isStill(when: string): void {
    if (this.#nowMs - this.#writtenAtMs < 20_000)
      throw new Violation(`Z-17: ${when}: copies of one cluster write to one zone`);
  }

  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= STEP_MS) {
      this.#nowMs += STEP_MS;
      const desired = Math.floor(this.#nowMs / 1_000) % 250;
      for (const [side, replica] of this.#present)
        replica.desired(entry("www", [`${PREFIX[side]}${desired}`]));
      for (const { clock } of this.#started) await clock.advance(STEP_MS);
      this.#check();
    }
  }

  #check(): void {
    const sets = this.account.zoneNamed(APEX)?.content.all() ?? [];
    const www = sets.find(({ name, type }) => name.startsWith("www.") && type === "A");
    const value = www?.values[0] ?? "";
    if (value === this.#value) return;
    if (networkOf(value) !== networkOf(this.#value)) this.#turns += 1;
    if (this.#turns > TURNS_MAX)
      throw new Violation(`Z-17: copies of one cluster wrote in turn, ${this.#turns} times`);
    this.#value = value;
    this.#writtenAtMs = this.#nowMs;
  }

  async close(): Promise<void> {
    for (const replica of this.#started) replica.stop();
    await this.pass(50_000);
    await Promise.all(this.#started.map(({ ended }) => ended));
  }

  /** Time goes on meanwhile. */
  async #await<T>(work: Promise<T> | undefined): Promise<T | undefined> {
    await this.pass(5_000);
    return work;
  }
}

function networkOf(address: string): string {
  return address.slice(0, address.lastIndexOf("."));
}
