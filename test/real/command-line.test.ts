import { type ChildProcess, spawn } from "node:child_process";
import { Resolver } from "node:dns/promises";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFields } from "@zonekeeper/kube/objects/object-fields";
import { afterAll, afterEach, expect, test } from "vitest";
import { parse } from "yaml";
import { RealHttpClient } from "../../src/app/ports/real-http-client.ts";
import { VERSION } from "../../src/app/ports/version.ts";
import { PATIENCE_MS } from "../support/ports/eventually.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";

const root = mkdtempSync(join(tmpdir(), "zonekeeper-cli-"));
const children: ChildProcess[] = [];
let folders = 0;
const fresh = (): string => join(root, String(folders++));

afterEach(async () => {
  for (const child of children.splice(0)) await end(child, "SIGKILL");
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}
function launch(args: readonly string[]): ChildProcess {
  const environment = { PATH: process.env["PATH"], HOME: root };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: environment, cwd: root });
  children.push(child);
  return child;
}
async function cli(...args: readonly string[]): Promise<Finished> {
  const child = launch(args);
  let out = "";
  let err = "";
  child.stdout?.on("data", (data) => {
    out += String(data);
  });
  child.stderr?.on("data", (data) => {
    err += String(data);
  });
  const code = await new Promise<number | null>((done) => child.once("close", done));
  return { code, out, err };
}
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  child.kill(signal);
  return ended;
}
interface Ready {
  readonly kubeconfig: string;
  readonly dns: string;
  readonly http: string;
  readonly data: string;
}
async function startDev(
  ...args: readonly string[]
): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = launch(["dev", "--no-examples", ...args]);
  let out = "";
  let err = "";
  child.stderr?.on("data", (data) => {
    err += String(data);
  });
  const ready = await new Promise<Ready>((done, failed) => {
    child.once("exit", () => failed(new Error(`dev ended: ${err}`)));
    child.stdout?.on("data", (data) => {
      out += String(data);
      const line = /^ready (\{.*\})$/m.exec(out);
      if (line?.[1] !== undefined) done(JSON.parse(line[1]));
    });
  });
  return { child, ready };
}

test("version and help", async () => {
  expect((await cli("version")).out).toBe(`zonekeeper ${VERSION} (node ${process.version})\n`);
  expect(JSON.parse(readFileSync("package.json", "utf8")).version).toBe(VERSION);
  const help = await cli("run", "--help");
  expect(help.code).toBe(0);
  for (const part of ["--owner <text>", "ZONEKEEPER_OWNER", "Required.", "Examples:", "--dry-run"])
    expect(help.out).toContain(part);
  expect(help.out).not.toContain("--txt-owner-id <");
  expect((await cli("--version")).out).toBe((await cli("version")).out);
  expect((await cli("run", "--help=all")).out).toContain("--lease-name");
  expect((await cli("completion", "bash")).out).toContain("zonekeeper __complete");
  expect((await cli("__complete", "--", "run", "--polic")).out).toBe("--policy\n");
});

test("kubectl runs it as a plugin, by the name of its file", async () => {
  const plugin = join(root, "kubectl-zonekeeper");
  symlinkSync(PROGRAM, plugin);
  const child = spawn(process.execPath, [plugin, "plan", "--help"], { cwd: root });
  let out = "";
  child.stdout.on("data", (data) => {
    out += String(data);
  });
  await new Promise((done) => child.once("close", done));
  expect(out).toMatch(/^Usage: kubectl zonekeeper plan /);
});

test("trouble on the command line is told on stderr with exit code 1", async () => {
  const typo = await cli("run", "--ownr", "me");
  expect([typo.code, typo.out]).toEqual([1, ""]);
  expect(typo.err).toContain("Did you mean --owner?");
  expect((await cli("nonsense")).code).toBe(1);
  const missing = await cli("run");
  expect(missing.code).toBe(1);
  expect(missing.err).toMatch(/^zonekeeper: --owner: run needs it/);
  const twice = await cli("run", "--owner", "a", "--owner", "b");
  expect(twice.err).toContain("--owner is given more than once");
  const file = await cli("dev", "--config", join(root, "none.yaml"));
  expect(file.err).toContain("--config: the file cannot be read");
});

test("plan without an instance says what to do", async () => {
  const none = await cli("plan", "--data", fresh());
  expect(none.code).toBe(1);
  expect(none.err).toContain("no instance is running");
  const wrong = await cli("explain", "www.example.org", "--server", "nonsense", "--data", fresh());
  expect(wrong.code).toBe(1);
});

test("dev becomes ready, answers its commands, refuses a second instance and stops on SIGTERM", async () => {
  const data = fresh();
  const { child, ready } = await startDev("--data", data);
  expect(ready).toEqual({
    kubeconfig: join(data, "kubeconfig"),
    dns: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    http: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    data,
  });
  expect((await fetch(`${ready.http}/healthz`)).status).toBe(200);
  // Objects may still be read for the first time.
  await eventually(async () => (await fetch(`${ready.http}/readyz`)).status, 200);
  expect(await (await fetch(`${ready.http}/metrics`)).text()).toContain("process_resident_memory");
  expect((await fetch(`${ready.http}/api/v1/plan`)).status).toBe(401);
  expect((await cli("plan", "--data", data)).code).toBe(0);
  const explained = await cli("explain", "www.example.org", "--data", data, "--output", "json");
  expect(JSON.parse(explained.out).name).toBe("www.example.org");
  const bad = await cli("explain", "a..b", "--data", data);
  expect([bad.code, bad.out]).toEqual([1, ""]);
  const second = await cli("dev", "--data", data);
  expect(second.code).toBe(1);
  expect(second.err).toContain(`is used by process ${child.pid}`);
  expect(await end(child, "SIGTERM")).toBe(0);
  expect((await cli("plan", "--data", data)).err).toContain("no instance is running");
});

test("after kill -9 everything is where it was", async () => {
  const data = fresh();
  const first = await startDev("--data", data);
  const kept = readFileSync(join(data, "kubeconfig"), "utf8");
  const identity = readFileSync(join(data, "identity.json"), "utf8");
  await end(first.child, "SIGKILL");
  expect((await cli("plan", "--data", data)).err).toContain("does not answer");
  const second = await startDev("--data", data);
  expect(second.ready).toEqual(first.ready);
  expect(readFileSync(join(data, "kubeconfig"), "utf8")).toBe(kept);
  expect(readFileSync(join(data, "identity.json"), "utf8")).toBe(identity);
});

test("dev reports a port in use, a data folder that is a file and a broken store, and ends", async () => {
  const taken = createServer();
  await new Promise<void>((done) => taken.listen(0, "127.0.0.1", done));
  const bound = taken.address();
  const port = String(typeof bound === "object" ? bound?.port : 0);
  for (const part of ["dns", "api", "http"]) {
    const dev = await cli("dev", "--data", fresh(), `--${part}-port`, port);
    expect(dev.code).toBe(1);
    expect(dev.err).toMatch(
      new RegExp(`127.0.0.1:${port}: the port is in use by another program. .*--${part}-port`),
    );
    expect(dev.out).toBe("");
  }
  taken.close();
  const file = fresh();
  writeFileSync(file, "");
  expect((await cli("dev", "--data", file)).err).toContain("that path is a file");
  const broken = fresh();
  const { child } = await startDev("--data", broken);
  await end(child, "SIGTERM");
  writeFileSync(join(broken, "store.mdb"), "nonsense".repeat(10_000));
  const after = await cli("dev", "--data", broken);
  expect(after.code).toBe(1);
  expect(after.err).toContain("store.mdb cannot be opened");
});

/** A client with the rights of the kubeconfig, and the name server that dev said. */
function worldOf(ready: Ready) {
  const config = parse(readFileSync(ready.kubeconfig, "utf8"));
  const { server, "certificate-authority-data": ca } = config.clusters[0].cluster;
  const client = new RealHttpClient({
    origin: server,
    tls: { ca: Buffer.from(ca, "base64").toString() },
    authorization: async () => `Bearer ${config.users[0].user.token}`,
  });
  const resolver = new Resolver();
  resolver.setServers([ready.dns]);
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await client.request({
      method,
      path,
      headers: {
        "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
      },
      body: body === undefined ? null : new TextEncoder().encode(JSON.stringify(body)),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    let text = "";
    for await (const chunk of response.body) text += new TextDecoder().decode(chunk);
    if (response.status >= 400) throw new Error(text);
    return JSON.parse(text);
  };
  const address = async (name: string): Promise<string> =>
    (await resolver.resolve4(name).catch(() => [])).join();
  return { call, address, close: () => client.close() };
}
async function eventually<T>(poll: () => Promise<T>, wanted: T): Promise<void> {
  const untilMs = Date.now() + 20_000;
  let seen = await poll();
  while (seen !== wanted && Date.now() < untilMs) {
    await new Promise((done) => setTimeout(done, 50));
    seen = await poll();
  }
  expect(seen).toBe(wanted);
}

const GARDENER = "/apis/dns.gardener.cloud/v1alpha1/namespaces/default";
const entry = (name: string, target: string) => ({
  apiVersion: "dns.gardener.cloud/v1alpha1",
  kind: "DNSEntry",
  metadata: { name, annotations: { "dns.gardener.cloud/class": "second" } },
  spec: { dnsName: `${name}.example.org`, targets: [target] },
});

test("two replicas of run share a Lease; when the first is killed the second goes on", async () => {
  const { ready } = await startDev("--data", fresh());
  const { call, address, close } = worldOf(ready);
  const secret = await call("GET", "/api/v1/namespaces/default/secrets/embedded");
  const second = { name: "second", annotations: { "dns.gardener.cloud/class": "second" } };
  await call("POST", "/api/v1/namespaces/default/secrets", {
    metadata: second,
    data: isFields(secret) ? secret["data"] : {},
  });
  await call("POST", `${GARDENER}/dnsproviders`, {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSProvider",
    metadata: second,
    spec: { type: "rfc2136", secretRef: { name: "second" } },
  });
  const times = ["--lease-duration", "3s", "--lease-renew-deadline", "2s"];
  const run = (): ChildProcess =>
    launch([
      ...["run", "--owner", "second", "--dns-class", "second", "--http-port", "0"],
      ...["--kubeconfig", ready.kubeconfig, ...times, "--lease-retry-period", "300ms"],
    ]);
  const first = run();
  await call("POST", `${GARDENER}/dnsentries`, entry("one", "192.0.2.11"));
  await eventually(() => address("one.example.org"), "192.0.2.11");
  const holder = async (): Promise<string> => {
    const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases/zonekeeper";
    return JSON.stringify(await call("GET", path)).replace(/.*"holderIdentity":"([^"]*)".*/, "$1");
  };
  const before = await holder();
  run();
  await end(first, "SIGKILL");
  await call("POST", `${GARDENER}/dnsentries`, entry("two", "192.0.2.12"));
  await eventually(() => address("two.example.org"), "192.0.2.12");
  expect(await holder()).not.toBe(before);
  expect(await address("one.example.org")).toBe("192.0.2.11");
  close();
});

test("a kubeconfig that leads nowhere ends run, a cluster that is down does not", async () => {
  const owner = ["run", "--owner", "a", "--http-port", "0"];
  const none = await cli(...owner, "--kubeconfig", join(root, "none"));
  expect([none.code, none.err]).toEqual([1, expect.stringContaining("cannot be read")]);
  const userFolder = await cli(...owner);
  expect(userFolder.err).toContain("give one with --kubeconfig");
  const file = fresh();
  writeFileSync(file, "clusters: 1\n");
  const broken = await cli(...owner, "--kubeconfig", file);
  expect([broken.code, broken.err]).toEqual([1, expect.stringContaining(file)]);
  const down = fresh();
  const data = fresh();
  writeFileSync(
    down,
    `clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
contexts: [{name: x, context: {cluster: c}}]
current-context: x
`,
  );
  const child = launch([...owner, "--kubeconfig", down, "--data", data]);
  const readyz = async (): Promise<string> => {
    try {
      const { http } = JSON.parse(readFileSync(join(data, "ready.json"), "utf8"));
      return (await (await fetch(`${http}/readyz`)).text()).replace(/\n.*/s, "");
    } catch {
      return "";
    }
  };
  await eventually(
    async () => (await readyz()).startsWith("[-] clusters: --kubeconfig (context"),
    true,
  );
  expect(await readyz()).toContain("127.0.0.1:1");
  expect(await end(child, "SIGTERM")).toBe(0);
});
