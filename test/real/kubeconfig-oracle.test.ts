/**
 * Kubeconfig files as `@kubernetes/client-node` loads them: both have to end at the same server,
 * TLS material and authorization header. Plugins are run as processes, as both would.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { RequestOptions } from "node:https";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import type { ClusterAccess } from "@zonekeeper/kube/client/access/cluster-access";
import { ClusterCredentials } from "@zonekeeper/kube/client/access/credentials";
import { inClusterAccess, SERVICE_ACCOUNT_FOLDER } from "@zonekeeper/kube/client/access/in-cluster";
import { afterAll, afterEach, expect, test } from "vitest";
import { resolveAccess } from "../../src/app/commands/run/resolve-access.ts";
import { RealClock } from "../../src/app/ports/real-clock.ts";
import { realCredentialPorts } from "../../src/app/ports/real-credentials.ts";

const folder = mkdtempSync(join(tmpdir(), "zonekeeper-oracle-"));
const credentials = realCredentialPorts(new RealClock());
const OWN = ["KUBECONFIG", "KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT"] as const;
const before = OWN.map((name) => [name, process.env[name]] as const);
afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a request comes down to. */
interface Sight {
  readonly server: string;
  readonly namespace: string | null;
  readonly proxy: string | null;
  readonly authorization: string | null;
  readonly ca: string | null;
  readonly cert: string | null;
  readonly key: string | null;
  readonly servername: string | null;
  readonly trustsAnybody: boolean;
}

const textOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : String(value);

async function seenByUs(access: ClusterAccess, ports = credentials): Promise<Sight> {
  const subject = new ClusterCredentials(access, ports);
  const tls = await subject.tls();
  return {
    server: access.server,
    namespace: access.namespace,
    proxy: access.proxyUrl,
    authorization: await subject.authorization(),
    ca: textOf(tls.ca),
    cert: textOf(tls.cert),
    key: textOf(tls.key),
    servername: textOf(tls.servername),
    trustsAnybody: tls.insecureSkipVerify === true,
  };
}

async function seenByThem(config: KubeConfig): Promise<Sight> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const cluster = config.getCurrentCluster();
  const { headers } = await config.applyToFetchOptions({});
  const authorization = headers instanceof Object && "get" in headers ? headers : null;
  return {
    server: cluster?.server ?? "",
    namespace: config.getContextObject(config.getCurrentContext())?.namespace ?? null,
    proxy: textOf(cluster?.proxyUrl),
    authorization:
      typeof authorization?.get === "function" ? textOf(authorization.get("authorization")) : null,
    ca: textOf(options.ca),
    cert: textOf(options.cert),
    key: textOf(options.key),
    servername: textOf(options.servername),
    trustsAnybody: options.rejectUnauthorized === false,
  };
}

const PEM = (what: string): string => `-----BEGIN ${what}-----\nAAAA\n-----END ${what}-----\n`;
const base64 = (text: string): string => Buffer.from(text).toString("base64");
for (const name of ["ca", "cert", "key"]) writeFileSync(join(folder, `${name}.pem`), PEM(name));
writeFileSync(join(folder, "token"), "from-file");

const DATA = `client-certificate-data: ${base64(PEM("CERT"))}, client-key-data: ${base64(PEM("KEY"))}`;
const config = (cluster: string, user: string, context = ""): string => `
apiVersion: v1
kind: Config
current-context: x
clusters: [{name: c, cluster: {server: "https://api.example.org:6443", ${cluster}}}]
users: [{name: u, user: {${user}}}]
contexts: [{name: x, context: {cluster: c, user: u, ${context}}}]
`;
const plugin = (version: string, status: string, more = ""): string => {
  const answer = `{"apiVersion":"client.authentication.k8s.io/${version}","kind":"ExecCredential","status":${status}}`;
  const script = join(folder, `plugin-${version}-${status.length}`);
  writeFileSync(script, `#!/bin/sh\ncat <<END\n${answer}\nEND\n`, { mode: 0o755 });
  return `exec: {apiVersion: client.authentication.k8s.io/${version}, command: "${script}", args: [get],
    env: [{name: GIVEN, value: "from-env"}], interactiveMode: Never, ${more}}`;
};
const CA_DATA = `certificate-authority-data: ${base64(PEM("CA"))}`;
const certificate = JSON.stringify({
  clientCertificateData: "CERT-BY-PLUGIN",
  clientKeyData: "KEY-BY-PLUGIN",
});

test.each<readonly [string, ...string[]]>([
  ["a token and a CA as data", config(CA_DATA, "token: t0ken", "namespace: team")],
  ["certificates as data", config(CA_DATA, DATA)],
  [
    "certificates as files beside the kubeconfig",
    config("certificate-authority: ca.pem", "client-certificate: cert.pem, client-key: ./key.pem"),
  ],
  ["a user with a password", config(CA_DATA, "username: me, password: 'p:w'")],
  ["a name to expect", config(`${CA_DATA}, tls-server-name: other.example.org`, "token: t")],
  ["no check of the server", config("insecure-skip-tls-verify: true", "token: t")],
  ["an http proxy", config(`${CA_DATA}, proxy-url: "http://proxy.example.org:3128"`, "token: t")],
  ["an https proxy", config(`${CA_DATA}, proxy-url: "https://proxy.example.org"`, "token: t")],
  ["a plugin, v1", config(CA_DATA, plugin("v1", '{"token":"v1-$GIVEN"}'))],
  ["a plugin, v1beta1", config(CA_DATA, plugin("v1beta1", '{"token":"v1beta1-$GIVEN"}'))],
  [
    "a plugin that is told about the cluster",
    config(CA_DATA, plugin("v1", '{"token":"told-$GIVEN"}', "provideClusterInfo: true")),
  ],
  ["a plugin that gives a certificate", config(CA_DATA, plugin("v1", certificate))],
  ["nobody", config(CA_DATA, "")],
  [
    "parts in several files",
    "current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]",
    `clusters: [{name: c, cluster: {server: "https://b.example.org", ${CA_DATA}}}]`,
    "users: [{name: u, user: {token: third}}]",
  ],
])("%s", async (_name, ...texts) => {
  const { own, other } = await seenByBoth(texts);
  expect(own).toEqual(other);
});

/**
 * Where client-node departs from client-go, we do as client-go (tools/clientcmd/api/v1/types.go).
 */
test.each<readonly [string, string, Partial<Sight>, Partial<Sight>]>([
  [
    "data overrides a file",
    config(`${CA_DATA}, certificate-authority: ca.pem`, "token: t"),
    { ca: PEM("CA") },
    { ca: PEM("ca") },
  ],
  [
    "a token file is named by tokenFile",
    config(CA_DATA, `tokenFile: "${join(folder, "token")}"`),
    { authorization: "Bearer from-file" },
    { authorization: null },
  ],
])("%s", async (_name, text, wanted, departing) => {
  const { own, other } = await seenByBoth([text]);
  expect(own).toMatchObject(wanted);
  expect(other).toMatchObject(departing);
});

async function seenByBoth(texts: readonly string[]): Promise<{ own: Sight; other: Sight }> {
  const paths = texts.map((text, index) => {
    const path = join(folder, `config${index}`);
    writeFileSync(path, text);
    return path;
  });
  process.env["KUBECONFIG"] = paths.join(delimiter);
  const them = new KubeConfig();
  them.loadFromDefault();
  const sources = { environment: process.env, home: folder, credentials };
  const own = await seenByUs(await resolveAccess(null, sources));
  return { own, other: await seenByThem(them) };
}

test("in a pod", async () => {
  const account = join(folder, SERVICE_ACCOUNT_FOLDER);
  mkdirSync(account, { recursive: true });
  writeFileSync(join(account, "token"), "of-the-pod");
  writeFileSync(join(account, "ca.crt"), PEM("CA"));
  writeFileSync(join(account, "namespace"), "team");
  process.env["KUBERNETES_SERVICE_HOST"] = "2001:db8::1";
  process.env["KUBERNETES_SERVICE_PORT"] = "6443";
  const other = new KubeConfig();
  other.loadFromCluster(folder);
  const ports = { ...credentials, readFile: (path: string) => readFile(folder + path, "utf8") };
  const access = await inClusterAccess(process.env, ports);
  if (!access.ok) throw new Error(access.error);
  const own = await seenByUs(access.value, ports);
  expect(own).toEqual(await seenByThem(other));
});
