/**
 * Opens what all parts of `dev` use: the locked data folder, its store and certificates, the
 * identity of the installation, and the real ports.
 */
import type { Log } from "@zonekeeper/base/ports/log";
import type { Store } from "@zonekeeper/base/ports/store";
import type { DevConfig } from "../../../config/dev-config.ts";
import type { Rows } from "../../plugins/rows.ts";
import { LmdbStore } from "../../ports/lmdb-store.ts";
import { METRICS } from "../../ports/metrics-table.ts";
import { PrometheusMetrics } from "../../ports/prometheus-metrics.ts";
import type { ProgramPorts } from "../../ports/real-ports.ts";
import { realPorts } from "../../ports/real-ports.ts";
import { ReportingStore } from "../../ports/wrapped-store.ts";
import { loadCertificates, type ServerCredentials } from "../process/certificates.ts";
import { type DataFolder, FOLDER_FILES, openDataFolder } from "../process/data-folder.ts";
import type { Teardown } from "../process/teardown.ts";
import { type Identity, loadIdentity } from "./identity.ts";

/** Everything that a start of `dev` is given. */
export interface DevStart {
  readonly log: Log;
  /** Gets the closer of each part that was started, also when a later one fails. */
  readonly teardown: Teardown;
  /** Aborts when the user does not want to wait any more. */
  readonly stop: AbortSignal;
  readonly rows: Rows;
}

/** The parts of a running `dev` that are open; the teardown closes them. */
export interface DevContext extends DevStart {
  readonly config: DevConfig;
  readonly folder: DataFolder;
  readonly identity: Identity;
  readonly tls: ServerCredentials;
  readonly store: Store;
  readonly metrics: PrometheusMetrics;
  readonly ports: ProgramPorts;
}

/**
 * Rejects with OperationError when the folder, its lock, the store, the identity or a certificate
 * is unusable.
 */
export async function openDevContext(config: DevConfig, start: DevStart): Promise<DevContext> {
  const { log, teardown } = start;
  const folder = await openDataFolder(config.data);
  teardown.add("data folder", () => folder.close());
  const storeFile = folder.file(FOLDER_FILES.store);
  const store = new ReportingStore(LmdbStore.open(storeFile), log);
  teardown.add("store", () => store.close());
  const metrics = new PrometheusMetrics(METRICS, { process: true });
  const ports = realPorts(log, metrics, config.publish.lookupServers);
  const file = folder.file(FOLDER_FILES.identity);
  const { owner } = config;
  const identity = await loadIdentity({ file, storeFile, store, owner, ...ports });
  const hosts = [...new Set(["127.0.0.1", "localhost", config.listen])];
  const tls = await loadCertificates(certificateFiles(folder), hosts, ports.clock);
  return { ...start, config, folder, identity, tls, store, metrics, ports };
}

function certificateFiles(folder: DataFolder): Parameters<typeof loadCertificates>[0] {
  return {
    caCertificate: folder.file(FOLDER_FILES.caCertificate),
    caKey: folder.file(FOLDER_FILES.caKey),
    serverCertificate: folder.file(FOLDER_FILES.serverCertificate),
    serverKey: folder.file(FOLDER_FILES.serverKey),
  };
}
