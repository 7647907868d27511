/**
 * Starts the parts of `dev` in the order in which they need one another, each with its closer. A
 * part is called ready only after it was asked and has answered.
 */

import { stringify } from "yaml";
import type { DevConfig } from "../../../config/dev-config.ts";
import { writeDurably } from "../../ports/durable-file.ts";
import { addressText } from "../../ports/system-error.ts";
import { FOLDER_FILES } from "../process/data-folder.ts";
import { removeReady, writeReady } from "../process/ready-file.ts";
import { awaitZone } from "./await-zone.ts";
import { type DevContext, type DevStart, openDevContext } from "./dev-context.ts";
import { startApi, startDns } from "./embedded-servers.ts";
import { applyExamples, findExamples } from "./examples.ts";
import type { Whereabouts } from "./greeting.ts";
import { saveIdentity } from "./identity.ts";
import { probeApi, probeDns } from "./probe.ts";
import { apiClient, startControllers } from "./start-dev-controllers.ts";
import { startHttp } from "./start-http.ts";

/** The command that shows a person what is wrong with the zone. */
const STATUS_COMMAND = "kubectl describe dnspr embedded";

/**
 * Resolves when everything answers. Rejects with OperationError; the teardown closes what was
 * started.
 */
export async function startDev(
  config: DevConfig,
  start: DevStart,
): Promise<Omit<Whereabouts, "command">> {
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
