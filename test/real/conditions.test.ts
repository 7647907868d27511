/**
 * Who waits for conditions, with nothing that knows us: `kubectl wait`, and the rules of kstatus,
 * by which Flux and Helm wait. Against the embedded API and a real kube-apiserver, before BIND.
 */
import { readFileSync } from "node:fs";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiServer } from "../support/api-servers/api-server.ts";
import { startKubeApiServer } from "../support/api-servers/kube-apiserver.ts";
import { startControlPlane } from "../support/clients/control-plane-server.ts";
import { eventually } from "../support/ports/eventually.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { run } from "../support/programs/run.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, together } from "../support/values/cluster-objects.ts";
import { type Kstatus, kstatusOf } from "../support/values/kstatus.ts";
import { RealZone } from "../support/values/real-zone.ts";

const ENDPOINTS = readFileSync("deploy/crds/externaldns.k8s.io_dnsendpoints.yaml", "utf8");
const ENTRIES = readFileSync("deploy/crds/dns.gardener.cloud_dnsentries.yaml", "utf8");

const LIVE = "zonekeeper.dev/live-check";

const endpoint = (dnsName: string, target: string): string =>
  JSON.stringify({
    apiVersion: "externaldns.k8s.io/v1alpha1",
    kind: "DNSEndpoint",
    metadata: { name: "point", namespace: "default" },
    spec: { endpoints: [{ dnsName, recordType: "A", targets: [target] }] },
  });

/** The definition as somebody ships it who has no conditions and no default of a status. */
function withoutConditions(text: string): string {
  const from = text.indexOf("                conditions:\n");
  const to = text.indexOf("              default:\n", from);
  const end = text.indexOf("          required:\n", to);
  if (from < 0 || to < 0 || end < 0) throw new Error("the definition has another form");
  return text.slice(0, from) + text.slice(end);
}

/** Waits until `zonekeeper check` has a finding that is well and like that. */
async function checkSays({ kubeconfig }: RunSession, finding: RegExp): Promise<void> {
  const check = ["check", "--owner", "a", "--kubeconfig", kubeconfig];
  await eventually(
    `check says ${finding}`,
    async () => (await run(process.execPath, [PROGRAM, ...check])).stdout,
    (text) => text.split("\n").some((line) => line.startsWith("[+]") && finding.test(line)),
  );
}

/** The tests are one session in order. */
function story(start: () => Promise<ApiServer>, publishesSchemas: boolean): void {
  let session: RunSession;
  let zone: RealZone;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await RunSession.open(start);
    await session.user.apply(ENDPOINTS);
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  const wait = (what: string, ...objects: readonly string[]) =>
    session.user.kubectl.ok(["wait", `--for=${what}`, "--timeout=60s", ...objects]);
  const kstatus = async (kind: string, name: string): Promise<Kstatus> =>
    kstatusOf(await stored(kind, name));
  const stored = async (kind: string, name: string): Promise<KubeObject> =>
    (await session.user.kubectl.json(["get", kind, name])) as KubeObject;
  const addressed = (address: string): string =>
    entry("www", zone.name("www"), { targets: [address], ttl: 60 });

  test("what no controller has seen is not done", async () => {
    await session.user.apply(together(account("net", zone.server), addressed("192.0.2.1")));
    await eventually(
      "the DNSEndpoint is taken",
      () => session.user.apply(endpoint(zone.name("point"), "192.0.2.7")).catch(() => ""),
      (text) => text !== "",
    );
    for (const [kind, name] of [
      ["dnspr", "net"],
      ["dnse", "www"],
      ["dnsendpoint", "point"],
    ] as const)
      expect([kind, await kstatus(kind, name)]).toEqual([kind, "InProgress"]);
  });

  test("kubectl wait ends when the records answer", async () => {
    await session.run("group-one", "--controllers", "all,crd");
    await wait("condition=Ready", "dnspr/net");
    await wait("condition=Ready", "dnse/www", "dnsendpoint/point");
    expect(await zone.answers("www")).toEqual(["192.0.2.1"]);
    expect(await zone.answers("point")).toEqual(["192.0.2.7"]);
    expect(await kstatus("dnse", "www")).toBe("Current");
    expect(await kstatus("dnsendpoint", "point")).toBe("Current");
    expect(await kstatus("dnspr", "net")).toBe("Current");
  });

  test("after an edit it waits for the new generation, not for the old word", async () => {
    for (let last = 2; last < 5; last++) {
      const address = `192.0.2.${last}`;
      await session.user.apply(together(addressed(address), endpoint(zone.name("point"), address)));
      await wait("condition=Ready", "dnse/www", "dnsendpoint/point");
      expect([await zone.answers("www"), await zone.answers("point")]).toEqual([
        [address],
        [address],
      ]);
    }
  });

  test("a mistake is Stalled, so that nobody waits to the end; its mending is Ready", async () => {
    await session.user.apply(addressed("192.0.2.999"));
    await wait("condition=Stalled", "dnse/www");
    expect(await kstatus("dnse", "www")).toBe("Failed");
    expect(await zone.answers("www")).toEqual(["192.0.2.4"]);
    await session.user.apply(addressed("192.0.2.1"));
    await wait("condition=Ready", "dnse/www");
    expect(await kstatus("dnse", "www")).toBe("Current");
  });

  test("Live comes on request, when all servers of the zone answer with it", async () => {
    const annotate = (to: string) =>
      session.user.kubectl.ok(["annotate", "dnse/www", "dnsendpoint/point", `${LIVE}${to}`]);
    await annotate("=true");
    await wait("condition=Live", "dnse/www", "dnsendpoint/point");
    const path = '{.status.conditions[?(@.type=="Live")].message}';
    const read = ["get", "dnse", "www", "-o", `jsonpath=${path}`];
    expect(await session.user.kubectl.ok(read)).toMatch(
      /^www\.example\.net: (\d+) of \1 servers answered with it at \d{4}-\d\d-\d\dT/,
    );
    await annotate("-");
    await wait("condition=Ready", "dnse/www");
  });

  test("what cannot be done now is in progress, with a code as the reason", async () => {
    await session.user.apply(entry("far", "www.example.org", { targets: ["192.0.2.1"] }));
    await wait("condition=Ready=False", "dnse/far");
    expect(await kstatus("dnse", "far")).toBe("InProgress");
    const path = '{.status.conditions[?(@.type=="Ready")].reason}';
    const reason = await session.user.kubectl.ok(["get", "dnse", "far", "-o", `jsonpath=${path}`]);
    expect(reason).toBe("NoProvider");
  });

  test("a definition without conditions: check says so, and state is right", async () => {
    await session.user.apply(withoutConditions(ENTRIES));
    if (publishesSchemas) await checkSays(session, /dnsentries\S+: it has no status\.conditions/);
    await session.user.apply(entry("new", zone.name("new"), { targets: ["192.0.2.3"] }));
    await wait("jsonpath={.status.state}=Ready", "dnse/new");
    expect((await stored("dnse", "new"))["status"]).not.toHaveProperty("conditions");
    const { resourceVersion } = (await stored("dnse", "new")).metadata;
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect((await stored("dnse", "new")).metadata.resourceVersion).toBe(resourceVersion);
  });
}

describeReal("conditions, with the embedded API", ["kubectl-1.32", "bind"], () =>
  story(() => startControlPlane(), true),
);
describeReal("conditions, with kube-apiserver", ["kubectl-1.32", "bind", "kube-apiserver"], () =>
  // Ours is built without OpenAPI, from which `check` knows the fields.
  story(startKubeApiServer, false),
);
