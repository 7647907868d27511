/**
 * The program's own identity at Azure: the workload identity of its Pod, else the managed identity
 * of its node. Each gets its token from a server on this host.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { soon, zoneOf } from "../../../test/conformance/provider-harness.ts";
import { AZURE_SECRET, makeAzure, openAzure } from "../../../test/support/fakes/azure/harness.ts";
import { FakeImds } from "../../../test/support/fakes/azure/imds.ts";
import type { FakeAzure } from "../../../test/support/fakes/azure/server.ts";
import { makeTempFolder } from "../../../test/support/ports/temp-folder.ts";
import type { ProviderSession } from "../provider.ts";

const { AZURE_CLIENT_ID, AZURE_TENANT_ID, AZURE_SUBSCRIPTION_ID } = AZURE_SECRET;
const OWN = { AZURE_SUBSCRIPTION_ID, AZURE_USE_DEFAULT_CREDENTIALS: "true" };
const FOREIGN_TOKEN = "ey.token.of-the-pod";

let fake: FakeAzure;
let endpoint: string;
let tokenFile: string;
const ends: (() => unknown)[] = [];

// The library keeps the first address that it saw, and tokens by client, as long as it lives.
const imds = new FakeImds();
let imdsOrigin = "";
beforeAll(async () => {
  imdsOrigin = await imds.start();
});
afterAll(() => imds.stop());

beforeEach(async () => {
  fake = makeAzure();
  imds.grant = () => fake.grant();
  imds.asked = [];
  const folder = makeTempFolder("azure");
  endpoint = await fake.start();
  fake.addZone("example.org");
  tokenFile = join(folder.path, "token");
  ends.push(
    () => fake.stop(),
    () => folder.remove(),
  );
  // Nothing of the machine is read.
  const names = ["TENANT_ID", "CLIENT_ID", "FEDERATED_TOKEN_FILE", "AUTHORITY_HOST"];
  for (const name of names) vi.stubEnv(`AZURE_${name}`, undefined);
  for (const name of ["IDENTITY_ENDPOINT", "IDENTITY_HEADER", "MSI_ENDPOINT", "IMDS_ENDPOINT"])
    vi.stubEnv(name, undefined);
  vi.stubEnv("AZURE_POD_IDENTITY_AUTHORITY_HOST", imdsOrigin);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const end of ends.splice(0).reverse()) await end();
});

function open(secret: Readonly<Record<string, string>> = OWN): ProviderSession {
  const session = openAzure(endpoint, { secret });
  ends.push(() => session.close());
  return session;
}

/** What the cluster writes into the Pod. */
function havePodIdentity(token = FOREIGN_TOKEN): void {
  writeFileSync(tokenFile, `${token}\n`);
  vi.stubEnv("AZURE_TENANT_ID", AZURE_TENANT_ID);
  vi.stubEnv("AZURE_CLIENT_ID", AZURE_CLIENT_ID);
  vi.stubEnv("AZURE_FEDERATED_TOKEN_FILE", tokenFile);
}

describe("the workload identity of the Pod", () => {
  test("exchanges the token of its service account, and asks no node", async () => {
    havePodIdentity();
    fake.assertion = FOREIGN_TOKEN;
    await zoneOf(open());
    expect(fake.tokenCalls.map((form) => form.get("client_id"))).toEqual([AZURE_CLIENT_ID]);
    expect(fake.tokenCalls[0]?.get("client_assertion")).toBe(FOREIGN_TOKEN);
    expect(fake.tokenCalls[0]?.get("scope")).toContain("https://management.azure.com/.default");
    expect(imds.asked).toEqual([]);
  });

  test("of another application, which the Secret names", async () => {
    havePodIdentity();
    vi.stubEnv("AZURE_CLIENT_ID", "00000000-0000-0000-0000-000000000001");
    fake.assertion = FOREIGN_TOKEN;
    await zoneOf(open({ ...OWN, AZURE_CLIENT_ID }));
    expect(fake.tokenCalls.map((form) => form.get("client_id"))).toEqual([AZURE_CLIENT_ID]);
  });

  test("that the vendor refuses is told with its remedy and without the token", async () => {
    havePodIdentity();
    fake.assertion = "another";
    const error = await failureOf(open());
    expect(error).toMatchObject({
      code: "ProviderCredentials",
      nothingSent: true,
      message: expect.stringMatching(/AADSTS7000215.*give this program's Pod a workload identity/),
    });
    expect(String(error)).not.toMatch(/ey\.token|0f5b2c1e/);
    expect(imds.asked, "no other identity takes its place").toEqual([]);
  });

  test.each(["", "gone"])("without its token (%j) says so", async (is) => {
    havePodIdentity("");
    if (is === "gone") vi.stubEnv("AZURE_FEDERATED_TOKEN_FILE", `${tokenFile}-gone`);
    expect(await failureOf(open())).toMatchObject({
      code: "ProviderCredentials",
      message: expect.stringMatching(/No content on the file|ENOENT/),
    });
    expect(fake.tokenCalls).toEqual([]);
  });

  test("is sent to no host but the listed ones, whatever the Pod's variables say", async () => {
    havePodIdentity();
    vi.stubEnv("AZURE_AUTHORITY_HOST", "https://login.evil.example");
    fake.assertion = FOREIGN_TOKEN;
    await zoneOf(open());
    expect(fake.tokenCalls).toHaveLength(1);
  });
});

describe("the managed identity of the node", () => {
  test("serves a Pod without an identity", async () => {
    await zoneOf(open());
    expect(imds.asked).toEqual([{ resource: "https://management.azure.com", client: null }]);
    expect(fake.tokenCalls).toEqual([]);
  });

  test("is chosen by AZURE_CLIENT_ID among several", async () => {
    imds.identities.add(AZURE_CLIENT_ID);
    await zoneOf(open({ ...OWN, AZURE_CLIENT_ID }));
    expect(imds.asked.map(({ client }) => client)).toEqual([AZURE_CLIENT_ID]);
  });

  test("that the node does not have is told, and asked for once", async () => {
    const client = "00000000-0000-0000-0000-000000000002";
    const error = await failureOf(open({ ...OWN, AZURE_CLIENT_ID: client }));
    expect(error).toMatchObject({
      code: "ProviderCredentials",
      nothingSent: true,
      message: expect.stringMatching(/Identity not found.*write an application into the Secret/),
    });
    expect(imds.asked).toHaveLength(1);
  });

  test("whose metadata server does not answer is told", async () => {
    imds.breakNext(/^GET/, { is: "cut-before" });
    const client = "00000000-0000-0000-0000-000000000003";
    expect(await failureOf(open({ ...OWN, AZURE_CLIENT_ID: client }))).toMatchObject({
      code: "ProviderCredentials",
      message: expect.stringMatching(/give this program's Pod a workload identity/),
    });
  });
});

async function failureOf(session: ProviderSession): Promise<unknown> {
  return session.zones(soon()).catch((error: unknown) => error);
}
