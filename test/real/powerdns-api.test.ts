/**
 * The powerdns provider on PowerDNS Authoritative Server: the conformance suite through its HTTP
 * API; dig judges, nsupdate is the stranger.
 */
import type { HttpClient } from "@zonekeeper/base/ports/http";
import { expect, test } from "vitest";
import { RealHttpClient } from "../../src/app/ports/real-http-client.ts";
import type { RecordSet } from "../../src/model/record-set.ts";
import { providerConformance } from "../conformance/provider.ts";
import {
  applyOnce,
  create,
  mustApply,
  type ProviderHarness,
  recordSet,
  soon,
  zoneOf,
} from "../conformance/provider-harness.ts";
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

describeReal("names that are searched", ["powerdns"], () => {
  test("are read as their zone is, and what was added disabled is seen", async () => {
    const server = await startPowerDns({ zone: "example.org" });
    const session = openPowerDns(new URL(server.api.url).origin);
    const sets = [
      recordSet("a.example.org", "A", "192.0.2.1", "192.0.2.2"),
      recordSet("*.w.example.org", "CNAME", "a.example.org"),
      recordSet("a_b.example.org", "MX", "10 a.example.org"),
      recordSet("_x._tcp.example.org", "SRV", "0 5 443 a.example.org"),
      recordSet("t.example.org", "TXT", '"a\\"b;" "c"'),
    ];
    await mustApply(session, sets.map(create));
    const zone = await zoneOf(session);
    const whole = await session.records(zone, null, soon());
    const names = sets.map(({ name }) => name);
    const searched = await session.records(zone, names, soon());
    expect(searched.sets).toEqual(whole.sets.filter(({ name }) => names.includes(name)));
    expect([searched.sets.length, searched.pages]).toEqual([5, 5]);

    const records = [{ content: "198.51.100.7", disabled: true }];
    const off = { name: "off.example.org.", type: "A", ttl: 60, changetype: "REPLACE", records };
    const answer = await fetch(`${server.api.url}/zones/example.org.`, {
      method: "PATCH",
      headers: { "X-API-Key": server.api.key },
      body: JSON.stringify({ rrsets: [off] }),
    });
    expect(answer.status).toBe(204);
    const wanted = recordSet("off.example.org", "A", "192.0.2.1");
    expect((await session.records(zone, [wanted.name], soon())).sets).toEqual([]);
    const [outcome] = await applyOnce(session, [create(wanted)]);
    expect(outcome).toMatchObject({ status: "rejected", code: "PowerDnsDisabled" });
    session.close();
    await server.stop();
  });
});
