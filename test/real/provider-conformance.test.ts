/**
 * The provider conformance suite through rfc2136 against BIND, Knot and PowerDNS; dig judges,
 * nsupdate is the stranger.
 */
import type { RecordSet } from "../../src/model/record-set.ts";
import { providerConformance } from "../conformance/provider.ts";
import type { ProviderHarness } from "../conformance/provider-harness.ts";
import { rfc2136Harness } from "../conformance/rfc2136-harness.ts";
import { dig } from "../support/clients/dig.ts";
import { nsupdate } from "../support/clients/nsupdate.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { REAL_SERVERS, type RealServerEntry } from "../support/real-servers/index.ts";

async function startHarness(entry: RealServerEntry): Promise<ProviderHarness> {
  const server = await entry.start({ zone: "example.org" });
  return rfc2136Harness({
    server,
    ask: async (name, type) => (await dig({ port: server.port, name, type, tcp: true })).answer,
    addForeign: async ({ name, ttlSeconds, type, values }: RecordSet) => {
      const lines = values.map((value) => `update add ${name}. ${ttlSeconds} ${type} ${value}`);
      const result = await nsupdate(server, lines);
      if (result.code !== 0) throw new Error(`nsupdate: ${result.stderr}`);
    },
    stop: () => server.stop(),
  });
}

for (const entry of REAL_SERVERS)
  describeReal(`${entry.name} through rfc2136`, [entry.needs, "dig"], () =>
    providerConformance(entry.name, { atomicity: "zone", preconditions: true }, () =>
      startHarness(entry),
    ),
  );
