/**
 * deploy/chart by the real helm: value files of what people run, misspelt values, the manifests
 * that are checked in, and from `helm template` to `dig` without a kubelet.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PLUG_INS } from "../../src/app/plug-ins.ts";
import { optionsOf } from "../../src/config/options-table.ts";
import { resolveOptions } from "../../src/config/resolve-options.ts";
import { toRunConfig } from "../../src/config/run-config.ts";
import type { ApiServer } from "../support/api-servers/api-server.ts";
import { startKubeApiServer } from "../support/api-servers/kube-apiserver.ts";
import { Kubectl } from "../support/clients/kubectl.ts";
import { claimPort } from "../support/ports/free-port.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { Child, waitUntilReady } from "../support/programs/child.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { blocksOf } from "../support/programs/documented-commands.ts";
import { helmTemplate, objectOf, type Rendered, rendered } from "../support/programs/helm.ts";
import { podOf, podProcess } from "../support/programs/rendered-pod.ts";
import { run } from "../support/programs/run.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { serverKeys } from "../support/values/cluster-objects.ts";
import { faultsOf } from "../support/values/described-object.ts";
import { RealZone } from "../support/values/real-zone.ts";
import { readChartKinds, readOpenApi } from "./api-conversation/record.ts";

const VALUES = readdirSync("deploy/chart/ci").sort();
const OWNER = ["--set", "configuration.owner=my-group"];
/** Kinds of Prometheus Operator, which no API server of the tests has. */
const MONITORING = "monitoring.coreos.com/v1";

/** What `run` makes of the rendered arguments and file; the problems where it refuses. */
function configOf(objects: readonly Rendered[]) {
  const [command, config, ...more] = podOf(objects).containers[0]?.args ?? [];
  expect([command, config]).toEqual(["run", "--config=/etc/zonekeeper/config.yaml"]);
  const flags = more.map((arg) => arg.replace(/^--/, "").split("=") as [string, string]);
  const { data } = objectOf(objects, "ConfigMap") as unknown as {
    readonly data: Readonly<Record<string, string>>;
  };
  const resolved = resolveOptions({
    command: "run",
    flags: Object.fromEntries(flags),
    environment: {},
    file: { name: "config.yaml", text: data["config.yaml"] ?? "" },
    plugIns: PLUG_INS,
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
  test("there are twelve value files", () => expect(VALUES).toHaveLength(12));

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
    ["configuration.flurbelwurbl=1", "docs/reference/options.md has them all"],
  ])("%s", async (value, said) => {
    const { code, stderr } = await helmTemplate(...OWNER, "--set", value);
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
    expect(stderr).not.toContain("very-secret");
  });

  test("without an owner id it says what that is", async () => {
    const { code, stderr } = await helmTemplate();
    expect([code, stderr]).toEqual([1, expect.stringContaining("--set configuration.owner=")]);
  });
});
