/** Signature V3 against the example of the vendor's document, and the encoding of queries. */
import { describe, expect, test } from "vitest";
import { realEnvironment } from "../../../test/support/values/rfc2136-session.ts";
import { queryOf, signedHeaders, type UnsignedCall } from "./sign-request.ts";

const { crypto } = realEnvironment({});

/** Docs "V3 request structure and signature", the fixed parameters of its example. */
const EXAMPLE: UnsignedCall = {
  host: "ecs.cn-shanghai.aliyuncs.com",
  action: "RunInstances",
  version: "2014-05-26",
  query: queryOf({
    RegionId: "cn-shanghai",
    ImageId: "win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd",
  }),
  key: { id: "YourAccessKeyId", secret: "YourAccessKeySecret", securityToken: null },
  nowMs: Date.parse("2023-10-26T10:22:32Z"),
  nonce: "3156853299f313e23d1673dc12e1703d",
};

describe("a signature", () => {
  test("is that of the document's example", () => {
    const { authorization } = signedHeaders(EXAMPLE, crypto);
    expect(authorization).toBe(
      "ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0",
    );
  });

  test("covers the token of a key that ends", () => {
    const key = { ...EXAMPLE.key, securityToken: "CAIS" };
    const headers = signedHeaders({ ...EXAMPLE, key }, crypto);
    expect(headers["x-acs-security-token"]).toBe("CAIS");
    expect(headers["authorization"]).toContain(";x-acs-security-token;x-acs-signature-nonce;");
  });

  test("never holds the secret", () => {
    expect(JSON.stringify(signedHeaders(EXAMPLE, crypto))).not.toContain("YourAccessKeySecret");
  });
});

describe("a query", () => {
  test.each([
    [{ B: "2", A: "1" }, "A=1&B=2"],
    [{ RR: "*", Value: "a b" }, "RR=%2A&Value=a%20b"],
    [{ Value: "~x-_.!'()" }, "Value=~x-_.%21%27%28%29"],
    [{ Value: 'v=spf1; k="a"+/é' }, "Value=v%3Dspf1%3B%20k%3D%22a%22%2B%2F%C3%A9"],
  ])("%j is %s", (parameters, text) => {
    expect(queryOf(parameters as Readonly<Record<string, string>>)).toBe(text);
  });
});
