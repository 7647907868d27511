/** Settings of google-clouddns: what is taken, and what is named with its remedy. */
import { describe, expect, test } from "vitest";
import { parseOptions } from "./options.ts";

const KEY = "-----BEGIN PRIVATE KEY-----\nMIIEv\n-----END PRIVATE KEY-----\n";
const ACCOUNT = {
  type: "service_account",
  project_id: "my-project",
  private_key_id: "abc",
  private_key: KEY,
  client_email: "dns@my-project.iam.gserviceaccount.com",
};
const EXTERNAL = { type: "external_account", audience: "//iam.googleapis.com/projects/1/x" };

type Secret = Readonly<Record<string, string>>;

const file = (account: object): Secret => ({ "serviceaccount.json": JSON.stringify(account) });

function problems(secret: Secret, config: unknown = null, mayBorrow = true): readonly string[] {
  const options = parseOptions({ secret, config }, mayBorrow);
  return options.ok ? [] : options.error.map(({ message }) => message);
}

test("a key file is enough", () => {
  const options = parseOptions({ secret: file(ACCOUNT), config: null }, false);
  expect(options.ok && options.value).toMatchObject({
    project: "my-project",
    origin: "https://dns.googleapis.com",
    zoneType: null,
    credentials: { is: "key", tokenUrl: "https://oauth2.googleapis.com/token" },
  });
});

test("a blank key file is told once", () => {
  const options = parseOptions({ secret: { "serviceaccount.json": " \n" }, config: null }, false);
  expect(options.ok ? [] : options.error.map(({ message }) => message)).toEqual([
    expect.stringContaining("the key serviceaccount.json of the Secret is empty"),
  ]);
});

test("a foreign token is exchanged, and the project is named", () => {
  const secret = { ...file(EXTERNAL), token: "ey.a.b", project: "other-project" };
  const options = parseOptions({ secret, config: { zoneType: "private" } }, false);
  expect(options.ok && options.value).toMatchObject({
    project: "other-project",
    zoneType: "private",
    credentials: { is: "external", subjectToken: "ey.a.b", impersonationUrl: null },
  });
});

test("the program's own identity is for trusted namespaces", () => {
  const secret = { useDefaultCredentials: "true", project: "my-project" };
  expect(problems(secret)).toEqual([]);
  expect(problems(secret, null, false)).toEqual([
    expect.stringContaining("this program's own identity, which this namespace may not"),
  ]);
});

describe("mistakes", () => {
  test.each<readonly [string, Secret, string]>([
    ["nothing", {}, "serviceaccount.json of the Secret is missing"],
    ["no JSON", { "serviceaccount.json": "AKIA…" }, "is no JSON object"],
    [
      "a token beside the program's own identity",
      { useDefaultCredentials: "true", project: "my-project", token: "ey.a.b" },
      "GOOGLE_USE_DEFAULT_CREDENTIALS of the Secret is given with GOOGLE_SUBJECT_TOKEN",
    ],
    ["a list", { "serviceaccount.json": "[1]" }, "is no JSON object"],
    ["another vendor's", file({ clientId: "x", clientSecret: "y" }), "no key file of Google's"],
    ["a user's", file({ ...ACCOUNT, type: "authorized_user" }), "no key file of Google's"],
    ["no email", file({ ...ACCOUNT, client_email: undefined }), "has no client_email"],
    ["no key", file({ ...ACCOUNT, private_key: "MIIEv" }), "has no private_key"],
    ["no project", file({ ...ACCOUNT, project_id: "" }), "GOOGLE_PROJECT of the Secret is missing"],
    ["a token for a key", { ...file(ACCOUNT), token: "ey" }, "is for external accounts only"],
    [
      "no token",
      { ...file(EXTERNAL), project: "my-project" },
      "missing beside an external account",
    ],
    ["twice", { ...file(ACCOUNT), useDefaultCredentials: "true" }, "leave one of them out"],
    ["another word", { useDefaultCredentials: "yes", project: "my-project" }, "must be true"],
    [
      "AWS keys",
      { ...file(ACCOUNT), AWS_REGION: "eu-central-1" },
      "AWS_REGION of the Secret is not",
    ],
  ])("%s", (_title, secret, text) => {
    const found = problems(secret);
    expect(found).toEqual([expect.stringContaining(text)]);
    expect(found.join()).not.toMatch(/MIIEv|AKIA|clientSecret"|eu-central/);
  });

  test.each([
    ["token_uri", { ...ACCOUNT, token_uri: "https://evil.example/token" }],
    ["token_uri", { ...ACCOUNT, token_uri: "http://oauth2.googleapis.com/token" }],
    ["token_uri", { ...ACCOUNT, token_uri: "https://oauth2.googleapis.com:444/token" }],
    ["token_uri", { ...ACCOUNT, token_uri: "https://oauth2.googleapis.com@evil.example/" }],
    ["token_uri", { ...ACCOUNT, token_uri: "not an address" }],
    ["token_url", { ...EXTERNAL, token_url: "https://sts.googleapis.com.evil.example/v1" }],
    [
      "service_account_impersonation_url",
      { ...EXTERNAL, service_account_impersonation_url: "https://evil.example/x" },
    ],
  ])("%s that leads to another host", (field, account) => {
    const token = account.type === "external_account" ? { token: "ey" } : {};
    const secret = { ...file(account), ...token, project: "my-project" };
    expect(problems(secret)).toEqual([
      expect.stringContaining(`has a ${field} that is no token address of Google's`),
    ]);
  });

  test.each([
    [{ endpoint: "http://dns.example.com" }, "the field endpoint of providerConfig must be"],
    [{ zoneType: "both" }, "must be public or private"],
    [{ batchSize: 5 }, "the field batchSize of providerConfig is not known"],
  ])("providerConfig %j", (config, text) => {
    expect(problems(file(ACCOUNT), config)).toEqual([expect.stringContaining(text)]);
  });
});
