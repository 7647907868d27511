/** Health, metrics and the local API of `dev`. */
import type { SocketAddress } from "@zonekeeper/base/ports/net";
import { startHttpApp } from "../../api/http-app.ts";
import { askResolvers, hasAddress } from "../../compose/authority/ask-resolvers.ts";
import { askServers } from "../../compose/authority/ask-servers.ts";
import type { Composition } from "../../compose/compose.ts";
import { setGardenerGauges, setImportGauges, ZoneGauges } from "../../compose/gauges.ts";
import { VERSION } from "../../ports/version.ts";
import { previewText } from "../run/preview.ts";
import type { DevContext } from "./dev-context.ts";
import { withPort } from "./port-memory.ts";

/** Rejects with OperationError `AddressInUse`. */
export async function startHttp(
  { config, identity, metrics, ports, teardown }: DevContext,
  running: Composition,
): Promise<SocketAddress> {
  const gauges = new ZoneGauges(metrics, ports.clock);
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
          return metrics.scrape();
        },
      },
    }),
  );
  teardown.add("http", () => http.close());
  return http.local;
}
