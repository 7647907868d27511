/**
 * Routes of Gateway API and kinds of Istio in the whole program: what is not known of a parent, and
 * a slip of the pen, take no record away; what their authors take off goes.
 */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import {
  GATEWAY,
  HTTP_ROUTE,
  ISTIO_GATEWAY,
  SERVICE_ENTRY,
  VIRTUAL_SERVICE,
} from "../../../src/model/kinds.ts";
import { EXTERNAL_DNS_SOURCES } from "../../../src/sources/external-dns-rows.ts";
import { SOURCES } from "../../../src/sources/index.ts";
import { objectOf, programWorld } from "../../support/worlds/program-world.ts";

const API = "gateway.networking.k8s.io/v1";
const REF = { name: "public" };
const A = "a.example.org";
const B = "b.example.org";
const ONE = "192.0.2.1";
const TWO = "192.0.2.2";

function openWorld(source: string, sources = SOURCES) {
  const world = programWorld({ sources, controllers: ["compound", source] });
  const running = world.start();
  /** Throws unless the names have these addresses after a while. */
  const shows = async (rule: string, wanted: Readonly<Record<string, string>>): Promise<void> => {
    await world.clock.advance(20_000);
    for (const [name, address] of Object.entries(wanted)) {
      const found = world.values(name).join();
      if (found !== address) throw new Error(`${rule}: ${name} has "${found}", not "${address}"`);
    }
  };
  return { cluster: world.cluster, shows, stop: () => running.stop() };
}

/** Throws if the zone has other records than it should. */
export async function playRoute(): Promise<void> {
  const { cluster, shows, stop } = openWorld("gateway-httproute");
  const gateway = (...addresses: readonly string[]): void => {
    const listeners = [{ name: "web", port: 80, protocol: "HTTP", hostname: "*.example.org" }];
    cluster.apply(GATEWAY, objectOf(API, "Gateway", "public", { spec: { listeners } }));
    const status = { addresses: addresses.map((value) => ({ value })) };
    cluster.setStatus(GATEWAY, "default", "public", status);
  };
  const route = (...hostnames: readonly string[]): void => {
    const spec = { parentRefs: [REF], hostnames };
    cluster.apply(HTTP_ROUTE, objectOf(API, "HTTPRoute", "web", { spec }));
  };
  const accept = (status: string): void => {
    const conditions = [{ type: "Accepted", status, reason: "Because" }];
    const parents = [{ parentRef: REF, conditions }];
    cluster.setStatus(HTTP_ROUTE, "default", "web", { parents });
  };
  gateway(ONE);
  route(A, B);
  await shows("nobody has accepted it", { [A]: "", [B]: "" });
  accept("True");
  await shows("accepted", { [A]: ONE, [B]: ONE });
  gateway();
  await shows("Z-4 the Gateway has no address", { [A]: ONE, [B]: ONE });
  gateway(TWO);
  await shows("another address", { [A]: TWO, [B]: TWO });
  accept("False");
  route(A);
  await shows("Z-5 the Gateway does not accept it any more", { [A]: TWO, [B]: TWO });
  cluster.delete(GATEWAY, "default", "public");
  accept("True");
  await shows("Z-4 the Gateway is gone", { [A]: TWO, [B]: TWO });
  gateway(ONE);
  await shows("Z-4 a host taken off is intent", { [A]: ONE, [B]: "" });
  cluster.delete(HTTP_ROUTE, "default", "web");
  await shows("Z-2 the route is gone", { [A]: "", [B]: "" });
  await stop();
}

/** Throws if the zone has other records than it should. */
export async function playServiceEntry(): Promise<void> {
  const { cluster, shows, stop } = openWorld("istio-serviceentry");
  const entry = (annotations: Readonly<Record<string, string>>, addresses = [ONE]): void => {
    const fields = { metadata: { annotations }, spec: { hosts: [A], addresses } };
    const api = "networking.istio.io/v1";
    cluster.apply(SERVICE_ENTRY, objectOf(api, "ServiceEntry", "db", fields));
  };
  entry({});
  await shows("nobody asked for it", { [A]: "" });
  entry({ "zonekeeper.dev/publish": "true" });
  await shows("published", { [A]: ONE });
  entry({ "zonekeeper.dev/publish": "true" }, [ONE, "2001:db8::1"]);
  await shows("both types", { [A]: `${ONE},2001:db8::1` });
  entry({ "zonekeeper.dev/publish": "true" });
  await shows("Z-2 one type is given up", { [A]: ONE });
  entry({ "zonekeeper.dev/publish": "true" }, []);
  await shows("Z-4 its addresses go away", { [A]: ONE });
  entry({ "zonekeeper.dev/publsh": "true" });
  await shows("Z-5 a slip of the key", { [A]: ONE });
  entry({ "zonekeeper.dev/publish": "yes" });
  await shows("Z-5 a value that says nothing", { [A]: ONE });
  entry({});
  await shows("Z-4 the annotation taken off is intent", { [A]: "" });
  await stop();
}

/** Throws if the zone has other records than it should. */
export async function playVirtualService(): Promise<void> {
  const { cluster, shows, stop } = openWorld("istio-virtualservice", EXTERNAL_DNS_SOURCES);
  const api = "networking.istio.io/v1";
  const selector = { istio: "ingressgateway" };
  const edge = (...addresses: readonly string[]): void => {
    cluster.apply(SERVICE, objectOf("v1", "Service", "edge", { spec: { selector } }));
    const ingress = addresses.map((ip) => ({ ip }));
    cluster.setStatus(SERVICE, "default", "edge", { loadBalancer: { ingress } });
  };
  const gateway = (...hosts: readonly string[]): void => {
    const spec = { selector, servers: [{ hosts }] };
    cluster.apply(ISTIO_GATEWAY, objectOf(api, "Gateway", "public", { spec }));
  };
  const virtualService = (...hosts: readonly string[]): void => {
    const spec = { gateways: ["public"], hosts };
    cluster.apply(VIRTUAL_SERVICE, objectOf(api, "VirtualService", "web", { spec }));
  };
  virtualService(A, B);
  await shows("there is no Gateway", { [A]: "", [B]: "" });
  edge(ONE);
  gateway("*");
  await shows("bound", { [A]: ONE, [B]: ONE });
  edge();
  await shows("Z-4 the Service has no address", { [A]: ONE, [B]: ONE });
  cluster.delete(SERVICE, "default", "edge");
  await shows("Z-4 the Service is gone", { [A]: ONE, [B]: ONE });
  cluster.setKindState(SERVICE, "forbidden");
  virtualService(A);
  await shows("Z-1 Services may not be read", { [A]: ONE, [B]: ONE });
  cluster.setKindState(SERVICE, "syncing");
  cluster.relist(SERVICE);
  edge(TWO);
  await shows("another address, and a host taken off is intent", { [A]: TWO, [B]: "" });
  gateway("other/*", B);
  await shows("Z-4 no server has the host any more", { [A]: TWO });
  cluster.delete(ISTIO_GATEWAY, "default", "public");
  virtualService(B);
  await shows("Z-4 the Gateway is gone", { [A]: TWO, [B]: "" });
  gateway("*");
  await shows("the Gateway is back", { [A]: "", [B]: TWO });
  cluster.delete(VIRTUAL_SERVICE, "default", "web");
  await shows("Z-2 the VirtualService is gone", { [A]: "", [B]: "" });
  await stop();
}
