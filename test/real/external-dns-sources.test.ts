/**
 * Sources of external-dns by its flags: Services of all types, Nodes, DNSEndpoints and templates,
 * from kubectl to BIND. Pods are asked for when a headless Service is there, and not before.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startControlPlane } from "../support/clients/control-plane-server.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { object, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const ZONE = "example.net";
const DEFINITION = readFileSync("deploy/crds/externaldns.k8s.io_dnsendpoints.yaml", "utf8");
const PREFIX = "external-dns.kubernetes.io/";

const ports = [{ name: "web", port: 80, protocol: "TCP", targetPort: 80 }];
const NODE_PORT = { type: "NodePort", ports: ports.map((one) => ({ ...one, nodePort: 30080 })) };
const service = (name: string, spec: object, hostname?: string): string =>
  object("Service", name, {
    metadata: hostname === undefined ? {} : { annotations: { [`${PREFIX}hostname`]: hostname } },
    spec: { ports, ...spec },
  });

const pod = (name: string): string =>
  object("Pod", name, {
    metadata: { labels: { app: "db" } },
    spec: { hostname: name, containers: [{ name: "db", image: "db" }] },
  });

const slice = (...pods: readonly (readonly [name: string, address: string])[]): string =>
  object("EndpointSlice", "db-1", {
    metadata: { labels: { "kubernetes.io/service-name": "db" } },
    addressType: "IPv4",
    ports: [],
    endpoints: pods.map(([name, address]) => ({
      addresses: [address],
      conditions: { ready: true },
      targetRef: { kind: "Pod", name, namespace: "default" },
    })),
  });

const node = object("Node", "n1", { metadata: { namespace: undefined } });
const endpoint = object("DNSEndpoint", "records", {
  spec: {
    endpoints: [
      { dnsName: `txt.${ZONE}`, recordType: "TXT", recordTTL: 120, targets: ["hello"] },
      { dnsName: `none.${ZONE}`, recordType: "A", targets: [] },
    ],
  },
});

describeReal("the sources of external-dns", ["kubectl-1.32", "dig", "bind"], () => {
  test("NodePort, headless, Nodes, templates, DNSEndpoints", async () => {
    const asked: string[] = [];
    const zone = new RealZone(await startBind({ zone: ZONE, records: [] }));
    const session = await RunSession.open(() =>
      startControlPlane(({ user, path }) => {
        if (user === "controller" || user === "admin") asked.push(path);
      }),
    );
    const hasPods = () => asked.some((path) => /^\/api\/v1\/pods\b/.test(path));
    try {
      const { user } = session;
      const status = (kind: string, name: string, value: object) =>
        user.kubectl.ok([
          ...["patch", kind, name, "--subresource=status", "--type=merge"],
          ...["-p", JSON.stringify({ status: value })],
        ]);
      await user.apply(DEFINITION);
      await user.kubectl.ok(["wait", "--for=condition=Established", "crd", "--all"]);
      await user.apply(together(node, service("named", { type: "LoadBalancer" }), endpoint));
      await status("node", "n1", {
        addresses: [
          { type: "ExternalIP", address: "192.0.2.21" },
          { type: "InternalIP", address: "10.0.0.21" },
        ],
      });
      await user.balance("service", "named", "192.0.2.1");
      const { host, port, key } = zone.server;
      const instance = await session.run(
        "",
        ...["--dialect", "external-dns", "--provider=rfc2136"],
        ...[`--rfc2136-host=${host}`, `--rfc2136-port=${port}`, `--rfc2136-zone=${ZONE}`],
        ...[`--rfc2136-tsig-keyname=${key.name}`, `--rfc2136-tsig-secret=${key.secretBase64}`],
        ...[`--rfc2136-tsig-secret-alg=${key.algorithm}`, "--txt-owner-id=team", "--policy=sync"],
        ...["--source=service", "--source=node", "--source=crd"],
        ...["--managed-record-types=A", "--managed-record-types=TXT", "--managed-record-types=SRV"],
        `--fqdn-template={{ .Kind | toLower }}-{{ .Name }}.${ZONE}`,
        ...["--default-targets=192.0.2.99", `--regex-domain-exclusion=^secret\\.`],
      );
      await zone.becomes("service-named", "A", "192.0.2.1");
      await zone.becomes("node-n1", "A", "192.0.2.21");
      await zone.becomes("txt", "TXT", '"hello"');
      await zone.becomes("none", "A", "192.0.2.99");
      await user.apply(
        together(
          service("game", NODE_PORT, `game.${ZONE},secret.${ZONE}`),
          service("broken", { type: "ExternalName", externalName: "x.example.org" }, "a..b"),
        ),
      );
      await zone.becomes("game", "A", "192.0.2.21");
      await zone.becomes("_game._tcp.game", "SRV", `0 50 30080 game.${ZONE}.`);
      expect(hasPods()).toBe(false);

      await user.apply(
        together(
          ...[pod("db-0"), pod("db-1"), slice(["db-0", "10.1.0.1"], ["db-1", "10.1.0.2"])],
          service("db", { clusterIP: "None", selector: { app: "db" } }, `db.${ZONE}`),
        ),
      );
      await zone.becomes("db", "A", "10.1.0.1", "10.1.0.2");
      await zone.becomes("db-1.db", "A", "10.1.0.2");
      expect(hasPods()).toBe(true);
      await user.apply(slice(["db-0", "10.1.0.1"]));
      await zone.becomes("db-1.db", "A");
      await zone.becomes("db", "A", "10.1.0.1");
      await user.apply(slice(["db-0", "10.1.0.7"]));
      await zone.becomes("db-0.db", "A", "10.1.0.7");

      await user.kubectl.ok(["delete", "service", "game", "named"]);
      await zone.becomes("game", "A");
      await zone.becomes("_game._tcp.game", "SRV");
      await zone.becomes("service-named", "A");
      expect(await zone.answers("secret")).toEqual([]);
      await zone.becomes("node-n1", "A", "192.0.2.21");
      expect(instance.output()).not.toContain(key.secretBase64);
    } finally {
      await session.close();
      await zone.server.stop();
    }
  });
});
