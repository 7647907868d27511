/**
 * The released chart of external-dns with our image by values, as
 * docs/guides/coming-from-external-dns.md has them: by the real helm at a real kube-apiserver, with
 * no more rights than the chart and the guide give, as the audit log says; and as it is rendered,
 * at an embedded API. There is no kubelet: the test starts the program as one would.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startKubeApiServer } from "../support/api-servers/kube-apiserver.ts";
import { kubectlPath } from "../support/clients/kubectl.ts";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { Child } from "../support/programs/child.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { helmPath, objectOf, objectsIn } from "../support/programs/helm.ts";
import type { PodSpec } from "../support/programs/rendered-pod.ts";
import { run } from "../support/programs/run.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { definitionsPath, describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { object } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const GUIDE = readFileSync("docs/guides/coming-from-external-dns.md", "utf8");
const [VALUES = ""] = [...GUIDE.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text]) => text ?? "");
const RIGHTS = [...GUIDE.matchAll(/^kubectl create .*$/gm)].map(([line]) => line);
const CHART = join(definitionsPath(), "chart-external-dns-0.22.0");
const ACCOUNT = "system:serviceaccount:external-dns:external-dns";
const ZONE = "example.net";
const MARKER =
  "heritage=external-dns,external-dns/owner=team,external-dns/resource=service/default/www";

/** What somebody's release has had so far. */
const theirValues = ({ host, port }: RealZone["server"], more: readonly string[]): string =>
  JSON.stringify({
    provider: { name: "rfc2136" },
    ...{ sources: ["service", "ingress"], policy: "sync", txtOwnerId: "team" },
    domainFilters: [ZONE],
    env: [{ name: "EXTERNAL_DNS_RFC2136_ZONE", value: ZONE }],
    extraArgs: [`--rfc2136-host=${host}`, `--rfc2136-port=${port}`, ...more],
  });

interface Stage {
  readonly zone: RealZone;
  readonly session: RunSession;
  readonly folder: string;
  /** Their values, and those of the guide: files. */
  readonly files: readonly [string, string];
}

/** A zone and a Service as their external-dns left them. Everything ends with `play`. */
async function onStage(
  open: () => Promise<RunSession>,
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  const folder = makeTempFolder("external-dns-chart");
  const records = ["www 0 IN A 192.0.2.1", `a-www 0 IN TXT "${MARKER}"`];
  const zone = new RealZone(await startBind({ zone: ZONE, records }));
  const session = await open();
  try {
    const annotations = { "external-dns.alpha.kubernetes.io/hostname": `www.${ZONE}` };
    const spec = { type: "LoadBalancer", ports: [{ port: 80 }] };
    await session.user.apply(object("Service", "www", { metadata: { annotations }, spec }));
    await session.user.balance("svc", "www", "192.0.2.1");
    const { name, algorithm, secretBase64 } = zone.server.key;
    const key = [`--rfc2136-tsig-keyname=${name}`, `--rfc2136-tsig-secret-alg=${algorithm}`];
    const former = theirValues(zone.server, [...key, `--rfc2136-tsig-secret=${secretBase64}`]);
    const files = [join(folder.path, "theirs.yaml"), join(folder.path, "zonekeeper.yaml")] as const;
    writeFileSync(files[0], former);
    // The guide says that a list of theirs has to be written there, too.
    const { extraArgs } = JSON.parse(former);
    const rows = extraArgs.map((one: string) => `  - ${JSON.stringify(one)}\n`).join("");
    writeFileSync(files[1], `${VALUES}${rows}`);
    await play({ zone, session, folder: folder.path, files });
  } finally {
    await session.close();
    await zone.server.stop();
    folder.remove();
  }
}

/** Starts it, which changes nothing; the next change of the Service is published; stops it. */
async function takesOver(
  { zone, session, folder }: Stage,
  { args, env = [] }: PodSpec["containers"][number],
  kubeconfig: string,
): Promise<void> {
  const variables = Object.fromEntries(env.map(({ name, value = "" }) => [name, value]));
  const child = await Child.start({
    command: process.execPath,
    args: [PROGRAM, ...args, "--http-address=127.0.0.1", "--http-port=0"],
    cwd: folder,
    logFile: join(folder, "run.log"),
    env: { ...variables, KUBECONFIG: kubeconfig },
  });
  try {
    const before = await zone.content();
    const log = async (): Promise<string> => readFileSync(join(folder, "run.log"), "utf8");
    await eventually("no change", log, (text) => text.includes("the first plan: nothing to do"));
    expect(await zone.content()).toEqual(before);
    await session.user.balance("svc", "www", "192.0.2.2");
    await zone.becomes("www", "A", "192.0.2.2");
  } finally {
    await child.stop();
  }
}

const containerIn = (deployment: object): PodSpec["containers"][number] => {
  const { spec } = deployment as { readonly spec: { readonly template: { spec: PodSpec } } };
  const [container] = spec.template.spec.containers;
  if (container === undefined) throw new Error("the Pod has no container");
  return container;
};

describeReal(
  "the chart of external-dns, rendered",
  ["helm", "released-definitions", "kubectl-1.32", "bind"],
  () => {
    test("our image by values takes over without a change, and goes on", async () => {
      await onStage(
        () => RunSession.open(),
        async (stage) => {
          const values = stage.files.flatMap((file) => ["--values", file]);
          const args = ["template", "external-dns", CHART, "-n", "external-dns", ...values];
          const { code, stdout } = await run(helmPath(), args);
          expect(code).toBe(0);
          const deployment = objectOf(objectsIn(stdout), "Deployment", "external-dns");
          await takesOver(stage, containerIn(deployment), stage.session.kubeconfig);
        },
      );
    });
  },
);

describeReal(
  "the chart of external-dns at a real kube-apiserver",
  ["helm", "released-definitions", "kubectl-1.32", "bind", "kube-apiserver"],
  () => {
    test("with its rights and the guide's nothing is forbidden; helm goes back", async () => {
      const api = await startKubeApiServer({ audit: true });
      await onStage(
        () => RunSession.open(() => Promise.resolve(api)),
        async (stage) => {
          const { user } = stage.session;
          const [former, guided] = stage.files;
          const where = ["-n", "external-dns", `--kubeconfig=${api.kubeconfig}`];
          const helm = async (command: string, ...args: readonly string[]): Promise<void> => {
            const line = [command, "external-dns", ...args, ...where];
            const { code, stderr } = await run(helmPath(), line);
            expect([code, stderr]).toEqual([0, ""]);
          };
          const containerNow = async () => {
            const of = ["get", "deployment", "external-dns", "-n", "external-dns", "-o", "json"];
            return containerIn(JSON.parse(await user.kubectl.ok(of)));
          };
          await user.kubectl.ok(["create", "namespace", "external-dns"]);
          // The test's API server has its definition already.
          await helm("install", CHART, "--skip-crds", "--values", former);
          const before = await containerNow();
          for (const line of RIGHTS) {
            const script = line.replace(/^kubectl/, `"${kubectlPath("1.32")}"`);
            const env = { KUBECONFIG: api.kubeconfig };
            expect(await run("bash", ["-uc", script], { env })).toMatchObject({ code: 0 });
          }
          await helm("upgrade", CHART, "--reuse-values", "--values", guided);
          const created = ["create", "token", "external-dns", "-n", "external-dns"];
          const kubeconfig = join(stage.folder, "pod.kubeconfig");
          const text = readFileSync(api.kubeconfig, "utf8")
            .replace(api.tokenOf("admin"), (await user.kubectl.ok(created)).trim())
            .replace('"namespace":"default"', '"namespace":"external-dns"');
          writeFileSync(kubeconfig, text);
          await takesOver(stage, await containerNow(), kubeconfig);
          const events = api.audited().filter(({ user: { username } }) => username === ACCOUNT);
          expect(events.length).toBeGreaterThan(10);
          const refused = events.filter(({ responseStatus: { code } }) => code === 403);
          expect(refused.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
          await helm("rollback");
          expect(await containerNow()).toEqual(before);
        },
      );
    });
  },
);
