/**
 * 5 000 HTTPRoutes on 200 Gateways that are there when `run` starts, published to a zone of a real
 * BIND; then one route has another host, a Gateway of 24 routes and one of 224 another address;
 * then new routes are created at a steady pace, each asked for until it is answered.
 * BENCH_SERVICES: so many Services of type LoadBalancer beside them, published directly.
 * Needs dist/ (script/bench builds it), named, and the released definitions.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { definitionsPath } from "../test/support/real-servers/availability.ts";
import type { ApiCall } from "./support/api-calls.ts";
import { createService } from "./support/bulk-objects.ts";
import { BulkRig, between, pause } from "./support/bulk-rig.ts";
import { counted, judged } from "./support/publisher-figures.ts";
import { type Figure, report } from "./support/report.ts";

const GATEWAYS = 200;
const ROUTES = 5_000;
/** The first Gateway has the others' routes, and that many more. */
const EXTRA = 200;
const EACH = (ROUTES - EXTRA) / GATEWAYS;
const API = "/apis/gateway.networking.k8s.io/v1/namespaces/default";
const SERVICES = Number(process.env["BENCH_SERVICES"] ?? 0);
const SERVICE_ADDRESS = "203.0.113.1";
const BUDGETS = { plannedMs: 5_000, peakMb: 300, changeMs: 20, createdP99Ms: 1_000 };
/** Routes that are created one after the other, so many in a second. */
const CREATED = Number(process.env["BENCH_CREATED"] ?? 500);
const CREATED_PER_SECOND = 50;

const definition = (plural: string): ApiCall => {
  const file = `gateway.networking.k8s.io_${plural}.yaml`;
  const text = readFileSync(join(definitionsPath(), "gateway-api-1.7.0-standard", file), "utf8");
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  return { method: "POST", path, body: parse(text) };
};

function created(plural: string, kind: string, name: string, object: object): ApiCall {
  const apiVersion = "gateway.networking.k8s.io/v1";
  const body = { apiVersion, kind, metadata: { name }, ...object };
  return { method: "POST", path: `${API}/${plural}`, body };
}

const status = (path: string, value: object): ApiCall => ({
  ...{ method: "PATCH", path: `${API}/${path}/status` },
  body: { status: value },
});

const gatewayOf = (index: number): number => (index < EXTRA ? 0 : (index - EXTRA) % GATEWAYS);
const changedTo = new Map<number, string>();
const addressOf = (gateway: number): string => changedTo.get(gateway) ?? `192.0.2.${gateway + 1}`;
const addressed = (gateway: number, value: string): ApiCall => {
  changedTo.set(gateway, value);
  return status(`gateways/g${gateway}`, { addresses: [{ type: "IPAddress", value }] });
};
const nameOf = (index: number): string => `s${index}.example.org`;
const indexes = Array.from({ length: ROUTES }, (_, index) => index);
const routesOf = (gateway: number) => indexes.filter((index) => gatewayOf(index) === gateway);

BulkRig.exitWithout("routes");
const rig = await BulkRig.filled(
  ["gateways", "httproutes", "listenersets"].map((one) => [definition(one)]),
);
const gateways = Array.from({ length: GATEWAYS }, (_, index) => index);
const listeners = [{ name: "web", port: 80, protocol: "HTTP", hostname: "*.example.org" }];
await rig.api.all(
  gateways.map((index) =>
    created("gateways", "Gateway", `g${index}`, {
      spec: { gatewayClassName: "bench", listeners },
    }),
  ),
);
await rig.api.all(gateways.map((index) => addressed(index, addressOf(index))));
const parentOf = (index: number) => ({ name: `g${gatewayOf(index)}` });
const routeAt = (index: number): ApiCall =>
  created("httproutes", "HTTPRoute", `r${index}`, {
    spec: { parentRefs: [parentOf(index)], hostnames: [nameOf(index)] },
  });
const lastTransitionTime = new Date().toISOString();
const accepted = { type: "Accepted", status: "True", reason: "Accepted", message: "" };
const acceptedAt = (index: number): ApiCall =>
  status(`httproutes/r${index}`, {
    parents: [
      {
        ...{ parentRef: parentOf(index), controllerName: "example.org/bench" },
        conditions: [{ ...accepted, lastTransitionTime }],
      },
    ],
  });
await rig.api.all(indexes.map(routeAt));
await rig.api.all(indexes.map(acceptedAt));
const serviceName = (index: number): string => `v${index}.example.org`;
const services = Array.from({ length: SERVICES }, (_, index) =>
  createService(`v${index}`, serviceName(index), SERVICE_ADDRESS),
);
for (const step of [0, 1]) await rig.api.all(services.flatMap((calls) => calls[step] ?? []));

const before = await rig.cost(null);
const controllers = `compound,gateway-httproute${SERVICES > 0 ? ",service-dns" : ""}`;
const program = rig.run(["--controllers", controllers, "--publish", "direct"])();
await rig.planned();
const planned = between(before, await rig.cost(program));
for (const gateway of gateways)
  await rig.answered(routesOf(gateway).map(nameOf), addressOf(gateway));
await rig.answered(
  services.map((_, index) => serviceName(index)),
  SERVICE_ADDRESS,
);
const answered = between(before, await rig.cost(program));
await rig.quiet(program);
const reconciles = await rig.reconciles();
const peakMb = program.rssMb("VmHWM");

/** Of one call, until all of these names have the address. */
async function changed(
  what: string,
  call: ApiCall,
  { names, address }: { readonly names: readonly string[]; readonly address: string },
): Promise<readonly Figure[]> {
  const start = await rig.cost(program);
  await rig.api.call(call);
  await rig.answered(names, address);
  const spent = between(start, await rig.cost(program));
  await rig.quiet(program);
  return [
    judged(`${what}: until all are answered`, spent.atMs),
    judged(
      `${what}: … CPU until then`,
      spent.cpuMs,
      names.length === 1 ? BUDGETS.changeMs : undefined,
    ),
    counted(`${what}: … UPDATE messages`, spent.updates),
  ];
}

/** From the call that creates a route, which is accepted right after, to its answer. */
async function createdSteadily(): Promise<readonly Figure[]> {
  const start = await rig.cost(program);
  const startMs = performance.now();
  const waits = Array.from({ length: CREATED }, async (_, at) => {
    await pause(startMs + (at * 1_000) / CREATED_PER_SECOND - performance.now());
    const index = ROUTES + at;
    const fromMs = performance.now();
    await rig.api.call(routeAt(index));
    await rig.api.call(acceptedAt(index));
    await rig.answered([nameOf(index)], addressOf(gatewayOf(index)));
    return performance.now() - fromMs;
  });
  const sorted = (await Promise.all(waits)).sort((a, b) => a - b);
  const share = (of: number): number => sorted[Math.ceil(of * sorted.length) - 1] ?? 0;
  const spent = between(start, await rig.cost(program));
  const what = `${CREATED} routes created at ${CREATED_PER_SECOND} a second`;
  return [
    judged(`${what}: created to answered, p50`, share(0.5)),
    judged(`${what}: … p99`, share(0.99), BUDGETS.createdP99Ms),
    judged(`${what}: … CPU`, spent.cpuMs),
    counted(`${what}: … UPDATE messages`, spent.updates),
  ];
}

const figures = [
  judged("start until all names are planned", planned.atMs, BUDGETS.plannedMs),
  judged("… CPU until then", planned.cpuMs),
  judged("start until all are answered", answered.atMs),
  judged("… CPU until then", answered.cpuMs),
  counted("… UPDATE messages", answered.updates),
  counted("… requests to the API", answered.requests),
  counted("… writes to the API", answered.writes),
  ...reconciles.map(([name, count]) => counted(`… reconciles of ${name}`, count)),
  { ...counted("peak of resident memory in MB", peakMb, BUDGETS.peakMb) },
  ...(await changed(
    "one route",
    {
      ...{ method: "PATCH", path: `${API}/httproutes/r${ROUTES - 1}` },
      body: { spec: { hostnames: ["other.example.org"] } },
    },
    { names: ["other.example.org"], address: addressOf(gatewayOf(ROUTES - 1)) },
  )),
  ...(await changed(`a Gateway of ${EACH} routes`, addressed(1, "198.51.100.1"), {
    names: routesOf(1).map(nameOf),
    address: "198.51.100.1",
  })),
  ...(await changed(`a Gateway of ${EACH + EXTRA} routes`, addressed(0, "198.51.100.2"), {
    names: routesOf(0).map(nameOf),
    address: "198.51.100.2",
  })),
  ...(await createdSteadily()),
];
await program.stop();
await rig.stop();
const beside = SERVICES > 0 ? ` beside ${SERVICES} Services` : "";
report(`routes: ${ROUTES} HTTPRoutes on ${GATEWAYS} Gateways${beside}, answered by BIND`, figures);
process.exit(0);
