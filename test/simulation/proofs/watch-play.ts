/**
 * The real watch cache before API servers that misbehave. L6: a watch that died without a word is
 * noticed. S18: no process acts on a version older than one that it or its predecessor has acted
 * on, whichever server answers.
 */
import type { HttpHandler } from "@zonekeeper/base/ports/http";
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { WatchCache } from "@zonekeeper/kube/client/watch/watch-cache";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import { HandlerClient } from "../../support/clients/handler-client.ts";
import { FakeApiServer } from "../../support/ports/fake-api-server.ts";
import { MemoryLog, MemoryMetrics } from "../../support/ports/test-ports.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { Violation } from "../checks/checks.ts";
import { SimRandom } from "../world/sim-random.ts";
import { TwoServers } from "../world/two-servers.ts";

/**
 * kube-apiserver sends a bookmark each minute (apiserver `storage/cacher`,
 * `defaultBookmarkFrequency`).
 */
const BOOKMARK_MS = 60_000;
const NOTICED_MS = 2 * BOOKMARK_MS;
const STEP_MS = 1_000;
const NAMES = ["a", "b", "c"] as const;
const STEPS = 60;

function openCache(handler: HttpHandler, clock: VirtualClock, seed: number): WatchCache {
  const client = new ApiClient({ http: new HandlerClient(handler), clock });
  const random = new SimRandom(seed);
  const ports = { clock, random, log: new MemoryLog(), metrics: new MemoryMetrics() };
  return new WatchCache({ clusterId: "c1", client, ...ports });
}

/**
 * L6: at some moment events and bookmarks stay away. Answers after how many milliseconds that was
 * noticed.
 */
export async function playSilence(seed: number): Promise<number> {
  const random = new SimRandom(seed);
  const clock = new VirtualClock();
  const server = new FakeApiServer([SERVICE]);
  const cache = openCache(server.handler, clock, seed);
  cache.subscribe(SERVICE, { onChange: () => {}, onState: () => {} });
  const bookmark = (): void => {
    server.bookmark();
    clock.setTimer(BOOKMARK_MS, bookmark);
  };
  bookmark();
  await clock.advance(random.below(10 * BOOKMARK_MS));
  if (cache.state(SERVICE) !== "live") throw new Violation("L6: a healthy watch is not live");
  server.isolateWatches();
  server.put(SERVICE, "default", { name: "unheard" });
  let silentMs = 0;
  while (cache.state(SERVICE) === "live" && !isThere(cache)) {
    await clock.advance(STEP_MS);
    silentMs += STEP_MS;
    if (silentMs > NOTICED_MS)
      throw new Violation(`L6: a watch has been dead for ${silentMs} ms and counts as live`);
  }
  await clock.advance(BOOKMARK_MS);
  if (!isThere(cache)) throw new Violation("L6: what was missed is not known a minute later");
  await cache.stop();
  return silentMs;
}

function isThere(cache: WatchCache): boolean {
  return cache.get(SERVICE, "default", "unheard").state === "value";
}

/**
 * S18 over a random history of one cluster. `isBroken`: the servers break their promises; then only
 * a process that lives on can know better. Answers how many changes processes were told of.
 */
export async function playServers(seed: number, isBroken: boolean): Promise<number> {
  const story = new ServerStory(seed, isBroken);
  for (let step = 0; step < STEPS; step++) await story.step();
  await story.stop();
  return story.reported;
}

class ServerStory {
  reported = 0;
  readonly #random: SimRandom;
  readonly #seed: number;
  readonly #isBroken: boolean;
  readonly #clock = new VirtualClock();
  readonly #servers: TwoServers;
  /** By UID: the latest version that any process has received. */
  readonly #acted = new Map<string, number>();
  /** UIDs that any process was told to be gone. */
  readonly #ended = new Set<string>();
  /** What the cluster has deleted. */
  readonly #removed = new Set<string>();
  /** UIDs that the present process knows. */
  #known = new Set<string>();
  #cache: WatchCache;
  #violation: Violation | null = null;

  constructor(seed: number, isBroken: boolean) {
    this.#random = new SimRandom(seed);
    this.#seed = seed;
    this.#isBroken = isBroken;
    this.#servers = new TwoServers(this.#random, isBroken);
    this.#cache = this.#start();
  }

  async step(): Promise<void> {
    const choice = this.#random.below(20);
    if (choice < 7) this.#servers.put(this.#random.pick(NAMES));
    else if (choice < 10) this.#remove(this.#random.pick(NAMES));
    else if (choice < 14) this.#servers.catchUp(1 + this.#random.below(4));
    else if (choice < 17) this.#servers.breakWatches();
    else if (!this.#isBroken) await this.#restart();
    await this.#clock.advance(this.#random.pick([0, 100, 2_000, 40_000]));
    if (this.#violation !== null) throw this.#violation;
  }

  stop(): Promise<void> {
    return this.#cache.stop();
  }

  #start(): WatchCache {
    this.#known = new Set();
    const cache = openCache(this.#servers.handler, this.#clock, this.#seed);
    cache.subscribe(SERVICE, {
      onChange: (change) => this.#onChange(change),
      onState: (_, state) => {
        if (state === "live") this.#onLive();
      },
    });
    return cache;
  }

  async #restart(): Promise<void> {
    await this.#cache.stop();
    this.#cache = this.#start();
  }

  #remove(name: string): void {
    const uid = this.#servers.uidOf(name);
    if (uid === null) return;
    this.#removed.add(uid);
    this.#servers.remove(name);
  }

  #onChange({ type, object }: ObjectChange): void {
    const { uid = "", resourceVersion = "", name } = object.metadata;
    this.reported += 1;
    if (type === "deleted") {
      this.#known.delete(uid);
      this.#ended.add(uid);
      if (!this.#removed.has(uid)) this.#violate(`${name} is called deleted and is not`);
      return;
    }
    const acted = this.#acted.get(uid) ?? 0;
    if (this.#ended.has(uid)) this.#violate(`${name} was seen deleted and is acted on again`);
    if (Number(resourceVersion) < acted)
      this.#violate(`version ${resourceVersion} of ${name} is acted on after ${acted}`);
    this.#acted.set(uid, Number(resourceVersion));
    this.#known.add(uid);
  }

  /** From now on what is missing counts as absent. */
  #onLive(): void {
    for (const uid of this.#acted.keys())
      if (!this.#known.has(uid) && !this.#removed.has(uid))
        this.#violate(`an object that was acted on before counts as absent`);
  }

  #violate(what: string): void {
    this.#violation ??= new Violation(`S18: ${what}`);
  }
}
