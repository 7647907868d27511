/** The conformance harness of azure-dns and azure-private-dns on their fake, and sessions on it. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../../../src/model/record-set.ts";
import {
  fromRecordSet,
  relativeName,
  toRecordSet,
} from "../../../../src/providers/azure/convert.ts";
import { PRIVATE, PUBLIC } from "../../../../src/providers/azure/flavours.ts";
import { AZURE_PRIVATE_PROVIDER, AZURE_PROVIDER } from "../../../../src/providers/azure/session.ts";
import type { ProviderSession } from "../../../../src/providers/provider.ts";
import type { ProviderHarness } from "../../../conformance/provider-harness.ts";
import { type EnvironmentChanges, realEnvironment } from "../../values/rfc2136-session.ts";
import type { FakeZone, SetProperties } from "./fake-zone.ts";
import { CLIENT, errorBody, FakeAzure, SUBSCRIPTION, TENANT } from "./server.ts";

/** What a Secret holds; all are invented. */
export const AZURE_SECRET = {
  AZURE_SUBSCRIPTION_ID: SUBSCRIPTION,
  AZURE_TENANT_ID: TENANT,
  AZURE_CLIENT_ID: CLIENT,
  AZURE_CLIENT_SECRET: "Abc8Q~an.invented_secret-of-the-fake",
} as const;

/** A fake that takes the secret above. */
export function makeAzure(): FakeAzure {
  const fake = new FakeAzure();
  fake.clientSecret = AZURE_SECRET.AZURE_CLIENT_SECRET;
  return fake;
}

/** How a session is opened. */
export interface AzureSessionOptions {
  readonly isPrivate?: boolean;
  readonly secret?: Readonly<Record<string, string>>;
  readonly environment?: EnvironmentChanges;
  /** More of `providerConfig`. */
  readonly config?: Readonly<Record<string, string>>;
}

/** A session on the fake, which is also its token address. */
export function openAzure(
  endpoint: string,
  {
    isPrivate = false,
    secret = AZURE_SECRET,
    environment = {},
    config: more = {},
  }: AzureSessionOptions = {},
): ProviderSession {
  const provider = isPrivate ? AZURE_PRIVATE_PROVIDER : AZURE_PROVIDER;
  const config = { endpoint, authorityHost: endpoint, ...more };
  const opened = provider.open({ secret, config }, realEnvironment(environment));
  if (!opened.ok) throw new Error(opened.error.map(({ message }) => message).join("; "));
  return opened.value;
}

/** The zone as record sets. */
export function setsOf(zone: FakeZone): readonly RecordSet[] {
  const name = trustedDnsName(zone.name);
  return zone.sets.flatMap((set) => toRecordSet(set, { name }) ?? []);
}

/** A stranger adds a record set. */
export function addForeign(zone: FakeZone, set: RecordSet): void {
  const name = trustedDnsName(zone.name);
  const { properties } = fromRecordSet(set, zone.isPrivate ? PRIVATE : PUBLIC, {});
  zone.put(set.type, relativeName(set.name, { name }), properties as SetProperties);
}

/** With one zone, `example.org`; `wrapsErrors` = the form of refusals. */
export async function azureHarness(
  isPrivate: boolean,
  wrapsErrors: boolean,
): Promise<ProviderHarness> {
  const fake = makeAzure();
  const endpoint = await fake.start();
  fake.wrapsErrors = wrapsErrors;
  const zone = fake.addZone("example.org", isPrivate);
  let secret = { ...AZURE_SECRET, AZURE_CLIENT_SECRET: fake.clientSecret };
  return {
    zone: trustedDnsName("example.org"),
    open: (environment = {}) => openAzure(endpoint, { isPrivate, secret, environment }),
    poll: async (name, type) => {
      const found = setsOf(zone).find((set) => set.name === name && set.type === type);
      return found === undefined ? null : { ttlSeconds: found.ttlSeconds, values: found.values };
    },
    addForeign: async (set: RecordSet) => addForeign(zone, set),
    loseNextAnswer: () => fake.breakNext(/^(PUT|DELETE)/, { is: "cut-after" }),
    throttleNext: (seconds) =>
      fake.throttleNext(/^PUT/, errorBody("TooManyRequests", "throttled", wrapsErrors), seconds),
    fake: fake.breakable(
      { writes: /^(PUT|DELETE)/, listings: /^GET .*\/(recordsets|ALL)\b/ },
      () => {
        const expired = fake.clientSecret;
        fake.clientSecret = "Abc8Q~the.next.invented_secret";
        fake.revokeTokens();
        secret = { ...secret, AZURE_CLIENT_SECRET: fake.clientSecret };
        return [expired];
      },
    ),
    settle: async () => undefined,
    takeCalls: () => fake.takeCalls(),
    stop: () => fake.stop(),
  };
}
