/**
 * The law of the election under random histories: two candidates never lead at the same moment,
 * epochs of terms only rise, and when all is well again one of them leads. Requests may hang, come
 * late, or lose their answers.
 */
import { sleep } from "@zonekeeper/base/ports/clock";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  HandlerClient,
  type Interceptor,
} from "../../../../../test/support/clients/handler-client.ts";
import { FakeApiServer } from "../../../../../test/support/ports/fake-api-server.ts";
import {
  MemoryLog,
  MemoryMetrics,
  SeededRandom,
} from "../../../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../../../test/support/ports/virtual-clock.ts";
import { LEASE } from "../../objects/kinds.ts";
import { ApiClient } from "../requests/api-client.ts";
import { ApiClusterWriter } from "../write/cluster-writer.ts";
import { LeaseElection } from "./lease-election.ts";

type Weather = "fine" | "cut" | "slow" | "late" | "lossy" | "refused";

interface Step {
  readonly who: number;
  readonly weather: Weather;
  readonly jumpMs: number;
  readonly waitMs: number;
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    who: fc.integer({ min: 0, max: 2 }),
    weather: fc.constantFrom<Weather>("fine", "cut", "slow", "late", "lossy", "refused"),
    jumpMs: fc.constantFrom(0, 0, 0, 3_600_000, -3_600_000),
    waitMs: fc.constantFrom(300, 1_900, 4_100, 9_700, 16_000),
  }),
  { maxLength: 25 },
);

class Candidates {
  readonly clock = new VirtualClock();
  readonly server = new FakeApiServer([LEASE]);
  readonly epochs: number[] = [];
  readonly stopping = new AbortController();
  readonly https = [0, 1, 2].map(() => new HandlerClient(this.server.handler));
  readonly elections: readonly LeaseElection[] = this.https.map((http, i) =>
    this.#candidate(http, i),
  );
  readonly runs: readonly Promise<void>[];

  constructor() {
    this.runs = this.elections.map((election) => election.run(this.stopping.signal));
  }

  get leaders(): number {
    return this.elections.filter(({ isLeading }) => isLeading).length;
  }

  set(who: number, weather: Weather): void {
    const http = this.https[who];
    if (http !== undefined) http.interceptors = [this.#weather(weather)];
  }

  /** Looks after each quarter of a second. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 250) {
      await this.clock.advance(250);
      expect(this.leaders).toBeLessThanOrEqual(1);
    }
  }

  #candidate(http: HandlerClient, i: number): LeaseElection {
    const { clock } = this;
    const client = new ApiClient({ http, clock });
    const identity = `candidate-${i}`;
    return new LeaseElection({
      writer: new ApiClusterWriter({ clusterId: "c1", client, clock, rate: null }),
      clock,
      random: new SeededRandom(i + 1),
      log: new MemoryLog(),
      metrics: new MemoryMetrics(),
      namespace: "kube-system",
      name: "zonekeeper",
      installation: "--owner one",
      identity,
      // Each is preferred to the one before it.
      preference: { rank: () => 3 - i, trouble: () => null, afterMs: 5_000 },
      onStartedLeading: (epoch) => void this.epochs.push(epoch),
      onStoppedLeading: () => {},
    });
  }

  #weather(weather: Weather): Interceptor {
    const { clock } = this;
    switch (weather) {
      case "cut":
        return () => new Promise(() => {});
      case "slow":
        return async (request, next) => {
          await sleep(clock, 3_000);
          return next(request);
        };
      case "late":
        // What was sent arrives long after everybody gave up on it.
        return async (request, next) => {
          await sleep(clock, 12_000);
          await next(request);
          throw new Error("nobody listens any more");
        };
      case "lossy":
        return async (request, next) => {
          await next(request);
          throw new Error("the answer was lost");
        };
      case "refused":
        return () => {
          throw new Error("connection refused");
        };
      case "fine":
        return () => undefined;
    }
  }
}

test("never two leaders, rising epochs, and one leader in the end", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const world = new Candidates();
      await world.pass(1_000);
      for (const { who, weather, jumpMs, waitMs } of history) {
        world.set(who, weather);
        world.clock.jumpWallMs(jumpMs);
        await world.pass(waitMs);
      }
      for (const who of [0, 1, 2]) world.set(who, "fine");
      await world.pass(60_000);
      expect(world.leaders).toBe(1);
      const sorted = [...new Set(world.epochs)].sort((a, b) => a - b);
      expect(world.epochs).toEqual(sorted);
      world.stopping.abort();
      await world.clock.advance(60_000);
      await Promise.all(world.runs);
      expect([world.leaders, world.clock.pendingTimers]).toEqual([0, 0]);
    }),
    { numRuns: 40 },
  );
});
