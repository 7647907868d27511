/**
 * `zonekeeper dev`: everything in one process and nothing else needed. Starts the parts in the order in which they need
 * one another, says how to go on, and stops them in reverse.
 */
import type { DevConfig } from "../../config/dev-config.ts";
import type { Log } from "../../ports/log.ts";
import type { ProgramContext } from "../cli/program.ts";
import { listenForStop } from "../cli/signals.ts";
import { startHttpApp } from "../http/http-app.ts";
import type { Instance } from "../http/instance.ts";
import { METRICS } from "../metrics-table.ts";
import { LmdbStore } from "../ports/lmdb-store.ts";
import { makeLog } from "../ports/pino-log.ts";
import { PrometheusMetrics } from "../ports/prometheus-metrics.ts";
import { RealClock } from "../ports/real-clock.ts";
import { RealCrypto } from "../ports/real-crypto.ts";
import { RealHttpClient } from "../ports/real-http-client.ts";
import { RealNet } from "../ports/real-net.ts";
import { RealRandom } from "../ports/real-random.ts";
import { addressText } from "../ports/system-error.ts";
import { Teardown } from "../teardown.ts";
import { loadCertificates } from "./certificates.ts";
import { type DataFolder, FOLDER_FILES, openDataFolder } from "./data-folder.ts";
import { writeDurably } from "./durable-file.ts";
import { type DevPorts, type EmbeddedOptions, startApi, startDns } from "./embedded-parts.ts";
import { commandText, greeting } from "./greeting.ts";
import { loadIdentity, saveIdentity } from "./identity.ts";
import { kubeconfigText } from "./kubeconfig-file.ts";
import { withPort } from "./port-memory.ts";
import { probeApi, probeDns } from "./probe.ts";
import { removeReady, writeReady } from "./ready-file.ts";

/** Runs until the first SIGINT or SIGTERM. Rejects with OperationError when it cannot start. */
export async function dev(config: DevConfig, context: ProgramContext): Promise<void> {
  const log = makeLog(config.log);
  const stop = listenForStop(() => log.info("stopping; Ctrl-C again ends at once"));
  const teardown = new Teardown();
  try {
    const text = await start(config, { log, teardown });
    context.print(text);
    if (!stop.signal.aborted)
      await new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
  } finally {
    await teardown.run(log);
    stop.release();
  }
}

interface Starting {
  readonly log: Log;
  readonly teardown: Teardown;
}

/** Starts everything; the result is the greeting. */
async function start(config: DevConfig, { log, teardown }: Starting): Promise<string> {
  const folder = openDataFolder(config.data);
  teardown.add("data folder", () => folder.close());
  const ports = openPorts(folder, log, teardown);
  const identity = loadIdentity(folder.file(FOLDER_FILES.identity), config.owner, ports.random);
  const tls = await loadCertificates(certificateFiles(folder), hostsOf(config), ports.clock);
  const embedded: EmbeddedOptions = { config, identity, ports, teardown };
  const api = await startApi(embedded, tls);
  const dns = await startDns(embedded);
  const metrics = new PrometheusMetrics(METRICS, { process: true });
  const instance: Instance = {
    checks: () => [],
    zones: () => [],
    explain: () => [],
    scrape: () => metrics.scrape(),
  };
  const http = await withPort({ part: "http", given: config.http.port }, identity.ports, (port) =>
    startHttpApp({
      instance,
      at: { host: config.http.address, port },
      token: identity.tokens.local,
    }),
  );
  teardown.add("http", () => http.close());
  saveIdentity(folder.file(FOLDER_FILES.identity), {
    ...identity,
    ports: { api: api.at.port, dns: dns.at.port, http: http.local.port },
  });
  const server = `https://${addressText(api.at)}`;
  const kubeconfig = folder.file(FOLDER_FILES.kubeconfig);
  const access = { server, caCertificate: tls.caCertificate, token: identity.tokens.admin };
  writeDurably(kubeconfig, kubeconfigText(access));
  const client = new RealHttpClient({
    origin: server,
    tls: { ca: tls.caCertificate },
    authorization: async () => `Bearer ${identity.tokens.controllers}`,
  });
  teardown.add("api client", () => client.close());
  await Promise.all([probeApi(client), probeDns(ports.net, dns.at, config.zone)]);
  const address = `http://${addressText(http.local)}`;
  writeReady(folder.file(FOLDER_FILES.ready), {
    pid: process.pid,
    http: address,
    token: identity.tokens.local,
  });
  teardown.add("ready file", () => removeReady(folder.file(FOLDER_FILES.ready)));
  return greeting({
    kubeconfig,
    dns: dns.at,
    http: address,
    data: folder.path,
    zone: config.zone,
    owner: identity.owner,
    command: commandText(process.argv[1], process.cwd()),
  });
}

function openPorts(folder: DataFolder, log: Log, teardown: Teardown): DevPorts {
  const store = LmdbStore.open(folder.file(FOLDER_FILES.store));
  teardown.add("store", () => store.close());
  return {
    clock: new RealClock(),
    random: new RealRandom(),
    crypto: new RealCrypto(),
    net: new RealNet(),
    store,
    log,
  };
}

function certificateFiles(folder: DataFolder) {
  return {
    caCertificate: folder.file(FOLDER_FILES.caCertificate),
    caKey: folder.file(FOLDER_FILES.caKey),
    serverCertificate: folder.file(FOLDER_FILES.serverCertificate),
    serverKey: folder.file(FOLDER_FILES.serverKey),
  };
}

function hostsOf(config: DevConfig): readonly string[] {
  return [...new Set(["127.0.0.1", "localhost", config.listen])];
}
