/**
 * `zonekeeper run` as a user who has the ClusterRole of deploy/rbac and nothing else, on a real
 * kube-apiserver: that is enough; and where a verb is taken away, it says so and removes no record.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiServer } from "../support/api-servers/api-server.ts";
import { startKubeApiServer } from "../support/api-servers/kube-apiserver.ts";
import {
  grantShippedRole,
  roleWithout,
  SHIPPED_ROLE,
} from "../support/api-servers/shipped-role.ts";
import { ClusterUser } from "../support/clients/cluster-user.ts";
import { Kubectl } from "../support/clients/kubectl.ts";
import { eventually } from "../support/ports/eventually.ts";
import { RunInstance } from "../support/programs/run-instance.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import {
  account,
  bareService,
  dnsAnnotation,
  entry,
  service,
} from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

/** How kube-apiserver says that RBAC does not grant something. */
const REFUSED = /User \\?"controller\\?" cannot (\w+) resource \\?"([\w/]+)/;

/** The tests are one session in order. */
describeReal("run with the shipped ClusterRole", ["kubectl-1.32", "bind", "kube-apiserver"], () => {
  let api: ApiServer;
  let user: ClusterUser;
  let zone: RealZone;
  let instance: RunInstance;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    api = await startKubeApiServer();
    user = new ClusterUser(new Kubectl("1.32", api.kubeconfig));
    await grantShippedRole(user);
    const kubeconfig = api.kubeconfigOf("controller");
    instance = await RunInstance.start({ kubeconfig, owner: "group-one" });
  });
  afterAll(async () => {
    await instance?.remove();
    await user?.kubectl.close();
    await api?.close();
    await zone?.server.stop();
  });

  test("is enough for entries, Services, Ingresses, Events and the Lease", async () => {
    await user.apply(account("net", zone.server));
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
    await user.apply(service("echo", zone.name("echo")));
    await user.balance("svc", "echo", "192.0.2.50");
    await zone.becomes("www", "A", "192.0.2.1");
    await zone.becomes("echo", "A", "192.0.2.50");
    await user.becomes("dnse", "www", "Ready");
    await user.becomes("dnspr", "net", "Ready");
    await user.kubectl.ok(["get", "lease", "zonekeeper", "-n", "default"]);
    await user.apply(entry("gone", zone.name("gone"), { targets: ["192.0.2.3"] }));
    await zone.becomes("gone", "A", "192.0.2.3");
    await user.delete("dnse", "gone");
    await zone.becomes("gone", "A");
    expect(instance.output()).not.toMatch(REFUSED);
  });

  test("DNSAnnotations publish a Service before and after it; while they cannot be listed nothing goes", async () => {
    await user.apply(dnsAnnotation("early", zone.name("early")));
    await user.apply(bareService("early"));
    await user.balance("svc", "early", "192.0.2.61");
    await user.apply(bareService("late"));
    await user.balance("svc", "late", "192.0.2.62");
    await user.apply(dnsAnnotation("late", zone.name("late")));
    await zone.becomes("early", "A", "192.0.2.61");
    await zone.becomes("late", "A", "192.0.2.62");
    await eventually(
      "the DNSAnnotation says that it counts",
      async () => JSON.stringify(await user.kubectl.json(["get", "dnsannotations", "late"])),
      (text) => text.includes('"active":true'),
    );
    expect(instance.output()).not.toMatch(REFUSED);
    await user.apply(roleWithout("dnsannotations", "list", "watch"));
    await instance.restart();
    await eventually(
      "/readyz says that dnsannotations are forbidden, and the zone is loaded",
      () => instance.fetch("/readyz"),
      ({ text }) => /dnsannotations[.\w]*: forbidden/.test(text) && text.includes("[+] zone"),
    );
    await user.apply(entry("beside", zone.name("beside"), { targets: ["192.0.2.63"] }));
    await zone.becomes("beside", "A", "192.0.2.63");
    for (const [label, address] of [
      ["early", "192.0.2.61"],
      ["late", "192.0.2.62"],
    ] as const)
      expect(await zone.answers(label)).toEqual([address]);
    await user.apply(SHIPPED_ROLE);
    await user.delete("dnsannotations", "late");
    await zone.becomes("late", "A");
    expect(await zone.answers("early")).toEqual(["192.0.2.61"]);
  });

  test.each([
    ["services", "echo", "192.0.2.50", "[+] zone example.net"],
    ["dnsentries", "www", "192.0.2.1", "ready"],
  ])(
    "without list and watch of %s it says so and deletes nothing",
    async (resource, label, address, loads) => {
      const before = await zone.content();
      const quiet = instance.output().length;
      await user.apply(roleWithout(resource, "list", "watch"));
      await instance.restart();
      const answer = await eventually(
        `the log names ${resource}`,
        async () => instance.output().slice(quiet),
        (text) => REFUSED.test(text),
      );
      expect(REFUSED.exec(answer)?.slice(1)).toEqual(["watch", resource]);
      const isReported = new RegExp(`/${resource}[.\\w]*: forbidden`);
      await eventually(
        `/readyz says that ${resource} are forbidden, and ${loads}`,
        () => instance.fetch("/readyz"),
        ({ text }) => isReported.test(text) && text.includes(loads),
      );
      const remedy = new RegExp(
        `needs ${resource}.* list, watch ${resource}.*kubectl apply -f deploy/rbac/`,
      );
      await eventually(
        "/readyz names the command that mends it",
        () => instance.fetch("/readyz"),
        ({ text }) => remedy.test(text),
      );
      expect(instance.output().slice(quiet)).toContain(`list, watch ${resource}`);
      expect(await zone.answers(label)).toEqual([address]);
      expect(await zone.content()).toEqual(before);
      await user.apply(SHIPPED_ROLE);
      await eventually(
        "nothing is missing any more",
        () => instance.fetch("/readyz"),
        ({ text }) => !text.includes("] needs "),
      );
      await eventually(
        "nothing to do",
        () => instance.cli("plan"),
        ({ code }) => code === 0,
      );
      expect(await zone.content()).toEqual(before);
    },
  );

  test("without patch of the status records are published and changed, and the log tells what is not shown", async () => {
    await user.apply(roleWithout("dnsentries/status", "patch"));
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.11"] }));
    await zone.becomes("www", "A", "192.0.2.11");
    await user.apply(entry("new", zone.name("new"), { targets: ["192.0.2.7"] }));
    await eventually(
      "the log names the new entry",
      async () => instance.output(),
      (text) => /default\/new[^\n]*cannot patch resource \\"dnsentries\/status/.test(text),
    );
    await zone.becomes("new", "A", "192.0.2.7");
    expect(await zone.answers("echo")).toEqual(["192.0.2.50"]);
    await user.apply(SHIPPED_ROLE);
    await user.becomes("dnse", "new", "Ready");
    expect(await zone.answers("www")).toEqual(["192.0.2.11"]);
  });

  test("Secrets by namespace: records stay, a new DNSProvider shows the commands, they mend it", async () => {
    // Each start of a leader renews the fence.
    const records = async (): Promise<readonly string[]> =>
      (await zone.content()).filter((line) => !line.includes("_zonekeeper-fence"));
    const before = await records();
    await user.kubectl.ok(["delete", "clusterrolebinding", "zonekeeper-secrets"]);
    await instance.restart();
    const role = ["create", "role", "zonekeeper-secrets", "-n", "default", "--resource=secrets"];
    await user.becomes("dnspr", "net", "Error", new RegExp(`kubectl ${role.join(" ")}`));
    expect(await records()).toEqual(before);
    await eventually(
      "/readyz names the namespace with the commands",
      () => instance.fetch("/readyz"),
      ({ text }) => /needs secrets.*: default; in each of them: kubectl create role/.test(text),
    );
    expect(await records()).toEqual(before);
    await user.kubectl.ok([...role, "--verb=get,list,watch,patch"]);
    const binding = ["rolebinding", "zonekeeper-secrets", "-n", "default"];
    const whom = ["--role=zonekeeper-secrets", "--user=controller"];
    await user.kubectl.ok(["create", ...binding, ...whom]);
    await user.becomes("dnspr", "net", "Ready");
    await user.apply(entry("narrow", zone.name("narrow"), { targets: ["192.0.2.9"] }));
    await zone.becomes("narrow", "A", "192.0.2.9");
    await user.delete("dnse", "narrow");
    await zone.becomes("narrow", "A");
    expect(await records()).toEqual(before);
    await user.kubectl.ok(["delete", ...binding]);
    const all = ["clusterrolebinding", "zonekeeper-secrets", "--clusterrole=zonekeeper-secrets"];
    await user.kubectl.ok(["create", ...all, "--user=controller"]);
    await user.becomes("dnspr", "net", "Ready");
  });

  test("is enough without a data folder, too: what is deleted goes, counted in a ConfigMap", async () => {
    await instance.stop();
    const kubeconfig = api.kubeconfigOf("controller");
    const bare = await RunInstance.start({ kubeconfig, owner: "group-one", dataless: true });
    try {
      await user.apply(entry("bare", zone.name("bare"), { targets: ["192.0.2.8"] }));
      await zone.becomes("bare", "A", "192.0.2.8");
      await user.delete("dnse", "bare");
      await zone.becomes("bare", "A");
      const stored = await user.kubectl.ok(["get", "configmaps", "-o", "name"]);
      expect(JSON.stringify(stored)).toMatch(/zonekeeper-state-[0-9a-f]{12}/);
      expect(bare.output()).not.toMatch(REFUSED);
    } finally {
      await bare.remove();
    }
  });
});
