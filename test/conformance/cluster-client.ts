/**
 * The one suite that our cluster client (`@zonekeeper/kube`) passes against every API server: the
 * embedded control plane without sockets and time, the same over HTTPS, and a real kube-apiserver.
 * It knows the Kubernetes API and nothing of who serves it. Cases use names of their own, because
 * they share the server.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { HttpClient } from "@zonekeeper/base/ports/http";
import { readClusterId } from "@zonekeeper/kube/client/access/cluster-id";
import { LeaseElection } from "@zonekeeper/kube/client/lease/lease-election";
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { discoverKind } from "@zonekeeper/kube/client/watch/discovery";
import { WatchCache } from "@zonekeeper/kube/client/watch/watch-cache";
import { ApiClusterWriter } from "@zonekeeper/kube/client/write/cluster-writer";
import { ApiEventRecorder } from "@zonekeeper/kube/client/write/event-recorder";
import { EVENT, LEASE, NAMESPACE, SECRET, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DNS_ENTRY } from "../../src/model/kinds.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../support/ports/test-ports.ts";
import { testWhere } from "./test-where.ts";

/** One API server and the time that passes for its clients. */
export interface ClusterHarness {
  /** With the credentials of somebody who may do everything. */
  readonly http: HttpClient;
  readonly clock: Clock;
  /** Lets time pass until `isSo`; throws with what it saw when it does not come to be. */
  until(what: string, isSo: () => boolean, saw?: () => unknown): Promise<void>;
  /** Ends the server and starts it again on its store; null = it cannot be. */
  readonly restart: (() => Promise<void>) | null;
  /**
   * Forgets all changes before now, so that watches from then on get 410; null = it cannot be asked
   * to.
   */
  readonly compact: (() => Promise<void>) | null;
  stop(): Promise<void>;
}

const entry = (name: string, ttl = 60): KubeObject => ({
  apiVersion: "dns.gardener.cloud/v1alpha1",
  kind: "DNSEntry",
  metadata: { name, namespace: "default" },
  spec: { dnsName: `${name}.example.org`, ttl },
});
const at = (name: string) => ({ kind: DNS_ENTRY, namespace: "default", name });

/** A cache of DNSEntries with names of one prefix, and what it told. */
class Reader {
  readonly diary: string[] = [];
  readonly cache: WatchCache;
  readonly #prefix: string;

  constructor(harness: ClusterHarness, prefix: string) {
    const { http, clock } = harness;
    this.#prefix = prefix;
    this.cache = new WatchCache({
      clusterId: "c1",
      client: new ApiClient({ http, clock }),
      clock,
      random: new SeededRandom(3),
      log: new MemoryLog(),
      metrics: new MemoryMetrics(),
      timing: {
        // A real server sends a bookmark every minute; a watch on storage that it tears down sends
        // nothing at all.
        inactivityMs: 75_000,
        watchMs: [300_000, 600_000],
        backOffFirstMs: 50,
        backOffMaxMs: 500,
        healthyMs: 1_000,
        absentMs: 1_000,
        forbiddenMs: 100,
      },
    });
    this.cache.subscribe(DNS_ENTRY, {
      onChange: ({ type, object, proof }) => {
        const { name } = object.metadata;
        if (name.startsWith(prefix))
          this.diary.push(`${type} ${name}${proof ? ` (${proof})` : ""}`);
      },
      onState: (_kind, state) => void this.diary.push(state),
    });
  }

  get isLive(): boolean {
    return this.cache.state(DNS_ENTRY) === "live";
  }

  /** True when it is live with these entries and no other. */
  has(want: readonly string[]): boolean {
    return this.isLive && JSON.stringify(this.seen()) === JSON.stringify(want);
  }

  /** `name ttl` of the entries of the prefix, sorted. */
  seen(): readonly string[] {
    const found = this.cache.list(DNS_ENTRY);
    if (found.state !== "value") return [];
    return found.value
      .filter(({ metadata }) => metadata.name.startsWith(this.#prefix))
      .map(({ metadata, ["spec"]: spec }) => `${metadata.name} ${ttlOf(spec)}`)
      .sort();
  }
}

function ttlOf(spec: unknown): string {
  return typeof spec === "object" && spec !== null && "ttl" in spec ? String(spec.ttl) : "";
}

/** Declares the suite. `start` is called once; `can` says which cases apply. */
export function clusterClientConformance(
  title: string,
  can: { readonly restart: boolean; readonly compact: boolean },
  start: () => Promise<ClusterHarness>,
): void {
  describe(`cluster client on ${title}`, () => {
    let harness: ClusterHarness;
    let client: ApiClient;
    let writer: ApiClusterWriter;
    const readers: Reader[] = [];
    beforeAll(async () => {
      harness = await start();
      const { http, clock } = harness;
      client = new ApiClient({ http, clock });
      writer = new ApiClusterWriter({ clusterId: "c1", client, clock, rate: null });
    });
    afterAll(async () => {
      await Promise.all(readers.map(({ cache }) => cache.stop()));
      await harness?.stop();
    });
    const ports = () => ({
      clock: harness.clock,
      log: new MemoryLog(),
      metrics: new MemoryMetrics(),
    });
    const read = async (prefix: string): Promise<Reader> => {
      const reader = new Reader(harness, prefix);
      readers.push(reader);
      await harness.until("the cache is live", () => reader.isLive);
      return reader;
    };

    test("the cluster id is the uid of kube-system", async () => {
      const found = await writer.read({ kind: NAMESPACE, namespace: "", name: "kube-system" });
      expect(await readClusterId(writer)).toBe(found?.metadata.uid);
    });

    test("discovery finds what is served, and proves what is not", async () => {
      for (const kind of [SERVICE, DNS_ENTRY, LEASE, EVENT])
        expect(await discoverKind(client, kind)).toBe("served");
      const things = { ...SERVICE, kind: "Thing", plural: "things" };
      const gateway = { ...DNS_ENTRY, group: "gateway.networking.k8s.io", plural: "gateways" };
      expect(await discoverKind(client, things)).toBe("absent");
      expect(await discoverKind(client, gateway)).toBe("absent");
    });

    test("the writer creates, changes, deletes, and names failures by their reason", async () => {
      const created = await writer.create(DNS_ENTRY, entry("w"));
      await expect(writer.create(DNS_ENTRY, entry("w"))).rejects.toMatchObject({
        code: "AlreadyExists",
      });
      const patched = await writer.patch(at("w"), { spec: { ttl: 61 } });
      expect(patched).toMatchObject({ spec: { ttl: 61 }, metadata: { generation: 2 } });
      await expect(writer.update(DNS_ENTRY, created)).rejects.toMatchObject({ code: "Conflict" });
      const reported = await writer.patchStatus(at("w"), { status: { state: "Ready" } });
      expect(reported).toMatchObject({ status: { state: "Ready" }, metadata: { generation: 2 } });
      const updated = await writer.update(DNS_ENTRY, { ...reported, spec: entry("w", 62)["spec"] });
      expect(updated).toMatchObject({ status: { state: "Ready" }, metadata: { generation: 3 } });
      await expect(writer.patch(at("w"), { spec: { ttl: 0 } })).rejects.toMatchObject({
        code: "Invalid",
      });
      await expect(writer.patch(at("nobody"), {})).rejects.toMatchObject({ code: "NotFound" });
      await expect(writer.remove(at("w"), { uid: "other" })).rejects.toMatchObject({
        code: "Conflict",
      });
      await writer.remove(at("w"), { uid: String(created.metadata.uid) });
      await writer.remove(at("w"));
      expect(await writer.read(at("w"))).toBeNull();
      const defaultNamespace = { kind: NAMESPACE, namespace: "", name: "default" };
      expect(await writer.read(defaultNamespace)).not.toBeNull();
    });

    test("an object with a finalizer goes when the finalizer does", async () => {
      const held = entry("held");
      const metadata = { ...held.metadata, finalizers: ["example.org/hold"] };
      await writer.create(DNS_ENTRY, { ...held, metadata });
      await writer.remove(at("held"));
      const marked = await writer.read(at("held"));
      expect(marked?.metadata.deletionTimestamp).toMatch(/Z$/);
      await writer.patch(at("held"), { metadata: { finalizers: null } });
      expect(await writer.read(at("held"))).toBeNull();
    });

    test("the watch cache is live at once and told each change in order", async () => {
      await writer.create(DNS_ENTRY, entry("c-a"));
      const { diary } = await read("c-");
      expect(diary.splice(0)).toEqual(["added c-a", "live"]);
      await writer.create(DNS_ENTRY, entry("c-b"));
      await writer.patch(at("c-a"), { spec: { ttl: 61 } });
      await writer.patchStatus(at("c-a"), { status: { state: "Ready" } });
      await writer.remove(at("c-b"));
      await writer.create(SECRET, {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "c-s", namespace: "default" },
      });
      await harness.until("four events", () => diary.length >= 4);
      expect(diary).toEqual(["added c-b", "modified c-a", "modified c-a", "deleted c-b (watched)"]);
    });

    test("more objects than a page", async () => {
      const names = Array.from({ length: 520 }, (_, index) => `p-${index}`);
      for (const name of names) await writer.create(DNS_ENTRY, entry(name));
      const reader = await read("p-");
      expect(reader.seen()).toHaveLength(names.length);
    });

    test("two candidates: one leads, and the other leads after the first released the lease", async () => {
      const diary: string[] = [];
      const candidate = (identity: string) => {
        const stopping = new AbortController();
        const election = new LeaseElection({
          ...ports(),
          writer,
          installation: "--owner one",
          random: new SeededRandom(identity.length),
          namespace: "kube-system",
          name: "zonekeeper",
          identity,
          onStartedLeading: (epoch) => void diary.push(`${identity} starts ${epoch}`),
          onStoppedLeading: () => void diary.push(`${identity} stops`),
        });
        const run = election.run(stopping.signal);
        return {
          stop: async (): Promise<void> => {
            stopping.abort();
            await run;
          },
        };
      };
      const first = candidate("a");
      await harness.until("the first leads", () => diary.length === 1);
      const second = candidate("bb");
      await first.stop();
      await harness.until("the second leads", () => diary.length === 3);
      expect(diary).toEqual(["a starts 0", "a stops", "bb starts 1"]);
      await second.stop();
      const lease = await writer.read({
        kind: LEASE,
        namespace: "kube-system",
        name: "zonekeeper",
      });
      expect(lease).toMatchObject({ spec: { holderIdentity: "", leaseTransitions: 1 } });
    });

    test("Events are accepted and counted up", async () => {
      const recorder = new ApiEventRecorder({
        ...ports(),
        ...{ writer, random: new SeededRandom(4), urgentKinds: [] },
      });
      const service = await writer.create(SERVICE, {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "web", namespace: "default" },
        spec: { ports: [{ port: 80 }] },
      });
      const namespace = await writer.read({ kind: NAMESPACE, namespace: "", name: "default" });
      const note = { type: "Warning", reason: "RecordsLeft", message: "two records" } as const;
      for (let i = 0; i < 3; i++) recorder.record(service, note);
      if (namespace !== null) recorder.record(namespace, note);
      await recorder.stop(30_000);
      const path = "/api/v1/namespaces/default/events";
      const events = await client.json({ method: "GET", path, subject: "events" });
      const own = { reason: "RecordsLeft", type: "Warning" };
      expect(events).toMatchObject({
        items: expect.arrayContaining([
          expect.objectContaining({ ...own, count: 3 }),
          expect.objectContaining({ ...own, count: 1 }),
        ]),
      });
    });

    testWhere(can.restart, "finds out after a restart what it did not see", async () => {
      for (const name of ["r-a", "r-b"]) await writer.create(DNS_ENTRY, entry(name));
      const reader = await read("r-");
      await harness.restart?.();
      await writer.remove(at("r-b"));
      await writer.create(DNS_ENTRY, entry("r-c"));
      const want = ["r-a 60", "r-c 60"];
      await harness.until(
        "the cache has it all",
        () => reader.has(want),
        () => reader.diary,
      );
      const last = reader.diary.findLast((line) => line.startsWith("deleted"));
      expect(last).toMatch(/^deleted r-b \((watched|missing-from-list)\)$/);
    });

    testWhere(can.compact, "lists again when the changes in between are forgotten", async () => {
      await writer.create(DNS_ENTRY, entry("k-a"));
      const reader = await read("k-");
      await writer.create(DNS_ENTRY, entry("k-b"));
      await harness.compact?.();
      await harness.restart?.();
      await writer.remove(at("k-a"));
      const want = ["k-b 60"];
      await harness.until(
        "the cache has it all",
        () => reader.has(want),
        () => reader.diary,
      );
    });
  });
}
