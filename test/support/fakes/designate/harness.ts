/** The conformance harness of openstack-designate on its fake, and sessions on it. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../../../src/model/record-set.ts";
import { creationOf, toRecordSet } from "../../../../src/providers/designate/convert.ts";
import { DESIGNATE_PROVIDER } from "../../../../src/providers/designate/session.ts";
import type { ProviderSession } from "../../../../src/providers/provider.ts";
import type { ProviderHarness } from "../../../conformance/provider-harness.ts";
import { type EnvironmentChanges, realEnvironment } from "../../values/rfc2136-session.ts";
import type { FakeZone, Input } from "./fake-zone.ts";
import { KEYSTONE_USER } from "./keystone.ts";
import { FakeDesignate } from "./server.ts";

/** A session; `secret` has what Keystone is sent. */
export function openDesignate(
  secret: Readonly<Record<string, string>>,
  environment: EnvironmentChanges = {},
): ProviderSession {
  const opened = DESIGNATE_PROVIDER.open({ secret, config: null }, realEnvironment(environment));
  if (!opened.ok) throw new Error(opened.error.map(({ message }) => message).join("; "));
  return opened.value;
}

/** What a Secret holds for the fake at `origin`. */
export function designateSecret(origin: string): Readonly<Record<string, string>> {
  return { OS_AUTH_URL: `${origin}/v3`, ...KEYSTONE_USER };
}

/** The zone as record sets. */
export function setsOf(zone: FakeZone): readonly RecordSet[] {
  return zone.sets.flatMap((set) => toRecordSet(set, zone.ttl ?? 3600) ?? []);
}

/** A stranger adds a record set. */
export function addForeign(zone: FakeZone, set: RecordSet): void {
  const result = zone.create(creationOf(set) as Input);
  if (!("id" in result)) throw new Error(result.message);
}

const WRITES = /^(POST .*recordsets|PUT|DELETE)/;

/** With one zone, `example.org`. */
export async function designateHarness(): Promise<ProviderHarness> {
  const fake = new FakeDesignate();
  let secret = designateSecret(await fake.start());
  const zone = fake.addZone("example.org");
  return {
    zone: trustedDnsName("example.org"),
    open: (rails) => openDesignate(secret, rails),
    poll: async (name, type) => {
      const found = setsOf(zone).find((set) => set.name === name && set.type === type);
      return found === undefined ? null : { ttlSeconds: found.ttlSeconds, values: found.values };
    },
    addForeign: async (set: RecordSet) => addForeign(zone, set),
    loseNextAnswer: () => fake.breakNext(WRITES, { is: "cut-after" }),
    throttleNext: (seconds) =>
      fake.throttleNext(WRITES, JSON.stringify({ code: 429, type: "too_many_requests" }), seconds),
    fake: fake.breakable({ writes: WRITES, listings: /^GET .*\/recordsets/ }, () => {
      const expired = fake.keystone.password;
      fake.keystone.password = "the next pass word of the fake";
      fake.keystone.revokeTokens();
      secret = { ...secret, OS_PASSWORD: fake.keystone.password };
      return [expired];
    }),
    settle: async () => undefined,
    takeCalls: () => fake.takeCalls(),
    stop: () => fake.stop(),
  };
}
