/**
 * The chart as the real helm installs it at a real kube-apiserver, and two replicas as its
 * ServiceAccount: what they do in their usual work is all allowed, as the audit log of the API
 * server says.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RealApiServer, startKubeApiServer } from "../support/api-servers/kube-apiserver.ts";
import { ClusterUser } from "../support/clients/cluster-user.ts";
import { Kubectl } from "../support/clients/kubectl.ts";
import { eventually } from "../support/ports/eventually.ts";
import { claimPort, type FreePort } from "../support/ports/free-port.ts";
import { makeTempFolder, type TempFolder } from "../support/ports/temp-folder.ts";
import { Child, waitUntilReady } from "../support/programs/child.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { CHART, helmPath, rendered } from "../support/programs/helm.ts";
import { podProcess } from "../support/programs/rendered-pod.ts";
import { run } from "../support/programs/run.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import {
  account,
  bareService,
  dnsAnnotation,
  entry,
  ingress,
  object,
  service,
} from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const ACCOUNT = "system:serviceaccount:zonekeeper:zonekeeper";
/** The Secrets of one namespace, as the install page has it. */
const DEFAULTS = [
  "configuration.owner=my-group",
  "configuration.providerTrustedNamespaces=default",
  "rbac.secretNamespaces={default}",
].join();
/** What a values file can switch on besides, as far as one program can do all of it. */
const EVERYTHING = [
  DEFAULTS,
  "configuration.controllers={all,crd,dnsentry-source}",
  "configuration.sourceDnsClass=intern",
  "configuration.dnsTargetClass=gardendns",
  "configuration.publish=direct",
  "configuration.registry=configmap",
  "rbac.clusterWideSecrets=true",
].join();
/** Of the objects that it reads as sources then. */
const INTERN = { "dns.gardener.cloud/class": "intern" };
const WEBHOOK_TYPE = "application/external.dns.webhook+json;version=1";
/** Above what the fuse lets pass at once. */
const MANY = Array.from({ length: 14 }, (_, index) => `many${index}`);

/** With what is typed where the instance is in a cluster. */
const HELD = /(?:many changes at once|earlier set).*[ ;,]kubectl zonekeeper (?:approve|plan)/;

/** One of the Deployment's Pods. */
interface Replica {
  readonly child: Child;
  readonly logFile: string;
  readonly readyz: string;
}

/** The tests are one session in order. */
describeReal(
  "the rendered rights at a real kube-apiserver",
  ["helm", "kubectl-1.32", "bind", "kube-apiserver"],
  () => {
    let api: RealApiServer;
    let user: ClusterUser;
    let zone: RealZone;
    let folder: TempFolder;
    const ports: FreePort[] = [];
    const replicas: Replica[] = [];

    beforeAll(async () => {
      folder = makeTempFolder("rendered-rights");
      zone = new RealZone(await startBind({ zone: "example.net" }));
      api = await startKubeApiServer({ audit: true });
      user = new ClusterUser(new Kubectl("1.32", api.kubeconfig));
    });
    afterAll(async () => {
      await Promise.all(replicas.map(({ child }) => child.kill9()));
      for (const port of ports) port.release();
      await user?.kubectl.close();
      await api?.close();
      await zone?.server.stop();
      folder?.remove();
    });

    async function helm(command: "install" | "upgrade", values: string): Promise<void> {
      const where = ["-n", "zonekeeper", "--create-namespace", `--kubeconfig=${api.kubeconfig}`];
      const options = command === "upgrade" ? ["--install", ...where] : where;
      const args = [command, "zonekeeper", CHART, ...options, "--set", values];
      const { code, stderr } = await run(helmPath(), args, { timeoutMs: 120_000 });
      expect([code, stderr]).toEqual([0, ""]);
    }

    /** The Pod's process, with what a kubelet gives it: a token and its namespace. */
    async function launch(values: string): Promise<Replica> {
      const [http, door] = [await claimPort(), await claimPort()];
      ports.push(http, door);
      const root = join(folder.path, String(http.port));
      const token = await user.kubectl.ok(["create", "token", "zonekeeper", "-n", "zonekeeper"]);
      const { args, env } = podProcess(await rendered("--set", values), { root });
      const text = readFileSync(api.kubeconfig, "utf8")
        .replace(api.tokenOf("admin"), token.trim())
        .replace('"namespace":"default"', '"namespace":"zonekeeper"');
      writeFileSync(`${root}.kubeconfig`, text);
      const logFile = `${root}.log`;
      const child = await Child.start({
        command: process.execPath,
        args: [PROGRAM, ...args],
        cwd: folder.path,
        logFile,
        env: {
          ...env,
          KUBECONFIG: `${root}.kubeconfig`,
          ZONEKEEPER_HTTP_PORT: String(http.port),
          ZONEKEEPER_API_PORT: String(door.port),
        },
      });
      const replica = { child, logFile, readyz: `http://127.0.0.1:${http.port}/readyz` };
      replicas.push(replica);
      return replica;
    }

    async function startReplica(values: string): Promise<Child> {
      const { child, readyz } = await launch(values);
      const isReady = async (): Promise<boolean> =>
        (await fetch(readyz).catch(() => null))?.ok === true;
      await waitUntilReady(child, isReady);
      return child;
    }

    /** `verb path: what the API server said` of each request that it forbade. */
    function forbidden(): readonly string[] {
      const events = api.audited().filter(({ user: { username } }) => username === ACCOUNT);
      expect(events.length).toBeGreaterThan(50);
      const refused = events.filter(({ responseStatus: { code } }) => code === 403);
      return refused.map(
        ({ verb, requestURI, responseStatus: { message = "" } }) =>
          `${verb} ${requestURI}: ${message}`,
      );
    }

    test("usual work with the defaults is forbidden nothing", async () => {
      await helm("install", DEFAULTS);
      const first = await startReplica(DEFAULTS);
      await user.apply(account("net", zone.server));
      await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
      await user.apply(service("echo", zone.name("echo")));
      await user.balance("svc", "echo", "192.0.2.50");
      await user.apply(ingress("web", zone.name("web"), [zone.name("web")]));
      await user.balance("ing", "web", "192.0.2.51");
      await user.apply(bareService("noted"));
      await user.apply(dnsAnnotation("noted", zone.name("noted")));
      await user.balance("svc", "noted", "192.0.2.52");
      for (const name of MANY)
        await user.apply(entry(name, zone.name(name), { targets: ["192.0.2.9"] }));
      await zone.becomes("www", "A", "192.0.2.1");
      await zone.becomes("echo", "A", "192.0.2.50");
      await zone.becomes("web", "A", "192.0.2.51");
      await zone.becomes("noted", "A", "192.0.2.52");
      for (const name of MANY) await zone.becomes(name, "A", "192.0.2.9");
      const owner = { metadata: { namespace: undefined }, spec: { ownerId: "shop" } };
      await user.apply(object("DNSOwner", "shop", owner));
      await user.kubectl.ok(["create", "namespace", "shop"]);
      const spec = { type: "rfc2136", secretRef: { name: "other" } };
      await user.apply(object("DNSProvider", "other", { metadata: { namespace: "shop" }, spec }));
      await user.delete("svc", "echo");
      await zone.becomes("echo", "A");
      await user.kubectl.ok(["delete", "dnse", ...MANY, "--wait=false"]);
      await user.becomes("dnse", MANY.at(-1) ?? "", "Deleting", HELD);

      const second = await startReplica(DEFAULTS);
      await first.kill9();
      await user.apply(entry("new", zone.name("new"), { targets: ["192.0.2.2"] }));
      await zone.becomes("new", "A", "192.0.2.2");
      await user.becomes("dnse", MANY.at(-1) ?? "", "Deleting", HELD);
      await second.stop();
      const state = ["get", "dnspr/other", "-n", "shop", "-o", "jsonpath={.status.message}"];
      expect(await user.kubectl.ok(state)).toContain(`this program (${ACCOUNT})`);
      expect(forbidden()).toEqual([]);
    });

    test("nor is all else that values can switch on", async () => {
      const webhook = await claimPort();
      ports.push(webhook);
      const address = `127.0.0.1:${webhook.port}`;
      const values = `${EVERYTHING},configuration.webhookAddress=${address}`;
      await helm("upgrade", values);
      const third = await startReplica(values);
      const meta = (name: string) => ({ metadata: { name, annotations: INTERN } });
      const targets = (...addresses: readonly string[]) => ({ targets: addresses });
      await user.apply(
        service("direct", `${zone.name("direct")},direct.example.invalid`, { annotations: INTERN }),
      );
      await user.balance("svc", "direct", "192.0.2.60");
      const copied = { dnsName: zone.name("copied"), ...targets("192.0.2.61") };
      await user.apply(object("DNSEntry", "copied", { ...meta("copied"), spec: copied }));
      const point = { dnsName: zone.name("point"), recordType: "A", ...targets("192.0.2.62") };
      const spec = { endpoints: [point] };
      await user.apply(object("DNSEndpoint", "point", { ...meta("point"), spec }));
      const hook = { ...point, dnsName: zone.name("hook") };
      const call = async (body: object): Promise<number> => {
        const headers = { accept: WEBHOOK_TYPE, "content-type": WEBHOOK_TYPE };
        const request = { method: "POST", headers, body: JSON.stringify(body) };
        return (await fetch(`http://${address}/records`, request)).status;
      };
      expect(await call({ create: [hook] })).toBe(204);
      await zone.becomes("direct", "A", "192.0.2.60");
      await zone.becomes("copied", "A", "192.0.2.61");
      await zone.becomes("point", "A", "192.0.2.62");
      await zone.becomes("hook", "A", "192.0.2.62");
      const moved = { ...hook, ...targets("192.0.2.63") };
      expect(await call({ updateOld: [hook], updateNew: [moved] })).toBe(204);
      await zone.becomes("hook", "A", "192.0.2.63");
      expect(await call({ delete: [moved] })).toBe(204);
      await eventually(
        "each has its status",
        () =>
          user.kubectl.ok(["get", "svc/direct", "dnse/copied", "dnsendpoint/point", "-o", "yaml"]),
        (text) =>
          text.includes("zonekeeper.dev/status") &&
          text.includes("remote: default/net") &&
          text.includes("observedGeneration"),
      );
      await eventually(
        "a ConfigMap with rows",
        () => user.kubectl.ok(["get", "configmaps", "-n", "zonekeeper", "-o", "name"]),
        (names) => /my-group-registry-/.test(names),
      );
      await third.stop();
      expect(forbidden()).toEqual([]);
    });

    test("two replicas without rights on the Lease say so, change nothing, and go on with them", async () => {
      await helm("upgrade", DEFAULTS);
      const where = ["rolebinding", "zonekeeper-lease", "-n", "zonekeeper"];
      const binding = await user.kubectl.ok(["get", ...where, "-o", "yaml"]);
      await user.kubectl.ok(["delete", ...where]);
      const before = await zone.content();
      const both = [await launch(DEFAULTS), await launch(DEFAULTS)];
      await user.apply(entry("later", zone.name("later"), { targets: ["192.0.2.4"] }));
      for (const { readyz } of both)
        await eventually(
          "readyz names the right",
          async () => (await fetch(readyz).catch(() => null))?.text() ?? "",
          (text) => /needs leases.*kubectl apply -n zonekeeper/.test(text),
        );
      expect(await zone.content()).toEqual(before);
      await user.apply(binding);
      await zone.becomes("later", "A", "192.0.2.4");
      await Promise.all(both.map(({ child }) => child.stop()));
    });
  },
);
