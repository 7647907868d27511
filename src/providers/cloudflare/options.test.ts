/** Settings of cloudflare-dns: what is missing, wrong or contradictory, and never its value. */
import { expect, test } from "vitest";
import { CLOUDFLARE_SECRET } from "../../../test/support/fakes/cloudflare/harness.ts";
import { parseOptions } from "./options.ts";

const { CLOUDFLARE_API_TOKEN: token } = CLOUDFLARE_SECRET;
const globalKey = "1234567893feefc5f0q5000bfo0c38d90bbeb".replace(/[^0-9a-f]/g, "0");
const user = { CLOUDFLARE_API_KEY: globalKey, CLOUDFLARE_EMAIL: "me@example.org" };

test("a token in both spellings, a key with its email, and an address", () => {
  for (const secret of [CLOUDFLARE_SECRET, { apiToken: `${token}\n` }])
    expect(parseOptions({ secret, config: null })).toEqual({
      ok: true,
      value: { credentials: { token }, origin: "https://api.cloudflare.com", zoneType: null },
    });
  const config = { endpoint: "http://127.0.0.1:8080/", zoneType: "private" };
  expect(parseOptions({ secret: user, config })).toEqual({
    ok: true,
    value: {
      credentials: { key: globalKey, email: "me@example.org" },
      origin: "http://127.0.0.1:8080",
      zoneType: "private",
    },
  });
});

test.each([
  [{}, null, "CLOUDFLARE_API_TOKEN", "is missing"],
  [{ CLOUDFLARE_API_TOKEN: "" }, null, "CLOUDFLARE_API_TOKEN", "is empty"],
  [{ CLOUDFLARE_API_TOKEN: ` ${token}` }, null, "CLOUDFLARE_API_TOKEN", "blanks"],
  [{ CLOUDFLARE_API_TOKEN: globalKey }, null, "CLOUDFLARE_API_TOKEN", "holds a global API key"],
  [{ ...CLOUDFLARE_SECRET, apiToken: token }, null, "apiToken", "given twice"],
  [{ ...CLOUDFLARE_SECRET, ...user }, null, "CLOUDFLARE_API_KEY", "with an API token"],
  [{ CLOUDFLARE_API_KEY: globalKey }, null, "CLOUDFLARE_EMAIL", "missing beside the key"],
  [{ CLOUDFLARE_EMAIL: "me@example.org" }, null, "CLOUDFLARE_API_KEY", "beside the email"],
  [{ "serviceaccount.json": "{}" }, null, "serviceaccount.json", "is not known"],
  [CLOUDFLARE_SECRET, { endpoint: "http://api.example.com" }, "endpoint", "loopback only"],
  [CLOUDFLARE_SECRET, { endpoint: "https://x/client/v4" }, "endpoint", "without a path"],
  [CLOUDFLARE_SECRET, { zoneType: "both" }, "zoneType", "public or private"],
  [CLOUDFLARE_SECRET, { proxied: true }, "proxied", "is not known"],
  [CLOUDFLARE_SECRET, "x", "providerConfig", "must be an object"],
])("%o %o: %s %s", (secret, config, subject, text) => {
  const parsed = parseOptions({ secret: secret as Record<string, string>, config });
  const problems = parsed.ok ? [] : parsed.error;
  const messages = problems.map(({ message }) => message);
  expect(messages.find((one) => one.includes(subject) && one.includes(text))).toBeDefined();
  expect(JSON.stringify(problems)).not.toContain(token);
  expect(JSON.stringify(problems)).not.toContain(globalKey);
});
