/** The conformance harness of alicloud-dns on its fake, and sessions on it. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../../../src/model/record-set.ts";
import { fromValue, toRecord, toRecordSets } from "../../../../src/providers/alidns/convert.ts";
import { ALIDNS_PROVIDER } from "../../../../src/providers/alidns/session.ts";
import type { ProviderSession } from "../../../../src/providers/provider.ts";
import type { ProviderHarness } from "../../../conformance/provider-harness.ts";
import { type EnvironmentChanges, realEnvironment } from "../../values/rfc2136-session.ts";
import type { ApiFault } from "../fake-api.ts";
import type { FakeDomain } from "./fake-domain.ts";
import { errorBody, FakeAliDns } from "./server.ts";

/** What a Secret holds; it is invented. */
export const ALIDNS_SECRET = {
  ACCESS_KEY_ID: "LTAI5tInventedKeyOfTests",
  ACCESS_KEY_SECRET: "bq4GpTheInventedSecretOfTests0",
} as const;

/** A fake that takes the key above. */
export function makeFake(): FakeAliDns {
  const fake = new FakeAliDns();
  fake.key = { id: ALIDNS_SECRET.ACCESS_KEY_ID, secret: ALIDNS_SECRET.ACCESS_KEY_SECRET };
  return fake;
}

/** A session on the fake. */
export function openAliDns(
  endpoint: string,
  environment: EnvironmentChanges = {},
  secret: Readonly<Record<string, string>> = ALIDNS_SECRET,
): ProviderSession {
  const opened = ALIDNS_PROVIDER.open(
    { secret, config: { endpoint } },
    realEnvironment(environment),
  );
  if (!opened.ok) throw new Error(opened.error.map(({ message }) => message).join("; "));
  return opened.value;
}

/** The zone as record sets; what the vendor makes itself is not in it. */
export function setsOf(domain: FakeDomain): readonly RecordSet[] {
  const apex = trustedDnsName(domain.name);
  return toRecordSets(domain.records.flatMap((record) => toRecord(record, apex) ?? []));
}

/** A stranger adds a record set. */
export function addForeign(domain: FakeDomain, set: RecordSet): void {
  for (const value of set.values) domain.add(fromValue(set, value, trustedDnsName(domain.name)));
}

/** Calls that write: only they name a record or a host. */
export const WRITES = /[?&](RR|RecordId)=/;

/** "Notice on API throttling": a code and status 400. */
export function tooMany(afterSeconds: number | null): ApiFault {
  const body = errorBody("Throttling.User", "Request was denied due to user flow control.");
  const headers = afterSeconds === null ? {} : { "retry-after": String(afterSeconds) };
  return { is: "refused", status: 400, body, headers };
}

/** With one zone, `example.org`. */
export async function aliDnsHarness(): Promise<ProviderHarness> {
  const fake = makeFake();
  const endpoint = await fake.start();
  const domain = fake.addDomain("00efd71a-770e-4255-b54e-6fe5659baffe", "example.org");
  let secret: Readonly<Record<string, string>> = ALIDNS_SECRET;
  const apex = [
    { name: "example.org", type: "NS", ttlSeconds: 86_400, values: domain.nameServers },
    { name: "example.org", type: "SOA", ttlSeconds: 600, values: ["the vendor's own"] },
  ];
  return {
    zone: trustedDnsName("example.org"),
    open: (rails) => openAliDns(endpoint, rails, secret),
    poll: async (name, type) => {
      const found = [...setsOf(domain), ...apex].find(
        (set) => set.name === name && set.type === type,
      );
      return found === undefined ? null : { ttlSeconds: found.ttlSeconds, values: found.values };
    },
    addForeign: async (set: RecordSet) => addForeign(domain, set),
    loseNextAnswer: () => fake.breakNext(WRITES, { is: "cut-after" }),
    throttleNext: (seconds) => fake.breakNext(WRITES, tooMany(seconds)),
    fake: fake.breakable({ writes: WRITES, listings: /[?&]DomainName=/ }, () => {
      const { id, secret: expired } = fake.key;
      fake.key = { id: `${id}2`, secret: "TheNextInventedSecretOfTests00" };
      secret = { ACCESS_KEY_ID: fake.key.id, ACCESS_KEY_SECRET: fake.key.secret };
      return [expired];
    }),
    settle: async () => undefined,
    takeCalls: () => fake.takeCalls(),
    stop: () => fake.stop(),
  };
}
