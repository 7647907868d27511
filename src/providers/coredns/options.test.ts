/** Settings of coredns-etcd: what is missing, wrong or contradictory, and never its value. */
import { expect, test } from "vitest";
import { parseOptions } from "./options.ts";
import { COREDNS_PROVIDER } from "./session.ts";

const password = "s3cret word";
const right = { Server: "https://etcd.example.org:2379/" };
const user = { Username: "dns", Password: password };
const config = { zones: ["Example.org.", "example.org", "2.0.192.in-addr.arpa"] };
const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

test("zones and a server; a user, certificates and another prefix", () => {
  const zones = ["example.org", "2.0.192.in-addr.arpa"];
  const server = "https://etcd.example.org:2379";
  expect(parseOptions({ secret: right, config })).toEqual({
    ok: true,
    value: { servers: [server], user: null, tls: null, zones, prefix: "/skydns" },
  });
  const secret = { server, username: "dns", password, ClientCert: pem, clientKey: pem };
  const more = { secret: { ...secret, TrustedCaCert: pem }, config: { ...config, prefix: "a/b/" } };
  expect(parseOptions(more)).toEqual({
    ok: true,
    value: {
      servers: [server],
      user: { name: "dns", password },
      tls: { ca: pem, cert: pem, key: pem },
      zones,
      prefix: "/a/b",
    },
  });
  expect(COREDNS_PROVIDER.namedZones({ secret: {}, config })).toEqual(zones);
});

test.each([
  [{}, config, "Server", "is missing"],
  [{ Server: "etcd:2379" }, config, "Server", "no address"],
  [{ Server: "https://a:2379,b:2379" }, config, "Server", "no address"],
  [{ Server: "https://a:2379,," }, config, "Server", "no address"],
  [{ ...user, Server: "https://a,http://b" }, config, "Password", "sent as it is"],
  [{ Server: "https://a,http://b", TrustedCaCert: pem }, config, "Server", "certificates beside"],
  [{ ...right, Username: "dns" }, config, "Password", "is missing"],
  [{ ...right, Password: password }, config, "Username", "is missing"],
  [{ ...user, Server: "http://etcd.example.org:2379" }, config, "Password", "sent as it is"],
  [{ ...right, TrustedCaCert: "MIIB" }, config, "TrustedCaCert", "no PEM text"],
  [{ ...right, ClientCert: pem }, config, "ClientKey", "is missing"],
  [{ Server: "http://etcd", TrustedCaCert: pem }, config, "Server", "certificates beside"],
  [{ ...right, server: "https://x" }, config, "server", "is given twice"],
  [{ ...right, Token: "x" }, config, "Token", "is not known"],
  [right, null, "zones", "must be a list"],
  [right, { zones: [] }, "zones", "must be a list"],
  [right, { zones: ["a b"] }, "zones", "is no zone"],
  [right, { ...config, prefix: "a//b" }, "prefix", "must be the path"],
  [right, { ...config, path: "/skydns" }, "path", "is not known"],
])("%o %o: %s %s", (secret, given, subject, text) => {
  const parsed = parseOptions({ secret: secret as Record<string, string>, config: given });
  const messages = parsed.ok ? [] : parsed.error.map(({ message }) => message);
  expect(messages.find((one) => one.includes(subject) && one.includes(text))).toBeDefined();
  expect(JSON.stringify(messages)).not.toMatch(/s3cret|MIIB/);
});
