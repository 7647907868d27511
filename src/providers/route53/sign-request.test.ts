import { expect, test } from "vitest";
import { RealCrypto } from "../../app/ports/real-crypto.ts";
import { signedHeaders } from "./sign-request.ts";

const CREDENTIALS = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
} as const;

test("the vendor's own example has the signature that its documents show", () => {
  const request = {
    method: "GET",
    host: "iam.amazonaws.com",
    query: "Action=ListUsers&Version=2010-05-08",
    body: "",
    service: "iam",
    region: "us-east-1",
    credentials: CREDENTIALS,
    nowMs: Date.UTC(2015, 7, 30, 12, 36, 0),
  };
  expect(signedHeaders(request, new RealCrypto())).toEqual({
    "content-type": "application/x-www-form-urlencoded; charset=utf-8",
    "x-amz-date": "20150830T123600Z",
    authorization:
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7",
  });
});

test("a session's token is signed, too", () => {
  const request = {
    method: "POST",
    host: "sts.eu-central-1.amazonaws.com",
    body: "Action=AssumeRole",
    service: "sts",
    region: "eu-central-1",
    credentials: { ...CREDENTIALS, sessionToken: "FwoGZXIvYXdzE==" },
    nowMs: 0,
  };
  const { authorization, ...headers } = signedHeaders(request, new RealCrypto());
  expect(headers).toMatchObject({ "x-amz-security-token": "FwoGZXIvYXdzE==" });
  expect(authorization).toContain(
    "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token,",
  );
});
