/**
 * Keystone and Designate that ask for a certificate (CACERT, CLIENTCERT, CLIENTKEY of the Secret),
 * on this host.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { soon, zoneOf } from "../../../test/conformance/provider-harness.ts";
import { designateSecret, openDesignate } from "../../../test/support/fakes/designate/harness.ts";
import { FakeDesignate } from "../../../test/support/fakes/designate/server.ts";
import { issueCertificates, selfSigned } from "../../../test/support/ports/certificates.ts";

type Secret = Readonly<Record<string, string>>;

let fake: FakeDesignate;
let secret: Secret;
let client: Secret;
let foreign: Secret;
let ca: Secret;

beforeAll(async () => {
  const { caCertificate, server } = await issueCertificates();
  const [known, unknown] = [await selfSigned(), await selfSigned()];
  fake = new FakeDesignate();
  secret = designateSecret(await fake.start({ ...server, clientCa: known.certificate }));
  fake.addZone("example.org");
  ca = { CACERT: caCertificate };
  client = { CLIENTCERT: known.certificate, CLIENTKEY: known.key };
  foreign = { CLIENTCERT: unknown.certificate, CLIENTKEY: unknown.key };
});
afterAll(() => fake.stop());

async function zones(more: Secret): Promise<unknown> {
  const session = openDesignate({ ...secret, ...more });
  try {
    return await session.zones(soon());
  } catch (error) {
    return error;
  } finally {
    session.close();
  }
}

test("the client's certificate opens Keystone and Designate", async () => {
  const session = openDesignate({ ...secret, ...ca, ...client });
  expect((await zoneOf(session)).name).toBe("example.org");
  session.close();
  expect(fake.takeCalls()).not.toEqual([]);
});

test.each([
  ["no certificate", () => ca],
  ["a certificate that is not known", () => ({ ...ca, ...foreign })],
  ["a server that nobody vouches for", () => client],
  [
    "a key of another certificate",
    () => ({ ...ca, ...client, CLIENTKEY: foreign.CLIENTKEY ?? "" }),
  ],
])("%s: nothing is asked, and no secret is in the error", async (_what, more) => {
  const error = await zones(more());
  expect(error).toMatchObject({ name: "OperationError" });
  expect(String(error)).not.toMatch(/BEGIN|pass word/);
  expect(fake.takeCalls()).toEqual([]);
});
