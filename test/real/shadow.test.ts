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
      ...["--policy=sync", "--registry=txt", "--interval=1m", "--events"],
    ];
  };
  const shadow = (...args: readonly string[]) =>
    run(process.execPath, [PROGRAM, "shadow", "--kubeconfig", kubeconfig, ...args], {
      timeoutMs: 60_000,
    });

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: ZONE, records: RECORDS }));
    const server = await startControlPlane((request) => void audit.push(request));
    session = await RunSession.open(async () => server);
    kubeconfig = server.kubeconfigOf("controller");
    await session.user.apply(service("www"));
    await session.user.balance("service", "www", "192.0.2.1");
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  test("tells what is equal and what is an orphan", async () => {
    const before = await zone.content();
    const { code, stdout, stderr } = await shadow(...flags());
    process.stderr.write(`${code}\n${stdout}\n${stderr}`);
    expect(await zone.content()).toEqual(before);
    const writes = audit.filter(({ user, method }) => user === "controller" && method !== "GET");
    expect(writes.filter(({ path }) => path !== REVIEW)).toEqual([]);
  });
});
