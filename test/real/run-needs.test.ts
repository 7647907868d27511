/**
 * `zonekeeper run` on a cluster without a definition that it reads: it says so at once, with the
 * command that mends it, does what does not need it, and takes the definition up when it comes.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/ports/eventually.ts";
import { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const ANSWER_WITHIN_MS = 5_000;
const TAKEN_UP_WITHIN_MS = 30_000;
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
    const args = ["--controllers", "all,crd"];
    instance = await RunInstance.launch({ kubeconfig, owner: "group-one", args });
    await eventually(
      "it listens",
      () => instance.get("/healthz"),
      (status) => status === 200,
      TAKEN_UP_WITHIN_MS,
    );
    const { text } = await eventually(
      "/readyz names the definition",
      () => instance.fetch("/readyz"),
      (answer) => answer.text.includes("needs dnsendpoints"),
      ANSWER_WITHIN_MS,
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
      TAKEN_UP_WITHIN_MS,
    );
    await eventually(
      "nothing is missing any more",
      () => instance.fetch("/readyz"),
      ({ text }) => !text.includes("needs "),
      TAKEN_UP_WITHIN_MS,
    );
    expect(instance.output()).toContain("not missing any more");
  });
});
