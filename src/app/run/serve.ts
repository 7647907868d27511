/**
 * The life of `run`: health first, then clusters, then terms of leadership, each with its own
 * composition.
 */
import { hostname } from "node:os";
import { LeaseElection } from "../../cluster/lease/lease-election.ts";
import type { LeaseConfig, RunConfig } from "../../config/run-config.ts";
import type { StateStore } from "../../ports/state-store.ts";
import { PROVIDER_TYPES } from "../../providers/index.ts";
import { SOURCES } from "../../sources/index.ts";
import type { WriterTerm } from "../../sync/contract/writer-term.ts";
import { compose } from "../compose.ts";
import { clusterTerm, folderTerm, leaseTerm } from "../lease-epochs.ts";
import { queueStarter } from "../open-cluster.ts";
import { openGuards, openPauses, versionText } from "../open-guards.ts";
import { configuredRegistry } from "../open-registry.ts";
import { toAscii } from "../ports/idna.ts";
import { openClusters, type RunClusters } from "./open-clusters.ts";
import { leaseNamespace, openRegistryStore, openState } from "./open-state.ts";
import { openRunContext, type RunContext, type RunStart } from "./run-context.ts";
import { RunningInstance } from "./running-instance.ts";
import { startRunHttp } from "./start-run-http.ts";

/** Resolves when the stop was asked for and the term, if there was one, has ended in good order. */
export async function serve(config: RunConfig, start: RunStart): Promise<void> {
  const context = await openRunContext(config, start);
  const instance = new RunningInstance(context.metrics, context.ports);
  await startRunHttp(context, instance);
  const clusters = await openClusters(context, (reason) => instance.waitFor(reason));
  if (clusters === null) return;
  if (config.lease === null) await withoutLease(context, { instance, clusters });
  else await withLease(context, { instance, clusters }, config.lease);
}

interface Serving {
  readonly instance: RunningInstance;
  readonly clusters: RunClusters;
}

async function withoutLease(context: RunContext, { instance, clusters }: Serving): Promise<void> {
  const { folder, ports } = context;
  const term =
    folder === null
      ? clusterTerm(clusters.lease.uid)
      : await folderTerm(context.state, ports.random);
  instance.begin(startTerm(context, clusters, { state: openState(context, clusters.lease), term }));
  await aborted(context.stop);
  await instance.end();
}

async function withLease(
  context: RunContext,
  { instance, clusters }: Serving,
  lease: LeaseConfig,
): Promise<void> {
  const { ports, stop } = context;
  const state = openState(context, clusters.lease);
  const namespace = leaseNamespace(lease, clusters.lease);
  const leaseAddress = { cluster: clusters.lease.uid, namespace, name: lease.name };
  const election: LeaseElection = new LeaseElection({
    ...ports,
    writer: clusters.lease.writer,
    namespace,
    name: lease.name,
    identity: `${hostname()}_${ports.random.uuid()}`,
    timing: lease,
    onStartedLeading: (epoch) => {
      const term = leaseTerm(election, leaseAddress, { ...lease, epoch });
      instance.begin(startTerm(context, clusters, { state, term }));
    },
    onStoppedLeading: () => instance.end(),
  });
  await election.run(stop);
}

interface Start {
  readonly state: StateStore;
  readonly term: WriterTerm;
}

function startTerm(
  { config, ports, keys }: RunContext,
  clusters: RunClusters,
  { state, term }: Start,
) {
  const { owner, pause: given } = config;
  const pauses = openPauses({ ...ports, state, owner, given });
  return compose({
    pauses,
    owner: config.owner,
    publish: config.publish,
    adoption: config.adopt === "listed" ? { mode: "listed", keys: [] } : { mode: config.adopt },
    controllers: config.controllers,
    sources: SOURCES,
    sourceClusters: [clusters.source],
    target: clusters.target,
    provider: clusters.provider,
    types: PROVIDER_TYPES,
    openOwnership: configuredRegistry({
      ...config,
      ...ports,
      keys,
      store: openRegistryStore(config, clusters.lease),
    }),
    openGuard: openGuards({
      ...ports,
      state,
      pauses,
      owner: config.owner,
      requireSignatures: config.txt.signing === "require",
      version: versionText(config.publish),
    }),
    fence: { term, record: config.fence === "auto" },
    toAscii,
    startQueue: queueStarter(ports),
    ports,
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
