/** Health, metrics and the local API of `dev`. */

import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { SocketAddress } from "@zonekeeper/base/ports/net";
import type { NameServer } from "@zonekeeper/dns/name-server/name-server";
import type { NameServerStatistics } from "@zonekeeper/dns/name-server/server/statistics";
import { startHttpApp } from "../../api/http-app.ts";
import { askResolvers } from "../../compose/authority/ask-resolvers.ts";
import { askServers } from "../../compose/authority/ask-servers.ts";
import { hasAddress } from "../../compose/authority/has-address.ts";
import type { Composition } from "../../compose/compose.ts";
import { setGardenerGauges } from "../../compose/gardener-gauges.ts";
import { setImportGauges } from "../../compose/import-gauges.ts";
import { ZoneGauges } from "../../compose/zone-gauges.ts";
import { VERSION } from "../../ports/version.ts";
import { previewText } from "../run/preview.ts";
import type { DevContext } from "./dev-context.ts";
import { withPort } from "./port-memory.ts";

/** The parts that it reports about. */
export interface Announced {
  readonly running: Composition;
  readonly nameServer: NameServer;
}

/** Rejects with OperationError `AddressInUse`. */
export async function startHttp(
  { config, identity, metrics, ports, teardown }: DevContext,
  { running, nameServer }: Announced,
): Promise<SocketAddress> {
  const gauges = new ZoneGauges(metrics, ports.clock);
  const counters = new DnsCounters(metrics);
  metrics.gauge("zonekeeper_build_info", 1, { version: VERSION, node: process.version });
  const request = { part: "http", given: config.http.port } as const;
  const http = await withPort(request, identity.ports, (port) =>
    startHttpApp({
      at: { host: config.http.address, port },
      token: identity.tokens.local,
      page: config.page,
      instance: {
        work: running,
        checks: () => running.checks(),
        dryRunText: () => (config.publish.dryRun ? previewText(null) : null),
        hasAddress: (name) => hasAddress(ports, name),
        askResolvers: async (name, types) => {
          const { resolvers: servers } = config.page;
          return servers.length === 0 ? [] : askResolvers({ ...ports, servers }, name, types);
        },
        askServers: (explanation) => askServers(ports, explanation),
        scrape: async () => {
          gauges.set(running.zones(), running.checks());
          setGardenerGauges(metrics, running.figures());
          setImportGauges(metrics, running.imports(), ports.clock.nowMs());
          counters.add(nameServer.statistics());
          return metrics.scrape();
        },
      },
    }),
  );
  teardown.add("http", () => http.close());
  return http.local;
}

type Counts = Readonly<Record<string, number | undefined>>;

/** The name server's counts: the growth since the last scrape is added. */
class DnsCounters {
  readonly #metrics: Metrics;
  #queries: Counts = {};
  #updates: Counts = {};

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** `statistics` only ever grow. */
  add({ queries, updates }: NameServerStatistics): void {
    this.#grow("zonekeeper_dns_queries_total", this.#queries, queries);
    this.#grow("zonekeeper_dns_updates_total", this.#updates, updates);
    this.#queries = queries;
    this.#updates = updates;
  }

  #grow(name: string, before: Counts, now: Counts): void {
    for (const [rcode, count] of Object.entries(now))
      this.#metrics.count(name, { rcode }, (count ?? 0) - (before[rcode] ?? 0));
  }
}
