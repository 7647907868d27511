/** The conformance harness of google-clouddns on its fake, and sessions on it. */
import { generateKeyPairSync } from "node:crypto";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../../../src/model/record-set.ts";
import { fromRecordSets, toRecordSets } from "../../../../src/providers/google/convert.ts";
import { GOOGLE_PROVIDER } from "../../../../src/providers/google/session.ts";
import type { ProviderSession } from "../../../../src/providers/provider.ts";
import type { ProviderHarness } from "../../../conformance/provider-harness.ts";
import { type EnvironmentChanges, realEnvironment } from "../../values/rfc2136-session.ts";
import type { FakeManagedZone, FakeRrset } from "./managed-zone.ts";
import { errorBody, FakeGoogle } from "./server.ts";

/** Of the fake. */
export const GOOGLE_PROJECT = "example-project";

/** A started fake, the Secret of its service account, and its address. */
export interface StartedGoogle {
  readonly fake: FakeGoogle;
  readonly endpoint: string;
  readonly secret: Readonly<Record<string, string>>;
}

/** PEM of a new RSA key, which takes half a second. */
export function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** One key for all fakes of a test file. */
let sharedKey = "";

/** The key file names the fake as the address of tokens. */
export async function startGoogle(): Promise<StartedGoogle> {
  const fake = new FakeGoogle(GOOGLE_PROJECT);
  const endpoint = await fake.start();
  if (sharedKey === "") sharedKey = newPrivateKey();
  fake.privateKey = sharedKey;
  return { fake, endpoint, secret: secretOf(endpoint, sharedKey) };
}

function secretOf(endpoint: string, privateKey: string): StartedGoogle["secret"] {
  const account = {
    type: "service_account",
    project_id: GOOGLE_PROJECT,
    private_key_id: "0123456789abcdef",
    private_key: privateKey,
    client_email: `dns@${GOOGLE_PROJECT}.iam.gserviceaccount.com`,
    token_uri: `${endpoint}/token`,
  };
  return { "serviceaccount.json": JSON.stringify(account) };
}

/** A session on the fake. */
export function openGoogle(
  { endpoint, secret }: Pick<StartedGoogle, "endpoint" | "secret">,
  environment: EnvironmentChanges = {},
  config: Readonly<Record<string, unknown>> = {},
): ProviderSession {
  const opened = GOOGLE_PROVIDER.open(
    { secret, config: { endpoint, ...config } },
    realEnvironment(environment),
  );
  if (!opened.ok) throw new Error(opened.error.map(({ message }) => message).join("; "));
  return opened.value;
}

/** The zone as record sets. */
export function setsOf(zone: FakeManagedZone): readonly RecordSet[] {
  return zone.sets.flatMap(toRecordSets);
}

/** A stranger adds a record set. */
export function addForeign(zone: FakeManagedZone, set: RecordSet): void {
  const result = zone.apply({ additions: [fromRecordSets([set]) as unknown as FakeRrset] });
  if ("reason" in result) throw new Error(result.message);
}

const WRITES = /^POST .*\/changes/;

/** With one zone, `example.org`. */
export async function googleHarness(): Promise<ProviderHarness> {
  const started = await startGoogle();
  const { fake } = started;
  const zone = fake.addZone("example-org", "example.org");
  let { secret } = started;
  return {
    zone: trustedDnsName("example.org"),
    open: (rails) => openGoogle({ ...started, secret }, rails),
    poll: async (name, type) => {
      const found = setsOf(zone).find((set) => set.name === name && set.type === type);
      return found === undefined ? null : { ttlSeconds: found.ttlSeconds, values: found.values };
    },
    addForeign: async (set: RecordSet) => addForeign(zone, set),
    loseNextAnswer: () => fake.breakNext(WRITES, { is: "cut-after" }),
    throttleNext: (seconds) =>
      fake.throttleNext(
        WRITES,
        errorBody(429, "rateLimitExceeded", "Rate Limit Exceeded"),
        seconds,
      ),
    fake: fake.breakable({ writes: WRITES, listings: /^GET .*\/rrsets/ }, () => {
      const expired = fake.privateKey;
      fake.privateKey = newPrivateKey();
      fake.revokeTokens();
      secret = secretOf(started.endpoint, fake.privateKey);
      return [expired];
    }),
    settle: async () => undefined,
    takeCalls: () => fake.takeCalls(),
    stop: () => fake.stop(),
  };
}
