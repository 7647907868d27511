/**
 * The rates that providers declare keep to what vendors allow, in any window of the vendor's
 * length, when all zones of an account are as busy as they may be.
 */
import { expect, test } from "vitest";
import { PRIVATE, PUBLIC } from "../../src/providers/azure/flavours.ts";
import { capabilitiesOf, planLimits } from "../../src/providers/cloudflare/limits.ts";
import { CAPABILITIES as GOOGLE } from "../../src/providers/google/limits.ts";
import type { Capabilities } from "../../src/providers/provider.ts";
import { CAPABILITIES as ROUTE53 } from "../../src/providers/route53/limits.ts";
import { AccountBudget } from "../../src/sync/calls/account-budget.ts";
import { VirtualClock } from "../support/ports/virtual-clock.ts";

const ZONES = ["a", "b", "c", "d", "e"];
const MINUTE = 60;
const CLOUDFLARE = capabilitiesOf(planLimits("free"));

interface Call {
  readonly zone: string;
  readonly kind: "read" | "write";
  readonly atMs: number;
}

/** Ten minutes of an account whose zones read and write all the time. */
async function busyAccount(
  { rate, rateLimits }: Capabilities,
  zones: readonly string[],
): Promise<readonly Call[]> {
  const clock = new VirtualClock();
  const budget = new AccountBudget(clock, rate, rateLimits);
  const calls: Call[] = [];
  let isOver = false;
  const work = async (zone: string, kind: Call["kind"]): Promise<void> => {
    const own = budget.of(zone);
    while (!isOver) {
      await own[kind]();
      calls.push({ zone, kind, atMs: clock.monotonicMs() });
    }
  };
  for (const zone of zones) for (const kind of ["read", "write"] as const) void work(zone, kind);
  await clock.advance(10 * MINUTE * 1000);
  isOver = true;
  return calls;
}

function mostIn(timesMs: readonly number[], seconds: number): number {
  let most = 0;
  let first = 0;
  for (const [last, toMs] of timesMs.entries()) {
    while ((timesMs[first] ?? toMs) <= toMs - seconds * 1000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

// A rate of five a second lets a full burst go before the first second is over.
const TWO_SECONDS_OF_FIVE = 10;

test.each([
  ["Route53: an account", ROUTE53, "account", "all", 1, TWO_SECONDS_OF_FIVE],
  ["Route53: changes of a zone", ROUTE53, "zone", "write", 1, 6],
  ["Google: reads of a project", GOOGLE, "account", "read", MINUTE, 160],
  ["Google: writes of a project", GOOGLE, "account", "write", MINUTE, 465],
  ["Cloudflare: a user in five minutes", CLOUDFLARE, "account", "all", 5 * MINUTE, 1200],
  ["Azure: reads of a subscription", PUBLIC.capabilities, "account", "read", 5 * MINUTE, 500],
  ["Azure: calls of a subscription", PUBLIC.capabilities, "account", "all", MINUTE, 800],
  ["Azure: one kind of write to a zone", PUBLIC.capabilities, "zone", "write", MINUTE, 200],
  ["Azure: listings of a zone", PUBLIC.capabilities, "zone", "read", MINUTE, 60],
  ["Azure Private: one kind of write to a zone", PRIVATE.capabilities, "zone", "write", MINUTE, 60],
  ["Azure Private: listings of a zone", PRIVATE.capabilities, "zone", "read", MINUTE, 100],
  ["Azure Private: reads", PRIVATE.capabilities, "account", "read", 5 * MINUTE, 500],
] as const)("%s", async (_, capabilities, scope, counts, seconds, max) => {
  const calls = await busyAccount(capabilities, scope === "account" ? ZONES : ["a"]);
  const counted = calls.filter(({ kind }) => counts === "all" || kind === counts);
  const most = mostIn(
    counted.map(({ atMs }) => atMs),
    seconds,
  );
  expect(most).toBeLessThanOrEqual(max);
  expect(most).toBeGreaterThan(0);
});

test("Azure: a busy zone takes nothing from its neighbours", async () => {
  const calls = await busyAccount(PRIVATE.capabilities, ZONES);
  const writes = (zone: string) =>
    calls.filter((call) => call.kind === "write" && call.zone === zone).length;
  const one = Math.min(...ZONES.map(writes));
  // Of ten minutes with 60 a minute: each zone has its own.
  expect(one).toBeGreaterThan(400);
});

test("Route53: a zone in a burst leaves the account's other calls to its neighbours", async () => {
  const clock = new VirtualClock();
  const budget = new AccountBudget(clock, ROUTE53.rate, ROUTE53.rateLimits);
  const made: string[] = [];
  const write = (zone: string): void =>
    void budget
      .of(zone)
      .write()
      .then(() => made.push(zone));
  for (let count = 0; count < 5; count++) write("a");
  write("b");
  await clock.advance(0);
  expect(made).toEqual(["a", "b"]);
});
