/** Settings of powerdns: what is missing, wrong or contradictory, and never its value. */
import { expect, test } from "vitest";
import { parseOptions } from "./options.ts";

const key = "s3cret-api-key";
const right = { Server: "https://pdns.example.org:8081", ApiKey: key };
const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

test("the keys in both spellings, a path before the API, and a certificate", () => {
  const plain = { serverId: "localhost", caCertificate: null };
  expect(parseOptions({ secret: right, config: null })).toEqual({
    ok: true,
    value: { server: right.Server, apiKey: key, ...plain },
  });
  const secret = { server: "http://10.0.0.1/pdns/", apiKey: key, insecureSkipVerify: "true" };
  expect(parseOptions({ secret, config: {} })).toEqual({
    ok: true,
    value: { server: "http://10.0.0.1/pdns", apiKey: key, ...plain },
  });
  const more = { ...right, VirtualHost: "inner", TrustedCaCert: pem };
  expect(parseOptions({ secret: more, config: null })).toMatchObject({
    value: { serverId: "inner", caCertificate: pem },
  });
});

test.each([
  [{ ApiKey: key }, null, "Server", "is missing"],
  [{ Server: right.Server }, null, "ApiKey", "is missing"],
  [{ ...right, Server: "pdns.example.org:8081" }, null, "Server", "no http or https"],
  [{ ...right, Server: "https://me:pw@pdns" }, null, "Server", "no http or https"],
  [{ ...right, Server: `${right.Server}/api/v1` }, null, "Server", "the path of the API"],
  [{ ...right, ApiKey: `${key} ` }, null, "ApiKey", "blanks"],
  [{ ...right, VirtualHost: "a/b" }, null, "VirtualHost", "no server id"],
  [{ ...right, InsecureSkipVerify: "true" }, null, "InsecureSkipVerify", "not supported"],
  [{ ...right, TrustedCaCert: "MIIB" }, null, "TrustedCaCert", "no PEM text"],
  [{ ...right, Server: "http://x", TrustedCaCert: pem }, null, "TrustedCaCert", "http address"],
  [{ ...right, apiToken: "x" }, null, "apiToken", "is not known"],
  [right, { server: "x" }, "server", "is not known"],
])("%o %o: %s %s", (secret, config, subject, text) => {
  const parsed = parseOptions({ secret: secret as Record<string, string>, config });
  const messages = parsed.ok ? [] : parsed.error.map(({ message }) => message);
  expect(messages.find((one) => one.includes(subject) && one.includes(text))).toBeDefined();
  expect(JSON.stringify(messages)).not.toContain(key);
});
