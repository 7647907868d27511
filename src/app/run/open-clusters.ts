/**
 * Opens the logical clusters of `run` (docs/architecture.md#clusters): provider falls back to
 * target, target to source.
 */
import { homedir } from "node:os";
import { readClusterId } from "../../cluster/access/cluster-id.ts";
import { ApiClient } from "../../cluster/requests/api-client.ts";
import { ApiClusterWriter } from "../../cluster/write/cluster-writer.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { messageOf, OperationError } from "../../model/operation-error.ts";
import { sleep } from "../../ports/clock.ts";
import type { ClusterWriter } from "../../ports/cluster-writer.ts";
import { openCluster } from "../open-cluster.ts";
import { realCredentialPorts } from "../ports/real-credentials.ts";
import type { ClusterAccess } from "../start-controllers.ts";
import { ClusterHttpClient } from "./cluster-client.ts";
import { type AccessSources, isInPod, podAccess, resolveAccess } from "./resolve-access.ts";
import type { RunContext } from "./run-context.ts";

/** Open clusters; those of one kubeconfig are one. */
export interface RunClusters {
  readonly source: ClusterAccess;
  readonly target: ClusterAccess;
  readonly provider: ClusterAccess;
  readonly lease: LeaseCluster;
}

/** Where the Lease lives: the cluster that the program runs in, else the source. */
export interface LeaseCluster {
  /** Without a rate limit: renewals wait for nobody. */
  readonly writer: ClusterWriter;
  /** What the credentials say, else `default`. */
  readonly namespace: string;
  /** UID of its kube-system, whatever id is configured; null = it may not be read. */
  readonly uid: string | null;
}

/** Told why clusters are waited for; null = they are not any more. */
export type OnWaiting = (reason: string | null) => void;

/** A kubeconfig that was understood. */
interface Connection {
  readonly http: ClusterHttpClient;
  /** For messages. */
  readonly origin: string;
  readonly namespace: string | null;
  /** Null = the UID of kube-system. */
  readonly id: string | null;
}

const RETRY_MS = 5000;

/**
 * Waits until every cluster has told its id; null = the stop came first. Throws OperationError
 * `NoClusterAccess` at once for a configuration that leads nowhere.
 */
export async function openClusters(
  context: RunContext,
  onWaiting: OnWaiting,
): Promise<RunClusters | null> {
  const from: AccessSources = {
    environment: process.env,
    home: homedir(),
    credentials: realCredentialPorts(context.ports.clock),
  };
  const connections = await connectAll(context, from);
  const lease = await leaseCluster(context, from, connections.source);
  const opened = new Map<Connection, ClusterAccess>();
  for (const connection of Object.values(connections)) {
    if (opened.has(connection)) continue;
    const cluster = await open(context, connection, onWaiting);
    if (cluster === null) return null;
    opened.set(connection, cluster);
  }
  const uid = await askUid(context, lease.writer, onWaiting);
  onWaiting(null);
  const { source, target, provider } = connections;
  const [first, second, third] = [source, target, provider].map((each) => opened.get(each));
  if (first === undefined || second === undefined || third === undefined) return null;
  if (uid === undefined) return null;
  return { source: first, target: second, provider: third, lease: { ...lease, uid } };
}

type Logical = Readonly<Record<"source" | "target" | "provider", Connection>>;

async function connectAll(context: RunContext, from: AccessSources): Promise<Logical> {
  const { source, target, providers } = context.config;
  const first = await connect(context, from, source);
  const second = target.kubeconfig === null ? first : await connect(context, from, target);
  const third = providers.kubeconfig === null ? second : await connect(context, from, providers);
  return { source: first, target: second, provider: third };
}

async function connect(
  { teardown }: RunContext,
  from: AccessSources,
  { kubeconfig, id }: RunConfig["source"],
): Promise<Connection> {
  const access = await resolveAccess(kubeconfig, from);
  const http = new ClusterHttpClient(access, from.credentials);
  teardown.add(`client of ${access.origin}`, () => http.close());
  return { http, origin: access.origin, namespace: access.namespace, id };
}

async function open(
  context: RunContext,
  connection: Connection,
  onWaiting: OnWaiting,
): Promise<ClusterAccess | null> {
  const { ports, config, teardown } = context;
  const { http, origin } = connection;
  const clusterId = connection.id ?? (await askClusterId(context, connection, onWaiting));
  if (clusterId === null) return null;
  const cluster = openCluster({
    http,
    clusterId,
    namespace: config.namespace,
    ports,
    // 20 a second would hold back edits behind statuses. The server's priority and fairness bounds
    // us, and each queue its workers: what controller-runtime does since 0.21
    // (kubernetes-sigs/controller-runtime#3119).
    writeRate: null,
  });
  teardown.add(`cluster of ${origin}`, () => cluster.close());
  ports.log.info("cluster opened", { origin, cluster: clusterId });
  return cluster.access;
}

/** Who has no right to read it works without; undefined = the stop came first. */
async function askUid(
  context: RunContext,
  writer: ClusterWriter,
  onWaiting: OnWaiting,
): Promise<string | null | undefined> {
  const isRefused = (error: unknown): boolean =>
    error instanceof OperationError && error.code === "Forbidden";
  const asked = { writer, origin: "the cluster of the Lease", isRefused };
  return (
    (await askUntilKnown(context, asked, onWaiting)) ?? (context.stop.aborted ? undefined : null)
  );
}

function askClusterId(
  context: RunContext,
  { http, origin }: Connection,
  onWaiting: OnWaiting,
): Promise<string | null> {
  const writer = writerOf(context.ports, http, origin);
  return askUntilKnown(context, { writer, origin, isRefused: () => false }, onWaiting);
}

interface Asked {
  readonly writer: ClusterWriter;
  /** For messages. */
  readonly origin: string;
  /** True = asking again is of no use. */
  readonly isRefused: (error: unknown) => boolean;
}

/**
 * Asks until the cluster answers: one that is down now must not end the program. Null = refused, or
 * the stop came.
 */
async function askUntilKnown(
  { ports, stop }: RunContext,
  { writer, origin, isRefused }: Asked,
  onWaiting: OnWaiting,
): Promise<string | null> {
  while (!stop.aborted) {
    try {
      return await readClusterId(writer);
    } catch (error) {
      const reason = `${origin}: ${messageOf(error)}`;
      if (isRefused(error)) return null;
      ports.log.warn("cluster id cannot be read", { reason, retryInMs: RETRY_MS });
      onWaiting(reason);
      await sleep(ports.clock, RETRY_MS, stop);
    }
  }
  return null;
}

function writerOf(
  { clock, metrics }: RunContext["ports"],
  http: ClusterHttpClient,
  host: string,
): ApiClusterWriter {
  const client = new ApiClient({ http, clock, metrics, host });
  return new ApiClusterWriter({ clusterId: host, client, clock, rate: null });
}

async function leaseCluster(
  { ports, teardown }: RunContext,
  from: AccessSources,
  source: Connection,
): Promise<Omit<LeaseCluster, "uid">> {
  if (!isInPod(from.environment)) {
    const writer = writerOf(ports, source.http, source.origin);
    return { writer, namespace: source.namespace ?? "default" };
  }
  const access = await podAccess(from);
  const http = new ClusterHttpClient(access, from.credentials);
  teardown.add("client of the Lease", () => http.close());
  return {
    writer: writerOf(ports, http, access.origin),
    namespace: access.namespace ?? "default",
  };
}
