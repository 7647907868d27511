import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "@zonekeeper/base/operation-error";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakePod, FakePodsProxy } from "../../../../../test/support/fakes/pods-proxy.ts";
import { makeTempFolder, type TempFolder } from "../../../../../test/support/ports/temp-folder.ts";
import { MemoryLog } from "../../../../../test/support/ports/test-ports.ts";
import { instanceOf } from "../../../../../test/support/programs/idle-instance.ts";
import type { ClientConfig, ClusterDoorConfig } from "../../../../config/client-options.ts";
import type { Hold } from "../../../../plan/changes.ts";
import type { ZoneStatus } from "../../../../sync/contract/zone-status.ts";
import { type HttpApp, startHttpApp } from "../../../api/http-app.ts";
import { TokenFile } from "../../../api/token-file.ts";
import type { Instance, Work } from "../../../compose/instance.ts";
import { makePair } from "../../run/start-run-http.ts";
import { askApproval, askExplain, askPlan } from "../ask-instance.ts";

const TOKEN = "0123456789abcdef0123";
const NAME = "app.kubernetes.io/name";
const INSTANCE = "app.kubernetes.io/instance";

let cluster: FakePodsProxy;
let folder: TempFolder;
let apps: HttpApp[] = [];
beforeEach(async () => {
  cluster = await FakePodsProxy.open();
  folder = makeTempFolder("cluster-door");
  writeFileSync(join(folder.path, "kubeconfig"), cluster.kubeconfig());
});
afterEach(async () => {
  await Promise.all(apps.map((app) => app.close()));
  apps = [];
  await cluster.close();
  folder.remove();
});

interface PodInput {
  readonly namespace?: string;
  readonly name?: string;
  readonly installation?: string;
  readonly secret?: string | null;
  readonly isReady?: boolean;
  readonly port?: number;
}

/** A Pod as the chart makes it. */
function podObject(input: PodInput): FakePod["object"] {
  const { namespace = "dns", name = "zk-a", installation = "zk", isReady = true } = input;
  const { secret = "zk-api" } = input;
  const folderOfToken = "/var/run/zonekeeper/api";
  return {
    metadata: { namespace, name, labels: { [NAME]: "zonekeeper", [INSTANCE]: installation } },
    spec: {
      containers: [
        { name: "other", ports: [{ name: "http", containerPort: 8080 }] },
        {
          name: "zonekeeper",
          args: ["run", "--api-port=8443", `--api-token-file=${folderOfToken}/token`],
          ports: [{ name: "api", containerPort: 8443 }],
          volumeMounts: [{ name: "tmp", mountPath: "/tmp" }].concat(
            secret === null ? [] : [{ name: "api", mountPath: `${folderOfToken}/` }],
          ),
        },
      ],
      volumes: [
        { name: "tmp", emptyDir: {} },
        { name: "api", secret: { secretName: secret, optional: true } },
      ],
    },
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: isReady ? "True" : "False" }],
    },
  } as FakePod["object"];
}

/** The token as it is in the Pods. */
const mounted = () => join(folder.path, "token");

/** A Pod with a real API behind it, unless a port is named. */
async function pod(input: PodInput = {}, instance: Partial<Instance & Work> = {}): Promise<void> {
  const file = new TokenFile(mounted(), new MemoryLog());
  let { port } = input;
  if (port === undefined) {
    const app = await startHttpApp({
      at: { host: "127.0.0.1", port: 0 },
      token: () => file.read(),
      tls: await makePair(Date.now()),
      isApiOnly: true,
      instance: instanceOf(instance),
    });
    apps.push(app);
    port = app.local.port;
  }
  cluster.pods.push({ object: podObject(input), port });
}

function token(inSecret: string | null, inPods: string | null = inSecret): void {
  if (inSecret === null) cluster.secrets.delete("dns/zk-api");
  else cluster.secrets.set("dns/zk-api", { token: inSecret });
  if (inPods === null) rmSync(mounted(), { force: true });
  else writeFileSync(mounted(), inPods);
}

const config = (more: Partial<ClusterDoorConfig> = {}): ClientConfig => ({
  data: null,
  server: null,
  apiTokenFile: null,
  output: "json",
  cluster: {
    kubeconfig: join(folder.path, "kubeconfig"),
    context: null,
    namespace: null,
    selector: `${NAME}=zonekeeper`,
    ...more,
  },
});

const explain = async (more: Partial<ClusterDoorConfig> = {}): Promise<string> => {
  const answer = await askExplain(config(more), "www.example.org").catch(messageOf);
  return typeof answer === "string" ? answer : answer.text;
};
const EXPLAINED = /"name":"www.example.org"/;

const standby = (leader: string): Partial<Instance & Work> => ({
  standbyReply: () => "this instance does not lead",
  leader: () => leader,
});

test("with nothing but a kubeconfig the one installation of a cluster is found and asked", async () => {
  await pod();
  token(TOKEN);
  expect(await explain()).toMatch(EXPLAINED);
  expect(await explain({ namespace: "dns" })).toMatch(EXPLAINED);
  expect(await explain({ context: "nowhere" })).toMatch(/context "nowhere".*pods/);
  expect(await explain({ context: "neither" })).toContain("here, nowhere");
});

test("commands in answers are as they are typed there, those of a plan, too", async () => {
  const name = trustedDnsName("example.org");
  const key = { name, type: "A", setIdentifier: null };
  const message = "zonekeeper approve 4f0c";
  const hold: Hold = { key, code: "FuseTripped", message, provenance: null };
  const held: ZoneStatus = {
    key: { account: "a", zone: "example.org" },
    zone: { id: "example.org", name, providerType: "rfc2136", endpoint: "192.0.2.53:53", view: "" },
    ...{ state: "ready", message: null, paused: null, isAtomic: true },
    ...{ ownedNames: 1, foreignNames: 0, danglingNames: 0 },
    heldSets: [{ hash: "4f0c", kind: "removals", changes: 12, removals: 12 }],
    open: [{ name, changes: [], holds: [hold] }],
  };
  await pod({}, { zones: () => [held] });
  token(TOKEN);
  const view = { ...config(), zone: null, name: null, limit: null };
  for (const output of ["text", "markdown"] as const) {
    const { text } = await askPlan({ ...view, output }, { columns: null, color: false });
    const commands = text.match(/(?:kubectl )?zonekeeper (?:approve|restore|plan)/g) ?? [];
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) expect(command).toMatch(/^kubectl/);
  }
});

test("who stands by says who leads, and an order is sent once, to that one", async () => {
  const approved: string[] = [];
  const approve = async (hash: string) => {
    approved.push(hash);
    return [{ account: "a", zone: "example.org" }];
  };
  await pod({ name: "zk-a" }, { ...standby("zk-c_5f6a"), approve });
  await pod({ name: "zk-b" }, { ...standby("zk-c_5f6a"), approve });
  await pod({ name: "zk-c" }, { approve });
  token(TOKEN);
  await askApproval(config(), "4f0c");
  expect(approved).toEqual(["4f0c"]);
  expect(cluster.passed).toEqual([
    "GET dns/zk-a /api/v1/leading",
    "GET dns/zk-c /api/v1/leading",
    "POST dns/zk-c /api/v1/approve/4f0c",
  ]);
});

test("a Pod that is not ready or not reached is left for another one", async () => {
  await pod({ name: "zk-a", isReady: false }, standby(""));
  await pod({ name: "zk-b", port: 1 });
  await pod({ name: "zk-c" });
  token(TOKEN);
  expect(await explain()).toMatch(EXPLAINED);
  expect(cluster.passed[0]).toContain("zk-b");
});

test("where nobody leads, each Pod's reason is told", async () => {
  await pod({ name: "zk-a" }, standby("zk-9_gone"));
  await pod({ name: "zk-b", port: 1 });
  token(TOKEN);
  const message = await explain();
  expect(message).toContain("Pod dns/zk-a: this instance does not lead");
  expect(message).toContain("Pod dns/zk-b was not reached by the API server");
});

test("no Pod, none with an API, none that runs, and several installations: each is named", async () => {
  expect(await explain()).toContain(`no Pod in any namespace has the labels ${NAME}=zonekeeper`);
  const bare = podObject({});
  cluster.pods.push({ object: { metadata: bare.metadata }, port: 1 });
  expect(await explain()).toMatch(/dns\/zk-a, have no port called api: give run --api-port/);
  cluster.pods.pop();
  cluster.pods.push({ object: { ...bare, status: { phase: "Pending" } } as typeof bare, port: 1 });
  expect(await explain()).toContain("kubectl -n dns describe pod zk-a says why");
  cluster.pods.pop();
  await pod();
  await pod({ namespace: "other", name: "zk-b", installation: "two" });
  token(TOKEN);
  const several = await explain();
  expect(several).toContain("-n dns, instance zk; -n other, instance two");
  expect(await explain({ namespace: "dns" })).toMatch(EXPLAINED);
  expect(await explain({ selector: `${NAME}=zonekeeper,${INSTANCE}=zk` })).toMatch(EXPLAINED);
});

test("a Secret that is missing, empty or no text is told with the command that makes it", async () => {
  await pod();
  const command = /kubectl -n dns create secret generic zk-api --from-literal=token=/;
  token(null);
  expect(await explain()).toMatch(/Secret dns\/zk-api, which the Pod mounts, does not exist/);
  expect(await explain()).toMatch(command);
  for (const empty of ["", "\n", "zwei wörter"]) {
    token(empty);
    expect(await explain()).toMatch(/no token in its key token/);
    expect(await explain()).toMatch(command);
  }
  token("short", "short");
  expect(await explain()).toMatch(/has 5 characters, fewer than 16/);
  token(TOKEN, null);
  expect(await explain()).toMatch(/Pod dns\/zk-a: no API: the token file .* does not exist/);
  cluster.pods.pop();
  await pod({ secret: null });
  expect(await explain()).toMatch(/mounts no Secret where it reads its token/);
});

test("a token that was changed is read once more; where the Pod has not got it yet, that is said", async () => {
  await pod();
  token("f".repeat(20), TOKEN);
  const late = await explain();
  expect(late).toMatch(/does not take the token of the Secret dns\/zk-api: .*kubelet/);
  expect(late).not.toContain("f".repeat(20));
  expect(cluster.passed).toHaveLength(1);
  token(TOKEN);
  expect(await explain()).toMatch(EXPLAINED);
  token("f".repeat(20), TOKEN);
  cluster.onSecretRead = () => token(TOKEN);
  expect(await explain()).toMatch(EXPLAINED);
});

test.each([
  ["list pods", /cannot list resource "pods".*name the namespace.*with -n/],
  ["get secrets", /secrets dns\/zk-api: .*needs the right to get this Secret/],
  ["get pods/proxy", /Pod dns\/zk-a: .*it needs the right to get pods\/proxy/],
])("without the right to %s the message names it", async (right, why) => {
  await pod();
  token(TOKEN);
  cluster.lacking.add(right);
  expect(await explain()).toMatch(why);
  expect(await explain()).toContain("docs/guides/kubectl-plugin.md");
});

test("who may only look is told so when giving an order, and nothing is carried out", async () => {
  await pod({}, { approve: () => Promise.reject(new Error("was asked")) });
  token(TOKEN);
  cluster.lacking.add("create pods/proxy");
  expect(await explain()).toMatch(EXPLAINED);
  await expect(askApproval(config(), "4f0c")).rejects.toThrow(/right to create pods\/proxy/);
});

test("an answer of many megabytes comes whole", async () => {
  const text = "x".repeat(8 * 1024 * 1024);
  await pod({}, { zones: () => [], troubles: () => [{ provider: "dns/p", message: text }] });
  token(TOKEN);
  expect((await explain()).length).toBeGreaterThan(text.length);
});
