import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createProxy } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HttpRequest } from "@zonekeeper/base/ports/http";
import { emptyAccess } from "@zonekeeper/kube/client/access/cluster-access";
import type { CredentialPorts } from "@zonekeeper/kube/client/access/credentials";
import { afterAll, expect, test } from "vitest";
import { makeLog } from "../../ports/pino-log.ts";
import { RealClock } from "../../ports/real-clock.ts";
import { realCredentialPorts } from "../../ports/real-credentials.ts";
import { startHttpServer } from "../../ports/real-http-server.ts";
import { loadCertificates } from "../process/certificates.ts";
import { ClusterHttpClient } from "./cluster-client.ts";
import { resolveAccess } from "./resolve-access.ts";

const root = mkdtempSync(join(tmpdir(), "zonekeeper-access-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const config = (server: string): string => `
clusters: [{name: c, cluster: {server: "${server}"}}]
contexts: [{name: x, context: {cluster: c}}]
current-context: x
`;

/** Credentials over files that are a plain object. */
function files(content: Readonly<Record<string, string>>): CredentialPorts {
  return {
    clock: new RealClock(),
    exec: () => Promise.reject(new Error("no plugins here")),
    readFile: async (path) => {
      const text = content[path];
      if (text === undefined) throw Object.assign(new Error(`no ${path}`), { code: "ENOENT" });
      return text;
    },
  };
}
const ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
const POD = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
const EVERYWHERE = {
  "/given": config("https://given"),
  "/listed": config("https://listed"),
  "/home/me/.kube/config": config("https://home"),
  [`${ACCOUNT}/namespace`]: "system",
  [`${ACCOUNT}/token`]: "t",
};

const PRECEDENCE: readonly (readonly [string | null, Record<string, string>, string])[] = [
  ["/given", { ...POD, KUBECONFIG: "/listed" }, "https://given"],
  [null, { ...POD, KUBECONFIG: "/not-there:/listed" }, "https://listed"],
  [null, POD, "https://10.0.0.1:443"],
  [null, {}, "https://home"],
];
test.each(PRECEDENCE)("--kubeconfig %s with %j leads to %s", async (path, environment, server) => {
  const from = { environment, home: "/home/me", credentials: files(EVERYWHERE) };
  expect((await resolveAccess(path, from)).server).toBe(server);
});

test("the proxy of the environment is used unless the kubeconfig names one", async () => {
  const own = config("https://c").replace("server:", "proxy-url: http://own:1, server:");
  const credentials = files({ ...EVERYWHERE, "/own": own });
  const from = { environment: { HTTPS_PROXY: "http://env:2" }, home: "/", credentials };
  expect((await resolveAccess("/given", from)).proxyUrl).toBe("http://env:2");
  expect((await resolveAccess("/own", from)).proxyUrl).toBe("http://own:1");
});

test.each([
  ["token: t", "http://c", false],
  ["tokenFile: /t", "http://127.example.org:1", false],
  ["username: u, password: p", "http://192.0.2.1", false],
  ["token: t", "https://c", true],
  ["token: t", "http://127.0.0.1:8001", true],
  ["token: t", "http://[::1]:8001", true],
  ["username: u", "http://c", true],
])("a user with %s at %s is accepted: %s", async (user, server, isAccepted) => {
  const users = `users: [{name: u, user: {${user}}}]`;
  const text = `${config(server).replace("cluster: c}", "cluster: c, user: u}")}${users}\n`;
  const from = { environment: {}, home: "/", credentials: files({ "/plain": text }) };
  const resolved = resolveAccess("/plain", from);
  if (isAccepted) expect((await resolved).server).toBe(server);
  else
    await expect(resolved).rejects.toMatchObject({
      code: "NoClusterAccess",
      message: expect.stringContaining(`not sent to ${server} without TLS; give an https://`),
    });
});

test("a missing configuration, and a file that cannot be read, are reported with what to do", async () => {
  const from = { environment: {}, home: "/home/me", credentials: files({}) };
  await expect(resolveAccess(null, from)).rejects.toThrow(
    "no kubeconfig at /home/me/.kube/config, and this is no pod; give one with --kubeconfig",
  );
  await expect(resolveAccess("/given", from)).rejects.toMatchObject({
    code: "NoClusterAccess",
    message: expect.stringContaining("/given cannot be read"),
  });
});

const log = makeLog({ level: "error", format: "json", sink: { write() {} } });
const get = (path: string): HttpRequest => ({
  method: "GET",
  path,
  headers: {},
  body: null,
  signal: AbortSignal.timeout(5000),
});

/** An API server that answers 401 to any token but `wanted()`. */
async function apiServer(wanted: () => string) {
  const folder = mkdtempSync(join(root, "tls-"));
  const tls = await loadCertificates(
    {
      caCertificate: join(folder, "ca.crt"),
      caKey: join(folder, "ca.key"),
      serverCertificate: join(folder, "server.crt"),
      serverKey: join(folder, "server.key"),
    },
    ["127.0.0.1"],
    new RealClock(),
  );
  const server = await startHttpServer({
    handler: async (request) => ({
      status: request.headers["authorization"] === `Bearer ${wanted()}` ? 200 : 401,
      headers: {},
      body: (async function* () {})(),
    }),
    at: { host: "127.0.0.1", port: 0 },
    tls: { cert: tls.certificate, key: tls.key },
    log,
  });
  const access = {
    ...emptyAccess("test", `https://127.0.0.1:${server.local.port}`),
    caData: tls.caCertificate,
  };
  return { server, access };
}

test("a token file that was renewed is read again after a 401", async () => {
  let wanted = "first";
  const { server, access } = await apiServer(() => wanted);
  const tokenFile = join(root, "token");
  writeFileSync(tokenFile, "first\n");
  const client = new ClusterHttpClient(
    { ...access, tokenFile },
    realCredentialPorts(new RealClock()),
  );
  expect((await client.request(get("/"))).status).toBe(200);
  wanted = "second";
  writeFileSync(tokenFile, "second\n");
  expect((await client.request(get("/"))).status).toBe(401);
  expect((await client.request(get("/"))).status).toBe(200);
  client.close();
  await server.close(0);
});

test("a plugin gives the token; one that fails is a NoCredential without its output", async () => {
  const { server, access } = await apiServer(() => "from-plugin");
  const plugin = (script: string): ClusterHttpClient =>
    new ClusterHttpClient(
      {
        ...access,
        exec: {
          apiVersion: "client.authentication.k8s.io/v1",
          command: "sh",
          args: ["-c", script],
          env: { TOKEN: "from-plugin" },
          installHint: "",
          provideClusterInfo: false,
        },
      },
      realCredentialPorts(new RealClock()),
    );
  const good = plugin(
    `echo "{\\"apiVersion\\":\\"client.authentication.k8s.io/v1\\",\\"kind\\":\\"ExecCredential\\",\\"status\\":{\\"token\\":\\"$TOKEN\\"}}"`,
  );
  expect((await good.request(get("/"))).status).toBe(200);
  const bad = plugin("echo s3cret; exit 3");
  await expect(bad.request(get("/"))).rejects.toMatchObject({
    code: "NoCredential",
    message: expect.not.stringContaining("s3cret"),
  });
  good.close();
  bad.close();
  await server.close(0);
});

test("TLS goes through a proxy to the server that the kubeconfig names", async () => {
  const { server, access } = await apiServer(() => "t");
  let tunnels = 0;
  const proxy = createProxy();
  proxy.on("connect", (request, socket) => {
    tunnels++;
    const onward = connect(Number(request.url?.split(":")[1]), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    socket.on("error", () => onward.destroy());
    onward.on("error", () => socket.destroy());
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  const bound = proxy.address();
  const { port }: Pick<AddressInfo, "port"> =
    typeof bound === "object" && bound ? bound : { port: 0 };
  const client = new ClusterHttpClient(
    { ...access, token: "t", proxyUrl: `http://127.0.0.1:${port}` },
    realCredentialPorts(new RealClock()),
  );
  for (let round = 0; round < 3; round++) {
    const response = await client.request(get("/"));
    for await (const _chunk of response.body);
    expect(response.status).toBe(200);
  }
  expect(tunnels).toBe(1);
  client.close();
  proxy.close();
  await server.close(0);
});
