/** Listings of zones are paid from the budget of the vendor account (Z-20). */
import { OperationError } from "@zonekeeper/base/operation-error";
import { expect, test } from "vitest";
import { MemorySession } from "../../test/support/memory-provider/memory-session.ts";
import { expectWithinRate } from "../../test/support/ports/rate-window.ts";
import { engineWorld } from "../../test/support/worlds/engine-world.ts";

const RATE = { burst: 4, perSecond: 4 };
const READS = { burst: 1, perSecond: 1 };
const PAGES = 3;

/** A session of the vendor account `payer`, whose listing has three pages. */
function fixture() {
  const { clock, engine } = engineWorld();
  const timesMs: number[] = [];
  let refusal: OperationError | null = null;
  const open = (payer: string): MemorySession => {
    const environment = { clock, dryRun: false };
    const session = new MemorySession({
      zones: () => [],
      faults: { apply: () => [], read: () => [] },
      environment,
    });
    let pace = async (): Promise<void> => undefined;
    return Object.assign(session, {
      rateKey: payer,
      capabilities: { ...session.capabilities, rate: RATE },
      pace: (before: () => Promise<void>) => {
        pace = before;
      },
      zones: async () => {
        for (let page = 0; page < PAGES; page++) {
          if (page > 0) await pace();
          timesMs.push(clock.monotonicMs());
          if (refusal !== null) throw refusal;
        }
        return [];
      },
    });
  };
  const list = (session: MemorySession, account: string): Promise<unknown> =>
    engine.listZones(account, session, new AbortController().signal).catch((error) => error);
  const refuse = (error: OperationError | null): void => {
    refusal = error;
  };
  return { clock, engine, timesMs, open, list, refuse };
}

test("all pages of all DNSProviders of a vendor account keep to its rate, those of others do not wait", async () => {
  const { clock, engine, timesMs, open, list } = fixture();
  const listings = ["a", "b", "c"].map((account) => list(open("vendor"), account));
  await clock.advance(60_000);
  await Promise.all(listings);
  expect(timesMs).toHaveLength(3 * PAGES);
  expectWithinRate(timesMs, READS);
  const fromMs = clock.monotonicMs();
  const other = list(open("other"), "d");
  await clock.advance(0);
  expect(timesMs.at(-1)).toBe(fromMs);
  await clock.advance(10_000);
  await other;
  await engine.stop();
});

test("a listing that is throttled makes the whole account wait", async () => {
  const { clock, engine, timesMs, open, list, refuse } = fixture();
  const message = "Rate exceeded";
  refuse(new OperationError({ code: "Throttled", message, retry: "after", retryAfterMs: 7_000 }));
  const refused = await list(open("vendor"), "a");
  expect(refused).toMatchObject({ code: "Throttled" });
  refuse(null);
  const again = list(open("vendor"), "b");
  await clock.advance(6_999);
  expect(timesMs).toEqual([0]);
  await clock.advance(20_000);
  expect(await again).toEqual([]);
  expect(timesMs[1]).toBe(7_000);
  await engine.stop();
});
