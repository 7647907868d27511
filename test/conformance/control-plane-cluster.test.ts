/**
 * The two sides of the Kubernetes API that we have written meet: the cluster client (packages/kube/src/client)
 * against the embedded control plane, on a virtual clock. What one promises the other must keep:
 * lists, watches, restarts. What any API server must keep is in `cluster-client.ts`.
 */
import type { HttpRequest } from "@zonekeeper/base/ports/http";
import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { WatchCache } from "@zonekeeper/kube/client/watch/watch-cache";
import { ApiClusterWriter } from "@zonekeeper/kube/client/write/cluster-writer";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DNS_ENTRY } from "../../src/model/kinds.ts";
import { ADMIN_TOKEN, TestApi } from "../support/clients/control-plane-api.ts";
import { HandlerClient } from "../support/clients/handler-client.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../support/ports/test-ports.ts";
import { VirtualClock } from "../support/ports/virtual-clock.ts";

/** A cache and a writer over a control plane that can be restarted on its store. */
class World {
  readonly clock = new VirtualClock();
  readonly store = new MemoryStore();
  readonly diary: string[] = [];
  readonly writer: ApiClusterWriter;
  readonly cache: WatchCache;
  #api: TestApi | null = null;

  constructor() {
    const http = new HandlerClient((request) => this.#answer(request));
    const metrics = new MemoryMetrics();
    const { clock } = this;
    const client = new ApiClient({ http, clock, metrics, host: "c1" });
    this.writer = new ApiClusterWriter({ clusterId: "c1", client, clock, rate: null });
    this.cache = new WatchCache({
      clusterId: "c1",
      client,
      clock,
      random: new SeededRandom(3),
      log: new MemoryLog(),
      metrics,
    });
  }

  async start(): Promise<void> {
    this.#api = await TestApi.open({ store: this.store, clock: this.clock });
  }

  /** Ends the control plane; requests fail until it is started again. */
  async stop(): Promise<void> {
    await this.#api?.plane.stop();
    this.#api = null;
    await this.clock.settle();
  }

  subscribe(): void {
    this.cache.subscribe(DNS_ENTRY, {
      onChange: ({ type, object, proof }) => {
        this.diary.push(`${type} ${object.metadata.name}${proof ? ` (${proof})` : ""}`);
      },
      onState: (_kind, state) => void this.diary.push(state),
    });
  }

  cached(): readonly KubeObject[] {
    const found = this.cache.list(DNS_ENTRY);
    if (found.state !== "value") return [];
    return [...found.value].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  async listed(): Promise<readonly unknown[]> {
    const answer = await this.#api?.get("/apis/dns.gardener.cloud/v1alpha1/dnsentries");
    const items: unknown = answer?.body["items"];
    return Array.isArray(items) ? items : [];
  }

  #answer(request: HttpRequest) {
    if (this.#api === null) throw new Error("connection refused");
    const headers = { ...request.headers, authorization: `Bearer ${ADMIN_TOKEN}` };
    return this.#api.plane.handler({ ...request, headers });
  }
}

const entry = (name: string, ttl = 60): KubeObject => ({
  apiVersion: "dns.gardener.cloud/v1alpha1",
  kind: "DNSEntry",
  metadata: { name, namespace: "default" },
  spec: { dnsName: `${name}.example.org`, ttl },
});
const at = (name: string) => ({ kind: DNS_ENTRY, namespace: "default", name });
const keys = (objects: readonly unknown[]): string =>
  JSON.stringify(objects, ["metadata", "name", "resourceVersion"]);

describe("the watch cache", () => {
  test("is live at once and told each change in order", async () => {
    const world = new World();
    await world.start();
    await world.writer.create(DNS_ENTRY, entry("a"));
    world.subscribe();
    await world.clock.settle();
    expect(world.diary.splice(0)).toEqual(["added a", "live"]);
    await world.writer.create(DNS_ENTRY, entry("b"));
    await world.writer.patch(at("a"), { spec: { ttl: 61 } });
    await world.writer.remove(at("b"));
    await world.writer.create(SECRET, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s", namespace: "default" },
    });
    await world.clock.settle();
    expect(world.diary).toEqual(["added b", "modified a", "deleted b (watched)"]);
  });

  test("finds out after a restart what it did not see", async () => {
    const world = new World();
    await world.start();
    for (const name of ["a", "b", "c"]) await world.writer.create(DNS_ENTRY, entry(name));
    world.subscribe();
    await world.clock.settle();
    await world.stop();
    await world.clock.advance(1000);
    // Somebody else's server on the same store, while this cache cannot reach any.
    const other = await TestApi.open({ store: world.store, clock: world.clock });
    await other.delete("/apis/dns.gardener.cloud/v1alpha1/namespaces/default/dnsentries/b");
    await other.plane.stop();
    await world.start();
    await world.writer.create(DNS_ENTRY, entry("d"));
    await world.clock.advance(120_000);
    expect(world.cache.state(DNS_ENTRY)).toBe("live");
    expect(world.cached().map((object) => object.metadata.name)).toEqual(["a", "c", "d"]);
    expect(world.diary).toContain("deleted b (missing-from-list)");
  });

  test("ends equal to the server after any history with restarts", async () => {
    const step = fc.oneof(
      fc.record({
        act: fc.constantFrom("create", "patch", "remove"),
        name: fc.constantFrom("a", "b", "c"),
      }),
      fc.record({ act: fc.constant("restart"), name: fc.constant("") }),
      fc.record({ act: fc.constant("wait"), name: fc.constant("") }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (history) => {
        const world = new World();
        await world.start();
        world.subscribe();
        let ttl = 100;
        for (const { act, name } of history) {
          ttl += 1;
          if (act === "create") await world.writer.create(DNS_ENTRY, entry(name)).catch(() => null);
          if (act === "patch")
            await world.writer.patch(at(name), { spec: { ttl } }).catch(() => null);
          if (act === "remove") await world.writer.remove(at(name));
          if (act === "wait") await world.clock.settle();
          if (act === "restart") {
            await world.stop();
            await world.start();
          }
        }
        await world.clock.advance(120_000);
        expect(keys(world.cached())).toBe(keys(await world.listed()));
        expect(world.cache.state(DNS_ENTRY)).toBe("live");
      }),
      { numRuns: 25 },
    );
  });
});
