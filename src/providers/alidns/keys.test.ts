/**
 * The program's own identity by @alicloud/credentials: from the environment, and from an address on
 * this host; what goes wrong is told without what an answer held.
 */
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { soon } from "../../../test/conformance/provider-harness.ts";
import { ALIDNS_SECRET, makeFake, openAliDns } from "../../../test/support/fakes/alidns/harness.ts";
import type { FakeAliDns } from "../../../test/support/fakes/alidns/server.ts";
import { type FakeAnswer, FakeApi } from "../../../test/support/fakes/fake-api.ts";
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

beforeEach(async () => {
  fake = makeFake();
  giver = new FakeGiver();
  origin = await fake.start();
  giverOrigin = await giver.start();
  fake.addDomain("d-1", "example.org");
  const folder = makeTempFolder("alidns");
  ends.push(
    () => fake.stop(),
    () => giver.stop(),
    () => folder.remove(),
  );
  // Nothing of the person at the machine is read, and no metadata server is asked.
  const names = ["ACCESS_KEY_ID", "ACCESS_KEY_SECRET", "SECURITY_TOKEN", "CREDENTIALS_URI"];
  for (const name of [...names, "ROLE_ARN", "OIDC_PROVIDER_ARN", "OIDC_TOKEN_FILE", "PROFILE"])
    vi.stubEnv(`ALIBABA_CLOUD_${name}`, undefined);
  vi.stubEnv("ALIBABA_CLOUD_CREDENTIALS_FILE", join(folder.path, "credentials"));
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

test("that there is none is told", async () => {
  await expect(zones()).rejects.toMatchObject({ code: "ProviderCredentials" });
  expect(fake.takeCalls()).toEqual([]);
});
