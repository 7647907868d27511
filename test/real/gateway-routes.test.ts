/**
 * Routes of Gateway API as people apply them, with the released definitions, which come while the
 * program runs: BIND answers what listeners and Gateways say, and nothing is taken away while that
 * is not known.
 */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RunSession } from "../support/programs/run-session.ts";
import { definitionsPath, describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const API = "gateway.networking.k8s.io/v1";
const PARENT = { name: "public", namespace: "default" };

const definition = (plural: string): string =>
  join(definitionsPath(), "gateway-api-1.7.0-standard", `gateway.networking.k8s.io_${plural}.yaml`);

const made = (kind: string, name: string, spec: object): string =>
  JSON.stringify({ apiVersion: API, kind, metadata: { name, namespace: "default" }, spec });

/** The tests are one session in order. */
describeReal("HTTPRoutes", ["kubectl-1.32", "bind", "released-definitions"], () => {
  let session: RunSession;
  let zone: RealZone;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await RunSession.open();
    await session.user.apply(account("net", zone.server));
    await session.run("group-one", "--controllers", "all,gateway-httproute");
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  const status = (kind: string, name: string, value: object): Promise<string> => {
    const how = ["--subresource=status", "--type=merge", "-p", JSON.stringify({ status: value })];
    return session.user.kubectl.ok(["patch", kind, name, ...how]);
  };
  const accepted = (is: "True" | "False") => ({
    parents: [
      {
        parentRef: PARENT,
        controllerName: "example.net/controller",
        conditions: [
          {
            ...{
              type: "Accepted",
              status: is,
              reason: is === "True" ? "Accepted" : "NoMatchingParent",
            },
            ...{ message: "", lastTransitionTime: "2026-11-29T00:00:00Z" },
          },
        ],
      },
    ],
  });
  const addresses = (...values: readonly string[]) => ({
    addresses: values.map((value) => ({ type: "IPAddress", value })),
  });
  const route = (name: string, ...labels: readonly string[]): string =>
    made("HTTPRoute", name, {
      parentRefs: [PARENT],
      hostnames: labels.map((label) => zone.name(label)),
    });

  test("are published when their definitions come", async () => {
    for (const plural of ["gateways", "listenersets", "httproutes"])
      await session.user.kubectl.ok(["create", "-f", definition(plural)]);
    await session.user.kubectl.ok(["wait", "--for=condition=Established", "crd", "--all"]);
    const listener = { name: "web", port: 80, protocol: "HTTP", hostname: zone.name("*") };
    const spec = { gatewayClassName: "example", listeners: [listener] };
    await session.user.apply(
      together(made("Gateway", "public", spec), route("shop", "shop", "cart"), route("web", "web")),
    );
    await status("gateway", "public", addresses("192.0.2.1", "2001:db8::1"));
    await status("httproute", "shop", accepted("True"));
    await zone.becomes("shop", "A", "192.0.2.1");
    await zone.becomes("cart", "AAAA", "2001:db8::1");
    const marker = await zone.answers("a-shop", "TXT");
    expect(marker.join()).toContain("resource=httproute/default/shop");
    expect(await zone.answers("web")).toEqual([]);
  });

  test("follow their Gateway, and keep what stands while it does not accept them", async () => {
    await status("httproute", "web", accepted("True"));
    await zone.becomes("web", "A", "192.0.2.1");
    await status("httproute", "shop", accepted("False"));
    await session.user.reported("HTTPRoute", "shop", /Gateway default\/public does not accept/);
    await status("gateway", "public", addresses("192.0.2.7"));
    await zone.becomes("web", "A", "192.0.2.7");
    await zone.becomes("web", "AAAA");
    expect(await zone.answers("shop")).toEqual(["192.0.2.1"]);
    await status("gateway", "public", addresses());
    await session.user.reported("HTTPRoute", "web", /has no address|target/);
    expect(await zone.answers("web")).toEqual(["192.0.2.7"]);
    await status("gateway", "public", addresses("192.0.2.8"));
    await status("httproute", "shop", accepted("True"));
    await zone.becomes("shop", "A", "192.0.2.8");
  });

  test("take their records with them, a host as well as all", async () => {
    await session.user.apply(route("shop", "shop"));
    await zone.becomes("cart", "A");
    await session.user.delete("httproute", "shop", "web");
    await zone.becomes("shop", "A");
    await zone.becomes("web", "A");
    await zone.becomes("a-web", "TXT");
  });
});
