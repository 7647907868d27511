import { expect, test } from "vitest";
import { untrustedAccess } from "./untrusted-kubeconfig.ts";

const PATH = "Secret dns/clusters, key eu";

function kubeconfig(cluster: object, user: object): string {
  return JSON.stringify({
    "current-context": "eu",
    contexts: [{ name: "eu", context: { cluster: "eu", user: "me" } }],
    clusters: [{ name: "eu", cluster: { server: "https://192.0.2.1", ...cluster } }],
    users: [{ name: "me", user: { token: "s3cret", ...user } }],
  });
}

const read = (cluster: object, user: object = {}) =>
  untrustedAccess({ path: PATH, text: kubeconfig(cluster, user) });

test("an address with a token, over TLS, is taken", () => {
  const access = read({ "certificate-authority-data": btoa("PEM") });
  expect(access).toMatchObject({
    ok: true,
    value: { server: "https://192.0.2.1", caData: "PEM", token: "s3cret" },
  });
});

test.each([
  ["server", { server: "http://192.0.2.1" }, {}],
  ["certificate-authority", { "certificate-authority": "/etc/ca.pem" }, {}],
  ["insecure-skip-tls-verify", { "insecure-skip-tls-verify": true }, {}],
  ["proxy-url", { "proxy-url": "http://192.0.2.2" }, {}],
  ["client-certificate", {}, { "client-certificate": "/etc/a.pem" }],
  ["client-key", {}, { "client-key": "/etc/a.key" }],
  ["tokenFile", {}, { tokenFile: "/etc/token" }],
  ["exec", {}, { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "sh" } }],
  ["auth-provider", {}, { "auth-provider": { name: "gcp" } }],
])("%s is refused, by text, entry, field and remedy", (field, cluster, user) => {
  const access = read(cluster, user);
  const error = access.ok ? "" : access.error;
  expect(error).toMatch(new RegExp(`^${PATH}: \\w+\\["\\w+"\\]\\.${field}: .*(give|leave) `));
  expect(error).not.toContain("s3cret");
});

test("nor is it hidden in an entry that no context uses", () => {
  const text = `clusters: [{name: x, cluster: {server: "http://192.0.2.1"}}]`;
  expect(untrustedAccess({ path: PATH, text }).ok).toBe(false);
});

test("what is no YAML is told by its place, without its text", () => {
  const access = untrustedAccess({ path: PATH, text: "token: [s3cret" });
  expect(access.ok ? "" : access.error).toMatch(/^Secret dns\/clusters, key eu: not YAML at line/);
});
