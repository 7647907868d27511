/**
 * Settings that cannot be right, for every provider with the manifest of its page: each problem
 * names the key or the field and what to do, and no value of the Secret.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type FakeAnswer, FakeApi } from "../../test/support/fakes/fake-api.ts";
import { FakeWebhook } from "../../test/support/fakes/webhook/server.ts";
import { exampleOf } from "../../test/support/values/provider-example.ts";
import { realEnvironment } from "../../test/support/values/rfc2136-session.ts";
import type { Problem } from "../model/problem.ts";
import { PROVIDER_TYPES } from "./index.ts";

const FOLDER = "docs/reference/providers";
const EXAMPLES = readdirSync(FOLDER).map((file) =>
  exampleOf(readFileSync(`${FOLDER}/${file}`, "utf8")),
);
type Secret = Readonly<Record<string, string>>;

describe.each(EXAMPLES.map((one) => [one.type, one] as const))("%s", (type, example) => {
  const { secret, config } = example;

  /** Empty = a session was opened. */
  async function problems(given: Secret, fields: unknown = config): Promise<readonly Problem[]> {
    const provider = PROVIDER_TYPES.find((one) => one.type === type);
    const opened = await provider?.open({ secret: given, config: fields }, realEnvironment());
    if (opened?.ok === true) opened.value.close();
    return opened?.ok === false ? opened.error : [];
  }

  /** About this key or field, and nothing of what the Secret holds. */
  function expectAbout(found: readonly Problem[], field: string, given: Secret): void {
    expect(found.map((one) => one.field)).toContain(field);
    for (const { message } of found) {
      expect(message, "what is wrong, and what to do").toMatch(/^the (key|field) .{20}|^provider/);
      for (const value of Object.values(given).filter((one) => one.trim().length > 11))
        expect(message).not.toContain(value.trim());
    }
  }

  test.each(Object.keys(secret))(
    "%s is missing, or blank, or holds a control character",
    async (key) => {
      const { [key]: value = "", ...others } = secret;
      const isOptional = (await problems(others)).length === 0;
      if (!isOptional) expectAbout(await problems(others), `data.${key}`, others);
      for (const text of ["", "  ", "\n", `${value.slice(0, 6)}\u0000${value.slice(6)}`]) {
        const given = { ...secret, [key]: text };
        expectAbout(await problems(given), `data.${key}`, given);
      }
    },
  );

  test("a key that nobody knows, and those of other vendors", async () => {
    const given = { ...secret, PASSWORT: "correct-horse-battery" };
    expectAbout(await problems(given), "data.PASSWORT", given);
    // One in another case beside the right one is what a mended Secret may hold.
    const known = Object.keys(secret).map((key) => key.toLowerCase());
    for (const other of EXAMPLES) {
      const strange = Object.keys(other.secret).find((key) => !known.includes(key.toLowerCase()));
      if (strange !== undefined && type !== "openstack-designate")
        expect(await problems({ ...secret, ...other.secret }), other.type).not.toEqual([]);
    }
  });

  test.each([["a text"], [[1]], [7]])("%j is no providerConfig", async (fields) => {
    expectAbout(await problems(secret, fields), "spec.providerConfig", secret);
  });

  test("a field that nobody knows", async () => {
    const fields = { ...(config as object), endpoind: "https://x" };
    const found = await problems(secret, fields);
    expectAbout(found, "spec.providerConfig.endpoind", secret);
    expect(found.map(({ message }) => message).join()).toMatch(/known are \w+|remove it/);
  });
});

describe("a certificate", () => {
  const PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
  test.each([
    ["powerdns", "TrustedCaCert", "trustedCaCert"],
    ["pihole", "TrustedCaCert", "trustedCaCert"],
    ["external-dns-webhook", "TrustedCaCert", "trustedCaCert"],
    ["coredns-etcd", "TrustedCaCert", "trustedCaCert"],
    ["openstack-designate", "CACERT", "caCert"],
    ["infoblox-dns", "CA_CERT", "caCert"],
  ])("of %s is known, and not given twice", async (type, key, other) => {
    const { secret, config } = EXAMPLES.find((one) => one.type === type) ?? {
      secret: {},
      config: null,
    };
    const provider = PROVIDER_TYPES.find((one) => one.type === type);
    const problemsWith = async (more: Secret): Promise<string> => {
      const settings = { secret: { ...secret, ...more }, config };
      const opened = await provider?.open(settings, realEnvironment());
      if (opened?.ok === true) opened.value.close();
      return opened?.ok === false ? opened.error.map(({ message }) => message).join("\n") : "";
    };
    expect(await problemsWith({ [key]: PEM, [other]: PEM })).toContain(`given twice`);
    expect(await problemsWith({ [`${key}s`]: PEM })).toMatch(
      new RegExp(`possible are .*\\b${key}\\b`),
    );
  });
});

test("Route 53 is not asked over plain http, which would show a session token", async () => {
  const secret = EXAMPLES.find(({ type }) => type === "aws-route53")?.secret ?? {};
  const provider = PROVIDER_TYPES.find(({ type }) => type === "aws-route53");
  for (const field of ["endpoint", "stsEndpoint"]) {
    const config = { [field]: "http://route53.example.com" };
    const opened = await provider?.open({ secret, config }, realEnvironment());
    expect(opened).toMatchObject({ ok: false, error: [{ field: `spec.providerConfig.${field}` }] });
  }
});

class OtherServer extends FakeApi {
  protected answer(): FakeAnswer {
    return { status: 404, text: "404 page not found" };
  }
}

test.each([
  ["coredns-etcd", () => new FakeWebhook(), /HTTP status 404; is Server the address of etcd\?/],
  [
    "external-dns-webhook",
    () => new OtherServer(),
    /HTTP status 404; is Server the address of a web/,
  ],
] as const)(
  "%s at another server's address asks for the address",
  async (type, fakeOf, expected) => {
    const fake = fakeOf();
    const settings = { secret: { Server: await fake.start() }, config: { zones: ["example.org"] } };
    const provider = PROVIDER_TYPES.find((one) => one.type === type);
    const opened = await provider?.open(settings, realEnvironment());
    if (opened?.ok !== true) throw new Error("a session");
    await expect(opened.value.zones(AbortSignal.timeout(20_000))).rejects.toThrow(expected);
    opened.value.close();
    await fake.stop();
  },
);
