/**
 * Regions by seed (ADR 0129): two processes with one election over one zone; ways to the Lease, the
 * zone and a further cluster are cut and healed, processes die and begin, the wall clock jumps, and
 * objects of both clusters change all the time. No answer goes back, and none goes while its object
 * is there; when the trouble is over one leads, and the zone is what the objects say.
 */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { SeededRandom } from "../../support/ports/test-ports.ts";
import {
  leaseServer,
  publish,
  type RegionProcess,
  RegionWorld,
} from "../../support/worlds/region-world.ts";

const STEPS = 40;
const LATENCY_MS = 200;
/** Of a step, seconds. */
const STEP_S = [1, 3, 10, 20, 60];
/** The longest pause between two tries, twice, after a Lease that was left behind. */
const CALM_S = 1_300;
const JUMPS_MS = [-86_400_000, -60_000, 60_000, 86_400_000];

/** What goes wrong in these plays; empty = nothing. */
export async function regionTroubles(seeds: readonly number[]): Promise<readonly string[]> {
  const troubles: string[] = [];
  for (const seed of seeds)
    troubles.push(...(await new Play(seed).run()).map((text) => `seed ${seed}: ${text}`));
  return troubles;
}

class Play {
  readonly #random: SeededRandom;
  readonly #world = new RegionWorld(LATENCY_MS);
  readonly #server = leaseServer();
  #processes: readonly RegionProcess[] = [];
  readonly #troubles = new Set<string>();
  /** Edits by name: counted up; 0 = its object is deleted. */
  readonly #wanted = { web: 0, far: 0 };
  readonly #seen = { web: 0, far: 0 };
  #edits = 0;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  async run(): Promise<readonly string[]> {
    this.#edit("web");
    this.#edit("far");
    this.#begin();
    await this.#pass(30);
    this.#begin();
    for (let step = 0; step < STEPS; step++) {
      this.#act();
      await this.#pass(this.#pick(STEP_S));
    }
    await this.#calm();
    await this.#world.close();
    return [...this.#troubles];
  }

  #act(): void {
    const { eu, clock } = this.#world;
    const one = this.#pick(this.#processes);
    const isCut = this.#pick([true, false]);
    this.#pick<() => void>([
      () => this.#edit("web"),
      () => this.#edit("far"),
      () => this.#end("far"),
      () => one.cutLease(isCut || one.isDead),
      () => one.cutZone(isCut || one.isDead),
      () => (isCut ? eu.breakWatch(SERVICE) : eu.relist(SERVICE)),
      () => one.join(...(isCut ? [] : [eu])),
      () => this.#kill(one),
      () => clock.jumpWallMs(this.#pick(JUMPS_MS)),
    ])();
  }

  #begin(): void {
    this.#processes = [...this.#processes, this.#world.start(this.#server)];
  }

  #kill(one: RegionProcess): void {
    one.kill();
    this.#processes = this.#processes.filter((each) => each !== one);
    this.#begin();
  }

  #edit(label: "web" | "far"): void {
    this.#edits += 1;
    this.#wanted[label] = this.#edits;
    publish(label === "web" ? this.#world.source : this.#world.eu, label, addressOf(this.#edits));
  }

  #end(label: "far"): void {
    if (this.#wanted[label] > 0) this.#world.eu.delete(SERVICE, "default", label);
    this.#wanted[label] = 0;
  }

  async #calm(): Promise<void> {
    for (const one of this.#processes) {
      one.cutLease(false);
      one.cutZone(false);
      one.join(this.#world.eu);
    }
    this.#world.eu.relist(SERVICE);
    await this.#pass(CALM_S);
    const living = this.#processes.filter(({ isLeading }) => isLeading);
    if (living.length !== 1) this.#troubles.add(`${living.length} lead in the end`);
    for (const label of ["web", "far"] as const) {
      const wanted = this.#wanted[label] === 0 ? "" : addressOf(this.#wanted[label]);
      const answer = this.#world.answers(label);
      if (answer !== wanted)
        this.#troubles.add(`${label} is ${answer} in the end, and ${wanted} is wanted`);
    }
    const plans = this.#processes.flatMap(({ instance }) => instance.work.zones());
    const open = plans.flatMap((zone) => zone.open.map(({ name }) => name));
    if (open.length > 0) this.#troubles.add(`${open.join()} is open in the end`);
  }

  async #pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      await this.#world.pass(1);
      for (const label of ["web", "far"] as const) this.#check(label);
      if (this.#processes.some(({ standbyWrites }) => standbyWrites > 0))
        this.#troubles.add("a standby writes");
    }
  }

  #check(label: "web" | "far"): void {
    const [, high = 0, low = 0] = /192\.0\.(\d+)\.(\d+)/.exec(this.#world.answers(label)) ?? [];
    const answer = Number(high) * 256 + Number(low);
    const seen = this.#seen[label];
    if (answer === 0 && seen > 0 && this.#wanted[label] > 0 && !this.#mayBeAway(label))
      this.#troubles.add(`${label} is gone, and its object is there`);
    if (answer > 0 && answer < seen)
      this.#troubles.add(`${label} goes back from edit ${seen} to ${answer}`);
    if (answer > 0) this.#seen[label] = answer;
    else if (this.#wanted[label] === 0) this.#seen[label] = 0;
  }

  /** An object that was made anew is not published at once. */
  #mayBeAway(label: "web" | "far"): boolean {
    return label === "far" && this.#wanted.far > this.#seen.far;
  }

  #pick<T>(some: readonly T[]): T {
    const one = some[Math.floor(this.#random.next() * some.length)];
    if (one === undefined) throw new Error("nothing to pick from");
    return one;
  }
}

function addressOf(edit: number): string {
  return `192.0.${edit >> 8}.${edit & 255}`;
}
