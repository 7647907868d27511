/**
 * Terms as fences see them (Z-17): remaining time, epochs that only rise, and epochs that a
 * zone shows to be outdated.
 */
import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { LeaseElection } from "@zonekeeper/kube/client/lease/lease-election";
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { ApiClusterWriter } from "@zonekeeper/kube/client/write/cluster-writer";
import { LEASE } from "@zonekeeper/kube/objects/kinds";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HandlerClient } from "../../../test/support/clients/handler-client.ts";
import { FakeApiServer } from "../../../test/support/ports/fake-api-server.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { StoredState } from "../ports/wrapped-store.ts";
import { clusterTerm, folderTerm, leaseTerm } from "./lease-epochs.ts";

const GIVEN = { copyEpoch: null, renewDeadlineMs: 10_000, random: new SeededRandom(3) };
const LEASE_REF = {
  election: null,
  cluster: "uid-1",
  namespace: "kube-system",
  name: "zonekeeper",
};

let clock: VirtualClock;
let server: FakeApiServer;
let election: LeaseElection;
let epochs: number[];
let stopping: AbortController;
let running: Promise<void>;

beforeEach(async () => {
  clock = new VirtualClock();
  server = new FakeApiServer([LEASE]);
  epochs = [];
  stopping = new AbortController();
  const client = new ApiClient({ http: new HandlerClient(server.handler), clock });
  election = new LeaseElection({
    writer: new ApiClusterWriter({ clusterId: "c1", client, clock, rate: null }),
    clock,
    random: new SeededRandom(1),
    log: new MemoryLog(),
    metrics: new MemoryMetrics(),
    ...LEASE_REF,
    installation: "--owner one",
    identity: "a",
    onStartedLeading: (epoch) => void epochs.push(epoch),
    onStoppedLeading: () => {},
  });
  running = election.run(stopping.signal);
  await clock.advance(500);
});
afterEach(async () => {
  stopping.abort();
  await clock.advance(30_000);
  await running;
});

const termOf = (epoch: number) => leaseTerm(election, LEASE_REF, { ...GIVEN, epoch });

test("a named election keeps its domain wherever its Lease is, and knows the one without a name", () => {
  const named = { ...LEASE_REF, election: "shop" };
  const given = { ...GIVEN, epoch: 0 };
  const { domain, unnamed } = leaseTerm(election, named, given);
  expect([domain, unnamed]).toEqual(["shop", "uid-1/kube-system/zonekeeper"]);
  const unread = leaseTerm(election, { ...named, cluster: null }, given);
  expect([unread.domain, unread.unnamed]).toEqual(["shop", undefined]);
});

test("a term knows its domain, and its remaining time while it is renewed", async () => {
  const term = termOf(0);
  expect([term.domain, term.epoch]).toEqual(["uid-1/kube-system/zonekeeper", 0]);
  for (let seconds = 0; seconds < 60; seconds++) {
    await clock.advance(1_000);
    expect(term.remainingMs()).toBeGreaterThan(term.marginMs);
    expect(term.remainingMs()).toBeLessThanOrEqual(10_000);
  }
});

test("nothing is left of a term that is over, nor of one that never was", async () => {
  expect(termOf(1).remainingMs()).toBe(0);
  stopping.abort();
  await clock.advance(1_000);
  expect(termOf(0).remainingMs()).toBe(0);
});

test("a Lease that lost its count is raised above what a zone shows, within a retry", async () => {
  termOf(0).outdated(41, false);
  expect([election.isLeading, termOf(0).remainingMs()]).toEqual([false, 0]);
  await clock.advance(3_000);
  expect([epochs, election.epoch]).toEqual([[0, 42], 42]);
  expect(server.objects(LEASE)[0]).toMatchObject({ spec: { leaseTransitions: 42 } });
});

test("a data folder is a domain of its own, and each start an epoch", async () => {
  const random = new SeededRandom(7);
  const folder = new StoredState(new MemoryStore(), "dev/sync/");
  const first = await folderTerm(folder, random);
  const second = await folderTerm(folder, random);
  expect(first.domain).toMatch(/^data-folder\/[0-9a-f-]{36}$/);
  expect([first.epoch, second.epoch, second.domain]).toEqual([1, 2, first.domain]);
  const other = await folderTerm(new StoredState(new MemoryStore(), "dev/sync/"), random);
  expect(other.domain).not.toBe(first.domain);
  // A copy of the folder was started more often than this one.
  second.outdated(9, false);
  await clock.settle();
  expect((await folderTerm(folder, random)).epoch).toBe(10);
});

test("two starts of one data folder with one epoch are copies of it: neither is the later one", async () => {
  const random = new SeededRandom(7);
  const folder = new StoredState(new MemoryStore(), "dev/sync/");
  const term = await folderTerm(folder, random);
  expect([term.copyEpoch, term.id]).toEqual([null, expect.stringMatching(/^[0-9a-f]{8}$/)]);
  term.outdated(term.epoch, false);
  expect(term.copyEpoch).toBe(term.epoch);
  expect((await folderTerm(folder, random)).id).not.toBe(term.id);
});

test("without Lease and folder the cluster is the domain; without its UID there is none", () => {
  expect([clusterTerm("uid-1").domain, clusterTerm(null).domain]).toEqual(["uid-1/-/-", null]);
  const lease = { ...LEASE_REF, cluster: null };
  expect(leaseTerm(election, lease, { ...GIVEN, epoch: 0 }).domain).toBeNull();
});
