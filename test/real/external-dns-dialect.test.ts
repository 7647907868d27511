/**
 * `run --dialect external-dns` with the arguments of a Deployment, over a zone of BIND as a real
 * external-dns left it (registry/txt of external-dns 0.22): an empty plan, one change, and what is
 * not ours stays. dig, a full transfer and kubectl are the judges.
 */
import { expect, test } from "vitest";
import { eventually } from "../support/ports/eventually.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { run } from "../support/programs/run.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { object, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const ZONE = "example.net";
const HOSTNAME = "external-dns.alpha.kubernetes.io/hostname";

/** A record with its typed marker. */
function kept(label: string, type: string, rdata: string, resource: string, owner = "team") {
  const text = `heritage=external-dns,external-dns/owner=${owner},external-dns/resource=${resource}`;
  return [`${label} 0 IN ${type} ${rdata}`, `${type.toLowerCase()}-${label} 0 IN TXT "${text}"`];
}

const RECORDS: readonly string[] = [
  ...kept("www", "A", "192.0.2.1", "service/default/www"),
  ...kept("shop", "A", "192.0.2.2", "ingress/default/shop"),
  ...kept("point", "CNAME", "lb.example.com.", "service/default/point"),
  ...kept("other", "A", "192.0.2.3", "service/default/other", "another"),
  "hand 300 IN A 192.0.2.4",
];

const SERVICE = { type: "LoadBalancer", ports: [{ port: 80, protocol: "TCP", targetPort: 80 }] };
const service = (name: string, annotations: Readonly<Record<string, string>>): string =>
  object("Service", name, { metadata: { annotations }, spec: SERVICE });
const backend = { service: { name: "echo", port: { number: 80 } } };
const ingress = object("Ingress", "shop", {
  spec: {
    rules: [
      { host: `shop.${ZONE}`, http: { paths: [{ path: "/", pathType: "Prefix", backend }] } },
    ],
  },
});

describeReal("external-dns's arguments over its zone", ["kubectl-1.32", "dig", "bind"], () => {
  test("an empty plan, one change, one removal; the records of others stay", async () => {
    const zone = new RealZone(await startBind({ zone: ZONE, records: RECORDS }));
    const session = await RunSession.open();
    try {
      const { user } = session;
      const { host, port, key } = zone.server;
      await user.apply(
        together(
          service("www", { [HOSTNAME]: `www.${ZONE}` }),
          service("point", {
            [HOSTNAME]: `point.${ZONE}`,
            "external-dns.alpha.kubernetes.io/target": "lb.example.com",
          }),
          ingress,
        ),
      );
      await user.balance("service", "www", "192.0.2.1");
      await user.balance("service", "point", "192.0.2.9");
      await user.balance("ingress", "shop", "192.0.2.2");
      const before = await zone.content();
      const instance = await session.run(
        "",
        ...["--dialect", "external-dns", "--provider=rfc2136"],
        ...[`--rfc2136-host=${host}`, `--rfc2136-port=${port}`, `--rfc2136-zone=${ZONE}`],
        ...[`--rfc2136-tsig-keyname=${key.name}`, `--rfc2136-tsig-secret=${key.secretBase64}`],
        ...[`--rfc2136-tsig-secret-alg=${key.algorithm}`, "--rfc2136-tsig-axfr"],
        ...["--source=service", "--source=ingress", `--domain-filter=${ZONE}`],
        ...["--txt-owner-id=team", "--policy=sync", "--registry=txt", "--interval=1m", "--events"],
      );
      await instance.hasNothingToDo();
      const withoutFence = async () =>
        (await zone.content()).filter((line) => !line.includes("_zonekeeper-fence"));
      expect(await withoutFence()).toEqual(before);
      await user.balance("service", "www", "192.0.2.10");
      await zone.becomes("www", "A", "192.0.2.10");
      await user.kubectl.ok(["delete", "ingress", "shop"]);
      await zone.becomes("shop", "A");
      await zone.becomes("a-shop", "TXT");
      await zone.becomes("other", "A", "192.0.2.3");
      await zone.becomes("hand", "A", "192.0.2.4");
      await zone.becomes("point", "CNAME", "lb.example.com.");
      expect(instance.output()).not.toContain(key.secretBase64);
      expect(instance.output()).toContain("--interval, --events: no effect here");
    } finally {
      await session.close();
      await zone.server.stop();
    }
  });

  test("--once with the owner id of everybody: what is created goes again, what names no cluster stays", async () => {
    const records = [
      ...kept("old", "A", "192.0.2.1", "service/default/old", "default"),
      ...kept("typed", "CNAME", "lb.example.com.", "service/default/typed", "default"),
      ...kept("www", "A", "192.0.2.2", "service/default/other", "another"),
      "plain 300 IN A 192.0.2.6",
    ];
    const zone = new RealZone(await startBind({ zone: ZONE, records }));
    const session = await RunSession.open();
    const { user, kubeconfig } = session;
    const { host, port, key } = zone.server;
    const flags = [
      ...["--dialect=external-dns", "--provider=rfc2136"],
      ...[`--rfc2136-host=${host}`, `--rfc2136-port=${port}`, `--rfc2136-zone=${ZONE}`],
      ...[`--rfc2136-tsig-keyname=${key.name}`, `--rfc2136-tsig-secret=${key.secretBase64}`],
      ...["--source=service", "--policy=sync"],
    ];
    const once = () =>
      run(process.execPath, [
        ...[PROGRAM, "run", ...flags, "--once", "--metrics-address=127.0.0.1:0"],
        ...["--kubeconfig", kubeconfig],
      ]);
    const put = async (label: string, address: string): Promise<void> => {
      await user.apply(service(label, { [HOSTNAME]: `${label}.${ZONE}` }));
      await user.balance("service", label, address);
    };
    try {
      await put("old", "192.0.2.1");
      await put("typed", "192.0.2.8");
      await put("new", "192.0.2.7");
      const first = await once();
      expect([first.code, first.stderr]).toEqual([2, expect.stringContaining("id is default,")]);
      expect(first.stderr).toContain("FirstContact");
      await zone.becomes("new", "A", "192.0.2.7");
      await zone.becomes("typed", "CNAME", "lb.example.com.");
      const instance = await session.run("", ...flags);
      const { stdout } = await eventually(
        "the first plan waits for a person",
        () => instance.cli("plan"),
        (plan) => plan.stdout.includes("zonekeeper approve "),
      );
      const hash = /zonekeeper approve (\S+)/.exec(stdout)?.[1] ?? stdout;
      expect((await instance.cli("approve", hash)).code).toBe(0);
      await zone.becomes("typed", "A", "192.0.2.8");
      await zone.becomes("typed", "CNAME");
      await user.kubectl.ok(["delete", "service", "new", "old"]);
      await zone.becomes("new", "A");
      await eventually(
        "the plan holds what may be of another cluster",
        () => instance.cli("plan"),
        (plan) => plan.stdout.includes("OwnerShared"),
      );
      await zone.becomes("old", "A", "192.0.2.1");
      await zone.becomes("www", "A", "192.0.2.2");
      await put("plain", "192.0.2.6");
      const shadow = ["shadow", ...flags, "--registry=noop", "--kubeconfig", kubeconfig];
      const { stdout: report } = await run(process.execPath, [PROGRAM, ...shadow]);
      expect(report).toContain(`zone ${ZONE} (rfc2136): 2 equal, 0 different`);
    } finally {
      await session.close();
      await zone.server.stop();
    }
  });
});
