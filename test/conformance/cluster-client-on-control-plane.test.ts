/**
 * Leases, Events, the cluster id and discovery against the embedded control plane: what the fake API server of the unit
 * tests promises, the honest one must do too.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { ApiClient } from "../../src/cluster/api-client.ts";
import { readClusterId } from "../../src/cluster/cluster-id.ts";
import { ApiClusterWriter } from "../../src/cluster/cluster-writer.ts";
import { discoverKind } from "../../src/cluster/discovery.ts";
import { ApiEventRecorder } from "../../src/cluster/event-recorder.ts";
import { LeaseElection } from "../../src/cluster/lease-election.ts";
import { DNS_ENTRY, LEASE, NAMESPACE, SERVICE } from "../../src/model/kinds.ts";
import { ADMIN_TOKEN, TestApi } from "../support/control-plane-api.ts";
import { HandlerClient } from "../support/handler-client.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../support/test-ports.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const clock = new VirtualClock();
const ports = { clock, log: new MemoryLog(), metrics: new MemoryMetrics() };
let api: TestApi;
let client: ApiClient;
let writer: ApiClusterWriter;

beforeEach(async () => {
  api = await TestApi.open({ clock });
  const http = new HandlerClient((request) => {
    const headers = { ...request.headers, authorization: `Bearer ${ADMIN_TOKEN}` };
    return api.plane.handler({ ...request, headers });
  });
  client = new ApiClient({ http, clock });
  writer = new ApiClusterWriter({ clusterId: "c1", client, clock, rate: null });
});
afterEach(() => api.plane.stop());

test("the cluster id is that of kube-system", async () => {
  expect(await readClusterId(writer)).toBe(api.plane.clusterId);
});

test("discovery finds what is served, and proves what is not", async () => {
  for (const kind of [SERVICE, DNS_ENTRY, LEASE]) {
    expect(await discoverKind(client, kind)).toBe("served");
  }
  const quotas = { ...SERVICE, kind: "ResourceQuota", plural: "resourcequotas" };
  const gateway = { ...DNS_ENTRY, group: "gateway.networking.k8s.io", plural: "gateways" };
  expect(await discoverKind(client, quotas)).toBe("absent");
  expect(await discoverKind(client, gateway)).toBe("absent");
});

test("two candidates: one leads, and the other after it let go", async () => {
  const diary: string[] = [];
  const candidate = (identity: string) => {
    const stopping = new AbortController();
    const election = new LeaseElection({
      ...ports,
      writer,
      random: new SeededRandom(identity.length),
      namespace: "kube-system",
      name: "zonekeeper",
      identity,
      onStartedLeading: (epoch) => void diary.push(`${identity} starts ${epoch}`),
      onStoppedLeading: () => void diary.push(`${identity} stops`),
    });
    const run = election.run(stopping.signal);
    const stop = async (): Promise<void> => {
      stopping.abort();
      await run;
    };
    return { stop };
  };
  const first = candidate("a");
  await clock.settle();
  const second = candidate("bb");
  await clock.advance(60_000);
  expect(diary).toEqual(["a starts 0"]);
  await first.stop();
  await clock.advance(3_000);
  expect(diary).toEqual(["a starts 0", "a stops", "bb starts 1"]);
  await second.stop();
  const ref = { kind: LEASE, namespace: "kube-system", name: "zonekeeper" };
  const lease = await writer.read(ref);
  expect(lease).toMatchObject({ spec: { holderIdentity: "", leaseTransitions: 1 } });
});

test("Events are accepted and counted up", async () => {
  const recorder = new ApiEventRecorder({ ...ports, writer, random: new SeededRandom(4) });
  const namespace = await writer.read({ kind: NAMESPACE, namespace: "", name: "default" });
  const service = await writer.create(SERVICE, {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", namespace: "default" },
    spec: { ports: [{ port: 80 }] },
  });
  const note = { type: "Warning", reason: "RecordsLeft", message: "two records" } as const;
  for (let i = 0; i < 3; i++) {
    recorder.record(service, note);
    await clock.settle();
  }
  if (namespace !== null) recorder.record(namespace, note);
  await recorder.stop(1_000);
  const answer = await api.get("/api/v1/namespaces/default/events");
  expect(answer.body["items"]).toHaveLength(2);
  expect(answer.body["items"]).toContainEqual(
    expect.objectContaining({ reason: "RecordsLeft", type: "Warning", count: 3 }),
  );
});
