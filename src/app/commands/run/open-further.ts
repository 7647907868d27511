/** Opens the further source clusters that the configuration names. */
import { OperationError } from "@zonekeeper/base/operation-error";
import { ok } from "@zonekeeper/base/result";
import { readClusterId } from "@zonekeeper/kube/client/access/cluster-id";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { kindText } from "@zonekeeper/kube/objects/kubernetes";
import { isInternalAddress } from "../../../model/addresses.ts";
import { furtherRows } from "../../compose/source-clusters.ts";
import { realCredentialPorts } from "../../ports/real-credentials.ts";
import { FurtherClusters } from "./further-clusters.ts";
import { followFolder, type GivenCluster, OF_FILE, watchClusterSecrets } from "./given-clusters.ts";
import type { RunClusters } from "./open-clusters.ts";
import { proxied, realSources, resolveAccess } from "./resolve-access.ts";
import type { RunContext } from "./run-context.ts";
import { trustOf } from "./trust.ts";

const FOLDER = "folder";
const SECRETS = "secrets";

/**
 * True = kubeconfigs in Secrets of an untrusted namespace may name the address: it is not internal
 * (Z-29).
 */
function isOutside(address: string): boolean {
  return !isInternalAddress(address);
}

/**
 * Opens the further source clusters that options, a folder and Secrets name, and follows folder and
 * Secrets from now on. Nothing waits for them. `isLeading` false = a standby, which writes no
 * Events.
 */
export function openFurther(
  context: RunContext,
  clusters: RunClusters,
  given: readonly GivenCluster[],
  isLeading: () => boolean,
): FurtherClusters {
  const { config, ports, rows, teardown } = context;
  const { folder, namespace } = config.further;
  const { source } = clusters.connections;
  const rowsRead = furtherRows(rows.sources, config.controllers);
  const kinds = new Map(
    rowsRead
      .flatMap(({ primary, secondary }) => [primary, ...secondary])
      .map((kind) => [kindText(kind), kind]),
  );
  const isAny = given.length > 0 || folder !== null || namespace !== null;
  const further = new FurtherClusters({
    ports,
    credentials: realCredentialPorts(ports.clock),
    proxied: (access) => proxied(access, { environment: process.env }),
    sources: rows.sources,
    kinds: [...kinds.values()],
    namespace: config.namespace,
    isPreview: config.publish.dryRun,
    // Without further clusters the UIDs are not asked for: the right may be missing.
    ...(isAny ? ownClusters(clusters) : { own: () => [], ownKnown: Promise.resolve() }),
    awaitedOrigins: [
      ...(folder === null ? [] : [FOLDER]),
      ...(namespace === null ? [] : [SECRETS]),
    ],
    isGone: async ({ metadata: { namespace = "", name, uid } }) => {
      const found = await source.writer.read({ kind: SECRET, namespace, name });
      return found === null || found.metadata.uid !== uid;
    },
    tell: ({ id, origin, secret }, message) => {
      if (message !== "" && secret !== null && isLeading())
        clusters.source.recorder.record(secret, {
          type: "Warning",
          reason: "FurtherCluster",
          message,
        });
      if (message === "") ports.log.info("further cluster is well", { cluster: id, origin });
      else ports.log.warn("further cluster", { cluster: id, message });
    },
  });
  teardown.add("further clusters", () => further.close());
  further.settle("options", given);
  if (folder !== null) {
    const ended = new AbortController();
    void followFolder(folder, ports, (found) => further.settle(FOLDER, found), ended.signal);
    teardown.add("folder of kubeconfigs", () => ended.abort());
  }
  if (namespace !== null) {
    const isTrusted = trustOf(config, clusters.lease.namespace)(namespace);
    const where = { client: source.client, clusterId: clusters.source.view.clusterId };
    const options = { ...where, namespace, ports, ...(isTrusted ? {} : { mayDial: isOutside }) };
    const stop = watchClusterSecrets(options, (found) => further.settle(SECRETS, found));
    teardown.add("Secrets of clusters", stop);
  }
  return further;
}

/** Reads the kubeconfigs of `--source-cluster`. Throws OperationError as `resolveAccess` does. */
export async function givenByOptions(
  context: Pick<RunContext, "config" | "ports">,
): Promise<readonly GivenCluster[]> {
  const { config, ports } = context;
  const from = realSources(ports.clock);
  return Promise.all(
    config.further.given.map(async ({ id, file }) => ({
      id,
      ...OF_FILE,
      origin: `--source-cluster ${id}=${file}`,
      access: ok(await resolveAccess(file, from)),
      print: file,
    })),
  );
}

/** The program's own clusters, with their UIDs, which are asked for: an id may be configured. */
function ownClusters({ connections, ...clusters }: RunClusters) {
  const uids = new Map<string, string | null>();
  const asked = (["source", "target", "provider"] as const).map(async (use) => {
    const { clusterId } = clusters[use].view;
    uids.set(clusterId, clusterId);
    try {
      uids.set(clusterId, await readClusterId(connections[use].writer));
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
    }
  });
  return { own: () => [...uids].map(([id, uid]) => ({ id, uid })), ownKnown: Promise.all(asked) };
}
