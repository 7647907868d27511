/**
 * The commands of docs/guides/coming-from-external-dns.md, as they stand: a Deployment in a real
 * kube-apiserver, and a zone of BIND as its external-dns left it. There is no kubelet: the test
 * starts the program as one would.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startKubeApiServer } from "../support/api-servers/kube-apiserver.ts";
import { kubectlPath } from "../support/clients/kubectl.ts";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { Child } from "../support/programs/child.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { run } from "../support/programs/run.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { object } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const GUIDE = readFileSync("docs/guides/coming-from-external-dns.md", "utf8");
/** Those of Helm have a test of their own, external-dns-chart. */
const BLOCKS = [...GUIDE.matchAll(/^```(\w*)\n(.*?)^```/gms)].flatMap(([, language, text = ""]) =>
  language === "" ? [text] : [],
);
const ZONE = "example.net";
const MARKER =
  "heritage=external-dns,external-dns/owner=team,external-dns/resource=service/dns/www";
const NAMESPACE = "external-dns";

describeReal(
  "the guide from external-dns",
  ["kubectl-1.32", "bind", "dig", "kube-apiserver"],
  () => {
    const folder = makeTempFolder("guide-external-dns");
    let zone: RealZone;
    let session: RunSession;
    let running: Child | null = null;
    const env = (): Record<string, string> => ({ KUBECONFIG: session.kubeconfig });
    const withProgram = (script: string): string =>
      script
        .replaceAll(/^zonekeeper/gm, `"${process.execPath}" "${resolve(PROGRAM)}"`)
        .replaceAll(/^kubectl/gm, `"${kubectlPath("1.32")}"`);
    const shell = (script: string) =>
      run("bash", ["--norc", "-uc", withProgram(script)], { cwd: folder.path, env: env() });
    /** Arguments of the one container. */
    const argumentsNow = async (): Promise<readonly string[]> => {
      const path = "jsonpath={.spec.template.spec.containers[0].args}";
      const of = ["get", "deployment", "external-dns", "-n", NAMESPACE, "-o", path];
      return JSON.parse(await session.user.kubectl.ok(of));
    };

    beforeAll(async () => {
      const records = ["www 0 IN A 192.0.2.1", `a-www 0 IN TXT "${MARKER}"`];
      zone = new RealZone(await startBind({ zone: ZONE, records }));
      session = await RunSession.open(startKubeApiServer);
      const { user } = session;
      const { host, port, key } = zone.server;
      await user.kubectl.ok(["create", "namespace", NAMESPACE]);
      await user.kubectl.ok(["create", "namespace", "dns"]);
      const annotations = { "external-dns.alpha.kubernetes.io/hostname": `www.${ZONE}` };
      await user.apply(
        object("Service", "www", {
          metadata: { namespace: "dns", annotations },
          spec: { type: "LoadBalancer", ports: [{ port: 80 }] },
        }),
      );
      const status = { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } };
      const patched = ["patch", "service", "www", "-n", "dns", "--subresource=status"];
      await user.kubectl.ok([...patched, "--patch", JSON.stringify({ status })]);
      const metadata = { namespace: NAMESPACE };
      const secret = { metadata, stringData: { secret: key.secretBase64 } };
      await user.apply(object("Secret", "tsig", secret));
      const args = [
        ...["--provider=rfc2136", `--rfc2136-host=${host}`, `--rfc2136-port=${port}`],
        ...[`--rfc2136-zone=${ZONE}`, `--rfc2136-tsig-keyname=${key.name}`],
        ...["--rfc2136-tsig-secret=$(TSIG_SECRET)", `--rfc2136-tsig-secret-alg=${key.algorithm}`],
        ...["--source=service", "--policy=sync", "--txt-owner-id=team"],
      ];
      const secretKeyRef = { name: "tsig", key: "secret" };
      const container = {
        ...{
          name: "external-dns",
          image: "registry.k8s.io/external-dns/external-dns:v0.22.0",
          args,
        },
        env: [{ name: "TSIG_SECRET", valueFrom: { secretKeyRef } }],
      };
      const labels = { app: "external-dns" };
      const template = { metadata: { labels }, spec: { containers: [container] } };
      const spec = { selector: { matchLabels: labels }, template };
      await user.apply(object("Deployment", "external-dns", { metadata, spec }));
    });
    afterAll(async () => {
      await running?.stop();
      await session?.close();
      await zone?.server.stop();
      folder.remove();
    });

    test("a shadow, Zonekeeper in its place, and back", async () => {
      const [get = "", shadow = "", rights = "", put = "", plan = "", ...rest] = BLOCKS;
      const [exported = "", back = "", ...more] = rest;
      expect(more).toEqual([]);
      const before = await argumentsNow();
      const serial = await zone.content();
      expect(await shell(get)).toMatchObject({ code: 0 });
      expect(readFileSync(join(folder.path, "before.yaml"), "utf8")).toContain("TSIG_SECRET");
      const seen = await shell(shadow);
      expect([seen.code, seen.stdout]).toEqual([
        0,
        expect.stringContaining("1 equal, 0 different"),
      ]);
      expect(await zone.content()).toEqual(serial);
      expect(await shell(rights)).toMatchObject({ code: 0, stderr: "" });
      expect(await shell(put)).toMatchObject({ code: 0 });
      running = await Child.start({
        command: process.execPath,
        args: [
          ...[resolve(PROGRAM), ...(await argumentsNow())],
          ...["--http-address=127.0.0.1", "--http-port=0", "--data=./.zonekeeper"],
        ],
        cwd: folder.path,
        logFile: join(folder.path, "run.log"),
        env: { ...env(), TSIG_SECRET: zone.server.key.secretBase64 },
      });
      const planned = await eventually(
        "the plan is empty",
        () => shell(plan),
        ({ code }) => code === 0,
      );
      expect(planned.stdout).toContain("nothing to do");
      const left = await shell(exported);
      expect([left.code, left.stdout]).toEqual([0, expect.stringContaining(ZONE)]);
      await running.stop();
      expect(await shell(back)).toMatchObject({ code: 0 });
      expect(await argumentsNow()).toEqual(before);
      await zone.becomes("www", "A", "192.0.2.1");
    });
  },
);
