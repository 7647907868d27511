/** Ways into an account: a role that a key or the program itself assumes, IRSA, Pod Identity. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  applyOnce,
  create,
  recordSet,
  soon,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import { openRoute53, ROUTE53_SECRET } from "../../../test/support/fakes/route53/harness.ts";
import { FakeRoute53, refusal } from "../../../test/support/fakes/route53/server.ts";
import { FakeSts } from "../../../test/support/fakes/route53/sts.ts";
import { makeTempFolder } from "../../../test/support/ports/temp-folder.ts";
import type { ProviderSession } from "../provider.ts";

const ROLE = "arn:aws:iam::123456789012:role/zonekeeper";
const KEY = ROUTE53_SECRET.AWS_ACCESS_KEY_ID;

let fake: FakeRoute53;
let sts: FakeSts;
let endpoint: string;
let stsEndpoint: string;
const ends: (() => void)[] = [];

beforeEach(async () => {
  [fake, sts] = [new FakeRoute53(), new FakeSts(ROLE)];
  [endpoint, stsEndpoint] = [await fake.start(), await sts.start()];
  fake.addZone("Z1", "example.org");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const end of ends.splice(0)) end();
  await Promise.all([fake.stop(), sts.stop()]);
});

function open(secret: Readonly<Record<string, string>>): ProviderSession {
  const session = openRoute53(endpoint, {}, { stsEndpoint }, secret);
  ends.push(() => session.close());
  return session;
}

const withRole = { ...ROUTE53_SECRET, AWS_ROLE_ARN: ROLE };

describe("a role", () => {
  test("is assumed once with the key of the Secret, and its own key signs", async () => {
    sts.externalId = "tenant-7";
    const session = open({ ...withRole, AWS_EXTERNAL_ID: "tenant-7" });
    const [zones] = await Promise.all([session.zones(soon()), session.zones(soon())]);
    expect(zones).toHaveLength(1);
    expect([sts.callers, fake.takeKeys()]).toEqual([[KEY], [sts.keyOf(1), sts.keyOf(1)]]);
  });

  test("is assumed again before its credentials end", async () => {
    sts.lifeSeconds = 60;
    const session = open(withRole);
    await session.zones(soon());
    await session.zones(soon());
    const [first, second] = fake.takeKeys();
    expect(second).toMatch(/^ASIA/);
    expect(second).not.toBe(first);
  });

  test.each([
    ["another external id", { AWS_EXTERNAL_ID: "tenant-8" }, /AccessDenied: User: .* let the role/],
    ["another role", { AWS_ROLE_ARN: `${ROLE}-2` }, /role\/zonekeeper-2 cannot be assumed: Valid/],
  ])("%s is told, and nothing is sent to the zone", async (_what, more, message) => {
    sts.externalId = "tenant-7";
    const session = open({ ...withRole, ...more });
    const error = await session.zones(soon()).catch((one: unknown) => one);
    expect(error).toMatchObject({
      code: "ProviderCredentials",
      message: expect.stringMatching(message),
    });
    expect(JSON.stringify(error)).not.toMatch(/tenant-|wJalr|c6104cbe/);
    expect(fake.takeCalls()).toEqual([]);
  });

  test.each([
    [400, "Throttling", { code: "Throttled", nothingSent: true }],
    [503, "ServiceUnavailable", { code: "ProviderUnavailable", nothingSent: true }],
  ])(
    "%i %s of STS is trouble that passes, and no fault of the records",
    async (status, code, found) => {
      const session = open(withRole);
      sts.breakNext(/^POST/, refusal(status, code, "Rate exceeded"));
      await expect(session.zones(soon())).rejects.toMatchObject(found);
      const zone = await zoneOf(session);
      expect(zone.id).toBe("Z1");
    },
  );

  test("that is lost between two calls makes the names wait", async () => {
    sts.lifeSeconds = 60;
    const session = open(withRole);
    await session.zones(soon());
    sts.breakNext(/^POST/, refusal(403, "AccessDenied", "no"));
    sts.breakNext(/^POST/, refusal(403, "AccessDenied", "no"));
    const [outcome] = await applyOnce(session, [
      create(recordSet("a.example.org", "A", "192.0.2.1")),
    ]).catch((e) => [e]);
    expect(outcome).toMatchObject({ code: "ProviderCredentials" });
  });

  test("of one account is one payer, whoever assumes it", () => {
    const other = { ...withRole, AWS_ACCESS_KEY_ID: "AKIAI44QH8DHBEXAMPLE" };
    expect(open(withRole).rateKey).toBe(open(other).rateKey);
    expect(open(withRole).rateKey).not.toBe(open(ROUTE53_SECRET).rateKey);
  });
});

describe("the program's own identity", () => {
  const CHAIN = { AWS_USE_CREDENTIALS_CHAIN: "true" } as const;

  beforeEach(() => {
    const folder = makeTempFolder("aws");
    ends.push(() => folder.remove());
    writeFileSync(join(folder.path, "token"), sts.token);
    // Nothing of the person at the machine is read.
    for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"])
      vi.stubEnv(name, undefined);
    vi.stubEnv("AWS_CONFIG_FILE", join(folder.path, "config"));
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(folder.path, "credentials"));
    vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
    vi.stubEnv("TOKEN_FILE_OF_TEST", join(folder.path, "token"));
  });
  const tokenFile = (): string => process.env["TOKEN_FILE_OF_TEST"] ?? "";

  test("of the environment", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIAI44QH8DHBEXAMPLE");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "je7MtGbClwBF");
    await open(CHAIN).zones(soon());
    expect(fake.takeKeys()).toEqual(["AKIAI44QH8DHBEXAMPLE"]);
  });

  test("of the token of a service account (IRSA), alone and for a role of another account", async () => {
    vi.stubEnv("AWS_ROLE_ARN", ROLE);
    vi.stubEnv("AWS_WEB_IDENTITY_TOKEN_FILE", tokenFile());
    vi.stubEnv("AWS_ENDPOINT_URL_STS", stsEndpoint);
    await open(CHAIN).zones(soon());
    await open({ ...CHAIN, AWS_ROLE_ARN: ROLE }).zones(soon());
    expect(sts.callers).toEqual(["web identity", "web identity", sts.keyOf(2)]);
    expect(fake.takeKeys()).toEqual([sts.keyOf(1), sts.keyOf(3)]);
  });

  test("of EKS Pod Identity", async () => {
    vi.stubEnv("AWS_CONTAINER_CREDENTIALS_FULL_URI", `${stsEndpoint}/v1/credentials`);
    vi.stubEnv("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", tokenFile());
    await open(CHAIN).zones(soon());
    expect([sts.callers, fake.takeKeys()]).toEqual([["pod"], [sts.keyOf(1)]]);
  });

  test.each([
    ["of IRSA", { AWS_ROLE_ARN: ROLE, AWS_WEB_IDENTITY_TOKEN_FILE: "token" }],
    ["of IRSA without its token", { AWS_ROLE_ARN: ROLE, AWS_WEB_IDENTITY_TOKEN_FILE: "gone" }],
    ["of Pod Identity", { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: "token" }],
  ])("%s that is refused is told without the token, and no zone is asked", async (_what, names) => {
    vi.stubEnv("AWS_ENDPOINT_URL_STS", stsEndpoint);
    vi.stubEnv("AWS_CONTAINER_CREDENTIALS_FULL_URI", `${stsEndpoint}/v1/credentials`);
    for (const [name, value] of Object.entries(names))
      vi.stubEnv(name, value.startsWith("arn:") ? value : tokenFile().replace("token", value));
    writeFileSync(tokenFile(), "token-of-another");
    const error = await open(CHAIN)
      .zones(soon())
      .catch((one: unknown) => one);
    expect(error).toMatchObject({ code: "ProviderCredentials", nothingSent: true });
    expect(String(error)).not.toMatch(/token-of-another|c6104cbe/);
    expect([sts.callers, fake.takeCalls()]).toEqual([[], []]);
  });

  test("that there is not is told", async () => {
    await expect(open(CHAIN).zones(soon())).rejects.toMatchObject({ code: "ProviderCredentials" });
  });
});
