/**
 * Routes under the dialect of external-dns, as a fleet that leaves ingress-nginx has them: released
 * definitions, kubectl, BIND and dig. A name moves from an Ingress to an HTTPRoute and back while
 * it is asked for all the time; a Gateway takes all of its routes with it; Istio comes while the
 * program runs.
 */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { definitionsPath, describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { istioDefinition } from "../support/real-servers/released-definitions.ts";
import { object, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const ZONE = "example.net";
const PARENTS = ["public", "private"].map((name) => ({ name, namespace: "default" }));

/** What external-dns has written: a record with its typed marker. */
const written = (label: string, route: string): readonly string[] => [
  `${label} 0 IN A 192.0.2.1`,
  `a-${label} 0 IN TXT "heritage=external-dns,external-dns/owner=team,external-dns/resource=httproute/default/${route}"`,
];
const RECORDS = [
  ...written("shop", "shop"),
  ...written("cart", "shop"),
  ...written("web", "web"),
  "hand 300 IN A 192.0.2.77",
];

const definition = (plural: string): string =>
  join(definitionsPath(), "gateway-api-1.7.0-standard", `gateway.networking.k8s.io_${plural}.yaml`);

const made = (api: string, kind: string, name: string, spec: object, annotations = {}): string =>
  JSON.stringify({
    ...{ apiVersion: `${api}/v1`, kind },
    metadata: { name, namespace: "default", annotations },
    spec,
  });
const route = (name: string, ...labels: readonly string[]): string =>
  made("gateway.networking.k8s.io", "HTTPRoute", name, {
    parentRefs: PARENTS,
    hostnames: labels.map((label) => `${label}.${ZONE}`),
  });
const backend = { service: { name: "echo", port: { number: 80 } } };
const http = { paths: [{ path: "/", pathType: "Prefix", backend }] };
const ingress = (name: string, label: string): string =>
  object("Ingress", name, { spec: { rules: [{ host: `${label}.${ZONE}`, http }] } });
const ACCEPTED = {
  parents: PARENTS.map((parentRef) => ({
    ...{ parentRef, controllerName: "example.net/controller" },
    conditions: [
      {
        ...{ type: "Accepted", status: "True", reason: "Accepted", message: "" },
        lastTransitionTime: "2026-11-29T00:00:00Z",
      },
    ],
  })),
};

/** The tests are one session in order. */
describeReal(
  "routes of external-dns",
  ["kubectl-1.32", "dig", "bind", "released-definitions"],
  () => {
    let session: RunSession;
    let instance: RunInstance;
    let zone: RealZone;
    let before: readonly string[];
    beforeAll(async () => {
      zone = new RealZone(await startBind({ zone: ZONE, records: RECORDS }));
      session = await RunSession.open();
      const { kubectl } = session.user;
      for (const plural of ["gateways", "listenersets", "httproutes"])
        await kubectl.ok(["create", "-f", definition(plural)]);
      await kubectl.ok(["wait", "--for=condition=Established", "crd", "--all"]);
      await gateway("public", "192.0.2.1");
      await gateway("private", "10.0.0.1");
      await session.user.apply(together(route("shop", "shop", "cart"), route("web", "web")));
      await accepted("shop", "web");
      before = await zone.content();
      const { host, port, key } = zone.server;
      instance = await session.run(
        "",
        ...["--dialect", "external-dns", "--provider=rfc2136"],
        ...[`--rfc2136-host=${host}`, `--rfc2136-port=${port}`, `--rfc2136-zone=${ZONE}`],
        ...[`--rfc2136-tsig-keyname=${key.name}`, `--rfc2136-tsig-secret=${key.secretBase64}`],
        ...[`--rfc2136-tsig-secret-alg=${key.algorithm}`, "--rfc2136-tsig-axfr"],
        ...["--source=ingress", "--source=gateway-httproute"],
        ...["--source=istio-gateway", "--source=istio-virtualservice"],
        ...["--gateway-name=public", `--domain-filter=${ZONE}`],
        ...["--txt-owner-id=team", "--policy=sync", "--registry=txt"],
      );
    });
    afterAll(async () => {
      await session?.close();
      await zone?.server.stop();
    });

    const status = (kind: string, name: string, value: object): Promise<string> => {
      const how = ["--subresource=status", "--type=merge", "-p", JSON.stringify({ status: value })];
      return session.user.kubectl.ok(["patch", kind, name, ...how]);
    };
    const markerOf = async (label: string) => (await zone.answers(`a-${label}`, "TXT")).join();
    const accepted = async (...names: readonly string[]) => {
      for (const name of names) await status("httproute", name, ACCEPTED);
    };
    const addressed = (name: string, value: string) =>
      status("gateway", name, { addresses: [{ type: "IPAddress", value }] });
    const gateway = async (name: string, address: string) => {
      const listener = { name: "web", port: 80, protocol: "HTTP", hostname: `*.${ZONE}` };
      const spec = { gatewayClassName: "example", listeners: [listener] };
      await session.user.apply(made("gateway.networking.k8s.io", "Gateway", name, spec));
      await addressed(name, address);
    };

    test("the zone of external-dns stays as it is, and follows the Gateway", async () => {
      await instance.hasNothingToDo();
      const content = await zone.content();
      expect(content.filter((line) => !line.includes("_zonekeeper-fence"))).toEqual(before);
      await addressed("private", "10.0.0.2");
      await addressed("public", "192.0.2.2");
      for (const label of ["shop", "cart", "web"]) await zone.becomes(label, "A", "192.0.2.2");
    });

    test("a host that is taken off goes, although the route has a Gateway of others, too", async () => {
      await session.user.apply(route("shop", "shop"));
      await zone.becomes("cart", "A");
      await zone.becomes("a-cart", "TXT");
      await zone.becomes("shop", "A", "192.0.2.2");
    });

    test("an Ingress gives its name to a route and back, and each query has an answer", async () => {
      const { user } = session;
      await user.apply(ingress("old", "move"));
      await user.balance("ingress", "old", "192.0.2.9");
      await zone.becomes("move", "A", "192.0.2.9");
      const seen = new Set<string>();
      let isAsking = true;
      const asking = (async () => {
        while (isAsking) seen.add((await zone.answers("move").catch(() => ["error"])).join());
      })();
      await user.apply(route("new", "move"));
      await accepted("new");
      await user.reported("HTTPRoute", "new", /move/);
      await user.delete("ingress", "old");
      await zone.becomes("move", "A", "192.0.2.2");
      expect(await markerOf("move")).toContain("owner=team,external-dns/resource=httproute/");
      await user.apply(ingress("old", "move"));
      await user.balance("ingress", "old", "192.0.2.9");
      await user.reported("Ingress", "old", /move/);
      await user.delete("httproute", "new");
      await zone.becomes("move", "A", "192.0.2.9");
      isAsking = false;
      await asking;
      expect([...seen].sort()).toEqual(["192.0.2.2", "192.0.2.9"]);
    });

    test("Istio is published when its definitions come, with the balancer of its Gateway", async () => {
      const { user } = session;
      for (const plural of ["gateways", "virtualservices"])
        await user.kubectl.ok(["create", "-f", "-"], istioDefinition(plural));
      await user.kubectl.ok(["wait", "--for=condition=Established", "crd", "--all"]);
      const selector = { istio: "ingressgateway" };
      const ports = [{ port: 80, protocol: "TCP", targetPort: 80 }];
      await user.apply(
        object("Service", "edge", { spec: { type: "LoadBalancer", selector, ports } }),
      );
      await user.balance("service", "edge", "192.0.2.20");
      const server = { port: { number: 80, name: "http", protocol: "HTTP" } };
      await user.apply(
        together(
          made("networking.istio.io", "Gateway", "mesh-edge", {
            selector,
            servers: [{ ...server, hosts: [`./*.${ZONE}`, `*/direct.${ZONE}`] }],
          }),
          made("networking.istio.io", "VirtualService", "api", {
            ...{ gateways: ["mesh-edge"], hosts: [`api.${ZONE}`] },
            http: [{ route: [{ destination: { host: "api" } }] }],
          }),
        ),
      );
      // The wildcard of the Gateway answers for both, until they have records of their own.
      const isOfRoute = (marker: string) => marker.includes("resource=virtualservice/default/api");
      await eventually("api is the route's", () => markerOf("api"), isOfRoute);
      await zone.becomes("direct", "A", "192.0.2.20");
      const isOfGateway = (marker: string) => marker.includes("resource=gateway/default/mesh-edge");
      await eventually("direct is the Gateway's", () => markerOf("direct"), isOfGateway);
      await user.balance("service", "edge", "192.0.2.21");
      for (const label of ["api", "direct"]) await zone.becomes(label, "A", "192.0.2.21");
      await user.delete("virtualservice", "api");
      await zone.becomes("a-api", "TXT");
      await zone.becomes("hand", "A", "192.0.2.77");
    });
  },
);
