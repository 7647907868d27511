/**
 * Routes of Gateway API and ServiceEntries of Istio as people apply them, with the released
 * definitions, which come while the program runs: BIND answers what they say, and nothing is taken
 * away while that is not known.
 */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { run } from "../support/programs/run.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { definitionsPath, describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { istioDefinition } from "../support/real-servers/released-definitions.ts";
import { account, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const API = "gateway.networking.k8s.io/v1";
const PARENT = { name: "public", namespace: "default" };

const definition = (plural: string): string =>
  join(definitionsPath(), "gateway-api-1.7.0-standard", `gateway.networking.k8s.io_${plural}.yaml`);

const made = (kind: string, name: string, spec: object): string =>
  JSON.stringify({ apiVersion: API, kind, metadata: { name, namespace: "default" }, spec });

/** The tests are one session in order. */
describeReal(
  "HTTPRoutes and ServiceEntries",
  ["kubectl-1.32", "bind", "released-definitions"],
  () => {
    let session: RunSession;
    let zone: RealZone;
    beforeAll(async () => {
      zone = new RealZone(await startBind({ zone: "example.net" }));
      session = await RunSession.open();
      await session.user.apply(account("net", zone.server));
      await session.run("group-one", "--controllers", "all,gateway-httproute,istio-serviceentry");
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

    test("without their definitions check says so, and it is no problem", async () => {
      const flags = ["check", "--owner", "group-one", "--kubeconfig", session.kubeconfig];
      const args = [...flags, "--controllers", "all,gateway-httproute"];
      const { stdout } = await run(process.execPath, [PROGRAM, ...args]);
      for (const kind of ["httproutes", "gateways", "listenersets"])
        expect(stdout).toContain(
          `[+] ${kind}.gateway.networking.k8s.io: is not served: nothing of it`,
        );
    });

    test("are published when their definitions come", async () => {
      for (const plural of ["gateways", "listenersets", "httproutes"])
        await session.user.kubectl.ok(["create", "-f", definition(plural)]);
      await session.user.kubectl.ok(["wait", "--for=condition=Established", "crd", "--all"]);
      const listener = { name: "web", port: 80, protocol: "HTTP", hostname: zone.name("*") };
      const spec = { gatewayClassName: "example", listeners: [listener] };
      await session.user.apply(
        together(
          made("Gateway", "public", spec),
          route("shop", "shop", "cart"),
          route("web", "web"),
        ),
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
      await status("gateway", "public", addresses("192.0.2.7", "2001:db8::1"));
      await zone.becomes("web", "A", "192.0.2.7");
      expect(await zone.answers("shop")).toEqual(["192.0.2.1"]);
      await status("gateway", "public", addresses());
      await status("httproute", "shop", accepted("True"));
      await session.user.reported("HTTPRoute", "shop", /NoTargets|no address|no target/);
      expect([await zone.answers("web"), await zone.answers("shop")]).toEqual([
        ["192.0.2.7"],
        ["192.0.2.1"],
      ]);
      await status("gateway", "public", addresses("192.0.2.8", "2001:db8::1"));
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

    test("ServiceEntries are published where they say so", async () => {
      const { kubectl } = session.user;
      await kubectl.ok(["create", "-f", "-"], istioDefinition("serviceentries"));
      await kubectl.ok(["wait", "--for=condition=Established", "crd", "--all"]);
      const entry = (name: string, spec: object): string =>
        JSON.stringify({
          apiVersion: "networking.istio.io/v1",
          kind: "ServiceEntry",
          metadata: { name, namespace: "default" },
          spec: { hosts: [zone.name(name)], ...spec },
        });
      const ports = [{ number: 5432, name: "tcp-pg", protocol: "TCP" }];
      await session.user.apply(
        together(
          entry("db", { addresses: ["192.0.2.1", "2001:db8::1"], ports, resolution: "STATIC" }),
          entry("far", { resolution: "DNS", ports, endpoints: [{ address: "db.example.org" }] }),
          entry("any", { addresses: ["192.0.2.0/24"], ports }),
        ),
      );
      const publish = "zonekeeper.dev/publish=true";
      await kubectl.ok(["annotate", "serviceentry", "db", "any", publish]);
      await zone.becomes("db", "A", "192.0.2.1");
      await zone.becomes("db", "AAAA", "2001:db8::1");
      expect((await zone.answers("a-db", "TXT")).join()).toContain(
        "resource=serviceentry/default/db",
      );
      await session.user.reported("ServiceEntry", "any", /192\.0\.2\.0\/24.*is no address/);
      expect(await zone.answers("far", "CNAME")).toEqual([]);
      await kubectl.ok(["annotate", "serviceentry", "far", publish]);
      await zone.becomes("far", "CNAME", "db.example.org.");
      await kubectl.ok(["annotate", "serviceentry", "db", "zonekeeper.dev/publish-"]);
      await zone.becomes("db", "A");
    });
  },
);
