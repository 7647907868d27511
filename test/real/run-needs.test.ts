/**
 * `zonekeeper run` on a cluster without a definition that it reads: it says so at once, with the
 * command that mends it, does what does not need it, and takes the definition up when it comes.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startKubeApiServer } from "../support/api-servers/kube-apiserver.ts";
import { eventually } from "../support/ports/eventually.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { run } from "../support/programs/run.ts";
import { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const LEFT_TO_OTHERS = "--kubeconfig.disable-deploy-crds";
const MISSING = /no definition of dnsendpoints\S+; install it: kubectl apply -f deploy\/crds\//;

describeReal("run without a definition", ["kubectl-1.32", "bind"], () => {
  let session: RunSession;
  let zone: RealZone;
  let instance: RunInstance;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await RunSession.open();
  });
  afterAll(async () => {
    await instance?.remove();
    await session?.close();
    await zone?.server.stop();
  });

  test("says so within 5 s in the log and in /readyz, and publishes DNSEntries", async () => {
    const { kubeconfig, user } = session;
    const args = ["--controllers", "all,crd", LEFT_TO_OTHERS];
    instance = await RunInstance.launch({ kubeconfig, owner: "group-one", args });
    await eventually(
      "it listens",
      () => instance.get("/healthz"),
      (status) => status === 200,
    );
    const { text } = await eventually(
      "/readyz names the definition",
      () => instance.fetch("/readyz"),
      (answer) => answer.text.includes("needs dnsendpoints"),
    );
    expect(text).toMatch(MISSING);
    expect(instance.output()).toMatch(MISSING);
    await instance.ready();
    await user.apply(account("net", zone.server));
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
    await zone.becomes("www", "A", "192.0.2.1");
  });

  test("takes it up when it comes", async () => {
    const { user } = session;
    await user.apply(readFileSync("deploy/crds/externaldns.k8s.io_dnsendpoints.yaml", "utf8"));
    const endpoint = {
      apiVersion: "externaldns.k8s.io/v1alpha1",
      kind: "DNSEndpoint",
      metadata: { name: "api", namespace: "default" },
      spec: {
        endpoints: [{ dnsName: zone.name("api"), recordType: "A", targets: ["192.0.2.2"] }],
      },
    };
    await user.apply(JSON.stringify(endpoint));
    await eventually(
      "its record is published",
      () => zone.answers("api"),
      (answers) => answers.includes("192.0.2.2"),
    );
    await eventually(
      "nothing is missing any more",
      () => instance.fetch("/readyz"),
      ({ text }) => !text.includes("needs "),
    );
    expect(instance.output()).toContain("not missing any more");
  });
});

const OWN_DEFINITIONS = ["dnsentries.dns.gardener.cloud", "dnsproviders.dns.gardener.cloud"];

describeReal(
  "run without the definitions of its own",
  ["kubectl-1.32", "bind", "kube-apiserver"],
  () => {
    let session: RunSession;
    let zone: RealZone;
    let instance: RunInstance;
    beforeAll(async () => {
      zone = new RealZone(await startBind({ zone: "example.net" }));
      session = await RunSession.open(startKubeApiServer);
      await session.user.kubectl.ok(["delete", "crd", ...OWN_DEFINITIONS]);
    });
    afterAll(async () => {
      await instance?.remove();
      await session?.close();
      await zone?.server.stop();
    });

    test("log and /readyz name them within 5 s", async () => {
      instance = await RunInstance.launch({
        ...{ kubeconfig: session.kubeconfig, owner: "group-one", args: [LEFT_TO_OTHERS] },
      });
      await eventually(
        "it listens",
        () => instance.get("/healthz"),
        (status) => status === 200,
      );
      const { text } = await eventually(
        "/readyz names both",
        () => instance.fetch("/readyz"),
        (answer) => OWN_DEFINITIONS.every((name) => answer.text.includes(`needs ${name}`)),
      );
      for (const name of OWN_DEFINITIONS) {
        const line = `no definition of ${name}; install it: kubectl apply -f deploy/crds/`;
        expect(text).toContain(line);
        expect(instance.output()).toContain(line);
      }
    });

    test("check names them and exits with 2", async () => {
      const args = [
        "check",
        "--owner",
        "group-one",
        "--kubeconfig",
        session.kubeconfig,
        LEFT_TO_OTHERS,
      ];
      const { code, stdout } = await run(process.execPath, [PROGRAM, ...args], {});
      for (const name of OWN_DEFINITIONS)
        expect(stdout).toContain(`[-] ${name}: the source cluster has no definition of ${name}`);
      expect(stdout).toMatch(/\n2 to mend, 0 that could not be asked\.\n$/);
      expect(code).toBe(2);
    });

    test("they are taken up when they come", async () => {
      const { user } = session;
      for (const file of ["dnsentries", "dnsproviders"])
        await user.apply(readFileSync(`deploy/crds/dns.gardener.cloud_${file}.yaml`, "utf8"));
      await user.kubectl.ok(["wait", "--for=condition=Established", "crd", ...OWN_DEFINITIONS]);
      await user.apply(account("net", zone.server));
      await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
      await zone.becomes("www", "A", "192.0.2.1");
      await eventually(
        "nothing is missing any more",
        () => instance.fetch("/readyz"),
        ({ text, status }) => status === 200 && !text.includes("needs "),
      );
    });
  },
);
