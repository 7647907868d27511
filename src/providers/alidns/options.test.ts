/** Settings of alicloud-dns: what is missing or wrong, and never its value. */
import { expect, test } from "vitest";
import { parseOptions } from "./options.ts";

const ID = "LTAI5tInventedKeyOfTests";
const SECRET = "bq4GpTheInventedSecretOfTests0";
const right = { ACCESS_KEY_ID: ID, ACCESS_KEY_SECRET: SECRET };

type Secret = Readonly<Record<string, string>>;

function problems(secret: Secret, config: unknown = null, mayBorrow = true): readonly string[] {
  const options = parseOptions({ secret, config }, mayBorrow);
  return options.ok ? [] : options.error.map(({ field, message }) => `${field}: ${message}`);
}

test.each<[string, Secret]>([
  ["Gardener's keys", right],
  ["their other spellings", { accessKeyID: ID, accessKeySecret: SECRET }],
  ["the key of Gardener's examples", { ACCESS_KEY_ID: ID, SECRET_ACCESS_KEY: SECRET }],
  ["a line end of an editor", { ACCESS_KEY_ID: `${ID}\n`, ACCESS_KEY_SECRET: `${SECRET}\n` }],
])("%s are read", (_what, secret) => {
  const key = { id: ID, secret: SECRET, securityToken: null };
  expect(parseOptions({ secret, config: null }, false)).toEqual({
    ok: true,
    value: { key, origin: "https://alidns.aliyuncs.com" },
  });
});

test("a key that ends, and another address", () => {
  const secret = { ...right, SECURITY_TOKEN: "CAIS" };
  const config = { endpoint: "https://alidns.cn-hangzhou.aliyuncs.com/" };
  expect(parseOptions({ secret, config }, false)).toMatchObject({
    value: { key: { securityToken: "CAIS" }, origin: "https://alidns.cn-hangzhou.aliyuncs.com" },
  });
});

test("the program's own identity is for namespaces that may use it", () => {
  const own = { USE_DEFAULT_CREDENTIALS: "true" };
  expect(parseOptions({ secret: own, config: null }, true)).toMatchObject({ value: { key: null } });
  expect(problems(own, null, false)).toEqual([expect.stringContaining("trusted-namespaces")]);
  expect(problems({ ...own, ...right })).toEqual([expect.stringContaining("with an AccessKey")]);
  expect(problems({ USE_DEFAULT_CREDENTIALS: "yes" })).toEqual([
    expect.stringContaining("must be true or absent"),
  ]);
});

test.each<[Secret, unknown, readonly string[]]>([
  [{}, null, ["data.ACCESS_KEY_ID: ", "data.ACCESS_KEY_SECRET: "]],
  [{ ACCESS_KEY_ID: ID }, null, ["data.ACCESS_KEY_SECRET: the key ACCESS_KEY_SECRET of the Sec"]],
  [{ ...right, accessKeyID: ID }, null, ["data.accessKeyID: the key accessKeyID of the Secret is"]],
  [{ ...right, SECRET_ACCESS_KEY: SECRET }, null, ["data.SECRET_ACCESS_KEY: "]],
  [{ ...right, ACCESS_KEY_ID: ` ${ID}` }, null, ["data.ACCESS_KEY_ID: the key ACCESS_KEY_ID of"]],
  [{ ...right, AWS_REGION: "eu-west-1" }, null, ["data.AWS_REGION: the key AWS_REGION of the Se"]],
  [right, { endpoint: "http://10.0.0.1" }, ["spec.providerConfig.endpoint: "]],
  [right, { endpoint: "https://a/path" }, ["spec.providerConfig.endpoint: "]],
  [right, { region: "cn-hangzhou" }, ["spec.providerConfig.region: the field region of provid"]],
  [right, [], ["spec.providerConfig: providerConfig must be an object"]],
])("%j with %j", (secret, config, starts) => {
  const found = problems(secret, config);
  expect(found).toEqual(starts.map((start) => expect.stringContaining(start)));
  expect(found.join(" ")).not.toContain(SECRET);
});
