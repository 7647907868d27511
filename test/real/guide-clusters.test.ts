/**
 * The commands of docs/guides/clusters.md, run as they stand: source, target, providers and
 * coordination in four control planes, a BIND, and a source that goes.
 */
import { copyFileSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { ClusterUser } from "../support/clients/cluster-user.ts";
import { Kubectl, kubectlPath } from "../support/clients/kubectl.ts";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { Child } from "../support/programs/child.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { inlineCommandsIn } from "../support/programs/documented-commands.ts";
import { run } from "../support/programs/run.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, service } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const GUIDE = readFileSync("docs/guides/clusters.md", "utf8");
const BLOCKS = [...GUIDE.matchAll(/^```\n(.*?)^```/gms)].map(([, text = ""]) => text);
const CLUSTERS = ["source", "target", "providers", "coordination"] as const;

describeOnBoth("the guide to several clusters", ["bind", "dig"], (api) => {
  const folder = makeTempFolder("guide-clusters");
  const users = new Map<string, ClusterUser>();
  const closes = new Map<string, () => Promise<void>>();
  let zone: RealZone;
  let running: Child | null = null;
  const env = {
    ZONEKEEPER_HTTP_PORT: "0",
    ZONEKEEPER_PROVIDER_TRUSTED_NAMESPACES: "*",
  };
  const withProgram = (script: string): string =>
    script
      .replaceAll(/^zonekeeper/gm, `"${process.execPath}" "${resolve(PROGRAM)}"`)
      .replaceAll(/^kubectl/gm, `"${kubectlPath(api.kubectl)}"`);
  const shell = (script: string) =>
    run("bash", ["--norc", "-uc", withProgram(script)], { cwd: folder.path, env });
  const begin = (command: string, log: string): Promise<Child> =>
    Child.start({
      command: "bash",
      args: ["--norc", "-uc", `exec ${withProgram(command)}`],
      cwd: folder.path,
      logFile: join(folder.path, log),
      env,
    });
  const user = (name: (typeof CLUSTERS)[number]): ClusterUser => {
    const found = users.get(name);
    if (found === undefined) throw new Error(`no cluster ${name}`);
    return found;
  };

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    for (const name of CLUSTERS) {
      const server = await api.start();
      closes.set(name, () => server.close());
      const kubeconfig = join(folder.path, `${name}.yaml`);
      copyFileSync(server.kubeconfig, kubeconfig);
      users.set(name, new ClusterUser(new Kubectl(api.kubectl, kubeconfig)));
    }
  });
  afterAll(async () => {
    await running?.stop();
    await Promise.all([...users.values()].map(({ kubectl }) => kubectl.close()));
    await Promise.all([...closes.values()].map((close) => close()));
    await zone?.server.stop();
    folder.remove();
  });

  test("sources and zones in two processes", async () => {
    const [, , , sources = "", zones = "", ...more] = BLOCKS;
    expect([more, inlineCommandsIn(GUIDE)]).toEqual([[], []]);
    await user("providers").apply(account("net", zone.server));
    const both = [await begin(sources, "sources.log"), await begin(zones, "zones.log")];
    await user("source").apply(service("apart", zone.name("apart")));
    await user("source").balance("service", "apart", "192.0.2.9");
    await zone.becomes("apart", "A", "192.0.2.9");
    await user("source").delete("service", "apart");
    await zone.becomes("apart", "A");
    await Promise.all(both.map((one) => one.stop()));
  });

  test("a Service of one cluster is a DNSEntry of another and a record by a third", async () => {
    const [check = "", start = "", list = ""] = BLOCKS;
    const checked = await shell(check);
    expect(checked.stdout).toMatch(/default\/net/);
    running = await begin(start, "run.log");
    await user("source").apply(service("web", zone.name("web")));
    await user("source").balance("service", "web", "192.0.2.1");
    await zone.becomes("web", "A", "192.0.2.1");
    await eventually(
      "it is listed as Ready",
      () => shell(list),
      ({ stdout }) => /web-service-\S+ +web\.example\.net.*Ready/.test(stdout),
    );
    const leases = await user("coordination").kubectl.ok(["get", "leases", "-A", "-o", "name"]);
    expect(leases).toContain("lease.coordination.k8s.io/zonekeeper");
    const others = await user("source").kubectl.ok(["get", "leases", "-A", "-o", "name"]);
    expect(others).not.toContain("zonekeeper");
  });

  test("the source is killed: its records stay, and edits in the target are published", async () => {
    await closes.get("source")?.();
    closes.delete("source");
    const target = user("target");
    await target.apply(entry("own", zone.name("own"), { targets: ["192.0.2.2"] }));
    await zone.becomes("own", "A", "192.0.2.2");
    await target.apply(entry("own", zone.name("own"), { targets: ["192.0.2.3"] }));
    await zone.becomes("own", "A", "192.0.2.3");
    await target.delete("dnse", "own");
    await zone.becomes("own", "A");
    expect(await zone.answers("web")).toEqual(["192.0.2.1"]);
  });

  test("without its Lease it writes nothing", async () => {
    await closes.get("coordination")?.();
    closes.delete("coordination");
    await eventually(
      "it has given up the lead",
      async () => readFileSync(join(folder.path, "run.log"), "utf8"),
      (log) => log.includes("no longer leading"),
    );
    const serial = await zone.serial();
    await user("target").apply(entry("late", zone.name("late"), { targets: ["192.0.2.4"] }));
    await sleep(3_000);
    expect([await zone.serial(), await zone.answers("late")]).toEqual([serial, []]);
  });
});
