/**
 * `zonekeeper check`: checks everything that `run` with the same options would need, before it is
 * started or while it runs. It writes nothing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "@zonekeeper/base/operation-error";
import type { Log } from "@zonekeeper/base/ports/log";
import { readClusterId } from "@zonekeeper/kube/client/access/cluster-id";
import type { ApiConfig } from "../../../config/instance-options.ts";
import { type CheckConfig, setsOf } from "../../../config/run-config.ts";
import { guardedHttp } from "../../../providers/shared/guarded-http.ts";
import type { Writer } from "../../../sync/fence/fence-verdict.ts";
import { TokenFile } from "../../api/token-file.ts";
import { keptReader } from "../../compose/kept-kinds.ts";
import { leaseDomains } from "../../compose/lease-epochs.ts";
import { configuredKeys, configuredRegistry } from "../../compose/zone-openers.ts";
import { OWN_ROWS, type Rows } from "../../plugins/rows.ts";
import { METRICS } from "../../ports/metrics-table.ts";
import { makeLog } from "../../ports/pino-log.ts";
import { PrometheusMetrics } from "../../ports/prometheus-metrics.ts";
import { realPorts } from "../../ports/real-ports.ts";
import { addressText } from "../../ports/system-error.ts";
import { type Answer, EXIT } from "../process/exit.ts";
import { Teardown } from "../process/teardown.ts";
import { type Connections, connectClusters } from "../run/open-clusters.ts";
import { openRegistryStore } from "../run/open-state.ts";
import { readPair } from "../run/start-run-http.ts";
import { trustOf } from "../run/trust.ts";
import { checkClusters } from "./check-clusters.ts";
import { checkGateways } from "./check-gateways.ts";
import { checkProviders } from "./check-providers.ts";
import { type Finding, findingsText, problem, well } from "./finding.ts";

/** The version grows when a field is removed or gets another meaning, not with new fields. */
const CHECK_SCHEMA = "zonekeeper.dev/check/v1";
const TIMEOUT_MS = 60_000;
/** Milliseconds between two checks with `--wait`. */
const AGAIN_AFTER_MS = 2_000;
const NO_WRITES = { dryRun: true } as const;

/**
 * Exit code 0 when all is well, 2 when something is to be corrected, 1 when something could not be
 * asked. With `--wait` it checks again until all is well or the time is over. Rejects with
 * OperationError `NoClusterAccess` for a kubeconfig that cannot be used.
 */
export async function check(
  { run, output, waitMs }: CheckConfig,
  rows: Rows = OWN_ROWS,
): Promise<Answer> {
  const until = Date.now() + waitMs;
  for (;;) {
    const findings: Finding[] = [];
    for (const one of setsOf(run)) findings.push(...(await checkOnce(one, rows, one !== run)));
    const has = (state: Finding["state"]): boolean => findings.some((one) => one.state === state);
    const exitCode = has("unknown") ? EXIT.trouble : has("problem") ? EXIT.changes : EXIT.ok;
    if (exitCode === EXIT.ok || Date.now() + AGAIN_AFTER_MS > until) {
      const json = `${JSON.stringify({ schema: CHECK_SCHEMA, findings }, null, 2)}\n`;
      return { text: output === "text" ? findingsText(findings) : json, exitCode };
    }
    await sleep(AGAIN_AFTER_MS);
  }
}

async function checkOnce(
  config: CheckConfig["run"],
  rows: Rows,
  isFurther: boolean,
): Promise<readonly Finding[]> {
  const log = makeLog({ ...config.log, level: "error" });
  const ports = realPorts(log, new PrometheusMetrics(METRICS, { process: false }));
  const teardown = new Teardown();
  try {
    const connections = await connectClusters({ config, ports, teardown });
    const clusters = await checkClusters({ config, connections, sources: rows.sources, ...ports });
    const isReached = clusters.every(({ state }) => state !== "unknown");
    const { writer, namespace } = connections.lease;
    const { externalDns, set } = config;
    const [dnsClass] = config.publish.dnsClasses;
    const real = connections.provider.writer;
    const reader =
      externalDns === null
        ? real
        : await keptReader(real, { ...ports, externalDns, dnsClass, set });
    return [
      // What all sets share is checked once, with the first one.
      ...(isFurther
        ? []
        : [...clusters, notifyFinding(config), ...(await checkApi(config.api, ports.log))]),
      ...(isReached
        ? await checkProviders({
            ...{ config, connections, reader, types: rows.providers },
            environment: {
              ...ports,
              // rfc2136 is asked by an UPDATE that changes nothing whether the key may send one.
              dryRun: false,
              http: guardedHttp(ports.http, NO_WRITES),
              pluginOptions: config.publish.pluginOptions,
              trusts: trustOf(config, namespace),
            },
            openOwnership: configuredRegistry({
              ...config,
              ...ports,
              keys: configuredKeys(config.txt, ports),
              rows: rows.registries,
              store: openRegistryStore(config, { writer, namespace, uid: null }),
            }),
            fenceWriter: await fenceWriterOf(config, connections.lease),
            signal: AbortSignal.timeout(TIMEOUT_MS),
          })
        : []),
      ...(isReached ? await checkGateways(connections.source.writer, config) : []),
    ];
  } finally {
    await teardown.run(log);
  }
}

/**
 * The writer that `run` would be; null = there is no Lease, no fence, or the cluster's id may not
 * be read.
 */
async function fenceWriterOf(
  { lease, fence }: CheckConfig["run"],
  { writer, namespace }: Connections["lease"],
): Promise<Writer | null> {
  if (lease === null || fence === "off") return null;
  const cluster = await readClusterId(writer).catch(() => null);
  const { domain, unnamed } = leaseDomains({ ...lease, cluster, namespace });
  if (domain === null) return null;
  const shared = fence === "shared" ? true : undefined;
  return { domain, unnamed, epoch: Number.MAX_SAFE_INTEGER, shared };
}

/** Whether `run` listens for NOTIFY; whether servers send it is not checked. */
function notifyFinding({ notifyAddress }: CheckConfig["run"]): Finding {
  const message =
    notifyAddress === null
      ? "run does not listen for it (--notify-address): changes by others are found by their serial, within seconds"
      : `run listens at ${addressText(notifyAddress)}; the zones' servers must be told to send it there`;
  return well("NOTIFY", message);
}

/** The findings about token and certificate of the API; empty = `run` would serve none. */
export async function checkApi(api: ApiConfig | null, log: Log): Promise<readonly Finding[]> {
  if (api === null) return [];
  const token = new TokenFile(api.tokenFile, log).read();
  const certificate = await checkPair(api);
  return [
    token.ok ? well("API", `its token is in ${api.tokenFile}`) : problem("API", token.error),
    ...(certificate === null ? [] : [problem("API", certificate)]),
  ];
}

/** The fault of the certificate; null = none, or it is made at the start. */
async function checkPair({ tls }: ApiConfig): Promise<string | null> {
  if (tls === null) return null;
  try {
    await readPair(tls);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
