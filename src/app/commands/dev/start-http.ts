/** Health, metrics and the local API of `dev`. */
import type { SocketAddress } from "@zonekeeper/base/ports/net";
import type { NameServer } from "@zonekeeper/dns/name-server/name-server";
import { startHttpApp } from "../../api/http-app.ts";
import { askServers } from "../../compose/authority/ask-servers.ts";
import { hasAddress } from "../../compose/authority/has-address.ts";
import type { Composition } from "../../compose/compose.ts";
import { setGardenerGauges } from "../../compose/gardener-gauges.ts";
import { ZoneGauges } from "../../compose/zone-gauges.ts";
import { VERSION } from "../../ports/version.ts";
import { previewText } from "../run/preview.ts";
import type { DevContext } from "./dev-context.ts";
import { DnsCounters } from "./dns-counters.ts";
import { withPort } from "./port-memory.ts";

/** What is told about. */
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
      instance: {
        checks: () => running.checks(),
        dryRunText: () => (config.publish.dryRun ? previewText(null) : null),
        zones: () => running.zones(),
        explain: (name) => running.explain(name),
        history: (query) => running.history(query),
        troubles: (name) => running.troubles(name),
        whoLists: (isAsked) => running.whoLists(isAsked),
        namedElsewhere: (isAsked) => running.namedElsewhere(isAsked),
        hasAddress: (name) => hasAddress(ports, name),
        askServers: (explanation) => askServers(ports, explanation),
        approve: (hash) => running.approve(hash),
        restore: (hash, isDoing) => running.restore(hash, isDoing),
        pauses: () => running.pauses,
        rights: (names) => running.rights(names),
        order: (key, requests) => running.order(key, requests),
        migrate: (request) => running.migrate(request),
        takeOwner: (from, dryRun) => running.takeOwner(from, dryRun),
        scrape: async () => {
          gauges.set(running.zones(), running.checks());
          setGardenerGauges(metrics, running.figures());
          counters.add(nameServer.statistics());
          return metrics.scrape();
        },
      },
    }),
  );
  teardown.add("http", () => http.close());
  return http.local;
}
