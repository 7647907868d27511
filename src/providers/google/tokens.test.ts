/** Tokens of google-clouddns: kept, asked for anew, exchanged, and never sent to strangers. */
import type { HttpTarget } from "@zonekeeper/base/ports/http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { soon, zoneOf } from "../../../test/conformance/provider-harness.ts";
import {
  newPrivateKey,
  openGoogle,
  type StartedGoogle,
  startGoogle,
} from "../../../test/support/fakes/google/harness.ts";
import { realEnvironment } from "../../../test/support/values/rfc2136-session.ts";
import { RealHttpClient } from "../../app/ports/real-http-client.ts";
import { TokenHttp } from "../shared/token-http.ts";
import { TOKEN_HOSTS } from "./options.ts";

let started: StartedGoogle;

beforeEach(async () => {
  started = await startGoogle();
  started.fake.addZone("example-org", "example.org");
});
afterEach(() => started.fake.stop());

const tokenCalls = (): number => started.fake.tokenCalls.splice(0).length;

test("one token serves many calls, also those at once", async () => {
  const session = openGoogle(started);
  await Promise.all([session.zones(soon()), session.zones(soon())]);
  await zoneOf(session);
  expect(tokenCalls()).toBe(1);
  session.close();
});

test("a token that counts no more is replaced within the call", async () => {
  const session = openGoogle(started);
  await zoneOf(session);
  started.fake.revokeTokens();
  await zoneOf(session);
  expect(tokenCalls()).toBe(2);
  session.close();
});

test("a second token that is refused as well is trouble with the credentials", async () => {
  const session = openGoogle(started);
  const body = JSON.stringify({ error: { code: 401, message: "Invalid Credentials" } });
  for (const _ of [1, 2]) started.fake.breakNext(/^GET/, { is: "refused", status: 401, body });
  await expect(session.zones(soon())).rejects.toMatchObject({
    code: "ProviderCredentials",
    message: expect.stringContaining("Secret"),
  });
  await zoneOf(session);
  expect(tokenCalls()).toBe(3);
  session.close();
});

test("a key that the vendor does not know is named, without it", async () => {
  const secret = accountWith({ private_key: newPrivateKey() });
  const session = openGoogle({ endpoint: started.endpoint, secret });
  const error = await session.zones(soon()).catch((one: unknown) => one);
  expect(error).toMatchObject({
    code: "ProviderCredentials",
    message: expect.stringMatching(/invalid_grant.*correct the Secret/),
  });
  expect(JSON.stringify(error)).not.toContain("PRIVATE KEY");
  expect(tokenCalls(), "the library repeats nothing").toBe(1);
  session.close();
});

test("a private key that is none is named before anything is sent", async () => {
  const broken = "-----BEGIN PRIVATE KEY-----\nMIIEv\n-----END PRIVATE KEY-----\n";
  const secret = accountWith({ private_key: broken });
  const session = openGoogle({ endpoint: started.endpoint, secret });
  await expect(session.zones(soon())).rejects.toMatchObject({
    code: "ProviderCredentials",
    message: expect.stringContaining(
      "the private_key of serviceaccount.json cannot be used; correct the Secret of the DNSProvider",
    ),
  });
  expect(tokenCalls()).toBe(0);
  session.close();
});

test.each([
  [500, "ProviderUnavailable"],
  [429, "Throttled"],
  [401, "ProviderCredentials"],
])("a token host that answers %i is asked once: %s", async (status, code) => {
  const session = openGoogle(started);
  started.fake.breakNext(/^POST \/token/, { is: "refused", status, body: "" });
  await expect(session.zones(soon())).rejects.toMatchObject({ code, nothingSent: true });
  await zoneOf(session);
  expect(tokenCalls()).toBe(1);
  session.close();
});

const PAGE = "<html><head><title>Sign in</title></head></html>";
const STATUS = JSON.stringify({
  error: { code: 403, message: "Permission denied on resource.", status: "PERMISSION_DENIED" },
});
const CALLS = { key: /^POST \/token/, exchange: /^POST \/v1\/token/, role: /generateAccessToken/ };
const UNAVAILABLE = "ProviderUnavailable";
const CREDENTIALS = "ProviderCredentials";

describe.each(["key", "exchange", "role"] as const)("a token host, asked for a %s,", (call) => {
  const remedy =
    call === "role" ? "grant whoever.*serviceAccountTokenCreator" : "correct the Secret";

  test.each([
    [503, PAGE, UNAVAILABLE, /HTTP status 503 of 127\.0\.0\.1:\d+$/],
    [502, '{"error":"backend"}', UNAVAILABLE, /HTTP status 502 of [\d.:]+: backend$/],
    [429, STATUS, "Throttled", /HTTP status 429 of [\d.:]+: Permission denied on resource\.$/],
    [200, PAGE, UNAVAILABLE, /HTTP status 200 of .*without a proxy or login page/],
    [403, PAGE, UNAVAILABLE, /HTTP status 403 of .*without a proxy or login page/],
    [200, "null", UNAVAILABLE, /HTTP status 200 of/],
    [200, "{}", UNAVAILABLE, /HTTP status 200, holds none$/],
    [200, '{"access_token":null,"id_token":"ey.id"}', UNAVAILABLE, /HTTP status 200, holds none$/],
    [403, STATUS, CREDENTIALS, new RegExp(`given: Permission denied on resource\\.; ${remedy}`)],
    [
      400,
      '{"error":"invalid_grant","error_description":"no"}',
      CREDENTIALS,
      /invalid_grant: no; c/,
    ],
    [400, "it is wrong", CREDENTIALS, /given: it is wrong; correct the Secret/],
    [401, "", CREDENTIALS, /HTTP status 401; correct the Secret/],
  ])("answers %i %s: %s", async (status, body, code, message) => {
    const secret = call === "key" ? started.secret : externalAccount();
    const session = openGoogle({ endpoint: started.endpoint, secret });
    const headers = { "retry-after": "7" };
    started.fake.breakNext(CALLS[call], { is: "refused", status, body, headers });
    const error = await session.zones(soon()).catch((one: unknown) => one);
    expect(error).toMatchObject({ code, nothingSent: true });
    expect(error).toMatchObject({ retryAfterMs: code === "Throttled" ? 7000 : null });
    const shown = error instanceof Error ? error.message : "";
    expect(shown).toMatch(message);
    expect(shown).not.toMatch(/ey\.|PRIVATE|<|object Object|undefined/);
    expect(started.fake.takeCalls()).toHaveLength(call === "role" ? 2 : 1);
    await zoneOf(session);
    session.close();
  });
});

test("a foreign token is exchanged over the HTTP port, as everything is", async () => {
  const http = (target: HttpTarget) => {
    opened.push(target.origin);
    return new RealHttpClient(target);
  };
  const opened: string[] = [];
  const session = openGoogle({ endpoint: started.endpoint, secret: externalAccount() }, { http });
  started.fake.breakNext(CALLS.exchange, { is: "refused", status: 503, body: "" });
  await session.zones(soon()).catch(() => undefined);
  // One client for the API, one for tokens.
  expect(opened).toEqual([started.endpoint, started.endpoint]);
  session.close();
});

/** Of an external account, whose token the fake takes. */
function externalAccount(): Readonly<Record<string, string>> {
  started.fake.subjectToken = "ey.subject.token";
  const account = {
    type: "external_account",
    audience:
      "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q",
    token_url: `${started.endpoint}/v1/token`,
    service_account_impersonation_url: `${started.endpoint}/v1/projects/-/serviceAccounts/d@x.iam.gserviceaccount.com:generateAccessToken`,
  };
  return {
    "serviceaccount.json": JSON.stringify(account),
    GOOGLE_SUBJECT_TOKEN: "ey.subject.token",
    GOOGLE_PROJECT: "example-project",
  };
}

test("a foreign token is exchanged, and a service account impersonated with it", async () => {
  const secret = externalAccount();
  const session = openGoogle({ endpoint: started.endpoint, secret });
  await zoneOf(session);
  expect(started.fake.takeCalls().map(({ path }) => path.split("?")[0])).toEqual([
    "/v1/token",
    "/v1/projects/-/serviceAccounts/d@x.iam.gserviceaccount.com:generateAccessToken",
    "/dns/v1/projects/example-project/managedZones",
  ]);
  session.close();
});

test("another host is refused before anything is sent", async () => {
  let opened = 0;
  const http = new TokenHttp((target) => {
    opened += 1;
    return realEnvironment().http(target);
  }, TOKEN_HOSTS);
  const request = { method: "POST", headers: {}, body: "assertion=secret" };
  for (const url of ["https://evil.example/token", "http://192.0.2.1/token", "nonsense"])
    await expect(http.send({ ...request, url })).rejects.toMatchObject({
      code: "ProviderCredentials",
      nothingSent: true,
    });
  expect(opened).toBe(0);
  http.close();
});

/** The account of the fake with something else in its key file. */
function accountWith(fields: object): Readonly<Record<string, string>> {
  const account = JSON.parse(started.secret["serviceaccount.json"] ?? "{}");
  return { "serviceaccount.json": JSON.stringify({ ...account, ...fields }) };
}
