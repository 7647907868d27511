/**
 * The program's own identity at Google (application default credentials): a file that the
 * environment names, else the service account of the node. Each gets its token on this host.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { soon, zoneOf } from "../../../test/conformance/provider-harness.ts";
import {
  GOOGLE_PROJECT,
  openGoogle,
  type StartedGoogle,
  startGoogle,
} from "../../../test/support/fakes/google/harness.ts";
import { FakeMetadata } from "../../../test/support/fakes/google/metadata.ts";
import { makeTempFolder } from "../../../test/support/ports/temp-folder.ts";
import type { ProviderSession } from "../provider.ts";

const SECRET = { GOOGLE_USE_DEFAULT_CREDENTIALS: "true", GOOGLE_PROJECT };
const FOREIGN_TOKEN = "ey.token.of-the-pod";

let started: StartedGoogle;
let metadata: FakeMetadata;
let folder: string;
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  started = await startGoogle();
  started.fake.addZone("example-org", "example.org");
  metadata = new FakeMetadata();
  metadata.grant = () => started.fake.grant();
  const temp = makeTempFolder("google");
  folder = temp.path;
  ends.push(
    () => started.fake.stop(),
    () => metadata.stop(),
    () => temp.remove(),
  );
  // Nothing of the machine is read.
  vi.stubEnv("HOME", folder);
  vi.stubEnv("CLOUDSDK_CONFIG", undefined);
  vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", undefined);
  vi.stubEnv("METADATA_SERVER_DETECTION", "assume-present");
  vi.stubEnv("GCE_METADATA_HOST", (await metadata.start()).replace("http://", ""));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const end of ends.splice(0).reverse()) await end();
});

function open(): ProviderSession {
  const session = openGoogle({ endpoint: started.endpoint, secret: SECRET });
  ends.push(() => session.close());
  return session;
}

async function failure(): Promise<unknown> {
  return open()
    .zones(soon())
    .catch((error: unknown) => error);
}

describe("the service account of the node", () => {
  test("serves where nothing else is named, and its token is kept", async () => {
    const session = open();
    await zoneOf(session);
    await zoneOf(session);
    expect(metadata.asked).toEqual(["https://www.googleapis.com/auth/ndev.clouddns.readwrite"]);
  });

  test("a token that counts no more is replaced within the call", async () => {
    const session = open();
    await zoneOf(session);
    started.fake.revokeTokens();
    await zoneOf(session);
    expect(metadata.asked).toHaveLength(2);
  });

  test("serves the zones of the node's project where none is named", async () => {
    metadata.project = GOOGLE_PROJECT;
    const secret = { GOOGLE_USE_DEFAULT_CREDENTIALS: "true" };
    const session = openGoogle({ endpoint: started.endpoint, secret });
    ends.push(() => session.close());
    expect((await zoneOf(session)).id).toBe(`${GOOGLE_PROJECT}/example-org`);
    vi.stubEnv("METADATA_SERVER_DETECTION", "none");
    const other = openGoogle({ endpoint: started.endpoint, secret });
    ends.push(() => other.close());
    await expect(other.zones(soon())).rejects.toMatchObject({
      code: "ProviderCredentials",
      message: expect.stringContaining("name it (GOOGLE_PROJECT of the Secret"),
    });
  });

  test("that the node does not have is told with its remedy", async () => {
    metadata.hasAccount = false;
    expect(await failure()).toMatchObject({ code: "ProviderCredentials", ...REMEDY });
  });

  test("where no metadata server is there is told", async () => {
    vi.stubEnv("METADATA_SERVER_DETECTION", "none");
    expect(await failure()).toMatchObject({ code: "ProviderCredentials", ...REMEDY });
    expect(started.fake.takeCalls()).toEqual([]);
  });
});

const REMEDY = {
  nothingSent: true,
  message: expect.stringMatching(
    /^(?!.*private key).*give this program's Pod a service account of Google's/,
  ),
};

describe("a file that GOOGLE_APPLICATION_CREDENTIALS names", () => {
  /** As `gcloud iam workload-identity-pools create-cred-config` writes it. */
  function haveFile(text: string): void {
    writeFileSync(join(folder, "config.json"), text);
    vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", join(folder, "config.json"));
  }
  function externalAccount(): string {
    writeFileSync(join(folder, "token"), FOREIGN_TOKEN);
    return JSON.stringify({
      type: "external_account",
      audience:
        "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q",
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      token_url: `${started.endpoint}/v1/token`,
      credential_source: { file: join(folder, "token") },
    });
  }

  test("exchanges the token of the Pod's service account, and asks no node", async () => {
    started.fake.subjectToken = FOREIGN_TOKEN;
    haveFile(externalAccount());
    await zoneOf(open());
    expect(started.fake.tokenCalls.map((form) => form.get("subject_token"))).toEqual([
      FOREIGN_TOKEN,
    ]);
    expect(metadata.asked).toEqual([]);
  });

  test.each([
    ["whose token the vendor refuses", "another", externalAccount],
    ["that is no JSON", "", () => "ey"],
    ["that is not there", "", () => null],
  ])("%s", async (_what, accepted, content) => {
    started.fake.subjectToken = accepted;
    const text = content();
    haveFile(text ?? "");
    if (text === null) vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", join(folder, "gone.json"));
    const error = await failure();
    expect(error).toMatchObject({ code: "ProviderCredentials", ...REMEDY });
    expect(String(error)).not.toContain(FOREIGN_TOKEN);
    expect(metadata.asked, "no other identity takes its place").toEqual([]);
  });
});
