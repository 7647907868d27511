/**
 * Two external-dns of a fleet in one `run`, as their Deployments are: one zone name, an inside and
 * an outside view of BIND. Each publishes its own names, and none of the other one. kubectl, dig
 * and full transfers of both views are the judges.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder, type TempFolder } from "../support/ports/temp-folder.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { run } from "../support/programs/run.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { type RealServer, type ServerKey, TEST_KEY } from "../support/real-servers/real-server.ts";
import { object, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const ZONE = "example.net";
const HOSTNAME = "external-dns.alpha.kubernetes.io/hostname";
const INSIDE: ServerKey = {
  name: "inside",
  algorithm: "hmac-sha256",
  secretBase64: Buffer.from("zonekeeper inside key 32 bytes!!").toString("base64"),
};
const SERVICE = { type: "LoadBalancer", ports: [{ port: 80, protocol: "TCP", targetPort: 80 }] };

/** A Service of the inside, the outside, or both (without a label). */
function service(name: string, view: string | null): string {
  const labels = view === null ? {} : { view };
  const metadata = { labels, annotations: { [HOSTNAME]: `${name}.${ZONE}` } };
  return object("Service", name, { metadata, spec: SERVICE });
}

/** As `kubectl get deployment --output yaml` has it; JSON is YAML. */
function deployment(name: string, args: readonly string[], env: readonly object[] = []): string {
  const containers = [{ name: "external-dns", image: "external-dns", args, env }];
  return object("Deployment", name, { spec: { template: { spec: { containers } } } });
}

/** The tests are one session in order. */
describeReal("several external-dns in one process", ["kubectl-1.32", "dig", "bind"], () => {
  let folder: TempFolder;
  let server: RealServer;
  let session: RunSession;
  let instance: RunInstance;
  let inside: RealZone;
  let outside: RealZone;

  const args = (owner: string, key: ServerKey, filter: string): readonly string[] => [
    ...["--provider=rfc2136", `--rfc2136-host=${server.host}`, `--rfc2136-port=${server.port}`],
    ...[`--rfc2136-zone=${ZONE}`, `--rfc2136-tsig-keyname=${key.name}`, "--rfc2136-tsig-axfr"],
    ...["--rfc2136-tsig-secret=$(TSIG)", `--rfc2136-tsig-secret-alg=${key.algorithm}`],
    ...["--source=service", "--policy=sync", `--txt-owner-id=${owner}`, `--label-filter=${filter}`],
    ...["--registry=txt", "--interval=1m", `--domain-filter=${ZONE}`],
  ];
  const file = (name: string, text: string): string => {
    const path = join(folder.path, name);
    writeFileSync(path, text);
    return path;
  };
  const secretKeyRef = { name: "tsig", key: "inside" };
  const files = (): readonly string[] => [
    ...[
      "--set",
      file(
        "in.yaml",
        deployment("edns-in", args("in", INSIDE, "view!=outside"), [
          { name: "TSIG", valueFrom: { secretKeyRef } },
        ]),
      ),
    ],
    ...[
      "--set",
      file(
        "out.yaml",
        deployment("edns-out", args("out", TEST_KEY, "view!=inside"), [
          { name: "TSIG", value: TEST_KEY.secretBase64 },
        ]),
      ),
    ],
  ];
  /** Of both views, without the program's fences and the servers' own names. */
  const names = async (zone: RealZone): Promise<readonly string[]> =>
    (await zone.content()).filter((one) => / A /.test(one) && !one.startsWith("ns1."));
  const becomes = (zone: RealZone, ...wanted: readonly string[]) =>
    eventually(
      `${zone.server.key.name} has ${wanted}`,
      () => names(zone),
      (seen) => JSON.stringify(seen) === JSON.stringify(wanted),
    );

  beforeAll(async () => {
    folder = makeTempFolder("sets");
    server = await startBind({ zone: ZONE, viewKeys: [INSIDE] });
    outside = new RealZone(server);
    inside = new RealZone({ ...server, key: INSIDE, port: server.port, zone: ZONE });
    session = await RunSession.open();
    const { user } = session;
    const secret = object("Secret", "tsig", { stringData: { inside: INSIDE.secretBase64 } });
    await user.apply(
      together(secret, service("db", "inside"), service("shop", "outside"), service("www", null)),
    );
    await user.balance("service", "db", "192.0.2.1");
    await user.balance("service", "shop", "192.0.2.2");
    await user.balance("service", "www", "192.0.2.3");
    instance = await session.run("", "--dialect=external-dns", ...files());
  });
  afterAll(async () => {
    await session?.close();
    await server?.stop();
    folder?.remove();
  });

  test("each publishes its own names, with its own owner id, and no name of the other one", async () => {
    await becomes(inside, `db.${ZONE}. A 192.0.2.1`, `www.${ZONE}. A 192.0.2.3`);
    await becomes(outside, `shop.${ZONE}. A 192.0.2.2`, `www.${ZONE}. A 192.0.2.3`);
    await instance.hasNothingToDo();
    const both = (await inside.content()).filter((one) => one.includes("owner="));
    expect(both.every((one) => one.includes("owner=in,"))).toBe(true);
    const { text } = await instance.fetch("/metrics");
    expect(text).toContain('external_dns_controller_verified_records{record_type="a"} 4');
    expect(text).toContain('zonekeeper_zone_owned_names{zone="example.net"} 4');
    // What is none of a set's is no trouble of it.
    const events = await session.user.kubectl.ok(["get", "events", "-A", "-o", "name"]);
    expect(events).toBe("");
  });

  test("a change and a removal reach their own view alone, and names of others stay", async () => {
    const { user } = session;
    await inside.foreignWriter(`update add hand.${ZONE}. 60 A 192.0.2.99`);
    await user.balance("service", "www", "192.0.2.30");
    await user.kubectl.ok(["delete", "service", "db"]);
    await becomes(inside, `hand.${ZONE}. A 192.0.2.99`, `www.${ZONE}. A 192.0.2.30`);
    await becomes(outside, `shop.${ZONE}. A 192.0.2.2`, `www.${ZONE}. A 192.0.2.30`);
    await instance.hasNothingToDo();
    const explained = await instance.cli("explain", `www.${ZONE}`);
    expect(explained.stdout).toContain("owner: in, for service/default/www");
    expect(explained.stdout).toContain("owner: out, for service/default/www");
  });

  test("check, plan and shadow see both, and show no secret", async () => {
    const ask = (command: string, ...more: readonly string[]) =>
      run(process.execPath, [
        ...[PROGRAM, command, "--dialect=external-dns", "--kubeconfig", session.kubeconfig],
        ...[...files(), ...more],
      ]);
    const shadow = await ask("shadow");
    expect([shadow.code, shadow.stderr]).toEqual([0, expect.stringContaining("set default/edns")]);
    expect(shadow.stdout).toContain("owner id in, policy sync");
    expect(shadow.stdout).toContain("owner id out, policy sync");
    const plan = await ask("plan");
    expect(plan.code).toBe(0);
    expect(plan.stdout.match(/nothing to do/g)).toHaveLength(2);
    expect(plan.stdout).toContain("Dry run: this instance writes nothing");
    expect(plan.stdout).not.toContain("does not read them");
    const check = await ask("check");
    expect(check.stdout).toContain("external-dns.flags/default.edns-in: its server answers");
    expect(check.stdout).toContain("external-dns.flags/default.edns-out: its server answers");
    expect(check.code).toBe(0);
    expect(shadow.stdout + check.stdout).not.toContain(INSIDE.secretBase64);
  });
});
