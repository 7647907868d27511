/**
 * `kubectl zonekeeper` on a real kube-apiserver with Pods that have networks of their own: kubectl
 * finds the plugin on the PATH, the API server dials the Pods, and a person has the Role of
 * docs/guides/kubectl-plugin.md and no more.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiServer } from "../support/api-servers/api-server.ts";
import { startKubeApiServer } from "../support/api-servers/kube-apiserver.ts";
import { Kubectl, kubectlPath } from "../support/clients/kubectl.ts";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder, type TempFolder } from "../support/ports/temp-folder.ts";
import type { Child } from "../support/programs/child.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { PodSandbox } from "../support/programs/pod-sandbox.ts";
import { type RunResult, run } from "../support/programs/run.ts";
import { describeReal } from "../support/real-servers/availability.ts";

const PORT = 8443;
const TOKEN = "0123456789abcdef0123456789abcdef";
const NAMES = ["zonekeeper-0", "zonekeeper-1"] as const;

/** As the guide has it, in its first block of YAML. */
function guideRole(): string {
  const page = readFileSync("docs/guides/kubectl-plugin.md", "utf8");
  const [, role = ""] = /```yaml\n(.*?)```/s.exec(page) ?? [];
  return role;
}

const binding = JSON.stringify({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "RoleBinding",
  metadata: { name: "zonekeeper-people", namespace: "dns" },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "zonekeeper-people" },
  subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "controller" }],
});

const podText = (name: string): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: "dns",
      labels: { "app.kubernetes.io/name": "zonekeeper", "app.kubernetes.io/instance": "zk" },
    },
    spec: {
      containers: [
        {
          name: "zonekeeper",
          image: "zonekeeper",
          ports: [{ name: "api", containerPort: PORT }],
          volumeMounts: [{ name: "api", mountPath: "/var/run/zonekeeper/api", readOnly: true }],
        },
      ],
      volumes: [{ name: "api", secret: { secretName: "zk-api", optional: true } }],
    },
  });

/** The tests are one session in order. */
describeReal("kubectl zonekeeper", ["kubectl-1.32", "kube-apiserver", "iproute2"], () => {
  let api: ApiServer;
  let admin: Kubectl;
  let folder: TempFolder;
  const sandboxes: PodSandbox[] = [];
  const children = new Map<string, Child>();

  const path = (name: string): string => join(folder.path, name);

  /** What a kubelet does with the Secret. */
  function mount(token: string): void {
    writeFileSync(path("token"), token);
  }

  async function secret(token: string): Promise<void> {
    await admin.ok(["-n", "dns", "delete", "secret", "zk-api", "--ignore-not-found"]);
    const literal = `--from-literal=token=${token}`;
    await admin.ok(["-n", "dns", "create", "secret", "generic", "zk-api", literal]);
  }

  async function startPod(name: string, index: number): Promise<void> {
    const sandbox = PodSandbox.create(name, index);
    sandboxes.push(sandbox);
    const relayed = await sandbox.relay(Number(new URL(api.url).port));
    const kubeconfig = JSON.parse(readFileSync(api.kubeconfig, "utf8"));
    kubeconfig.clusters[0].cluster.server = `https://${sandbox.host}:${relayed}`;
    kubeconfig.clusters[0].cluster["tls-server-name"] = "127.0.0.1";
    writeFileSync(path(`${name}.kubeconfig`), JSON.stringify(kubeconfig));
    const flags = ["--owner=group-one", "--http-address=0.0.0.0", `--api-port=${PORT}`];
    const lease = ["--lease-duration=6s", "--lease-renew-deadline=4s", "--lease-retry-period=1s"];
    const files = [
      `--api-token-file=${path("token")}`,
      `--kubeconfig=${path(`${name}.kubeconfig`)}`,
    ];
    const line = [process.execPath, PROGRAM, "run", ...flags, ...lease, ...files];
    children.set(name, await sandbox.start(line, path(`${name}.log`)));
    await admin.ok(["create", "-f", "-"], podText(name));
    const status = {
      phase: "Running",
      podIP: sandbox.address,
      podIPs: [{ ip: sandbox.address }],
      conditions: [{ type: "Ready", status: "True" }],
    };
    const patch = ["--subresource=status", "--type=merge", "-p", JSON.stringify({ status })];
    await admin.ok(["-n", "dns", "patch", "pod", name, ...patch]);
  }

  /** `kubectl zonekeeper …` of a person who has the Role of the guide. */
  function plugin(...args: readonly string[]): Promise<RunResult> {
    const programs = [path("bin"), process.env["PATH"] ?? ""].join(delimiter);
    return run(kubectlPath("1.32"), ["zonekeeper", ...args], {
      env: { KUBECONFIG: api.kubeconfigOf("controller"), HOME: folder.path, PATH: programs },
      cwd: folder.path,
    });
  }

  async function becomes(args: readonly string[], wanted: RegExp): Promise<void> {
    const isWanted = ({ stdout, stderr }: RunResult): boolean => wanted.test(`${stdout}${stderr}`);
    await eventually(`${args.join(" ")}: ${wanted}`, () => plugin(...args), isWanted);
  }

  beforeAll(async () => {
    folder = makeTempFolder("kubectl-plugin");
    mkdirSync(path("bin"));
    symlinkSync(resolve(PROGRAM), path("bin/kubectl-zonekeeper"));
    api = await startKubeApiServer();
    admin = new Kubectl("1.32", api.kubeconfig);
    await admin.ok(["create", "namespace", "dns"]);
    for (const [index, name] of NAMES.entries()) await startPod(name, index);
  });
  afterAll(async () => {
    await Promise.all([...children.values()].map((child) => child.stop()));
    for (const sandbox of sandboxes) sandbox.remove();
    await admin?.close();
    await api?.close();
    folder?.remove();
  });

  test("says what a person lacks: Pods, the Secret, the proxy", async () => {
    const first = await plugin("plan");
    expect(first.stderr).toMatch(/cannot list resource "pods".*-n, or get the right to list pods/);
    await admin.ok(["apply", "-f", "-"], guideRole());
    await admin.ok(["apply", "-f", "-"], binding);
    const command =
      /Secret dns\/zk-api, which the Pod mounts, does not exist: kubectl -n dns create/;
    await becomes(["plan", "-n", "dns"], command);
    await secret(TOKEN);
    expect((await plugin("plan", "-n", "dns")).stderr).toMatch(/no API: the token file/);
  });

  test("asks the Pod that leads, whichever is asked first, and takes orders to it", async () => {
    mount(TOKEN);
    await becomes(["explain", "www.example.org", "-n", "dns"], /www\.example\.org/);
    const paused = await plugin("pause", "--all", "-n", "dns");
    expect([paused.code, paused.stderr]).toEqual([0, ""]);
    expect(paused.stdout).toContain("all zones are paused");
    expect((await plugin("plan", "-n", "dns")).stderr).toBe("");
    expect((await plugin("resume", "--all", "-n", "dns")).code).toBe(0);
    const json = await plugin("explain", "*.example.org", "-n", "dns", "-o", "json");
    expect(JSON.parse(json.stdout)).toMatchObject({ name: "*.example.org" });
  });

  test("a token that was changed is said to be on its way, and works once the Pods have it", async () => {
    await secret(TOKEN.toUpperCase());
    const late = await plugin("plan", "-n", "dns");
    expect(late.stderr).toMatch(/does not take the token of the Secret dns\/zk-api.*kubelet/);
    mount(TOKEN.toUpperCase());
    expect((await plugin("plan", "-n", "dns")).stderr).toBe("");
  });

  test("whoever may only get the proxy may look and give no order", async () => {
    await admin.ok(["apply", "-f", "-"], guideRole().replace("[get, create]", "[get]"));
    await becomes(["pause", "--all", "-n", "dns"], /the right to create pods\/proxy/);
    expect((await plugin("plan", "-n", "dns")).stderr).toBe("");
    await admin.ok(["apply", "-f", "-"], guideRole());
  });

  test("when the Pod that leads is gone the other one is found", async () => {
    const holder = await admin.ok([
      "get",
      "lease",
      "zonekeeper",
      "-o",
      "jsonpath={.spec.holderIdentity}",
    ]);
    const leader = NAMES.find((name) => holder.startsWith(`${name}_`));
    expect(leader).toBeDefined();
    await becomes(["pause", "--all", "-n", "dns"], /all zones are paused/);
    await children.get(leader ?? "")?.kill9();
    // The pause is in a ConfigMap beside the Lease.
    await becomes(["resume", "--all", "-n", "dns"], /^nothing is paused/);
  });
});
