/**
 * The rules that the chart renders are what the program needs with the same configuration: rendered
 * by the real helm, for configurations of every fact that decides.
 */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { type Need, needsOf } from "../../src/app/commands/run/cluster-needs.ts";
import { PLUG_INS } from "../../src/app/plugins/rows.ts";
import { resolveOptions } from "../../src/config/resolve-options.ts";
import { type RunConfig, toRunConfig } from "../../src/config/run-config.ts";
import { makeTempFolder, type TempFolder } from "../support/ports/temp-folder.ts";
import { helmPath } from "../support/programs/helm.ts";
import { describeReal } from "../support/real-servers/availability.ts";

const run = promisify(execFile);

type Values = Readonly<Record<string, unknown>>;
interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

const CONFIGURATIONS: readonly Values[] = [
  {},
  { controllers: "all,crd" },
  { controllers: ["compound", "service-dns"], publish: "direct" },
  { controllers: "all", omitStatusAnnotation: true, omitLease: true },
  { controllers: ["service-dns", "dnsentry-source"], dnsTargetClass: "other" },
  { controllers: "ingress-dns", kubeconfigId: "c1", data: "/d", leaseName: "mine" },
  { controllers: "all, crd", dryRun: true },
  { namespace: "team", controllers: "all,crd", leaseNamespace: "zk" },
  { namespace: "team", dryRun: true, registry: "configmap", data: "/d" },
  { controllers: "all,crd", webhookAddress: "127.0.0.1:8888", webhookNamespace: "web" },
  { target: "/t", targetId: "t1" },
  { target: "/t", providers: "/p", kubeconfigDisableDeployCrds: true },
  { providers: "/p", targetDisableDeployCrds: true },
  { kubeconfig: "/k" },
  { coordination: "/l", registry: "configmap" },
];

function configOf(values: Values): RunConfig {
  const text = JSON.stringify({
    ...{ apiVersion: "zonekeeper.dev/v1alpha1", kind: "Configuration", owner: "me" },
    ...values,
  });
  const given = { flags: {}, environment: {}, file: { name: "values", text } };
  const resolved = resolveOptions({ command: "run", ...given, plugIns: PLUG_INS });
  const read = resolved.ok ? toRunConfig(resolved.value) : resolved;
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

/** Which define grants it. */
function blockOf({ part, namespace }: Need): string {
  if (part === "secrets") return "secretRules";
  if (part !== "cluster") return `${part}Rules`;
  return namespace === null ? "clusterRules" : "namespaceRules";
}

/** Of the cluster where the Pod is: `leaseRules /leases zonekeeper get`. */
function needed(config: RunConfig): readonly string[] {
  const all = [
    ...needsOf("run", config, { leaseNamespace: "release" }),
    ...needsOf("restore", config),
    ...needsOf("optional", config),
  ];
  const isLocal = ({ cluster }: Need): boolean =>
    (cluster === "source" && config.source.kubeconfig === null) ||
    (cluster === "lease" && config.coordination === null);
  return sortedTexts(
    all.filter(isLocal).flatMap((one) => {
      const { kind, subresource, name } = one;
      const resource = subresource === null ? kind.plural : `${kind.plural}/${subresource}`;
      return one.verbs.map((verb) => text(blockOf(one), [kind.group, resource, name ?? "*", verb]));
    }),
  );
}

function granted(block: string, rules: readonly Rule[]): readonly string[] {
  return rules.flatMap(({ apiGroups, resources, resourceNames = ["*"], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        resourceNames.flatMap((name) =>
          verbs.map((verb) => text(block, [group, resource, name, verb])),
        ),
      ),
    ),
  );
}

function text(block: string, columns: readonly string[]): string {
  return `${block} ${columns.join(" ")}`;
}

function sortedTexts(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}

const BLOCKS = ["clusterRules", "namespaceRules", "secretRules", "leaseRules", "webhookRules"];

describeReal("rules of the chart", ["helm"], () => {
  let folder: TempFolder;
  beforeAll(() => {
    folder = makeTempFolder("chart-rights");
    const templates = join(folder.path, "templates");
    mkdirSync(templates);
    const chart = "apiVersion: v2\nname: zonekeeper\nversion: 1.0.0\n";
    writeFileSync(join(folder.path, "Chart.yaml"), chart);
    copyFileSync("deploy/chart/templates/_rights.tpl", join(templates, "_rights.tpl"));
    const blocks = BLOCKS.map(
      (name) => `${name}: {{ include "zonekeeper.${name}" . | fromYamlArray | toJson }}\n`,
    );
    writeFileSync(join(templates, "rules.yaml"), blocks.join(""));
  });
  afterAll(() => folder?.remove());

  const rendered = async (configuration: Values): Promise<readonly string[]> => {
    const values = join(folder.path, "given.json");
    writeFileSync(values, JSON.stringify({ configuration }));
    const { stdout } = await run(helmPath(), ["template", "r", folder.path, "--values", values]);
    const blocks: Readonly<Record<string, readonly Rule[]>> = parse(stdout);
    const all = BLOCKS.flatMap((block) => granted(block, blocks[block] ?? []));
    expect(all).toHaveLength(new Set(all).size);
    return sortedTexts(all);
  };

  test.each(CONFIGURATIONS)("with %j they are what is needed", async (configuration) => {
    const all = await rendered(configuration);
    expect(all).toEqual(needed(configOf(configuration)));
    if (configuration["kubeconfig"] === undefined) expect(all.length).toBeGreaterThan(4);
  });
});
