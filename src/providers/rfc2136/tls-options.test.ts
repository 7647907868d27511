import { expect, test } from "vitest";
import { parseOptions } from "./options.ts";

const pem = (what: string) => `-----BEGIN ${what}-----\nAAAA\n-----END ${what}-----\n`;
const SECRET = {
  Server: "ns.example.org",
  Zone: "example.org",
  TSIGKeyName: "key",
  TSIGSecret: "c2VjcmV0LXZhbHVl",
};
const tlsOf = (config: unknown, secret: Readonly<Record<string, string>> = {}) =>
  parseOptions({ secret: { ...SECRET, ...secret }, config });

test("tls: true trusts the system, checks the host's name and goes to port 853", () => {
  expect(tlsOf({ tls: true })).toMatchObject({
    ok: true,
    value: {
      server: { host: "ns.example.org", port: 853 },
      tls: { serverName: null, caCertificates: null, client: null, alpn: "dot" },
    },
  });
});

test("a name, an authority and a client certificate of one's own", () => {
  const secret = {
    Server: "192.0.2.53:8853",
    TLSCACertificate: pem("CERTIFICATE"),
    TLSClientCertificate: pem("CERTIFICATE"),
    TLSClientKey: pem("PRIVATE KEY"),
  };
  expect(tlsOf({ tls: { serverName: "dns.example.org" } }, secret)).toMatchObject({
    ok: true,
    value: {
      server: { host: "192.0.2.53", port: 8853 },
      tls: {
        serverName: "dns.example.org",
        caCertificates: secret.TLSCACertificate,
        client: { certificate: secret.TLSClientCertificate, key: secret.TLSClientKey },
      },
    },
  });
});

test.each([
  ["another type", { tls: "yes" }, {}, ["tls"]],
  ["another field", { tls: { insecure: true } }, {}, ["tls"]],
  ["an empty name", { tls: { serverName: "" } }, {}, ["tls"]],
  ["no PEM", { tls: true }, { TLSCACertificate: "secret words" }, ["TLSCACertificate"]],
  ["half a pair", { tls: true }, { TLSClientKey: pem("PRIVATE KEY") }, ["TLSClientCertificate"]],
  ["the other half", { tls: true }, { TLSClientCertificate: pem("CERTIFICATE") }, ["TLSClientKey"]],
  ["certificates without tls", null, { TLSCACertificate: pem("CERTIFICATE") }, ["tls"]],
  ["certificates and tls: false", { tls: false }, { TLSClientKey: pem("X") }, ["tls"]],
])("%s is named, its value is not", (_what, config, secret, subjects) => {
  const parsed = tlsOf(config, secret as unknown as Readonly<Record<string, string>>);
  const problems = parsed.ok ? [] : parsed.error;
  expect(problems.map((each) => each.subject)).toEqual(subjects);
  expect(JSON.stringify(problems)).not.toContain("secret words");
});
