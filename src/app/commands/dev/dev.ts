/**
 * `zonekeeper dev`: a Kubernetes API, a name server and the controllers in one process, to try the
 * program without anything else. Prints how to go on when all parts answer, and stops in good order
 * at the first signal.
 */
import { setFlagsFromString } from "node:v8";
import type { SocketAddress } from "@zonekeeper/base/ports/net";
import { stringify } from "yaml";
import type { DevConfig } from "../../../config/dev-config.ts";
import { shellQuoted } from "../../../model/printable.ts";
import { startHttpApp } from "../../api/http-app.ts";
import { askResolvers, hasAddress } from "../../compose/authority/ask-resolvers.ts";
import { askServers } from "../../compose/authority/ask-servers.ts";
import type { Composition } from "../../compose/compose.ts";
import { setGardenerGauges, setImportGauges, ZoneGauges } from "../../compose/gauges.ts";
import { OWN_ROWS } from "../../plugins/rows.ts";
import { writeDurably } from "../../ports/durable-file.ts";
import { makeLog } from "../../ports/pino-log.ts";
import { addressText } from "../../ports/system-error.ts";
import { VERSION } from "../../ports/version.ts";
import { FOLDER_FILES } from "../process/data-folder.ts";
import type { ProgramContext } from "../process/program-context.ts";
import { removeReady, writeReady } from "../process/ready-file.ts";
import { listenForStop, Teardown } from "../process/teardown.ts";
import { previewText } from "../run/preview.ts";
import { type DevContext, type DevStart, openDevContext } from "./dev-context.ts";
import { startApi, startDns } from "./embedded-servers.ts";
import { applyExamples, findExamples } from "./examples.ts";
import { saveIdentity } from "./identity.ts";
import { withPort } from "./port-memory.ts";
import { awaitZone, probeApi, probeDns } from "./probe.ts";
import { apiClient, startControllers } from "./start-dev-controllers.ts";

/**
 * Keeps V8's young generation small: 25 MB less for a process that idles on a laptop (measured on
 * Node 20.20).
 */
const SMALL_HEAP = "--semi-space-growth-factor=1";

/** Runs until the first SIGINT or SIGTERM. Rejects with OperationError when it cannot start. */
export async function dev(config: DevConfig, context: ProgramContext): Promise<void> {
  setFlagsFromString(SMALL_HEAP);
  const { rows = OWN_ROWS } = context;
  const log = makeLog(config.log);
  const stop = listenForStop(() => log.info("stopping; Ctrl-C again ends at once"));
  const teardown = new Teardown();
  try {
    const where = await startDev(config, { log, teardown, stop: stop.signal, rows });
    if (stop.signal.aborted) return;
    context.print(greeting({ ...where, command: commandText(process.argv[1], process.cwd()) }));
    await new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
  } finally {
    await teardown.run(log);
    stop.release();
  }
}

/** The command that shows a person what is wrong with the zone. */
const STATUS_COMMAND = "kubectl describe dnspr embedded";

/**
 * Resolves when everything answers. Rejects with OperationError; the teardown closes what was
 * started.
 */
async function startDev(config: DevConfig, start: DevStart): Promise<Omit<Whereabouts, "command">> {
  const context = await openDevContext(config, start);
  const { identity, folder, ports, store } = context;
  const api = await startApi(context);
  const dns = await startDns(context);
  const server = `https://${addressText(api.at)}`;
  const client = apiClient(context, server);
  await probeApi(client);
  const examples = { target: api.controlPlane, store, wanted: config.examples };
  await applyExamples(findExamples(), examples);
  const running = await startControllers(context, { api, dns, client });
  const http = await startHttp(context, running);
  saveIdentity(folder.file(FOLDER_FILES.identity), {
    ...identity,
    ports: { api: api.at.port, dns: dns.at.port, http: http.port },
  });
  await probeDns(ports.net, dns.at, config.zone);
  const { zone } = config;
  const reason = await awaitZone(running, { zone, clock: ports.clock, stop: start.stop });
  if (reason !== null) start.log.warn("zone is not loaded", { zone, reason, hint: STATUS_COMMAND });
  return announce(context, { server, dns: dns.at, http: `http://${addressText(http)}` });
}

/** Writes the files by which kubectl and other commands find this instance. */
function announce(
  { config, folder, identity, tls, teardown }: DevContext,
  at: Pick<Whereabouts, "dns" | "http"> & { readonly server: string },
): Omit<Whereabouts, "command"> {
  const kubeconfig = folder.file(FOLDER_FILES.kubeconfig);
  const { caCertificate } = tls;
  const { admin, local } = identity.tokens;
  writeDurably(kubeconfig, kubeconfigText({ server: at.server, caCertificate, token: admin }));
  const ready = folder.file(FOLDER_FILES.ready);
  writeReady(ready, { pid: process.pid, http: at.http, token: local });
  teardown.add("ready file", () => removeReady(ready));
  const { path: data } = folder;
  return { kubeconfig, dns: at.dns, http: at.http, data, zone: config.zone, owner: identity.owner };
}

/** The facts that a client needs to reach the embedded API. */
export interface KubeconfigContent {
  /** `https://127.0.0.1:PORT`. */
  readonly server: string;
  /** PEM. */
  readonly caCertificate: string;
  readonly token: string;
}

const NAME = "zonekeeper-dev";

/** YAML text (kubectl's `v1` Config). Holds a token: private mode, never logged. */
export function kubeconfigText({ server, caCertificate, token }: KubeconfigContent): string {
  const ca = Buffer.from(caCertificate).toString("base64");
  return stringify({
    ...{ apiVersion: "v1", kind: "Config" },
    clusters: [{ name: NAME, cluster: { server, "certificate-authority-data": ca } }],
    users: [{ name: NAME, user: { token } }],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME, namespace: "default" } }],
    "current-context": NAME,
  });
}

/** Where everything is. */
interface Whereabouts {
  /** Path of the kubeconfig. */
  readonly kubeconfig: string;
  readonly dns: SocketAddress;
  /** `http://127.0.0.1:PORT`. */
  readonly http: string;
  /** Path of the data folder. */
  readonly data: string;
  readonly zone: string;
  readonly owner: string;
  /** How this program is called: `zonekeeper`, `node dist/zonekeeper.js`. */
  readonly command: string;
}

/** How to go on, and as the last line exactly one `ready {…}` for programs. */
export function greeting(where: Whereabouts): string {
  const { kubeconfig, dns, http, data, zone, owner, command } = where;
  const ready = JSON.stringify({ kubeconfig, dns: addressText(dns), http, data });
  return `Zonekeeper serves the zone ${zone}; records are marked with the owner ${owner}.

  export KUBECONFIG=${shellQuoted(kubeconfig)}
  kubectl get dnspr,dnse,svc,ing
  dig @${dns.host} -p ${dns.port} www.${zone}
  ${command} explain www.${zone} --data ${shellQuoted(data)}
  ${command} open --data ${shellQuoted(data)}

Examples to change and apply are in examples/. Health and metrics: ${http}/readyz, ${http}/metrics.
Ctrl-C stops.

ready ${ready}
`;
}

/** The words by which a user starts this program again from the same folder. */
function commandText(script: string | undefined, cwd: string): string {
  if (script === undefined || !script.endsWith(".js")) return "zonekeeper";
  return `node ${shellQuoted(script.startsWith(`${cwd}/`) ? script.slice(cwd.length + 1) : script)}`;
}

/** Rejects with OperationError `AddressInUse`. */
async function startHttp(
  { config, identity, metrics, ports, teardown }: DevContext,
  running: Composition,
): Promise<SocketAddress> {
  const gauges = new ZoneGauges(metrics, ports.clock);
  metrics.gauge("zonekeeper_build_info", 1, { version: VERSION, node: process.version });
  const request = { part: "http", given: config.http.port } as const;
  const http = await withPort(request, identity.ports, (port) =>
    startHttpApp({
      at: { host: config.http.address, port },
      token: identity.tokens.local,
      page: config.page,
      instance: {
        work: running,
        checks: () => running.checks(),
        dryRunText: () => (config.publish.dryRun ? previewText(null) : null),
        hasAddress: (name) => hasAddress(ports, name),
        askResolvers: async (name, types) => {
          const { resolvers: servers } = config.page;
          return servers.length === 0 ? [] : askResolvers({ ...ports, servers }, name, types);
        },
        askServers: (explanation) => askServers(ports, explanation),
        scrape: async () => {
          gauges.set(running.zones(), running.checks());
          setGardenerGauges(metrics, running.figures());
          setImportGauges(metrics, running.imports(), ports.clock.nowMs());
          return metrics.scrape();
        },
      },
    }),
  );
  teardown.add("http", () => http.close());
  return http.local;
}
