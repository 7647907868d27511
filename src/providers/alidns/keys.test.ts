/**
 * The program's own identity by @alicloud/credentials: from the environment, from an address on
 * this host, and the role of a Pod; what goes wrong is told without what an answer held.
 */
import { writeFileSync } from "node:fs";
import https from "node:https";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { soon } from "../../../test/conformance/provider-harness.ts";
import { ALIDNS_SECRET, makeFake, openAliDns } from "../../../test/support/fakes/alidns/harness.ts";
import type { FakeAliDns } from "../../../test/support/fakes/alidns/server.ts";
import { FakeRamSts } from "../../../test/support/fakes/alidns/sts.ts";
import { type FakeAnswer, FakeApi } from "../../../test/support/fakes/fake-api.ts";
import { issueCertificates } from "../../../test/support/ports/certificates.ts";
import { makeTempFolder } from "../../../test/support/ports/temp-folder.ts";

const OWN = { USE_DEFAULT_CREDENTIALS: "true" };
const { ACCESS_KEY_ID: ID, ACCESS_KEY_SECRET: SECRET } = ALIDNS_SECRET;

/** Gives keys at `ALIBABA_CLOUD_CREDENTIALS_URI`. */
class FakeGiver extends FakeApi {
  body: unknown = null;
  given = 0;

  protected answer(): FakeAnswer {
    this.given += 1;
    return { status: 200, body: this.body };
  }
}

const ends: (() => unknown)[] = [];
let fake: FakeAliDns;
let origin: string;
let giver: FakeGiver;
let giverOrigin: string;
let folder: string;

beforeEach(async () => {
  fake = makeFake();
  giver = new FakeGiver();
  origin = await fake.start();
  giverOrigin = await giver.start();
  fake.addDomain("d-1", "example.org");
  const temp = makeTempFolder("alidns");
  folder = temp.path;
  ends.push(
    () => fake.stop(),
    () => giver.stop(),
    () => temp.remove(),
  );
  // Nothing of the person at the machine is read, and no metadata server is asked.
  const names = ["ACCESS_KEY_ID", "ACCESS_KEY_SECRET", "SECURITY_TOKEN", "CREDENTIALS_URI"];
  for (const name of [
    ...names,
    "ROLE_ARN",
    "OIDC_PROVIDER_ARN",
    "OIDC_TOKEN_FILE",
    "PROFILE",
    "STS_REGION",
  ])
    vi.stubEnv(`ALIBABA_CLOUD_${name}`, undefined);
  vi.stubEnv("ALIBABA_CLOUD_CREDENTIALS_FILE", join(folder, "credentials"));
  vi.stubEnv("ALIBABA_CLOUD_CLI_PROFILE_DISABLED", "true");
  vi.stubEnv("ALIBABA_CLOUD_ECS_METADATA_DISABLED", "true");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const end of ends.splice(0).reverse()) await end();
});

async function zones(): Promise<number> {
  const session = openAliDns(origin, {}, OWN);
  ends.push(() => session.close());
  return (await session.zones(soon())).length;
}

test("a key of the environment", async () => {
  vi.stubEnv("ALIBABA_CLOUD_ACCESS_KEY_ID", ID);
  vi.stubEnv("ALIBABA_CLOUD_ACCESS_KEY_SECRET", SECRET);
  expect(await zones()).toBe(1);
});

test("a key that ends, asked for once and anew when the API refuses it", async () => {
  vi.stubEnv("ALIBABA_CLOUD_CREDENTIALS_URI", `${giverOrigin}/keys`);
  const keyOf = (SecurityToken: string) => ({
    Code: "Success",
    AccessKeyId: ID,
    AccessKeySecret: SECRET,
    SecurityToken,
    Expiration: new Date(Date.now() + 3_600_000).toISOString(),
  });
  giver.body = keyOf("CAISfirst");
  fake.securityToken = "CAISfirst";
  const session = openAliDns(origin, {}, OWN);
  ends.push(() => session.close());
  await session.zones(soon());
  await session.zones(soon());
  expect(giver.given).toBe(1);
  giver.body = keyOf("CAISsecond");
  fake.securityToken = "CAISsecond";
  expect(await session.zones(soon())).toHaveLength(1);
  expect(giver.given).toBe(2);
});

test.each([
  ["half a key", { AccessKeyId: ID, AccessKeySecret: SECRET }],
  ["a refusal", { Code: "NoPermission.Role", Message: `not ${SECRET}`, RequestId: "536E9CAD" }],
])("%s is told without what the answer held", async (_what, body) => {
  vi.stubEnv("ALIBABA_CLOUD_CREDENTIALS_URI", `${giverOrigin}/keys`);
  giver.body = body;
  const error: unknown = await zones().catch((one: unknown) => one);
  expect(error).toMatchObject({ code: "ProviderCredentials", nothingSent: true });
  expect(String(error)).toContain("(RRSA)");
  expect(String(error)).not.toMatch(new RegExp(`${SECRET}|${ID}|536E9CAD`));
});

describe("the role of the Pod (RRSA)", () => {
  const ROLE = "acs:ram::1234567890:role/zonekeeper";
  const PROVIDER = "acs:ram::1234567890:oidc-provider/ack-rrsa";
  const POD_TOKEN = "ey.token.of-the-pod";
  let sts: FakeRamSts;

  beforeEach(async () => {
    const host = "sts.eu-central-1.aliyuncs.com";
    const { caCertificate, server } = await issueCertificates([host]);
    sts = new FakeRamSts();
    sts.accepts = { RoleArn: ROLE, OIDCProviderArn: PROVIDER, OIDCToken: POD_TOKEN };
    const port = new URL(await sts.start(server)).port;
    ends.push(() => sts.stop());
    // The library knows the vendor's hosts only: what it sends there arrives here.
    const { request } = https;
    vi.spyOn(https, "request").mockImplementation(((options: https.RequestOptions) =>
      request({
        ...options,
        host: options.host === host ? "127.0.0.1" : "host.invalid",
        servername: host,
        port,
        ca: caCertificate,
        agent: false,
      })) as typeof https.request);
    ends.push(() => vi.restoreAllMocks());
    const file = join(folder, "token");
    writeFileSync(file, POD_TOKEN);
    vi.stubEnv("ALIBABA_CLOUD_ROLE_ARN", ROLE);
    vi.stubEnv("ALIBABA_CLOUD_OIDC_PROVIDER_ARN", PROVIDER);
    vi.stubEnv("ALIBABA_CLOUD_OIDC_TOKEN_FILE", file);
    vi.stubEnv("ALIBABA_CLOUD_STS_REGION", "eu-central-1");
  });

  test("is assumed with the token of its service account, once", async () => {
    const { id, secret, securityToken } = sts.grants;
    fake.key = { id, secret };
    fake.securityToken = securityToken;
    const session = openAliDns(origin, {}, OWN);
    ends.push(() => session.close());
    await session.zones(soon());
    expect(await session.zones(soon())).toHaveLength(1);
    expect(sts.takeCalls()).toHaveLength(1);
  });

  test.each(["RoleArn", "OIDCToken"] as const)(
    "that the vendor refuses (%s) is told without the token",
    async (what) => {
      sts.accepts = { ...sts.accepts, [what]: "another" };
      const error: unknown = await zones().catch((one: unknown) => one);
      expect(error).toMatchObject({ code: "ProviderCredentials", nothingSent: true });
      expect(String(error)).toMatch(/AuthenticationFail.*give its Pod a RAM role/);
      expect(String(error)).not.toMatch(/ey\.token|1234567890|7A3F/);
      expect(fake.takeCalls()).toEqual([]);
    },
  );
});

test("that there is none is told", async () => {
  await expect(zones()).rejects.toMatchObject({ code: "ProviderCredentials" });
  expect(fake.takeCalls()).toEqual([]);
});
