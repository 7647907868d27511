/** Settings of azure-dns: what is taken, and what is named with its remedy. */
import { describe, expect, test } from "vitest";
import { AZURE_SECRET } from "../../../test/support/fakes/azure/harness.ts";
import { parseOptions } from "./options.ts";

type Secret = Readonly<Record<string, string>>;

const { AZURE_CLIENT_SECRET: proof, ...APPLICATION } = AZURE_SECRET;
const { AZURE_SUBSCRIPTION_ID } = APPLICATION;
const AMBIENT = { AZURE_SUBSCRIPTION_ID, AZURE_USE_DEFAULT_CREDENTIALS: "true" };

function problems(secret: Secret, config: unknown = null, mayBorrow = true): readonly string[] {
  const options = parseOptions({ secret, config }, mayBorrow);
  return options.ok ? [] : options.error.map(({ message }) => message);
}

test.each<readonly [string, Secret, object]>([
  ["a secret", { ...APPLICATION, clientSecret: proof }, { is: "secret" }],
  ["a foreign token", { ...APPLICATION, token: "ey.a.b" }, { is: "assertion" }],
  ["the program's identity", AMBIENT, { is: "ambient", client: null }],
])("%s", (_title, secret, credentials) => {
  const options = parseOptions({ secret, config: null }, true);
  expect(options.ok && options.value).toMatchObject({
    subscription: AZURE_SUBSCRIPTION_ID,
    origin: "https://management.azure.com",
    authority: "https://login.microsoftonline.com",
    credentials,
  });
});

test.each([
  ["AzureChina", "https://management.chinacloudapi.cn", "https://login.chinacloudapi.cn"],
  ["AzureGovernment", "https://management.usgovcloudapi.net", "https://login.microsoftonline.us"],
])("%s has its own addresses", (cloud, origin, authority) => {
  const secret = { ...AZURE_SECRET, AZURE_CLOUD: cloud };
  const options = parseOptions({ secret, config: null }, false);
  expect(options.ok && options.value).toMatchObject({ origin, authority, audience: origin });
});

describe("mistakes", () => {
  const TENANT_KEY = "AZURE_TENANT_ID";
  test.each<readonly [string, Secret, string]>([
    ["no proof", APPLICATION, "AZURE_CLIENT_SECRET of the Secret is missing"],
    ["two proofs", { ...AZURE_SECRET, token: "ey" }, "given with another proof"],
    ["a name for an id", { ...AZURE_SECRET, [TENANT_KEY]: "my-tenant" }, "is no id of Azure"],
    ["a name with blanks", { ...AZURE_SECRET, [TENANT_KEY]: "my-tenant 1" }, "is no id of Azure"],
    [
      "no id at all",
      { ...AZURE_SECRET, [TENANT_KEY]: "" },
      "AZURE_TENANT_ID of the Secret is empty",
    ],
    ["an unknown cloud", { ...AZURE_SECRET, AZURE_CLOUD: "AzureGermany" }, "is no cloud"],
    ["twice", { ...AZURE_SECRET, tenantID: "x" }, "is given twice"],
    [
      "another vendor's key",
      { ...AZURE_SECRET, AWS_REGION: "eu-west-1" },
      "AWS_REGION of the Secret",
    ],
    ["identity and secret", { ...AZURE_SECRET, ...AMBIENT }, "leave one of them out"],
    ["another word", { ...AMBIENT, AZURE_USE_DEFAULT_CREDENTIALS: "yes" }, "must be true"],
  ])("%s", (_title, secret, text) => {
    const found = problems(secret);
    expect(found).toEqual([expect.stringContaining(text)]);
    expect(found.join()).not.toMatch(/invented|Germany|eu-west|my-tenant/);
  });

  test("nothing at all: every key that is missing is named", () => {
    expect(problems({})).toHaveLength(4);
  });

  test("the program's own identity is for trusted namespaces", () => {
    expect(problems(AMBIENT, null, false)).toEqual([
      expect.stringContaining("this program's own identity, which this namespace may not"),
    ]);
  });

  test.each([
    [{ endpoint: "http://management.example.com" }, "the field endpoint of providerConfig must be"],
    [{ authorityHost: "https://login.evil.example" }, "the field authorityHost of providerConfig"],
    [{ authorityHost: "https://login.microsoftonline.com:444" }, "must be the address of one of"],
    [{ zoneType: "private" }, "the field zoneType of providerConfig is not known"],
    [{ resourceGroup: "a/b" }, "the field resourceGroup of providerConfig must be the name of"],
  ])("providerConfig %j", (config, text) => {
    expect(problems(AZURE_SECRET, config)).toEqual([expect.stringContaining(text)]);
  });
});
