import { fail } from "@zonekeeper/base/result";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { afterEach, expect, test, vi } from "vitest";
import { MemoryLog } from "../../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../../test/support/ports/virtual-clock.ts";
import type { ClusterAccess } from "../../compose/controllers-options.ts";
import { FurtherCluster } from "./further-cluster.ts";
import { FurtherClusters, type FurtherOptions } from "./further-clusters.ts";
import { type GivenCluster, OF_FILE } from "./given-clusters.ts";

const SECRET: KubeObject = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "remote", namespace: "clusters", uid: "u1" },
};

/** `answer`: what the API server says when it is asked whether the Secret is gone. */
function opened(answer: () => Promise<boolean>) {
  const clock = new VirtualClock();
  const clusters = new FurtherClusters({
    ...({
      ports: { clock, log: new MemoryLog() },
      kinds: [],
      sources: [],
    } as unknown as FurtherOptions),
    own: () => [],
    ownKnown: Promise.resolve(),
    awaitedOrigins: [],
    tell: () => undefined,
    isGone: answer,
  });
  let renewed = 0;
  clusters.onJoined(() => {
    renewed += 1;
  });
  return { clock, clusters, renewed: () => renewed };
}

const eu = (more: Partial<GivenCluster> = {}): GivenCluster => ({
  ...{ ...OF_FILE, id: "eu", origin: "Secret clusters/remote, key eu", print: "1" },
  ...{ access: fail("it is not read here"), onRemoval: "delete", secret: SECRET },
  ...more,
});

test("a deleted Secret removes its cluster after five minutes, once the API server says so", async () => {
  let answer: () => Promise<boolean> = () => Promise.reject(new Error("no answer"));
  const { clock, clusters, renewed } = opened(() => answer());
  clusters.settle("Secrets", [eu()]);
  clusters.settle("Secrets", []);
  expect(clusters.statuses()).toMatchObject([{ id: "eu", state: "Removed" }]);
  expect([clusters.checks(), clusters.isRemoved("eu")]).toEqual([[], false]);
  await clock.advance(299_000);
  expect(clusters.isRemoved("eu")).toBe(false);
  await clock.advance(2_000);
  expect(clusters.isRemoved("eu")).toBe(false);
  answer = async () => true;
  await clock.advance(300_000);
  expect([clusters.isRemoved("eu"), renewed()]).toEqual([true, 1]);
  clusters.settle("Secrets", [eu()]);
  expect(clusters.isRemoved("eu")).toBe(false);
  await clusters.close();
});

test.each([
  ["that is to be retained", eu({ onRemoval: "retain" }), [], () => Promise.resolve(true)],
  ["that was only observed", eu({ mode: "observe" }), [], () => Promise.resolve(true)],
  ["whose Secret is there all the same", eu(), [], () => Promise.resolve(false)],
  ["that is named again", eu(), [eu()], () => Promise.resolve(true)],
] as const)("a cluster %s keeps its records", async (_what, given, later, answer) => {
  const { clock, clusters } = opened(answer);
  clusters.settle("Secrets", [given]);
  clusters.settle("Secrets", []);
  await clock.advance(200_000);
  clusters.settle("Secrets", later);
  await clock.advance(900_000);
  expect(clusters.isRemoved("eu")).toBe(false);
  await clusters.close();
});

test("a region has the lowest rank of its clusters; a process without one has none", async () => {
  const { clusters } = opened(async () => true);
  const named = (id: string, rank: number | null, region: string) =>
    eu({ id, rank, region, origin: `Secret clusters/${id}` });
  clusters.settle("Secrets", [named("a", 3, "eu"), named("b", 1, "eu"), named("c", null, "us")]);
  expect(["eu", "us", "", null].map((region) => clusters.rankIn(region))).toEqual([
    1,
    null,
    null,
    null,
  ]);
  await clusters.close();
});

afterEach(() => void vi.restoreAllMocks());

test("clusters that come are read together, ten seconds at the most; one that leaves does so at once", async () => {
  const read = new Set(["a"]);
  const accesses = new Map<string, ClusterAccess>();
  const of = (name: "access" | "isReadable" | "isAnswering" | "isSettled") =>
    vi.spyOn(FurtherCluster.prototype, name, "get");
  const isRead = function (this: FurtherCluster): boolean {
    return read.has(this.id);
  };
  of("isReadable").mockImplementation(isRead);
  of("isSettled").mockImplementation(isRead);
  of("isAnswering").mockReturnValue(true);
  of("access").mockImplementation(function (this: FurtherCluster) {
    const access = accesses.get(this.id) ?? ({} as unknown as ClusterAccess);
    accesses.set(this.id, access);
    return access;
  });
  const { clock, clusters, renewed } = opened(async () => true);
  const named = (...ids: readonly string[]) => ids.map((id) => eu({ id, origin: `file ${id}` }));
  const now = () => [renewed(), clusters.joined.length];
  clusters.settle("folder", named("a", "b"));
  await clock.advance(3_000);
  expect(now()).toEqual([0, 0]);
  read.add("b");
  await clock.advance(600);
  expect(now()).toEqual([1, 2]);
  read.add("d");
  clusters.settle("folder", named("a", "b", "c", "d"));
  await clock.advance(9_000);
  expect(now()).toEqual([1, 2]);
  await clock.advance(2_000);
  expect(now()).toEqual([2, 3]);
  clusters.settle("folder", named("b", "c", "d"));
  await clock.advance(600);
  expect(now()).toEqual([3, 2]);
  await clusters.close();
});
