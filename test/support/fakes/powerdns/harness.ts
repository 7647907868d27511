/** The conformance harness of powerdns on its fake, and sessions on it. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../../../src/model/record-set.ts";
import { replaceSet, toKnownSet } from "../../../../src/providers/powerdns/convert.ts";
import { POWERDNS_PROVIDER } from "../../../../src/providers/powerdns/session.ts";
import type { ProviderSession } from "../../../../src/providers/provider.ts";
import type { ProviderHarness } from "../../../conformance/provider-harness.ts";
import { type EnvironmentChanges, realEnvironment } from "../../values/rfc2136-session.ts";
import { FakePowerDns, type FakePowerDnsZone } from "./server.ts";

/** Of the fake, and of `startPowerDns`. */
export const POWERDNS_KEY = "test-api-key";

/** A session; `server` is `http://127.0.0.1:port`. */
export function openPowerDns(
  server: string,
  environment: EnvironmentChanges = {},
  apiKey: string = POWERDNS_KEY,
): ProviderSession {
  const secret = { Server: server, ApiKey: apiKey };
  const opened = POWERDNS_PROVIDER.open({ secret, config: null }, realEnvironment(environment));
  if (!opened.ok) throw new Error(opened.error.map(({ message }) => message).join("; "));
  return opened.value;
}

/** The zone as record sets. */
export function setsOf(zone: FakePowerDnsZone): readonly RecordSet[] {
  return zone.sets
    .flatMap((one) => toKnownSet(one)?.set ?? [])
    .filter(({ values }) => values.length > 0);
}

/** With one zone, `example.org`. */
export async function powerDnsHarness(): Promise<ProviderHarness> {
  const fake = new FakePowerDns(POWERDNS_KEY);
  const server = await fake.start();
  const zone = fake.addZone("example.org");
  return {
    zone: trustedDnsName("example.org"),
    open: (rails) => openPowerDns(server, rails, fake.apiKey),
    poll: async (name, type) => {
      const found = setsOf(zone).find((set) => set.name === name && set.type === type);
      return found === undefined ? null : { ttlSeconds: found.ttlSeconds, values: found.values };
    },
    addForeign: async (set: RecordSet) => {
      const error = zone.patch([replaceSet(set)]);
      if (error !== null) throw new Error(error);
    },
    loseNextAnswer: () => fake.breakNext(/^PATCH/, { is: "cut-after" }),
    throttleNext: (seconds) => fake.throttleNext(/^PATCH/, "", seconds),
    fake: fake.breakable({ writes: /^PATCH/, listings: /^GET .*\/zones\// }, () => {
      const expired = fake.apiKey;
      fake.apiKey = "the-next-api-key";
      return [expired];
    }),
    settle: async () => undefined,
    takeCalls: () => fake.takeCalls(),
    stop: () => fake.stop(),
  };
}
