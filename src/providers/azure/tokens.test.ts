/** Tokens of azure-dns: by secret and foreign token; kept, and asked for anew. */
import type { HttpTarget } from "@zonekeeper/base/ports/http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { soon, zoneOf } from "../../../test/conformance/provider-harness.ts";
import { AZURE_SECRET, makeAzure, openAzure } from "../../../test/support/fakes/azure/harness.ts";
import { errorBody, type FakeAzure } from "../../../test/support/fakes/azure/server.ts";
import { RealHttpClient } from "../../app/ports/real-http-client.ts";

let fake: FakeAzure;
let endpoint: string;
const { AZURE_CLIENT_SECRET: _proof, ...APPLICATION } = AZURE_SECRET;

beforeEach(async () => {
  fake = makeAzure();
  endpoint = await fake.start();
  fake.addZone("example.org");
});
afterEach(() => fake.stop());

const tokenCalls = (): number => fake.tokenCalls.splice(0).length;

test("one token serves many calls", async () => {
  const session = openAzure(endpoint);
  await zoneOf(session);
  await Promise.all([session.zones(soon()), session.zones(soon())]);
  expect(tokenCalls()).toBe(1);
  session.close();
});

test("a token that counts no more is replaced within the call", async () => {
  const session = openAzure(endpoint);
  await zoneOf(session);
  fake.revokeTokens();
  await zoneOf(session);
  expect(tokenCalls()).toBe(2);
  session.close();
});

test("a second token that is refused as well is trouble with the credentials", async () => {
  const session = openAzure(endpoint);
  const body = errorBody("InvalidAuthenticationToken", "The access token is invalid.");
  for (const _ of [1, 2]) fake.breakNext(/subscriptions/, { is: "refused", status: 401, body });
  await expect(session.zones(soon())).rejects.toMatchObject({
    code: "ProviderCredentials",
    message: expect.stringContaining("Secret"),
  });
  await zoneOf(session);
  expect(tokenCalls()).toBe(3);
  session.close();
});

test("a secret that the vendor does not know is named, without it and without ids", async () => {
  fake.clientSecret = "another";
  const session = openAzure(endpoint);
  const error = await session.zones(soon()).catch((one: unknown) => one);
  expect(error).toMatchObject({
    code: "ProviderCredentials",
    nothingSent: true,
    message: expect.stringMatching(/AADSTS7000215.*correct the Secret/),
  });
  expect(error instanceof Error && error.message).not.toMatch(/0f5b2c1e|2026-11-23|invented/);
  session.close();
});

test("a foreign token proves the application", async () => {
  fake.assertion = "ey.foreign.token";
  const session = openAzure(endpoint, { secret: { ...APPLICATION, token: "ey.foreign.token" } });
  await zoneOf(session);
  expect(fake.tokenCalls[0]?.get("client_assertion")).toBe("ey.foreign.token");
  session.close();
});

test("a foreign token that the vendor does not know", async () => {
  fake.assertion = "another";
  const error = await refusalOf({ ...APPLICATION, token: "ey.foreign.token" });
  expect(error).toMatchObject({
    code: "ProviderCredentials",
    nothingSent: true,
    message: expect.stringMatching(/AADSTS7000215.*correct the Secret of the DNSProvider/),
  });
  expect(String(error)).not.toMatch(/ey\.foreign/);
  expect(tokenCalls()).toBe(1);
});

test("a tenant that Azure does not know is told in its words", async () => {
  const error_description = "AADSTS90002: Tenant 'none.example.org' not found. Check its id.";
  const body = JSON.stringify({ error: "invalid_request", error_description });
  fake.breakNext(/^POST .*token/, { is: "refused", status: 400, body });
  expect(await refusalOf({ ...AZURE_SECRET, AZURE_TENANT_ID: "none.example.org" })).toMatchObject({
    code: "ProviderCredentials",
    message: expect.stringMatching(/Tenant 'none.example.org' not found.*correct the Secret/),
  });
});

test("a token host that sends the proof elsewhere is not followed", async () => {
  const elsewhere = { location: "https://evil.example/token" };
  fake.breakNext(/^POST .*token/, { is: "refused", status: 307, body: "", headers: elsewhere });
  const hosts: string[] = [];
  const environment = {
    http: (target: HttpTarget) => {
      hosts.push(target.origin);
      return new RealHttpClient(target);
    },
  };
  const session = openAzure(endpoint, { environment });
  await expect(session.zones(soon())).rejects.toMatchObject({ nothingSent: true });
  expect(new Set(hosts)).toEqual(new Set([endpoint]));
  session.close();
});

async function refusalOf(secret: Readonly<Record<string, string>>): Promise<unknown> {
  const session = openAzure(endpoint, { secret });
  const error: unknown = await session.zones(soon()).catch((one: unknown) => one);
  session.close();
  return error;
}

const AADSTS = {
  error: "temporarily_unavailable",
  error_description: "AADSTS90033: Busy. Trace ID: 0f5b2c1e-0000 Timestamp: 2026-11-23 10:00:00Z",
};

test.each([
  [500, "", "ProviderUnavailable", /HTTP status 500 of [\d.:]+$/],
  [503, "<html>busy</html>", "ProviderUnavailable", /HTTP status 503 of [\d.:]+$/],
  [503, JSON.stringify(AADSTS), "ProviderUnavailable", /unavailable: AADSTS90033: Busy$/],
  [429, "", "Throttled", /HTTP status 429 of [\d.:]+$/],
  [403, "<html>blocked</html>", "ProviderUnavailable", /status 403 of .* without a proxy or login/],
  [200, "<html>Sign in</html>", "ProviderUnavailable", /status 200 of .* without a proxy or login/],
])("a token host that answers %i %s is asked once: %s", async (status, body, code, message) => {
  const session = openAzure(endpoint);
  const headers = { "retry-after": "7" };
  fake.breakNext(/^POST .*token/, { is: "refused", status, body, headers });
  const before = fake.takeCalls().length;
  await expect(session.zones(soon())).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
    retryAfterMs: code === "Throttled" ? 7000 : null,
    nothingSent: true,
  });
  const asked = fake.takeCalls().filter(({ method }) => method === "POST");
  expect([before, asked.length]).toEqual([0, 1]);
  await zoneOf(session);
  session.close();
});
