/** The conformance harness of aws-route53 on its fake. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../../../src/model/record-set.ts";
import type { ProviderSession } from "../../../../src/providers/provider.ts";
import { fromRecordSet, toRecordSet } from "../../../../src/providers/route53/convert.ts";
import { ROUTE53_PROVIDER } from "../../../../src/providers/route53/session.ts";
import type { ProviderHarness } from "../../../conformance/provider-harness.ts";
import { type EnvironmentChanges, realEnvironment } from "../../values/rfc2136-session.ts";
import { FakeRoute53, refusal } from "./server.ts";

/** What a Secret holds; both are invented. */
export const ROUTE53_SECRET = {
  AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE",
  AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY",
} as const;

/** A session on the fake. */
export function openRoute53(
  endpoint: string,
  environment: EnvironmentChanges = {},
  config: Readonly<Record<string, unknown>> = {},
  secret: Readonly<Record<string, string>> = ROUTE53_SECRET,
): ProviderSession {
  const opened = ROUTE53_PROVIDER.open(
    { secret, config: { endpoint, ...config } },
    realEnvironment(environment),
  );
  if (!opened.ok) throw new Error(opened.error.map(({ message }) => message).join("; "));
  return opened.value;
}

/** With one zone, `example.org`; `form` is that of refusals. */
export async function route53Harness(form: FakeRoute53["errorForm"]): Promise<ProviderHarness> {
  const fake = new FakeRoute53();
  const endpoint = await fake.start();
  const zone = fake.addZone("Z0123456789", "example.org");
  fake.errorForm = form;
  let secret: Readonly<Record<string, string>> = ROUTE53_SECRET;
  return {
    zone: trustedDnsName("example.org"),
    open: (rails) => openRoute53(endpoint, rails, {}, secret),
    poll: async (name, type) => {
      const found = zone.sets
        .map((set) => toRecordSet(set, zone.id))
        .find((set) => set.name === name && set.type === type);
      return found === undefined ? null : { ttlSeconds: found.ttlSeconds, values: found.values };
    },
    addForeign: async (set: RecordSet) => {
      zone.apply([{ action: "CREATE", set: fromRecordSet(set, zone.id) }]);
    },
    loseNextAnswer: () => fake.breakNext(/^POST/, { is: "cut-after" }),
    throttleNext: (seconds) => {
      const headers = seconds === null ? {} : { "retry-after": String(seconds) };
      fake.breakNext(/^POST/, refusal(400, "Throttling", "Rate exceeded", headers));
    },
    fake: fake.breakable({ writes: /^POST/, listings: /^GET .*\/rrset/ }, () => {
      fake.expiredKeys.add(ROUTE53_SECRET.AWS_ACCESS_KEY_ID);
      secret = { ...ROUTE53_SECRET, AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7NEXTKEY" };
      return [ROUTE53_SECRET.AWS_SECRET_ACCESS_KEY];
    }),
    settle: async () => undefined,
    takeCalls: () => fake.takeCalls(),
    stop: () => fake.stop(),
  };
}
