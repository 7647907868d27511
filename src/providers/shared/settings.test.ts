import { expect, test } from "vitest";
import type { Problem } from "../../model/problem.ts";
import { readSecret, type SecretKeys } from "./settings.ts";

const KEYS: SecretKeys = {
  AWS_ACCESS_KEY_ID: "accessKeyID",
  AWS_SECRET_ACCESS_KEY: "secretAccessKey",
  "serviceaccount.json": "file",
};

function problemsOf(...keys: readonly string[]): readonly Problem[] {
  const problems: Problem[] = [];
  readSecret(Object.fromEntries(keys.map((key) => [key, "value"])), KEYS, problems);
  return problems;
}

test.each([
  ["aws_access_key_id", "AWS_ACCESS_KEY_ID"],
  ["AWS-ACCESS-KEY-ID", "AWS_ACCESS_KEY_ID"],
  ["secret_access_key", "AWS_SECRET_ACCESS_KEY"],
  ["service-account.json", "serviceaccount.json"],
])("%s is another spelling of %s", (key, name) => {
  expect(problemsOf(key)).toMatchObject([
    {
      field: `data.${key}`,
      message: `the key ${key} of the Secret is not known: write it as ${name}`,
    },
  ]);
});

const POSSIBLE = "possible are AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, serviceaccount.json";

test("keys that are not known are one problem, which lists once what is possible", () => {
  expect(problemsOf("token")).toMatchObject([
    { field: "data.token", message: `the key token of the Secret is not known: ${POSSIBLE}` },
  ]);
  expect(problemsOf("token", "accesskeyid", "user")).toMatchObject([
    { message: expect.stringContaining("write it as AWS_ACCESS_KEY_ID") },
    {
      field: "data.token",
      message: `the keys token, user of the Secret are not known: ${POSSIBLE}`,
    },
  ]);
  const [many] = problemsOf("a", "b", "c", "d", "e", "f");
  expect(many?.message).toBe(`the keys a, b, c, d, e, … of the Secret are not known: ${POSSIBLE}`);
});
