/** Settings of aws-route53: what is missing, wrong or contradictory, and nothing of its value. */
import { expect, test } from "vitest";
import { ROUTE53_SECRET } from "../../../test/support/fakes/route53/harness.ts";
import { parseOptions } from "./options.ts";

const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: key } = ROUTE53_SECRET;

const ROLE = "arn:aws:iam::123456789012:role/dns/zonekeeper";
const withRole = { ...ROUTE53_SECRET, AWS_ROLE_ARN: ROLE };

test("a role, with an external id or without one", () => {
  expect(parseOptions({ secret: withRole, config: null }, false)).toMatchObject({
    value: { role: { arn: ROLE, externalId: null }, stsEndpoint: null },
  });
  const secret = { ...ROUTE53_SECRET, roleARN: ROLE, externalID: "tenant:7" };
  expect(parseOptions({ secret, config: null }, false)).toMatchObject({
    value: { role: { arn: ROLE, externalId: "tenant:7" } },
  });
});

test("7: with a providerConfig the credentials are checked, and batchSize need not be in it", () => {
  const parse = (secret: Record<string, string>, config: object) =>
    parseOptions({ secret, config }, false);
  expect(parse(ROUTE53_SECRET, { zoneType: "private" })).toMatchObject({ ok: true });
  expect(parse(ROUTE53_SECRET, { batchSize: 20 })).toMatchObject({ ok: true });
  for (const config of [{ zoneType: "private" }, { batchSize: 20 }])
    expect(parse({ AWS_ACCESS_KEY_ID: id }, config)).toMatchObject({
      ok: false,
      error: [{ message: expect.stringContaining("AWS_SECRET_ACCESS_KEY") }],
    });
});

test("the keys in both spellings, and a region", () => {
  const expected = { accessKeyId: id, secretAccessKey: key };
  for (const secret of [ROUTE53_SECRET, { accessKeyID: id, secretAccessKey: key }])
    expect(parseOptions({ secret, config: null }, false)).toMatchObject({
      ok: true,
      value: { credentials: expected, region: "us-east-1", endpoint: null, zoneType: null },
    });
  const secret = { ...ROUTE53_SECRET, AWS_REGION: "us-gov-west-1", AWS_SESSION_TOKEN: "token" };
  expect(parseOptions({ secret, config: { zoneType: "private" } }, false)).toMatchObject({
    value: { credentials: { sessionToken: "token" }, region: "us-gov-west-1", zoneType: "private" },
  });
});

test.each([
  [{}, null, "AWS_ACCESS_KEY_ID", "is missing"],
  [{ AWS_ACCESS_KEY_ID: id }, null, "AWS_SECRET_ACCESS_KEY", "is missing"],
  [{ ...ROUTE53_SECRET, AWS_SECRET_ACCESS_KEY: ` ${key}` }, null, "AWS_SECRET", "blanks"],
  [{ ...ROUTE53_SECRET, accessKeyID: id }, null, "accessKeyID", "given twice"],
  [{ ...ROUTE53_SECRET, apiToken: "x" }, null, "apiToken", "is not known"],
  [{ ...ROUTE53_SECRET, AWS_REGION: "Frankfurt" }, null, "AWS_REGION", "no region"],
  [{ ...ROUTE53_SECRET, AWS_USE_CREDENTIALS_CHAIN: "true" }, null, "CHAIN", "with an access key"],
  [{ useCredentialsChain: "true", secretAccessKey: key }, null, "CHAIN", "with an access key"],
  [{ useCredentialsChain: "true", sessionToken: key }, null, "CHAIN", "with an access key"],
  [{ ...ROUTE53_SECRET, AWS_ROLE_ARN: "zonekeeper" }, null, "AWS_ROLE_ARN", "no ARN of a role"],
  [{ ...ROUTE53_SECRET, AWS_EXTERNAL_ID: "x1" }, null, "AWS_EXTERNAL_ID", "without a role"],
  [{ AWS_ROLE_ARN: ROLE }, null, "AWS_ACCESS_KEY_ID", "is missing"],
  [{ ...withRole, roleARN: ROLE }, null, "roleARN", "given twice"],
  [ROUTE53_SECRET, { stsEndpoint: "sts" }, "stsEndpoint", "without a path"],
  [ROUTE53_SECRET, { zoneType: "both" }, "zoneType", "public or private"],
  [ROUTE53_SECRET, { endpoint: "http://x/y" }, "endpoint", "without a path"],
  [ROUTE53_SECRET, { region: "x" }, "region", "is not known"],
  [ROUTE53_SECRET, [], "providerConfig", "must be an object"],
])("%o %o: %s %s", (secret, config, subject, text) => {
  const parsed = parseOptions({ secret: secret as Record<string, string>, config }, true);
  const messages = parsed.ok ? [] : parsed.error.map(({ message }) => message);
  expect(messages.find((one) => one.includes(subject) && one.includes(text))).toBeDefined();
  expect(JSON.stringify(messages)).not.toContain(key);
});

test("the program's own identity is for trusted namespaces only", () => {
  const settings = { secret: { AWS_USE_CREDENTIALS_CHAIN: "true" }, config: null };
  expect(parseOptions(settings, true)).toMatchObject({ ok: true, value: { credentials: null } });
  const refused = parseOptions(settings, false);
  expect(refused.ok ? "" : refused.error[0]?.message).toContain("--provider-trusted-namespaces");
});
