/** Kubeconfig files as kubectl reads them, and the errors of those that cannot be used. */
import { describe, expect, test } from "vitest";
import type { ClusterAccess } from "./cluster-access.ts";
import { inClusterAccess } from "./in-cluster.ts";
import { accessOfContext, parseKubeconfig, untrustedAccess } from "./kubeconfig.ts";

const BASIC = `
apiVersion: v1
kind: Config
current-context: prod
clusters:
- name: prod
  cluster:
    server: https://192.0.2.1:6443
    certificate-authority-data: ${btoa("-----BEGIN CERTIFICATE-----\nCA\n")}
    tls-server-name: api.example.org
- name: lab
  cluster: {server: "https://lab.example.org", certificate-authority: ca.pem}
users:
- name: me
  user: {client-certificate: certs/me.crt, client-key: /abs/me.key}
- name: robot
  user: {token: s3cret}
contexts:
- name: prod
  context: {cluster: prod, user: robot, namespace: team}
- name: lab
  context: {cluster: lab, user: me}
`;

function access(texts: readonly string[], context?: string): ClusterAccess {
  const files = texts.map((text, i) => ({ path: `/home/me/.kube/config${i}`, text }));
  const config = parseKubeconfig(files);
  if (!config.ok) throw new Error(config.error);
  const found = accessOfContext(config.value, context);
  if (!found.ok) throw new Error(found.error);
  return found.value;
}

const user = (fields: string, cluster = "server: https://a.example.org"): string => `
current-context: c
clusters: [{name: c, cluster: {${cluster}}}]
users: [{name: u, user: ${fields}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
`;

test("the current context, with data decoded", () => {
  expect(access([BASIC])).toMatchObject({
    origin: 'context "prod" in /home/me/.kube/config0',
    server: "https://192.0.2.1:6443",
    caData: "-----BEGIN CERTIFICATE-----\nCA\n",
    tlsServerName: "api.example.org",
    token: "s3cret",
    namespace: "team",
    exec: null,
  });
});

test("another context, with paths from the folder of the file", () => {
  expect(access([BASIC], "lab")).toMatchObject({
    caFile: "/home/me/.kube/ca.pem",
    clientCertificateFile: "/home/me/.kube/certs/me.crt",
    clientKeyFile: "/abs/me.key",
    token: null,
    namespace: null,
  });
});

test("several files: the first entry of a name counts, and the first current-context", () => {
  const second = BASIC.replace("current-context: prod", "current-context: lab").replaceAll(
    "s3cret",
    "other",
  );
  const first = "users: [{name: robot, user: {token: first}}]";
  expect(access([first, second])).toMatchObject({
    origin: 'context "lab" in /home/me/.kube/config1',
  });
  expect(access([first, second], "prod").token).toBe("first");
});

test("JSON is YAML; an empty file is an empty configuration", () => {
  const json = JSON.stringify({
    "current-context": "c",
    clusters: [{ name: "c", cluster: { server: "https://a.example.org" } }],
    contexts: [{ name: "c", context: { cluster: "c" } }],
  });
  expect(access(["", json]).server).toBe("https://a.example.org");
});

test("an exec plugin", () => {
  const exec = `{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./bin/login, args: [get, token],
    env: [{name: A, value: b}], installHint: install it, provideClusterInfo: true, interactiveMode: IfAvailable}}`;
  expect(access([user(exec)]).exec).toEqual({
    apiVersion: "client.authentication.k8s.io/v1",
    command: "/home/me/.kube/./bin/login",
    args: ["get", "token"],
    env: { A: "b" },
    installHint: "install it",
    provideClusterInfo: true,
  });
});

describe("what cannot be used is refused with file and field", () => {
  test.each([
    ["an alias of nothing", "users: *secret", /config0: not YAML that can be used: an alias/],
    ["not YAML", "a: [1", /config0: not YAML at line 1, column \d/],
    ["no object", "- 1", /config0: not a kubeconfig/],
    ["another kind", "kind: Pod", /kind must be Config/],
    ["no current context", "contexts: [{name: a, context: {}}]", /no current-context.*: a$/],
    ["an unknown context", "current-context: x", /no context "x"; there are: none/],
    [
      "no such cluster",
      "current-context: a\ncontexts: [{name: a, context: {cluster: b}}]",
      /contexts\["a"\]\.cluster: names no cluster/,
    ],
    [
      "no such user",
      BASIC.replace("user: robot", "user: nobody"),
      /contexts\["prod"\]\.user: names no user/,
    ],
    ["no URL", user("{}", "server: example.org"), /clusters\["c"\]\.server: must be a URL/],
    ["bad base64", user("{client-key-data: '%%'}"), /users\["u"\]\.client-key-data: is not base64/],
    ["a token that is a number", user("{token: 123}"), /users\["u"\]\.token: must be a text/],
    [
      "socks",
      user("{}", "server: https://a.example.org, proxy-url: 'socks5://x'"),
      /proxy-url: must begin/,
    ],
    [
      "insecure with a CA",
      user(
        "{}",
        "server: https://a.example.org, insecure-skip-tls-verify: true, certificate-authority: ca",
      ),
      /contradicts/,
    ],
    [
      "auth-provider",
      user("{auth-provider: {name: gcp}}"),
      /users\["u"\]\.auth-provider: .*exec plugin/,
    ],
    ["impersonation", user("{token: t, as: admin}"), /users\["u"\]\.as: impersonation/],
    [
      "an old plugin",
      user("{exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: x}}"),
      /exec\.apiVersion: must be/,
    ],
    [
      "a plugin that asks",
      user(
        "{exec: {apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: Always}}",
      ),
      /interactiveMode/,
    ],
    [
      "a plugin without a command",
      user("{exec: {apiVersion: client.authentication.k8s.io/v1}}"),
      /exec\.command: is missing/,
    ],
  ])("%s", (_name, text, message) => {
    expect(() => access([text])).toThrow(message);
  });

  test("no message quotes a secret", () => {
    const texts = [
      "users: [{name: u, user: {token: s3cret}",
      user("{token: [s3cret]}"),
      user("{client-key-data: 's3cret%'}"),
      user("{auth-provider: {config: {id-token: s3cret}}}"),
      "token: s3cret\ntoken: s3cret",
    ];
    for (const text of texts) {
      expect(() => access([text])).toThrow();
      expect(() => access([text])).not.toThrow(/s3cret/);
    }
  });
});

describe("in a pod", () => {
  const env = { KUBERNETES_SERVICE_HOST: "2001:db8::1", KUBERNETES_SERVICE_PORT: "443" };
  const readFile = async (path: string): Promise<string> =>
    path.endsWith("namespace") ? "team\n" : "content";

  test("the service account", async () => {
    expect(await inClusterAccess(env, { readFile })).toMatchObject({
      ok: true,
      value: {
        server: "https://[2001:db8::1]:443",
        tokenFile: "/var/run/secrets/kubernetes.io/serviceaccount/token",
        caFile: "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt",
        namespace: "team",
      },
    });
  });

  test("not in a pod, or without a service account", async () => {
    expect(await inClusterAccess({}, { readFile })).toMatchObject({
      error: expect.stringContaining("KUBERNETES_SERVICE_HOST is not set"),
    });
    const missing = async (): Promise<string> => {
      throw new Error("ENOENT: /var/run/secrets");
    };
    expect(await inClusterAccess(env, { readFile: missing })).toMatchObject({
      error: expect.stringContaining("automountServiceAccountToken"),
    });
  });
});

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
