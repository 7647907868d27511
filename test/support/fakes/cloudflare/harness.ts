/** The conformance harness of cloudflare-dns on its fake. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../../../src/model/record-set.ts";
import {
  fromRecord,
  toRecord,
  toRecordSets,
} from "../../../../src/providers/cloudflare/convert.ts";
import { CLOUDFLARE_PROVIDER } from "../../../../src/providers/cloudflare/session.ts";
import type { ProviderSession } from "../../../../src/providers/provider.ts";
import type { ProviderHarness } from "../../../conformance/provider-harness.ts";
import { type EnvironmentChanges, realEnvironment } from "../../values/rfc2136-session.ts";
import type { FakeDnsZone } from "./dns-zone.ts";
import { errorBody, FakeCloudflare } from "./server.ts";

/** What a Secret holds; it is invented. */
export const CLOUDFLARE_SECRET = {
  CLOUDFLARE_API_TOKEN: "Sn3lZJTBX6kkg7OdcBUAxOO963GEIyGQqnFTOFYY",
} as const;

/** A fake that takes the token above. */
export function makeFake(): FakeCloudflare {
  const fake = new FakeCloudflare();
  fake.token = CLOUDFLARE_SECRET.CLOUDFLARE_API_TOKEN;
  return fake;
}

/** A session on the fake. */
export function openCloudflare(
  endpoint: string,
  environment: EnvironmentChanges = {},
  config: Readonly<Record<string, unknown>> = {},
  secret: Readonly<Record<string, string>> = CLOUDFLARE_SECRET,
): ProviderSession {
  const opened = CLOUDFLARE_PROVIDER.open(
    { secret, config: { endpoint, ...config } },
    realEnvironment(environment),
  );
  if (!opened.ok) throw new Error(opened.error.map(({ message }) => message).join("; "));
  return opened.value;
}

/** The zone as record sets; what the vendor makes itself is not in it. */
export function setsIn(zone: FakeDnsZone): readonly RecordSet[] {
  return toRecordSets(zone.records.map(toRecord).filter((record) => record !== null));
}

/** With one zone, `example.org`. */
export async function cloudflareHarness(plan = "pro"): Promise<ProviderHarness> {
  const fake = makeFake();
  const endpoint = await fake.start();
  const zone = fake.addZone("023e105f4ecef8ad9ca31a8372d0c353", "example.org", plan);
  // As zones of long ago have it: the largest batch alone would fill a new one.
  zone.recordsMax = 50_000;
  const apex = [
    { name: zone.name, type: "NS", ttlSeconds: 86_400, values: zone.nameServers },
    { name: zone.name, type: "SOA", ttlSeconds: 3600, values: ["the vendor's own"] },
  ];
  return {
    zone: trustedDnsName("example.org"),
    open: (rails) => openCloudflare(endpoint, rails, {}, { CLOUDFLARE_API_TOKEN: fake.token }),
    poll: async (name, type) => {
      const found = [...setsIn(zone), ...apex].find(
        (set) => set.name === name && set.type === type,
      );
      return found === undefined ? null : { ttlSeconds: found.ttlSeconds, values: found.values };
    },
    addForeign: async (set: RecordSet) => {
      for (const value of set.values) zone.add(fromRecord(set, value, null));
    },
    loseNextAnswer: () => fake.breakNext(/^POST/, { is: "cut-after" }),
    throttleNext: (seconds) => fake.throttleNext(/^POST/, errorBody(971, "Please wait"), seconds),
    fake: fake.breakable({ writes: /^POST/, listings: /^GET .*\/dns_records/ }, () => {
      const expired = fake.token;
      fake.token = "TheNextInventedTokenOfTests-000000000000";
      return [expired];
    }),
    settle: async () => undefined,
    takeCalls: () => fake.takeCalls(),
    stop: () => fake.stop(),
  };
}
