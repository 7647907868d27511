/**
 * Proof 3 (docs/safety.md#proof-3), the whole way: replicas with elections, engines and one zone.
 * Each step of replicas.ts looks whether the zone follows the wishes and never goes back.
 */
import { LEASE_TIMING } from "@zonekeeper/kube/client/lease/lease-election";
import { expect, test } from "vitest";
import { MOVE_CLAUSES } from "../mutants/fence-clauses.ts";
import { importMutated } from "../mutants/mutant.ts";
import { Cluster, playFailOver, playMove } from "./replicas.ts";

const STEP_MS = 250;

test("a rolling update: each replica is replaced, and writing goes on", async () => {
  const cluster = new Cluster();
  let present = await cluster.start();
  await cluster.pass(10_000);
  for (let at = 0; at < 3; at++) {
    const next = await cluster.start();
    await cluster.pass(5_000);
    present.stop();
    await cluster.pass(10_000);
    present = next;
  }
  expect(cluster.longestGapMs).toBeLessThanOrEqual(2 * LEASE_TIMING.retryPeriodMs + 2_000);
  await cluster.close();
});

test.each([10_000, 10_500, 11_250])(
  "L7 a replica that dies after %i ms is followed within a lease and 5 s",
  async (afterMs) => {
    expect(await playFailOver(afterMs)).toBeGreaterThan(LEASE_TIMING.renewDeadlineMs);
  },
);

test.each([1, 2, 3, 4])(
  "a machine that was paused with a batch under way wakes and changes nothing (P01), phase %i",
  async (phase) => {
    const cluster = new Cluster();
    const first = await cluster.start();
    await cluster.start();
    await cluster.pass(10_000 + phase * STEP_MS);
    first.isAway = true;
    await cluster.pass(40_000);
    await cluster.resume(first, 40_000);
    await cluster.pass(20_000);
    await cluster.close();
  },
);

test("two replicas that are paused in turn hand over for ever", async () => {
  const cluster = new Cluster();
  await cluster.start();
  await cluster.start();
  await cluster.pass(5_000);
  for (const at of [0, 1, 0, 1]) {
    const replica = cluster.replicas[at];
    if (replica === undefined) throw new Error("not started");
    replica.isAway = true;
    await cluster.pass(20_000);
    await cluster.resume(replica, 20_000);
    await cluster.pass(5_000);
  }
  await cluster.close();
});

test.each([0, 5_000, 20_000, 45_000])(
  "the Lease of a named election moves, with %i ms of both: nobody disputes, and writing goes on",
  async (overlapMs) => {
    expect(await playMove(overlapMs)).toBeGreaterThan(0);
  },
);

test.each(MOVE_CLAUSES)("without $drops a Lease does not move", async (mutant) => {
  const module = await importMutated("proofs/replicas.ts", mutant);
  // The bundle has just been made from a file of ours that exports this function.
  const play = (module as { readonly playMove: typeof playMove }).playMove;
  await expect(play(20_000)).rejects.toThrow(/^(Z-17|L7): /);
});
