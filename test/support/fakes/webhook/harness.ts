/** The conformance harness of external-dns-webhook on its fake, and sessions on it. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../../../src/model/record-set.ts";
import type { ProviderSession } from "../../../../src/providers/provider.ts";
import { fromRecordSet, toRecordSet } from "../../../../src/providers/webhook/convert.ts";
import { WEBHOOK_PROVIDER } from "../../../../src/providers/webhook/session.ts";
import type { ProviderHarness } from "../../../conformance/provider-harness.ts";
import { type EnvironmentChanges, realEnvironment } from "../../values/rfc2136-session.ts";
import { type FakeEndpoint, FakeWebhook } from "./server.ts";

/** How a session is opened. */
export interface WebhookSessionOptions {
  readonly secret?: Readonly<Record<string, string>>;
  readonly config?: unknown;
  readonly environment?: EnvironmentChanges;
}

/** A session on the fake. */
export function openWebhook(
  server: string,
  { secret = {}, config = null, environment = {} }: WebhookSessionOptions = {},
): ProviderSession {
  const settings = { secret: { Server: server, ...secret }, config };
  const opened = WEBHOOK_PROVIDER.open(settings, realEnvironment(environment));
  if (!opened.ok) throw new Error(opened.error.map(({ message }) => message).join("; "));
  return opened.value;
}

/** What the webhook has, as record sets. */
export function setsOf(fake: FakeWebhook): readonly RecordSet[] {
  return fake.endpoints.flatMap((endpoint) => toRecordSet(endpoint, 0) ?? []);
}

/** A stranger adds a record set. */
export function addForeign(fake: FakeWebhook, set: RecordSet): void {
  fake.put(fromRecordSet(set) as unknown as FakeEndpoint);
}

/** With one zone, `example.org`, and a record in it that nobody touches. */
export async function webhookHarness(): Promise<ProviderHarness> {
  const fake = new FakeWebhook();
  const server = await fake.start();
  fake.token = "the-webhook-token";
  fake.put({ dnsName: "other.example.org", recordType: "A", targets: ["192.0.2.99"] });
  return {
    zone: trustedDnsName("example.org"),
    open: (environment = {}) =>
      openWebhook(server, { secret: { Token: fake.token ?? "" }, environment }),
    poll: async (name, type) => {
      const found = setsOf(fake).find((set) => set.name === name && set.type === type);
      return found === undefined ? null : { ttlSeconds: found.ttlSeconds, values: found.values };
    },
    addForeign: async (set: RecordSet) => addForeign(fake, set),
    loseNextAnswer: () => fake.breakNext(/^POST \/records/, { is: "cut-after" }),
    throttleNext: (seconds) => fake.throttleNext(/^POST \/records/, "", seconds),
    fake: fake.breakable({ writes: /^POST \/records/, listings: /^GET \/records/ }, () => {
      const expired = fake.token ?? "";
      fake.token = "the-next-webhook-token";
      return [expired];
    }),
    settle: async () => undefined,
    takeCalls: () => fake.takeCalls(),
    stop: () => fake.stop(),
  };
}
