/**
 * Opens the logical clusters of `run` (docs/architecture.md#clusters): provider falls back to
 * target, target to source.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { sleep } from "@zonekeeper/base/ports/clock";
import type { HttpClient } from "@zonekeeper/base/ports/http";
import type { ClusterAccess as ApiAccess } from "@zonekeeper/kube/client/access/cluster-access";
import { readClusterId } from "@zonekeeper/kube/client/access/cluster-id";
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { ApiClusterWriter } from "@zonekeeper/kube/client/write/cluster-writer";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import { setsOf } from "../../../config/run-config.ts";
import type { ClusterAccess } from "../../compose/controllers-options.ts";
import { withKeptKinds } from "../../compose/kept-kinds.ts";
import { openCluster, refuseInDryRun } from "../../compose/open-cluster.ts";
import { ClusterHttpClient } from "./cluster-client.ts";
import { type ClusterOrigin, troubleText } from "./cluster-reach.ts";
import {
  type AccessSources,
  isInPod,
  podAccess,
  realSources,
  resolveAccess,
} from "./resolve-access.ts";
import type { LogicalCluster } from "./right-facts.ts";
import type { RunContext } from "./run-context.ts";

/** The open clusters; uses with one kubeconfig share one. */
export interface RunClusters {
  readonly source: ClusterAccess;
  readonly target: ClusterAccess;
  readonly provider: ClusterAccess;
  /**
   * With external-dns's options: the cluster once for each further set, with the set's DNSProvider.
   */
  readonly sets: readonly ClusterAccess[];
  readonly lease: LeaseCluster;
  readonly connections: Connections;
}

/** Where the Lease lives: as configured, else where the program runs, else the source cluster. */
export interface LeaseCluster {
  /** Without a rate limit: renewals wait for nobody. */
  readonly writer: ClusterWriter;
  /** Namespace of the credentials, else `default`. */
  readonly namespace: string;
  /** UID of its kube-system, whatever id is configured; null = it may not be read. */
  readonly uid: string | null;
}

/** One for each use, as configured; uses with one kubeconfig share one. */
export interface Connections extends Readonly<Record<LogicalCluster, Connection>> {
  readonly lease: Connection & Pick<LeaseCluster, "namespace">;
}

/** Everything that clusters are connected with. */
export type ConnectContext = Pick<RunContext, "config" | "ports" | "teardown" | "apis">;

/** Called with the reason why clusters are awaited; null = they are not any more. */
export type OnWaiting = (reason: string | null) => void;

/** A connection from one kubeconfig; no request was sent yet. */
export interface Connection extends ClusterOrigin {
  readonly http: HttpClient;
  readonly client: ApiClient;
  /** Reads and writes past caches, without a rate limit. */
  readonly writer: ClusterWriter;
  readonly namespace: string | null;
  /** Null = the UID of kube-system. */
  readonly id: string | null;
}

const RETRY_MS = 5000;

/**
 * Reads the kubeconfigs. Throws OperationError `NoClusterAccess` for a configuration that leads
 * nowhere.
 */
export async function connectClusters(context: ConnectContext): Promise<Connections> {
  const from = realSources(context.ports.clock);
  const { apis = {}, config } = context;
  const open = async (
    name: "source" | "target" | "providers",
    option: string,
    fallback: Connection | null,
  ): Promise<Connection> => {
    const { kubeconfig, id } = config[name];
    const http = apis[name];
    if (http !== undefined)
      return connectionTo(context, http, { origin: name, option, id, namespace: null });
    if (kubeconfig === null && fallback !== null) return fallback;
    return connectionBy(context, from, await resolveAccess(kubeconfig, from), { option, id });
  };
  const source = await open("source", "--kubeconfig", null);
  const target = await open("target", "--target", source);
  const provider = await open("providers", "--providers", target);
  return { source, target, provider, lease: await leaseCluster(context, from, source) };
}

/** Waits until every cluster has told its id; null = the stop came first. */
export async function openClusters(
  context: RunContext,
  connections: Connections,
  onWaiting: OnWaiting,
): Promise<RunClusters | null> {
  const { source, target, provider, lease } = connections;
  const opened = new Map<Connection, ClusterAccess>();
  for (const connection of [source, target, provider]) {
    if (opened.has(connection)) continue;
    const cluster = await open(context, connection, onWaiting);
    if (cluster === null) return null;
    opened.set(connection, cluster);
  }
  const uid = await askUid(context, lease, onWaiting);
  onWaiting(null);
  const [first, second, third] = [source, target, provider].map((each) => opened.get(each));
  if (first === undefined || second === undefined || third === undefined) return null;
  if (uid === undefined) return null;
  const [one = null, ...sets] = await Promise.all(
    setsOf(context.config).flatMap(({ externalDns, publish, set }) => {
      const [dnsClass] = publish.dnsClasses;
      if (externalDns === null) return [];
      return [withKeptKinds(first, { ...context.ports, externalDns, dnsClass, set })];
    }),
  );
  return {
    ...{ source: one ?? first, target: one ?? second, provider: one ?? third, sets },
    ...{ lease: { ...lease, uid }, connections },
  };
}

function connectionTo(
  { ports: { clock, metrics }, config }: ConnectContext,
  http: HttpClient,
  named: Pick<Connection, "origin" | "option" | "id" | "namespace">,
): Connection {
  const { origin: host } = named;
  const writesRefused = config.publish.dryRun ? refuseInDryRun : () => null;
  const client = new ApiClient({ http, clock, metrics, host, writesRefused });
  const writer = new ApiClusterWriter({ clusterId: host, client, clock, rate: null });
  return { http, client, writer, ...named };
}

/** By a client of our own, which the teardown closes. */
function connectionBy(
  context: ConnectContext,
  { credentials }: AccessSources,
  access: ApiAccess,
  named: Pick<Connection, "option" | "id">,
): Connection {
  const http = new ClusterHttpClient(access, credentials);
  const { origin, namespace } = access;
  context.teardown.add(`client of ${origin}`, () => http.close());
  return connectionTo(context, http, { ...named, origin, namespace });
}

async function open(
  context: RunContext,
  connection: Connection,
  onWaiting: OnWaiting,
): Promise<ClusterAccess | null> {
  const { ports, config, teardown, rows } = context;
  const { http, origin, option, writer, id } = connection;
  const asked = { writer, origin, option, isRefused: () => false };
  const clusterId = id ?? (await askUntilKnown(context, asked, onWaiting));
  if (clusterId === null) return null;
  const cluster = openCluster({
    http,
    clusterId,
    namespace: config.namespace,
    sources: rows.sources,
    ports,
    // 20 a second would hold back edits behind statuses. The server's priority and fairness bounds
    // us, and each queue its workers: what controller-runtime does since 0.21
    // (kubernetes-sigs/controller-runtime#3119).
    writeRate: null,
    isPreview: config.publish.dryRun,
  });
  teardown.add(`cluster of ${origin}`, () => cluster.close());
  ports.log.info("cluster opened", { origin, cluster: clusterId });
  return cluster.access;
}

/** UID of the cluster of the Lease; null = it may not be read; undefined = the stop came first. */
async function askUid(
  context: RunContext,
  lease: Pick<LeaseCluster, "writer"> & ClusterOrigin,
  onWaiting: OnWaiting,
): Promise<string | null | undefined> {
  const isRefused = (error: unknown): boolean =>
    error instanceof OperationError && error.code === "Forbidden";
  const uid = await askUntilKnown(context, { ...lease, isRefused }, onWaiting);
  return uid ?? (context.stop.aborted ? undefined : null);
}

interface Asked extends ClusterOrigin {
  readonly writer: ClusterWriter;
  /** True = asking again is useless. */
  readonly isRefused: (error: unknown) => boolean;
}

/**
 * Asks until the cluster answers: one that is down now must not end the program. Null = refused, or
 * the stop came.
 */
async function askUntilKnown(
  { ports, stop }: RunContext,
  { writer, isRefused, ...origin }: Asked,
  onWaiting: OnWaiting,
): Promise<string | null> {
  while (!stop.aborted) {
    try {
      return await readClusterId(writer);
    } catch (error) {
      const reason = troubleText(origin, error);
      if (isRefused(error)) return null;
      ports.log.warn("cluster id cannot be read", { reason, retryInMs: RETRY_MS });
      onWaiting(reason);
      await sleep(ports.clock, RETRY_MS, stop);
    }
  }
  return null;
}

async function leaseCluster(
  context: ConnectContext,
  from: AccessSources,
  source: Connection,
): Promise<Connections["lease"]> {
  const { coordination } = context.config;
  const isOfSource =
    coordination === null && (context.apis?.source !== undefined || !isInPod(from.environment));
  const option = coordination === null ? "the pod's service account" : "--coordination";
  const opened = async (): Promise<Connection> => {
    const access =
      coordination === null ? await podAccess(from) : await resolveAccess(coordination, from);
    return connectionBy(context, from, access, { option, id: null });
  };
  const connection = isOfSource ? source : await opened();
  return { ...connection, namespace: connection.namespace ?? "default" };
}
