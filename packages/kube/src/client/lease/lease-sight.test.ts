/** Who is preferred gets the lead once, after a time in which it was well; never two leaders. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { FakeApiServer } from "../../../../../test/support/ports/fake-api-server.ts";
import { VirtualClock } from "../../../../../test/support/ports/virtual-clock.ts";
import { Candidate } from "../../../../../test/support/worlds/lease-candidate.ts";
import { LEASE } from "../../objects/kinds.ts";
import { type LeaseRecord, leaseWith, newLease, recordOfLease } from "./lease-record.ts";
import { LeaseSight } from "./lease-sight.ts";

const STEP_MS = 250;
const AFTER_MS = 60_000;

let server: FakeApiServer;
let all: Candidate[];
let trouble: string | null;

/** A candidate with this rank; null = an older version, which knows of none. */
async function join(identity: string, rank: number | null): Promise<Candidate> {
  const preference = { rank: () => rank, trouble: () => trouble, afterMs: AFTER_MS };
  const one = new Candidate(
    server,
    identity,
    "--owner one",
    rank === null ? undefined : preference,
  );
  all.push(one);
  await pass(5_000);
  return one;
}

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) {
    for (const candidate of all) await candidate.clock.advance(Math.min(STEP_MS, left));
    expect(all.filter(({ election }) => election.isLeading).length).toBeLessThan(2);
  }
}

const leader = (): string =>
  all.flatMap(({ election, identity }) => (election.isLeading ? [identity] : [])).join();

const starts = (): number =>
  all.flatMap(({ diary }) => diary).filter((line) => line.startsWith("start")).length;

async function leave(one: Candidate): Promise<void> {
  one.heal();
  all = all.filter((other) => other !== one);
  await one.stop();
  await one.clock.advance(30_000);
}

beforeEach(() => {
  server = new FakeApiServer([LEASE]);
  all = [];
  trouble = null;
});
afterEach(async () => {
  for (const one of [...all]) await leave(one);
});

test("a better candidate gets the lead once, after a time in which it was well", async () => {
  const first = await join("first", 1);
  await join("third", 2);
  await join("better", 0);
  await pass(AFTER_MS - 10_000);
  expect(leader()).toBe("first");
  await pass(20_000);
  expect(leader()).toBe("better");
  await pass(600_000);
  expect([leader(), starts()]).toEqual(["better", 2]);
  expect(first.diary).toEqual(["start 0", "stop: better is preferred"]);
  const [lease] = server.objects(LEASE);
  expect(lease).toMatchObject({ metadata: { annotations: { "zonekeeper.dev/rank": "0" } } });
  expect(JSON.stringify(lease)).not.toContain("preferred");
});

test("one with a trouble, or one that comes and goes, never asks", async () => {
  await join("first", 1);
  trouble = "zone example.org would change";
  const better = await join("better", 0);
  await pass(5 * AFTER_MS);
  expect(leader()).toBe("first");
  await leave(better);
  trouble = null;
  for (let visit = 0; visit < 5; visit += 1) {
    const again = await join(`better-${visit}`, 0);
    await pass(AFTER_MS - 20_000);
    await leave(again);
  }
  expect([leader(), starts()]).toEqual(["first", 1]);
});

test("an equal one, one without a rank, and one that an older version leads do not change it", async () => {
  await join("first", 1);
  await join("equal", 1);
  await join("old", null);
  await pass(5 * AFTER_MS);
  expect([leader(), starts()]).toEqual(["first", 1]);
});

test("one that dies after it asked loses the lead to the others within seconds", async () => {
  const first = await join("first", 1);
  await join("other", 2);
  const better = await join("better", 0);
  for (let left = 2 * AFTER_MS; left > 0 && first.election.isLeading; left -= STEP_MS)
    await pass(STEP_MS);
  expect(leader()).toBe("");
  better.cut();
  await pass(15_000);
  expect(leader()).toMatch(/first|other/);
  expect(starts()).toBe(2);
});

test("the best one asks, right after a renewal; whose trouble comes back asks no more", () => {
  const clock = new VirtualClock();
  const preference = { rank: () => 1, trouble: () => trouble, afterMs: 0 };
  const times = { durationMs: 15_000, retryPeriodMs: 2_000 };
  const sight = new LeaseSight({ clock, identity: "me", ...times, preference });
  const lease = newLease("default", "zonekeeper");
  const record = { ...recordOfLease(lease), holder: "other" };
  const request = (rank: number | null, preferred: LeaseRecord["preferred"] = null) =>
    sight.request({ ...record, rank, preferred });
  const mine = { rank: 1, identity: "me" };
  expect(request(null)).toBeUndefined();
  expect(sight.mayTake(leaseWith(lease, record, { nowMs: 0, acquired: true }))).toBe(false);
  expect([request(null), request(2), request(1), request(0)]).toEqual([
    mine,
    mine,
    undefined,
    undefined,
  ]);
  expect(request(null, { rank: 0, identity: "best" })).toBeUndefined();
  expect(request(null, { rank: 2, identity: "worse" })).toEqual(mine);
  expect(request(null, mine)).toBeUndefined();
  trouble = "a zone cannot be read";
  expect(request(null, mine)).toBeNull();
  expect(request(null)).toBeUndefined();
  expect(sight.request({ ...record, holder: "" })).toBeUndefined();
});
