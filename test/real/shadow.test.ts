/**
 * `zonekeeper shadow` with the arguments of an external-dns, over its zone in BIND: what is equal,
 * what differs and why, and nothing is written, by the record of requests and the zone's serial.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuditedRequest, startControlPlane } from "../support/clients/control-plane-server.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { run } from "../support/programs/run.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { object, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const ZONE = "example.net";
const HOSTNAME = "external-dns.alpha.kubernetes.io/hostname";
/** Questions about rights are POSTs that store nothing. */
const REVIEW = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

/** A record with its typed marker. */
function kept(label: string, type: string, rdata: string, resource: string, owner = "team") {
  const text = `heritage=external-dns,external-dns/owner=${owner},external-dns/resource=${resource}`;
  return [`${label} 0 IN ${type} ${rdata}`, `${type.toLowerCase()}-${label} 0 IN TXT "${text}"`];
}

const RECORDS: readonly string[] = [
  ...kept("www", "A", "192.0.2.1", "service/default/www"),
  ...kept("gone", "A", "192.0.2.2", "service/default/gone"),
  ...kept("other", "A", "192.0.2.3", "service/default/other", "another"),
  "hand 300 IN A 192.0.2.4",
];
const SERVICE = { type: "LoadBalancer", ports: [{ port: 80, protocol: "TCP", targetPort: 80 }] };
const service = (name: string, host = name): string =>
  object("Service", name, {
    metadata: { annotations: { [HOSTNAME]: `${host}.${ZONE}` } },
    spec: SERVICE,
  });

/** The embedded API has no Deployments of its own. */
const DEPLOYMENT = "/apis/apps/v1/namespaces/default/deployments/external-dns";

/** The tests are one session in order. */
describeReal("a shadow of external-dns", ["kubectl-1.32", "dig", "bind"], () => {
  let session: RunSession;
  let zone: RealZone;
  let kubeconfig: string;
  const audit: AuditedRequest[] = [];
  const flags = (): readonly string[] => {
    const { host, port, key } = zone.server;
    return [
      ...["--provider=rfc2136", `--rfc2136-host=${host}`, `--rfc2136-port=${port}`],
      ...[`--rfc2136-zone=${ZONE}`, `--rfc2136-tsig-keyname=${key.name}`],
      ...[`--rfc2136-tsig-secret=${key.secretBase64}`],
      ...[`--rfc2136-tsig-secret-alg=${key.algorithm}`, "--rfc2136-tsig-axfr"],
      ...["--source=service", `--domain-filter=${ZONE}`, "--txt-owner-id=team"],
      ...["--registry=txt", "--interval=1m", "--events"],
    ];
  };
  const secret = (): string =>
    object("Secret", "tsig", { stringData: { secret: zone.server.key.secretBase64 } });
  /** As somebody's manifest has it: the secret and the owner id are in the environment. */
  const deployment = (): string => {
    const args = flags().map((one) =>
      one.replace(/(secret=).*/, "$1$(TSIG_SECRET)").replace(/(owner-id=).*/, "$1$(OWNER)"),
    );
    const secretKeyRef = { name: "tsig", key: "secret" };
    const env = [
      { name: "TSIG_SECRET", valueFrom: { secretKeyRef } },
      { name: "OWNER", value: "team" },
    ];
    const containers = [{ name: "external-dns", image: "external-dns", args, env }];
    const labels = { app: "external-dns" };
    const template = { metadata: { labels }, spec: { containers } };
    return object("Deployment", "external-dns", {
      spec: { selector: { matchLabels: labels }, template },
    });
  };
  const shadow = (...args: readonly string[]) =>
    run(process.execPath, [PROGRAM, "shadow", "--kubeconfig", kubeconfig, ...args], {});

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: ZONE, records: RECORDS }));
    const server = await startControlPlane(
      (request) => void audit.push(request),
      new Map([[DEPLOYMENT, deployment()]]),
    );
    session = await RunSession.open(async () => server);
    kubeconfig = server.kubeconfigOf("controller");
    const { user } = session;
    await user.apply(together(service("www"), service("other"), secret()));
    await user.balance("service", "www", "192.0.2.1");
    await user.balance("service", "other", "192.0.2.3");
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  /** What the program sent that could change an object. */
  const writes = () =>
    audit.filter(
      ({ user, method, path }) => user === "controller" && method !== "GET" && path !== REVIEW,
    );

  test("of a Deployment: each name is equal, and no secret is shown", async () => {
    const { user } = session;
    const before = await zone.content();
    const { code, stdout, stderr } = await shadow("--deployment", "default/external-dns");
    expect([code, stderr]).toEqual([0, expect.stringContaining("--interval, --events")]);
    expect(stdout).toContain("owner id team, policy upsert-only. Nothing was written.");
    expect(stdout).toContain(`zone ${ZONE} (rfc2136): 1 equal, 0 different, 1 orphans, 1 left`);
    expect(stdout).toContain(`gone.${ZONE} A of service/default/gone: orphan`);
    expect(stdout).toContain(`other.${ZONE} A of service/default/other`);
    expect(stdout + stderr).not.toContain(zone.server.key.secretBase64);
    expect(await zone.content()).toEqual(before);
    expect(writes()).toEqual([]);
    expect(await user.kubectl.ok(["get", "events,leases,configmaps", "-A"])).not.toContain(
      "zonekeeper",
    );
  });

  test("tells what differs and why, as text and as JSON", async () => {
    await session.user.apply(service("new"));
    await session.user.balance("service", "new", "192.0.2.7");
    await session.user.balance("service", "www", "192.0.2.10");
    const before = await zone.content();
    const { code, stdout } = await shadow(...flags());
    expect(code).toBe(2);
    expect(stdout).toMatch(
      /www\.example\.net A of service\/default\/www: .*192\.0\.2\.1 -> .*2\.10/,
    );
    expect(stdout).toMatch(/new\.example\.net A of service\/default\/new: .*192\.0\.2\.7 created/);
    const json = await shadow(...flags(), "--output", "json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      schema: "zonekeeper.dev/shadow/v1",
      verdict: "different",
      zones: [{ name: ZONE, counts: { equal: 0, different: 2, orphan: 1, foreign: 1 } }],
      unknown: [],
    });
    expect(await zone.content()).toEqual(before);
    expect(writes()).toEqual([]);
  });

  test("says what it does not know where the server is silent", async () => {
    const silent = ["--deployment=default/external-dns", "--rfc2136-port=1", "--wait=8s"];
    const { code, stdout } = await shadow(...silent);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/written\.\n\nNot known:\n {2}the provider: cannot get/),
    ]);
  });
});
