/** The servers of all zones, for tests of the condition Live: they answer what a test says. */
import type { Clock } from "@zonekeeper/base/ports/clock";
import {
  type LiveAnswer,
  LiveChecks,
  type LiveRequest,
} from "../../../src/controllers/objects/live-checks.ts";

/** Keeps what was asked. */
export class ZoneServers {
  /** Names, in the order in which they were asked for. */
  readonly asked: string[] = [];
  answer: LiveAnswer = { status: "True", reason: "Answered", message: "2 of 2 servers" };
  /** Queries that one request costs. */
  queries = 1;

  /** The checks that ask them. */
  checks(clock: Clock, queriesPerMinute = 0): LiveChecks {
    return new LiveChecks({
      clock,
      queriesPerMinute,
      ask: async ({ name, sets }: LiveRequest, take) => {
        for (let query = 0; query < this.queries; query++) await take();
        this.asked.push(`${name} ${sets.map(({ values }) => values.join()).join()}`);
        return this.answer;
      },
    });
  }
}
