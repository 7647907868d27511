/**
 * A fake API server, a client and a watch cache on a virtual clock, and a diary of what a listener
 * was told.
 */
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { WatchCache, type WatchCacheOptions } from "@zonekeeper/kube/client/watch/watch-cache";
import { LEASE, NAMESPACE, SECRET, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import type { ViewListener } from "@zonekeeper/kube/ports/cluster-view";
import { HandlerClient } from "../clients/handler-client.ts";
import { FakeApiServer } from "../ports/fake-api-server.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../ports/test-ports.ts";
import { VirtualClock } from "../ports/virtual-clock.ts";
import { DNS_ENTRY } from "../values/entry-kind.ts";

/** One cluster and a cache of it. */
export class ClusterWorld {
  readonly clock = new VirtualClock();
  readonly random = new SeededRandom(7);
  readonly log = new MemoryLog();
  readonly metrics = new MemoryMetrics();
  readonly server = new FakeApiServer([SERVICE, SECRET, NAMESPACE, DNS_ENTRY, LEASE]);
  readonly http = new HandlerClient(this.server.handler);
  readonly client = new ApiClient({
    http: this.http,
    clock: this.clock,
    metrics: this.metrics,
    host: "c1",
  });
  readonly cache: WatchCache;
  /** `added default/web`, `deleted default/web (missing-from-list)`, `live`, in order. */
  readonly diary: string[] = [];

  constructor(options: Partial<WatchCacheOptions> = {}) {
    const { client, clock, random, log, metrics } = this;
    this.cache = new WatchCache({
      clusterId: "c1",
      client,
      clock,
      random,
      log,
      metrics,
      ...options,
    });
  }

  /** Subscribes the diary and lets the first list finish. */
  async watch(kind: KindRef = SERVICE): Promise<void> {
    this.cache.subscribe(kind, this.listener());
    await this.clock.settle();
  }

  /** A listener that writes into the diary. */
  listener(): ViewListener {
    return {
      onChange: ({ type, object, proof }) => {
        const { namespace, name } = object.metadata;
        this.diary.push(`${type} ${namespace ?? "-"}/${name}${proof ? ` (${proof})` : ""}`);
      },
      onState: (_kind, state) => void this.diary.push(state),
    };
  }

  /** What the diary got since it was read last. */
  news(): readonly string[] {
    return this.diary.splice(0);
  }
}
