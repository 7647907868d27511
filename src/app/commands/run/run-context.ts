/**
 * Opens what all parts of `run` use: real ports, metrics, keys, and the data folder if there is
 * one.
 */
import type { HttpClient } from "@zonekeeper/base/ports/http";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Store } from "@zonekeeper/base/ports/store";
import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { type RunConfig, setsOf } from "../../../config/run-config.ts";
import { NotifyListener } from "../../../providers/rfc2136/notify/notify-listener.ts";
import type { Instance } from "../../compose/instance.ts";
import { configuredKeys, type MarkerKeys } from "../../compose/zone-openers.ts";
import type { Rows } from "../../plugins/rows.ts";
import { EXTERNAL_DNS_METRICS } from "../../ports/external-dns-metrics-table.ts";
import { METRICS } from "../../ports/metrics-table.ts";
import { PrometheusMetrics } from "../../ports/prometheus-metrics.ts";
import { type ProgramPorts, realPorts } from "../../ports/real-ports.ts";
import { VERSION } from "../../ports/version.ts";
import { ReportingStore, StoredState } from "../../ports/wrapped-store.ts";
import { type DataFolder, FOLDER_FILES, openDataFolder } from "../process/data-folder.ts";
import { readToken } from "../process/ready-file.ts";
import type { Teardown } from "../process/teardown.ts";
import { asTypedInKubectl } from "../process/typed-commands.ts";

/** Everything that a start is given. */
export interface RunStart {
  readonly log: Log;
  readonly teardown: Teardown;
  /** Aborts at the first signal. */
  readonly stop: AbortSignal;
  readonly rows: Rows;
  /** HTTP clients in place of kubeconfigs; absent = none. */
  readonly apis?: ClusterApis;
  /** Ports in place of the real ones; absent = none. */
  readonly ports?: Partial<ProgramPorts>;
  /** Called with the instance before it waits for anything. */
  readonly onInstance?: (instance: Instance) => void;
}

/** The parts of a running process that are open; the teardown closes them. */
export interface RunContext extends RunStart {
  readonly config: RunConfig;
  readonly ports: ProgramPorts;
  readonly metrics: PrometheusMetrics;
  /** Keys of the TXT registry of each set; their files are read once. */
  readonly keys: ReadonlyMap<RunConfig, MarkerKeys>;
  /** The data folder; null = none is configured. */
  readonly folder: DataFolder | null;
  /** Survives a restart only with a data folder; see `openState`. */
  readonly state: StoredState;
  /** Token of the local API; null = it is not served. */
  readonly token: string | null;
}

/** Bytes of entropy in a token that is made for one run. */
const TOKEN_BYTES = 24;

/** Rejects with OperationError when the data folder, the token file or a key is unusable. */
export async function openRunContext(config: RunConfig, start: RunStart): Promise<RunContext> {
  const { log, teardown } = start;
  const metrics = new PrometheusMetrics(
    config.externalDns === null ? METRICS : [...METRICS, ...EXTERNAL_DNS_METRICS],
    { process: true },
  );
  metrics.gauge("zonekeeper_build_info", 1, { version: VERSION, node: process.version });
  const { lookupServers } = config.publish;
  const real = { ...realPorts(log, metrics, lookupServers), ...start.ports };
  const feed = await withNotifyFeed(real, config, teardown);
  const ports = config.api === null ? feed : { ...feed, asTyped: asTypedInKubectl };
  const keys = new Map(setsOf(config).map((one) => [one, configuredKeys(one.txt, ports)]));
  const folder = config.data === null ? null : await openDataFolder(config.data);
  if (folder !== null) teardown.add("data folder", () => folder.close());
  let store: Store = new MemoryStore();
  if (folder !== null) {
    // The library is loaded only where there is a data folder.
    const { LmdbStore } = await import("../../ports/lmdb-store.ts");
    store = new ReportingStore(LmdbStore.open(folder.file(FOLDER_FILES.store)), log);
  }
  teardown.add("store", () => store.close());
  const state = new StoredState(store, "run/sync/");
  const made = Buffer.from(ports.random.bytes(TOKEN_BYTES)).toString("base64url");
  const token =
    config.apiTokenFile === null ? (folder === null ? null : made) : readToken(config.apiTokenFile);
  return { ...start, config, ports, keys, metrics, folder, state, token };
}

/** Listens for NOTIFY if it is wanted; rejects with OperationError `AddressInUse`. */
async function withNotifyFeed(
  ports: ProgramPorts,
  { notifyAddress }: RunConfig,
  teardown: Teardown,
): Promise<ProgramPorts> {
  if (notifyAddress === null) return ports;
  const log = ports.log.child({ part: "notify" });
  const notifyFeed = await NotifyListener.open({ ...ports, log }, notifyAddress);
  teardown.add("notify listener", () => notifyFeed.close());
  return { ...ports, notifyFeed };
}

/** By the use of the cluster. */
export type ClusterApis = Readonly<Partial<Record<"source" | "target" | "providers", HttpClient>>>;
