/**
 * The powerdns provider on PowerDNS Authoritative Server: the conformance suite through its HTTP
 * API; dig judges, nsupdate is the stranger.
 */
import { RealHttpClient } from "../../src/app/ports/real-http-client.ts";
import type { RecordSet } from "../../src/model/record-set.ts";
import type { HttpClient } from "../../src/ports/http.ts";
import { providerConformance } from "../conformance/provider.ts";
import type { ProviderHarness } from "../conformance/provider-harness.ts";
import { rfc2136Harness } from "../conformance/rfc2136-harness.ts";
import { dig } from "../support/clients/dig.ts";
import { nsupdate } from "../support/clients/nsupdate.ts";
import { openPowerDns } from "../support/fakes/powerdns/harness.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startPowerDns } from "../support/real-servers/powerdns.ts";

/** Reads like the harness of rfc2136, and writes through the API. */
async function startHarness(): Promise<ProviderHarness> {
  const server = await startPowerDns({ zone: "example.org" });
  let losesNext = false;
  /** The PATCH is carried out, and its answer never seen. */
  const losing = (client: HttpClient): HttpClient => ({
    request: async (request) => {
      const response = await client.request(request);
      if (request.method !== "PATCH" || !losesNext) return response;
      losesNext = false;
      return { ...response, status: 502 };
    },
    close: () => client.close(),
  });
  const judge = rfc2136Harness({
    server,
    ask: async (name, type) => (await dig({ port: server.port, name, type, tcp: true })).answer,
    addForeign: async ({ name, ttlSeconds, type, values }: RecordSet) => {
      const lines = values.map((value) => `update add ${name}. ${ttlSeconds} ${type} ${value}`);
      const result = await nsupdate(server, lines);
      if (result.code !== 0) throw new Error(`nsupdate: ${result.stderr}`);
    },
    stop: () => server.stop(),
  });
  return {
    ...judge,
    open: (rails) =>
      openPowerDns(new URL(server.api.url).origin, {
        ...rails,
        http: (target) => losing(new RealHttpClient(target)),
      }),
    loseNextAnswer: () => {
      losesNext = true;
    },
  };
}

describeReal("PowerDNS through its HTTP API", ["powerdns", "dig"], () =>
  providerConformance("powerdns", { atomicity: "zone", preconditions: false }, startHarness),
);
