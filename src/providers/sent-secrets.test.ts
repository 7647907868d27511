/**
 * What a session was given at run time, and what a file in its Secret holds, is not shown where a
 * back end repeats it: each way by which it gets there.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { HttpRequest, OpenHttp } from "@zonekeeper/base/ports/http";
import { afterEach, expect, test } from "vitest";
import { soon } from "../../test/conformance/provider-harness.ts";
import { AZURE_SECRET, makeAzure } from "../../test/support/fakes/azure/harness.ts";
import { FakeEtcd } from "../../test/support/fakes/coredns/server.ts";
import { designateSecret } from "../../test/support/fakes/designate/harness.ts";
import { FakeDesignate } from "../../test/support/fakes/designate/server.ts";
import { startGoogle } from "../../test/support/fakes/google/harness.ts";
import { INFOBLOX_SECRET, makeFake } from "../../test/support/fakes/infoblox/harness.ts";
import { ROUTE53_SECRET } from "../../test/support/fakes/route53/harness.ts";
import { FakeRoute53 } from "../../test/support/fakes/route53/server.ts";
import { FakeSts } from "../../test/support/fakes/route53/sts.ts";
import { realEnvironment } from "../../test/support/values/rfc2136-session.ts";
import { RealHttpClient } from "../app/ports/real-http-client.ts";
import { PROVIDER_TYPES } from "./index.ts";
import type { ProviderSession, ProviderSettings } from "./provider.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A call, and what is repeated of it. */
interface Repeated {
  readonly at: RegExp;
  readonly status?: number;
  readonly what: (request: HttpRequest) => string;
  /** Default a text. */
  readonly form?: (text: string) => string;
}

/** HTTP whose first call that fits is refused with a part of itself. */
function repeating({ at, status = 403, what, form = (text) => text }: Repeated) {
  const repeated: string[] = [];
  const http: OpenHttp = (target) => {
    const client = new RealHttpClient(target);
    return {
      request: async (request) => {
        if (!at.test(`${request.method} ${request.path}`)) return client.request(request);
        repeated.push(what(request));
        const body = new TextEncoder().encode(form(`it is wrong: ${what(request)} (you)`));
        return { status, headers: {}, body: [body] as never };
      },
      close: () => client.close(),
    };
  };
  return { repeated, http };
}

async function open(type: string, settings: ProviderSettings, http: OpenHttp) {
  const provider = PROVIDER_TYPES.find((one) => one.type === type);
  const opened = await provider?.open(settings, realEnvironment({ http }));
  if (opened?.ok !== true) throw new Error(JSON.stringify(opened?.error));
  ends.push(() => opened.value.close());
  return opened.value;
}

async function messageOf(session: ProviderSession): Promise<string> {
  const error: unknown = await session.zones(soon()).catch((one: unknown) => one);
  if (!(error instanceof OperationError)) throw new Error("no OperationError");
  return `${error.message} ${String(error.cause ?? "")}`;
}

const header =
  (name: string, prefix = "") =>
  ({ headers }: HttpRequest): string =>
    (headers[name] ?? "nothing").replace(prefix, "");
const field =
  (name: string) =>
  ({ body }: HttpRequest): string =>
    new URLSearchParams(new TextDecoder().decode(body ?? new Uint8Array())).get(name) ?? "nothing";

async function started<T extends { start(): Promise<string>; stop(): Promise<void> }>(fake: T) {
  const origin = await fake.start();
  ends.push(() => fake.stop());
  return { fake, origin };
}

const xml = (text: string): string =>
  `<ErrorResponse><Error><Code>AccessDenied</Code><Message>${text}</Message></Error></ErrorResponse>`;

async function google(): Promise<ProviderSettings> {
  const { fake, endpoint, secret } = await startGoogle();
  ends.push(() => fake.stop());
  return { secret, config: { endpoint } };
}

async function azure(more: Readonly<Record<string, string>> = {}): Promise<ProviderSettings> {
  const { origin } = await started(makeAzure());
  const { AZURE_CLIENT_SECRET: _one, ...others } = AZURE_SECRET;
  const secret = Object.keys(more).length === 0 ? AZURE_SECRET : { ...others, ...more };
  return { secret, config: { endpoint: origin, authorityHost: origin } };
}

async function assumed(): Promise<ProviderSettings> {
  const role = "arn:aws:iam::123456789012:role/zonekeeper";
  const { origin } = await started(new FakeRoute53());
  const { origin: stsEndpoint } = await started(new FakeSts(role));
  const secret = { ...ROUTE53_SECRET, AWS_ROLE_ARN: role };
  return { secret, config: { endpoint: origin, stsEndpoint } };
}

async function keystone(): Promise<ProviderSettings> {
  const { origin } = await started(new FakeDesignate());
  return { secret: designateSecret(origin), config: null };
}

async function grid(): Promise<ProviderSettings> {
  const { origin: host } = await started(makeFake());
  return { secret: INFOBLOX_SECRET, config: { host } };
}

const TOKEN = /^POST .*token/;
test.each<[string, string, () => Promise<ProviderSettings>, Repeated]>([
  [
    "an OAuth token of Google",
    "google-clouddns",
    google,
    { at: /^GET \/dns/, what: header("authorization", "Bearer ") },
  ],
  [
    "an assertion that Google's token host is sent",
    "google-clouddns",
    google,
    { at: TOKEN, status: 400, what: field("assertion") },
  ],
  [
    "an OAuth token of Azure",
    "azure-dns",
    azure,
    { at: /^GET \/sub/, what: header("authorization", "Bearer ") },
  ],
  [
    "a foreign token that Azure is sent",
    "azure-dns",
    () => azure({ AZURE_CLIENT_ASSERTION: "ey.invented.foreign.token" }),
    {
      at: TOKEN,
      status: 400,
      what: field("client_assertion"),
      form: (text) => JSON.stringify({ error: "invalid_client", error_description: text }),
    },
  ],
  [
    "a token of Keystone",
    "openstack-designate",
    keystone,
    { at: /^GET \/v2|^GET .*zones/, what: header("x-auth-token") },
  ],
  [
    "a session token of STS",
    "aws-route53",
    assumed,
    { at: /hostedzone/, what: header("x-amz-security-token"), form: xml },
  ],
  [
    "a signature of AWS",
    "aws-route53",
    assumed,
    {
      at: /hostedzone/,
      what: (request) => header("authorization")(request).split("Signature=")[1] ?? "nothing",
      form: xml,
    },
  ],
  [
    "a login of Infoblox",
    "infoblox-dns",
    grid,
    {
      at: /wapi/,
      what: header("authorization", "Basic "),
      form: (text) => JSON.stringify({ Error: "AdmConProtoError", text }),
    },
  ],
])("%s is not shown", async (_what, type, settings, repeated) => {
  const answering = repeating(repeated);
  const message = await messageOf(await open(type, await settings(), answering.http));
  const [value = "nothing"] = answering.repeated;
  expect(value.length, "there was something to hide").toBeGreaterThan(7);
  expect(value).not.toBe("nothing");
  expect(message).not.toContain(value);
  expect(message).not.toContain(value.slice(0, 16));
  expect(message).toMatch(/it is wrong: …/);
});

test("a token of etcd is not shown", async () => {
  const { fake, origin } = await started(new FakeEtcd());
  const [Username, Password] = ["dns", "pass word of dns"];
  fake.user = { name: Username, password: Password };
  const secret = { Server: origin, Username, Password };
  const answering = repeating({ at: /range/, what: header("authorization") });
  const settings = { secret, config: { zones: ["example.org"] } };
  const session = await open("coredns-etcd", settings, answering.http);
  expect(await messageOf(session)).toMatch(/it is wrong: …/);
});

test.each([
  ["a line of the key", (key: string) => key.split("\n")[3] ?? ""],
  ["the key in one line", (key: string) => key.replaceAll("\n", "")],
  ["the key as JSON has it", (key: string) => JSON.stringify(key)],
  ["the key as it is", (key: string) => key],
])("of a key file in the Secret nothing is shown: %s", async (_what, form) => {
  const settings = await google();
  const account = JSON.parse(settings.secret["serviceaccount.json"] ?? "");
  const key = String(account["private_key"]);
  const answering = repeating({ at: /^GET \/dns/, what: () => form(key) });
  const message = await messageOf(await open("google-clouddns", settings, answering.http));
  for (const line of key.split("\n").filter((one) => !one.includes("-") && one.length > 7))
    expect(message).not.toContain(line);
  expect(message).toContain("it is wrong: ");
  // What is no secret stays.
  expect(message).toContain("correct the Secret");
});
