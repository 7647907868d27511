/**
 * deploy/chart by the real helm: value files of what people run, misspelt values, the manifests
 * that are checked in, and from `helm template` to `dig` without a kubelet.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { PLUG_INS } from "../../src/app/plugins/rows.ts";
import { optionOf, type PluginOption } from "../../src/config/plugin-option.ts";
import { resolveOptions } from "../../src/config/resolve-options.ts";
import { toRunConfig } from "../../src/config/run-config.ts";
import { manifests } from "../../tools/chart/manifests.ts";
import type { ApiServer } from "../support/api-servers/api-server.ts";
import { startKubeApiServer } from "../support/api-servers/kube-apiserver.ts";
import { Kubectl, kubectlPath } from "../support/clients/kubectl.ts";
import { claimPort } from "../support/ports/free-port.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { Child, waitUntilReady } from "../support/programs/child.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { blocksOf } from "../support/programs/documented-commands.ts";
import {
  CHART,
  helmPath,
  helmTemplate,
  objectOf,
  objectsIn,
  type Rendered,
  rendered,
} from "../support/programs/helm.ts";
import { programEnvironment } from "../support/programs/program-path.ts";
import { type PodSpec, podOf, podProcess } from "../support/programs/rendered-pod.ts";
import { run } from "../support/programs/run.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { bareService } from "../support/values/cluster-objects.ts";
import { faultsOf } from "../support/values/described-object.ts";
import { RealZone } from "../support/values/real-zone.ts";
import { readChartKinds, readOpenApi } from "./api-conversation/record.ts";

const VALUES = readdirSync("deploy/chart/ci").sort();
const MODULE =
  "plugins[0].name=acme,plugins[0].path=a.mjs,plugins[0].volume.configMap.name=acme-plugins";
const OWNER = ["--set", "configuration.owner=my-group"];
/** Kinds of Prometheus Operator, which no API server of the tests has. */
const PATH = programEnvironment()["PATH"] ?? "";
const MONITORING = "monitoring.coreos.com/v1";

/** The option of the plug-in module of the value files. */
const ALSO: PluginOption = { name: "acme-also", type: "list", doc: "Further addresses." };

/** What `run` makes of the rendered arguments and file; the problems where it refuses. */
function configOf(objects: readonly Rendered[], environment: NodeJS.ProcessEnv = {}) {
  const [command, config, ...more] = podOf(objects).containers[0]?.args ?? [];
  expect([command, config]).toEqual(["run", "--config=/etc/zonekeeper/config.yaml"]);
  const flags = more.map((arg) => arg.replace(/^--/, "").split("=") as [string, string]);
  const { data } = objectOf(objects, "ConfigMap") as unknown as {
    readonly data: Readonly<Record<string, string>>;
  };
  const resolved = resolveOptions({
    command: "run",
    flags: Object.fromEntries(flags),
    environment,
    file: { name: "config.yaml", text: data["config.yaml"] ?? "" },
    plugIns: { ...PLUG_INS, options: [optionOf(ALSO)] },
  });
  return resolved.ok ? toRunConfig(resolved.value) : resolved;
}

/** What a real kube-apiserver's description of the kind finds wrong. */
function faultsIn(object: Rendered): readonly string[] {
  const kinds = { ...readOpenApi().kinds, ...readChartKinds().kinds };
  const group = object.apiVersion.includes("/") ? object.apiVersion : `core/${object.apiVersion}`;
  const texts = kinds[`${group}/${object.kind}`];
  if (texts === undefined) return [`${group}/${object.kind} is not recorded`];
  return faultsOf(object, texts, kinds["ObjectMeta"] ?? {});
}

describeReal("the chart, rendered", ["helm"], () => {
  test("there are thirteen value files", () => expect(VALUES).toHaveLength(13));

  test.each(VALUES)("%s: run takes it, and kube-apiserver knows each field", async (file) => {
    const objects = await rendered("-f", `deploy/chart/ci/${file}`);
    expect(configOf(objects)).toMatchObject({ ok: true });
    const builtIn = objects.filter(({ apiVersion }) => apiVersion !== MONITORING);
    expect(builtIn.length).toBeGreaterThan(6);
    for (const object of builtIn)
      expect(faultsIn(object), `${object.kind} ${object.metadata.name}`).toEqual([]);
  });

  test("a field that there is none of would be found", async () => {
    const deployment = objectOf(await rendered(...OWNER), "Deployment");
    const text = JSON.stringify(deployment)
      .replace('"args"', '"argz"')
      .replace('"httpGet"', '"get"');
    expect(faultsIn(JSON.parse(text) as Rendered)).toEqual([
      ".spec.template.spec.containers[].argz is no field",
      ".spec.template.spec.containers[].livenessProbe.get is no field",
    ]);
  });

  test("values reach run under each of their spellings", async () => {
    const of = async (file: string) => configOf(await rendered("-f", `deploy/chart/ci/${file}`));
    expect(await of("01-defaults.yaml")).toMatchObject({
      value: { owner: "my-group", http: { address: "0.0.0.0", port: 8080 } },
    });
    expect(await of("03-gardener-dialect.yaml")).toMatchObject({
      value: {
        ...{ owner: "garden-1", namespace: null },
        lease: { namespace: "kube-system", name: "dns-controller-manager" },
        publish: { ttlSeconds: 120 },
      },
    });
    expect(await of("04-external-dns.yaml")).toMatchObject({ value: { owner: "default" } });
    expect(await of("10-configmap-registry.yaml")).toMatchObject({
      value: { fuse: { limits: { strong: 1_000_000 } } },
    });
  });

  test("a plug-in is mounted where the option says, with its own options and rights", async () => {
    const objects = await rendered("-f", "deploy/chart/ci/13-plug-in.yaml");
    const paths = ["/plugins/acme/website-source.mjs", "/plugins/flat-file/dist/flat-file.js"];
    const { data } = objectOf(objects, "ConfigMap") as unknown as {
      readonly data: Readonly<Record<string, string>>;
    };
    expect(parse(data["config.yaml"] ?? "")).toMatchObject({ plugin: paths });
    expect(configOf(objects)).toMatchObject({
      value: { publish: { pluginOptions: { "acme-also": ["192.0.2.9"] } } },
    });
    const { containers, volumes } = podOf(objects);
    expect(volumes).toEqual(
      expect.arrayContaining([
        { name: "plugin-acme", configMap: { name: "acme-plugins" } },
        {
          name: "plugin-flat-file",
          image: { reference: "registry.example.org/acme/flat-file:1.2.0" },
        },
      ]),
    );
    expect(containers[0]?.volumeMounts).toEqual(
      expect.arrayContaining([
        { name: "plugin-acme", mountPath: "/plugins/acme", readOnly: true },
        { name: "plugin-flat-file", mountPath: "/plugins/flat-file", readOnly: true },
      ]),
    );
    const role = objectOf(objects, "ClusterRole", "zonekeeper-zonekeeper");
    expect(role["rules"]).toEqual(
      expect.arrayContaining([
        {
          ...{ apiGroups: ["acme.example.org"], resources: ["websites"] },
          verbs: ["get", "list", "watch"],
        },
      ]),
    );
  });

  test("the Pod meets the restricted Pod Security Standard", async () => {
    for (const object of [
      objectOf(await rendered(...OWNER), "Deployment")["spec"],
      { template: objectOf(await rendered(...OWNER), "Pod", "zonekeeper-check") },
    ] as readonly { readonly template: { readonly spec: unknown } }[])
      expect(object.template.spec).toMatchObject({
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
        containers: [
          {
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ["ALL"] },
            },
          },
        ],
      });
  });
});

describeReal("values of the chart that are wrong", ["helm"], () => {
  test.each([
    ["configuration.dns-class=x", "did you mean configuration.dnsClass?"],
    ["configuration.dnsclass=x", "did you mean configuration.dnsClass?"],
    ["configuration.txtOwnrId=x", "did you mean configuration.txtOwnerId?"],
    ["configuration.lease.name=x", "did you mean configuration.leaseName?"],
    ["dnsClass=x", "did you mean configuration.dnsClass?"],
    ["identifier=x", "did you mean configuration.identifier?"],
    ["imag.tag=x", "there is no value imag: did you mean image?"],
    ["image.tga=x", "there is no value image.tga: did you mean image.tag?"],
    ["metrics.serviceMonitor.enabeld=true", "did you mean metrics.serviceMonitor.enabled?"],
    ["replicas=3", "did you mean replicaCount?"],
    ["domainFilters=x", "external-dns has it; here it is spec.domains.include of a DNSProvider"],
    ["configuration.cacheTtl=3", "to take those, set configuration.dialect to gardener"],
    ["configuration.txtEncryptAesKey=very-secret", "put it into a Secret"],
    ["configuration.identifier=b", "it is the same as configuration.owner; give one of them"],
    ["configuration.policy=", "configuration/policy"],
    ["configuration.txtPrefix=", "configuration.txtPrefix: it is empty"],
    ["configuration.ttl=soon", "at '/configuration/ttl': got string, want integer"],
    ["configuration.policy=all", "'sync', 'upsert-only', 'create-only'"],
    ["plugins[0].name=acme,plugins[0].path=a.mjs", "missing property 'volume'"],
    [`${MODULE},plugins[0].kinds=x`, "additional properties 'kinds' not allowed"],
    [`${MODULE},plugins[0].name=Acme`, "at '/plugins/0/name'"],
    [`${MODULE},plugins[0].options.owner=x`, "options.owner: it is no option of a plug-in"],
    ["configuration.flurbelwurbl=1", "docs/reference/options.md has them all"],
  ])("%s", async (value, remedy) => {
    const { code, stderr } = await helmTemplate(...OWNER, "--set", value);
    expect([code, stderr]).toEqual([1, expect.stringContaining(remedy)]);
    expect(stderr).not.toContain("very-secret");
  });

  test("without an owner id it says what that is", async () => {
    const { code, stderr } = await helmTemplate();
    expect([code, stderr]).toEqual([1, expect.stringContaining("--set configuration.owner=")]);
  });
});

/** Kinds of the chart that the API server of the tests has. */
const APPLIED = ["ConfigMap", "Secret", "Service"];
const GUIDE = readFileSync("docs/guides/install.md", "utf8");

/** As the guide has it; replaced are the server, its key and the zone, and what helm would send. */
describeReal("the quick start of the install page", ["helm", "kubectl-1.32", "bind"], () => {
  let session: RunSession;
  let zone: RealZone;
  let program: Child | null = null;
  const folder = makeTempFolder("quick-start");
  const [install = "", _wait, account = "", entry = "", service = ""] = blocksOf(
    GUIDE,
    "Quick start",
    "bash",
  );
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await RunSession.open();
  });
  afterAll(async () => {
    await program?.stop();
    await session?.close();
    await zone?.server.stop();
    folder.remove();
  });
  const shell = (script: string) =>
    run("bash", ["--norc", "-euo", "pipefail", "-c", replaced(script)], {
      env: { KUBECONFIG: session.kubeconfig, PATH: `${dirname(kubectlPath("1.32"))}:${PATH}` },
    });
  const replaced = (script: string): string => {
    const { host, port, key } = zone.server;
    return script
      .replaceAll("192.0.2.53:53", `${host}:${port}`)
      .replaceAll("@192.0.2.53", `@${host} -p ${port}`)
      .replaceAll("zonekeeper.\n", `${key.name}.\n`)
      .replaceAll("BASE64_OF_THE_KEY", key.secretBase64)
      .replaceAll("example.org", "example.net");
  };

  test("what it installs starts with exactly its arguments, files and environment", async () => {
    const [http, api] = [await claimPort(), await claimPort()];
    // Ports and trust are this machine's: the server of the test is at 127.0.0.1.
    const more = `--set configuration.httpPort=${http.port},configuration.providerTrustedNamespaces=default`;
    const template = install
      .replace(/^helm install/, `${helmPath()} template`)
      .replace("deploy/chart", CHART);
    const { code, stdout, stderr } = await shell(`${template.trimEnd()} ${more}`);
    expect([code, stderr]).toEqual([0, ""]);
    const objects = objectsIn(stdout);
    const applied = objects.filter(({ kind }) => APPLIED.includes(kind));
    await session.user.kubectl.ok(["create", "namespace", "zonekeeper"]);
    await session.user.apply(applied.map((one) => JSON.stringify(one)).join("\n"));
    // A Pod takes its cluster and namespace from its ServiceAccount; a process from this.
    const kubeconfig = join(folder.path, "kubeconfig");
    writeFileSync(kubeconfig, readFileSync(session.kubeconfig));
    const context = ["config", "set-context", "--current", "--namespace=zonekeeper"];
    await session.user.kubectl.ok([...context, `--kubeconfig=${kubeconfig}`]);
    const { args, env } = podProcess(objects, { root: join(folder.path, "root") });
    program = await Child.start({
      command: process.execPath,
      args: [PROGRAM, ...args],
      cwd: folder.path,
      logFile: join(folder.path, "run.log"),
      env: { ...env, KUBECONFIG: kubeconfig, ZONEKEEPER_API_PORT: String(api.port) },
    });
    const isReady = async (): Promise<boolean> =>
      (await fetch(`http://127.0.0.1:${http.port}/readyz`).catch(() => null))?.ok === true;
    await waitUntilReady(program, isReady);
    const leases = await session.user.kubectl.ok(["get", "lease", "-A"]);
    expect(leases).toMatch(/^zonekeeper +zonekeeper /m);
  });

  test("its commands lead to names that dig finds", async () => {
    const provided = await shell(account);
    expect([provided.code, provided.stderr]).toEqual([0, ""]);
    const published = await shell(entry);
    expect([published.code, published.stdout]).toEqual([0, expect.stringMatching(/^192.0.2.80$/m)]);
    await session.user.apply(bareService("my-service"));
    await session.user.balance("svc", "my-service", "192.0.2.81");
    expect((await shell(service)).code).toBe(0);
    await zone.becomes("my-service", "A", "192.0.2.81");
  });

  test("the Pod of helm test finds all well", async () => {
    const objects = await rendered(...OWNER, "--set", "configuration.providerTrustedNamespaces=*");
    const { spec } = objectOf(objects, "Pod", "zonekeeper-check") as unknown as {
      readonly spec: PodSpec;
    };
    const { args } = podProcess(objects, { root: join(folder.path, "check"), pod: spec });
    const env = { KUBECONFIG: join(folder.path, "kubeconfig") };
    const checked = await run(process.execPath, [PROGRAM, ...args], { env });
    expect([checked.code, checked.stderr]).toEqual([0, ""]);
    expect(JSON.parse(checked.stdout)).toMatchObject({ schema: "zonekeeper.dev/check/v1" });
  });
});

describeReal("manifests and Kustomize", ["helm", "kubectl-1.32"], () => {
  test("deploy/manifests is the chart", () => {
    for (const [path, text] of Object.entries(manifests() ?? {}))
      expect(readFileSync(path, "utf8"), "run: npm run generate").toBe(text);
    expect(manifests()).not.toBeNull();
  });

  test("no token and no owner id is in them; the Pods wait for both as they should", () => {
    const objects = objectsIn(readFileSync("deploy/manifests/zonekeeper.yaml", "utf8"));
    expect(objects.map(({ kind }) => kind)).not.toContain("Secret");
    const owner = { configMapKeyRef: { name: "zonekeeper-owner", key: "owner" } };
    expect(podOf(objects).containers[0]?.env).toEqual([
      { name: "ZONEKEEPER_OWNER", valueFrom: owner },
    ]);
  });

  test("the overlay of the install page names the owner id, the image and the options", async () => {
    const folder = makeTempFolder("overlay");
    try {
      mkdirSync(join(folder.path, "zonekeeper/deploy"), { recursive: true });
      cpSync("deploy/manifests", join(folder.path, "zonekeeper/deploy/manifests"), {
        recursive: true,
      });
      const [overlay = ""] = blocksOf(GUIDE, "With Kustomize", "yaml");
      writeFileSync(join(folder.path, "kustomization.yaml"), overlay);
      const { stdout, stderr } = await run(kubectlPath("1.32"), ["kustomize", folder.path]);
      expect(stderr).toBe("");
      const objects = objectsIn(stdout);
      const [container] = podOf(objects).containers;
      expect(container).toMatchObject({
        image: expect.stringMatching(/^registry\.example\.org\/dns\/zonekeeper:/),
      });
      const named = objects.find(({ metadata }) => metadata.name.startsWith("zonekeeper-owner-"));
      expect(JSON.stringify(container?.env)).toContain(`"${named?.metadata.name}"`);
      expect(configOf(objects, { ZONEKEEPER_OWNER: "my-group" })).toMatchObject({
        value: { owner: "my-group", publish: { policy: "upsert-only" } },
      });
    } finally {
      folder.remove();
    }
  });
});

/** Namespaces that the value files name. */
const NAMESPACES = ["zonekeeper", "team-a", "team-b", "dns-accounts", "kube-system"];

describeReal(
  "the chart at a real kube-apiserver",
  ["helm", "kubectl-1.32", "kube-apiserver"],
  () => {
    let api: ApiServer;
    let kubectl: Kubectl;
    beforeAll(async () => {
      api = await startKubeApiServer();
      kubectl = new Kubectl("1.32", api.kubeconfig);
      for (const name of NAMESPACES) await kubectl.run(["create", "namespace", name]);
    });
    afterAll(async () => {
      await kubectl?.close();
      await api?.close();
    });
    const helm = (...args: readonly string[]) =>
      run(helmPath(), [...args, "-n", "zonekeeper", `--kubeconfig=${api.kubeconfig}`], {
        timeoutMs: 120_000,
      });

    test.each(VALUES)("%s is taken (--dry-run=server)", async (file) => {
      const objects = await rendered("-f", `deploy/chart/ci/${file}`);
      const known = objects.filter(({ apiVersion }) => apiVersion !== MONITORING);
      const text = known.map((one) => JSON.stringify(one)).join("\n");
      const args = ["apply", "--dry-run=server", "--validate=strict", "-f", "-"];
      const { code, stderr, stdout } = await kubectl.run(args, text);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout.trim().split("\n")).toHaveLength(known.length);
    });

    test("install, upgrade and uninstall: the definitions and what others made stay", async () => {
      const installed = await helm("install", "zonekeeper", CHART, ...OWNER);
      expect([installed.code, installed.stderr]).toEqual([0, ""]);
      expect(installed.stdout).toContain("with the owner id my-group");
      const token = async (): Promise<string> =>
        (await kubectl.run(["get", "secret", "zonekeeper-api", "-n", "zonekeeper", "-o", "yaml"]))
          .stdout;
      const before = await token();
      const more = ["--set", "replicaCount=3"];
      const upgraded = await helm("upgrade", "zonekeeper", CHART, ...OWNER, ...more);
      expect([upgraded.code, upgraded.stderr]).toEqual([0, ""]);
      expect(/token: .*/.exec(await token())?.[0]).toBe(/token: .*/.exec(before)?.[0]);
      const gone = await helm("uninstall", "zonekeeper");
      expect([gone.code, gone.stderr]).toEqual([0, ""]);
      const crds = await kubectl.ok(["get", "crd", "-o", "name"]);
      expect(crds).toContain("dnsentries.dns.gardener.cloud");
      const left = await kubectl.ok([
        "get",
        "deploy,role,sa,secret",
        "-n",
        "zonekeeper",
        "-o",
        "name",
      ]);
      expect(left).not.toContain("/zonekeeper");
    });
  },
);
