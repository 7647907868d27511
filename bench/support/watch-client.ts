/**
 * Watches the Services of an API as one of several clients and prints one line `watched {…}` with
 * what it cost. A process of its own: its memory and its stalls are the client's.
 */
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { HttpClient } from "@zonekeeper/base/ports/http";
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { WatchCache } from "@zonekeeper/kube/client/watch/watch-cache";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { RealClock } from "../../src/app/ports/real-clock.ts";
import { RealRandom } from "../../src/app/ports/real-crypto.ts";
import { RealHttpClient } from "../../src/app/ports/real-http-client.ts";
import { SOURCES } from "../../src/sources/index.ts";
import { keptFields } from "../../src/sources/kept-fields.ts";
import type { ApiAddress } from "./api-calls.ts";
import { QUIET_LOG, QUIET_METRICS } from "./quiet-ports.ts";

/** What a client cost until it had everything. */
export interface Watched {
  readonly syncedMs: number;
  /** CPU of the process from before the client was made. */
  readonly cpuMs: number;
  readonly stallMs: number;
  readonly objects: number;
  /** Resident memory when everything was there, and the most until then. */
  readonly rssMb: number;
  readonly peakMb: number;
}

const [mode = "", text = ""] = process.argv.slice(2);
const position: ApiAddress = JSON.parse(text);

const stalls = monitorEventLoopDelay({ resolution: 5 });
const cpuBefore = process.cpuUsage();
const startedAt = performance.now();
stalls.enable();
const count = mode === "informer" ? await informer() : await own(mode === "pages");
const syncedMs = performance.now() - startedAt;
// The last turn of the loop is measured when it ends.
await new Promise((wake) => setTimeout(wake, 50));
stalls.disable();
const { user, system } = process.cpuUsage(cpuBefore);
const watched: Watched = {
  syncedMs,
  cpuMs: (user + system) / 1000,
  stallMs: stalls.max / 1e6,
  objects: count(),
  rssMb: statusMb("VmRSS"),
  peakMb: statusMb("VmHWM"),
};
// A profile is written at a proper end only.
process.once("SIGTERM", () => process.exit(0));
process.stdout.write(`watched ${JSON.stringify(watched)}\n`);

/** Our watch cache; resolves when the kind is live. */
async function own(byPages: boolean): Promise<() => number> {
  const real = new RealHttpClient({
    origin: position.server,
    tls: { ca: readFileSync(position.caFile, "utf8") },
    authorization: async () => `Bearer ${position.token}`,
  });
  const clock = new RealClock();
  const http = byPages ? withoutStreamedLists(real) : real;
  const cache = new WatchCache({
    clusterId: "bench",
    projections: keptFields(SOURCES),
    client: new ApiClient({ http, clock }),
    clock,
    random: new RealRandom(),
    log: QUIET_LOG,
    metrics: QUIET_METRICS,
  });
  let seen = 0;
  await new Promise<void>((resolve) => {
    cache.subscribe(SERVICE, {
      onChange: () => {
        seen += 1;
      },
      onState: (_, state) => {
        if (state === "live") resolve();
      },
    });
  });
  return () => seen;
}

/** An API server before KEP-3157: it refuses `sendInitialEvents`, and pages are asked for. */
function withoutStreamedLists(http: HttpClient): HttpClient {
  return {
    request: async (request) => {
      if (!request.path.includes("sendInitialEvents")) return http.request(request);
      return { status: 422, headers: {}, body: (async function* () {})() };
    },
    close: () => http.close(),
  };
}

/**
 * The official client's informer, as its examples use it; resolves when it has connected its watch.
 */
async function informer(): Promise<() => number> {
  const { CoreV1Api, KubeConfig, makeInformer } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  config.loadFromFile(position.kubeconfig);
  const api = config.makeApiClient(CoreV1Api);
  const watch = makeInformer(config, "/api/v1/services", () => api.listServiceForAllNamespaces());
  let seen = 0;
  watch.on("add", () => {
    seen += 1;
  });
  const connected = new Promise<void>((resolve) => watch.on("connect", () => resolve()));
  await watch.start();
  await connected;
  return () => seen;
}

function statusMb(field: "VmHWM" | "VmRSS"): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024);
}
