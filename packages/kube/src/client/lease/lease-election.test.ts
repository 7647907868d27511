/**
 * Never two leaders, whatever time and network do; and always one again soon. Each candidate has a
 * clock of its own.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { statusResponse } from "../../../../../test/support/clients/handler-client.ts";
import { FakeApiServer } from "../../../../../test/support/ports/fake-api-server.ts";
import { Candidate, REF } from "../../../../../test/support/worlds/lease-candidate.ts";
import { LEASE } from "../../objects/kinds.ts";

const STEP_MS = 250;

let server: FakeApiServer;
let a: Candidate;
let b: Candidate;

/** Moves time for both in small steps; nobody may ever see two leaders. */
async function pass(ms: number, who: readonly Candidate[] = [a, b]): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) {
    for (const candidate of who) await candidate.clock.advance(Math.min(STEP_MS, left));
    expect(who.filter(({ election }) => election.isLeading).length).toBeLessThan(2);
  }
}

const leaders = (): string =>
  [a, b].flatMap(({ election, identity }) => (election.isLeading ? [identity] : [])).join();

beforeEach(async () => {
  server = new FakeApiServer([LEASE]);
  a = new Candidate(server, "a");
  await a.clock.settle();
  b = new Candidate(server, "b");
  await pass(5_000);
});
afterEach(async () => {
  a.heal();
  b.heal();
  await Promise.all([a.stop(), b.stop()]);
  // Requests that hang are given up after 30 s.
  await Promise.all([a.clock.advance(30_000), b.clock.advance(30_000)]);
  expect([a.clock.pendingTimers, b.clock.pendingTimers]).toEqual([0, 0]);
});

test("the first candidate leads, keeps leading and is the holder in the Lease", async () => {
  await pass(600_000);
  expect([a.diary, b.diary]).toEqual([["start 0"], []]);
  const [lease] = server.objects(LEASE);
  expect(lease).toMatchObject({
    spec: { holderIdentity: "a", leaseDurationSeconds: 15, leaseTransitions: 0 },
  });
  expect(JSON.stringify(lease)).toMatch(/"renewTime":"2026-01-01T00:10:0\d\.\d{6}Z"/);
});

test("a candidate that stands by says for whom, once for each leader", async () => {
  await pass(60_000);
  expect([a.leaders, b.leaders]).toEqual([[], ["a"]]);
  const standing = b.log.lines.filter(({ message }) => message === "standing by");
  expect(standing).toMatchObject([{ level: "info", fields: { lease: REF.name, leader: "a" } }]);
  await a.stop();
  await pass(10_000, [b]);
  a = new Candidate(server, "a");
  await pass(10_000);
  expect([a.leaders, b.leaders]).toEqual([["b"], ["a"]]);
});

test("a candidate of another installation warns that it stands by for ever, and of whom", async () => {
  await pass(10_000);
  const c = new Candidate(server, "c", "--owner two");
  await pass(10_000, [a, b, c]);
  expect([b.leaders, c.leaders]).toEqual([["a"], ["a of --owner one"]]);
  expect(c.log.lines).toMatchObject([
    {
      level: "warn",
      message: expect.stringContaining("--lease-name"),
      fields: { lease: "kube-system/zonekeeper", leader: "a", other: "--owner one" },
    },
  ]);
  await c.stop();
});

test("a proper stop hands over within a third of the retry period, after the work was stopped", async () => {
  a.stopMs = 1_000;
  const stopping = a.stop();
  await pass(500, [b]);
  expect(leaders()).toBe("");
  await stopping;
  await pass(750, [b]);
  expect([leaders(), b.diary, a.diary[1]]).toEqual(["b", ["start 1"], "stop: the program stops"]);
});

test("a leader that is cut off stops before another begins", async () => {
  a.cut();
  await pass(9_000);
  expect(leaders()).toBe("a");
  await pass(3_000);
  expect(leaders()).toBe("");
  await pass(8_000);
  expect([leaders(), b.diary]).toEqual(["b", ["start 1"]]);
  a.heal();
  await pass(60_000);
  expect([leaders(), a.diary]).toEqual([
    "b",
    ["start 0", "stop: the Lease could not be renewed for 10000 ms"],
  ]);
});

test("the Lease of a leader that is killed is taken when it is over, not a period later", async () => {
  for (let round = 0; round < 8; round++) {
    await pass(500 + 250 * round);
    const [gone, rest] = leaders() === "a" ? [a, b] : [b, a];
    gone.cut();
    await pass(15_000, [rest]);
    await pass(STEP_MS * 4, [rest]);
    expect(rest.election.isLeading, `round ${round}`).toBe(true);
    await gone.clock.advance(15_000 + STEP_MS * 4);
    gone.heal();
    await pass(5_000);
  }
});

test("a leader whose process was paused knows at once that it does not lead", async () => {
  await pass(20_000, [b]);
  expect(b.election.isLeading).toBe(true);
  const resumed = a.clock.pause(20_000);
  await resumed;
  expect(leaders()).toBe("b");
  expect(a.diary.at(-1)).toMatch(/^stop: /);
});

test("wall clocks that jump change nothing", async () => {
  a.clock.jumpWallMs(3_600_000);
  b.clock.jumpWallMs(-3_600_000);
  await pass(30_000);
  b.clock.jumpWallMs(7_200_000);
  await pass(30_000);
  expect([a.diary, b.diary]).toEqual([["start 0"], []]);
});

test("a short trouble is survived", async () => {
  a.cut();
  await pass(4_000);
  a.heal();
  a.http.failNext(/./, () => statusResponse(500, "InternalError"));
  await pass(60_000);
  expect([leaders(), a.diary]).toEqual(["a", ["start 0"]]);
});

test("renewals whose answers are lost keep the term when the next one is answered", async () => {
  const lost = new OperationError({ code: "ConnectionLost", message: "reset", retry: "backoff" });
  for (let i = 0; i < 20; i++) {
    a.http.failNext(/PUT/, async (request, next) => {
      await next(request);
      throw lost;
    });
    await pass(5_000);
  }
  expect([leaders(), a.diary]).toEqual(["a", ["start 0"]]);
});

test("an acquisition whose answer is lost becomes a term at the next look", async () => {
  b.http.failNext(/PUT/, async (request, next) => {
    await next(request);
    throw new OperationError({ code: "ConnectionLost", message: "reset", retry: "backoff" });
  });
  await a.stop();
  await pass(8_000, [b]);
  expect([leaders(), b.diary]).toEqual(["b", ["start 2"]]);
});

test("a leader whose Lease was taken by hand stops at its next renewal", async () => {
  const lease = await b.writer.read(REF);
  if (lease === null) throw new Error("no Lease");
  await b.writer.update(LEASE, {
    ...lease,
    spec: { holderIdentity: "operator", leaseDurationSeconds: 15, leaseTransitions: 7 },
  });
  await pass(5_000);
  expect([leaders(), a.diary.at(-1)]).toEqual(["", "stop: operator holds the Lease"]);
  await pass(20_000);
  expect(leaders()).not.toBe("");
  expect([...a.diary, ...b.diary]).toContain("start 8");
});

test("a Lease that was deleted is made again by its holder, with a higher epoch", async () => {
  await b.writer.remove(REF);
  await pass(30_000);
  expect([leaders(), b.diary]).toEqual(["a", []]);
  expect(a.diary).toEqual(["start 0", "stop: the Lease was deleted", "start 1"]);
});

test("a Lease that was deleted while its holder is cut off is not taken before the holder stopped", async () => {
  a.cut();
  await b.writer.remove(REF);
  await pass(14_000);
  expect(leaders()).toBe("");
  await pass(6_000);
  expect([leaders(), b.diary]).toEqual(["b", ["start 1"]]);
});

describe("a zone that shows a later epoch", () => {
  const replaced = async (epoch: number): Promise<void> => {
    a.election.outdated(epoch, true);
    await pass(5_000);
  };
  const starts = (): readonly string[] => a.diary.filter((line) => line.startsWith("start"));

  test("in the place of ours, twice while the Lease names nobody else, has met a copy of the cluster", async () => {
    await replaced(4);
    await replaced(9);
    expect(starts()).toEqual(["start 0", "start 5", "start 10, a copy has 9"]);
  });

  test("that stood there before is of the time before the Lease was deleted, however many zones have one", async () => {
    for (const epoch of [4, 9, 12]) {
      a.election.outdated(epoch, false);
      await pass(5_000);
    }
    expect(starts()).toEqual(["start 0", "start 5", "start 10", "start 13"]);
  });

  test.each([
    ["another holder", async () => void (await takenBy("operator", 5))],
    ["the same holder with a later epoch", async () => void (await takenBy("a", 6))],
    ["no Lease", async () => void (await b.writer.remove(REF))],
  ])("and %s in the Lease since is no copy", async (_what, happen) => {
    await replaced(4);
    a.election.outdated(9, true);
    await happen();
    await pass(30_000);
    expect([...a.diary, ...b.diary].join()).not.toContain("copy");
    expect(leaders()).not.toBe("");
  });

  async function takenBy(holderIdentity: string, leaseTransitions: number): Promise<void> {
    const lease = await b.writer.read(REF);
    if (lease === null) throw new Error("no Lease");
    const spec = { holderIdentity, leaseDurationSeconds: 15, leaseTransitions };
    await b.writer.update(LEASE, { ...lease, spec });
  }
});

describe("an API server that is away", () => {
  test("for long: nobody leads; when it is back, one does", async () => {
    a.cut();
    b.cut();
    await pass(120_000);
    expect(leaders()).toBe("");
    a.heal();
    b.heal();
    await pass(10_000);
    expect(leaders()).not.toBe("");
  });
});
