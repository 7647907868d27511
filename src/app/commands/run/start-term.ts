/**
 * Terms of leadership: while the election of the Lease lets an instance lead, a writing term runs;
 * else a standby term that only plans. Each has a composition (the running controllers): one, or
 * one part for each set of external-dns options (`--set`), over the same clusters.
 */

import { hostname } from "node:os";
import { invariant } from "@zonekeeper/base/invariant";
import { LeaseElection } from "@zonekeeper/kube/client/lease/lease-election";
import { type RunConfig, setsOf } from "../../../config/run-config.ts";
import type { LeaseConfig } from "../../../config/safety-options.ts";
import type { StateStore } from "../../../ports/stores.ts";
import type { SourceRow } from "../../../sources/source.ts";
import type { WriterTerm } from "../../../sync/contract/writer-term.ts";
import type { PauseRegistry } from "../../../sync/guards/pause-registry.ts";
import { type Composition, compose } from "../../compose/compose.ts";
import type { ClusterAccess } from "../../compose/controllers-options.ts";
import { joinCompositions } from "../../compose/join-compositions.ts";
import { leaseTerm } from "../../compose/lease-epochs.ts";
import { previewing, queueStarter } from "../../compose/open-cluster.ts";
import { openPauses } from "../../compose/open-guards.ts";
import { journalIn, zoneOpeners } from "../../compose/zone-openers.ts";
import type { FurtherClusters } from "./further-clusters.ts";
import type { RunClusters } from "./open-clusters.ts";
import { installationText, leaseNamespace, openRegistryStore, openState } from "./open-state.ts";
import { PreviewState } from "./preview.ts";
import type { RunContext } from "./run-context.ts";
import type { RunningInstance } from "./running-instance.ts";
import { trustOf } from "./trust.ts";

/** The clusters that a term reads. */
export interface TermClusters {
  readonly clusters: RunClusters;
  readonly further: FurtherClusters;
}

/** Everything that a term begins with. */
export interface TermStart {
  readonly state: StateStore;
  /** Null = nothing is written: a dry run, or a standby. */
  readonly term: WriterTerm | null;
}

/** Starts the composition of a term. */
export function startTerm(
  context: RunContext,
  { clusters, further }: TermClusters,
  start: TermStart,
): Composition {
  const { config, ports } = context;
  // Clusters of a dry run are previews already.
  // clause: standby-previews-clusters
  const isStandby = start.term === null && !config.publish.dryRun;
  const reads = previewing(ports.clock, isStandby);
  const pauses = openPauses({ ...ports, ...start, owner: config.owner, given: config.pause });
  const [first, ...others] = setsOf(config).map((one, index) => {
    const own = clusters.sets[index - 1];
    const { source = own, target = own, provider = own } = own === undefined ? clusters : {};
    invariant(source && target && provider, "each set has a cluster");
    const read = { source: reads(source), target: reads(target), provider: reads(provider) };
    const joined = further.joined.map(reads);
    const part = { ...context, ...start, pauses, further, joined };
    return startPart(part, one, { ...clusters, ...read });
  });
  invariant(first, "there is one part at least");
  return others.length === 0 ? first : joinCompositions([first, ...others]);
}

type PartContext = Omit<RunContext, "state"> &
  TermStart &
  Pick<TermClusters, "further"> & {
    readonly pauses: PauseRegistry;
    readonly joined: readonly ClusterAccess[];
  };

function startPart(context: PartContext, config: RunConfig, clusters: RunClusters): Composition {
  const { ports, rows, folder, pauses, term, further, joined } = context;
  const { owner, set, adopt, registry } = config;
  const publish = { ...config.publish, /* clause: standby-is-a-dry-run */ dryRun: term === null };
  const isFirst = config === context.config;
  const state = set === "" ? context.state : stateOfSet(set, context.state);
  const keys = context.keys.get(config);
  invariant(keys, "the keys of each part are read");
  return compose({
    pauses,
    state,
    owner,
    part: set,
    publish,
    imports: isFirst ? config.imports : [],
    adoption:
      registry.format === "noop"
        ? { mode: "unmarked" }
        : adopt === "listed"
          ? { mode: adopt, keys: [] }
          : { mode: adopt },
    controllers: config.controllers,
    // With several sets no source writes a status: the statuses of two sets could contradict each
    // other.
    sources: context.config.sets.length === 0 ? rows.sources : rows.sources.map(withoutStatus),
    sourceClusters: [clusters.source],
    furtherClusters: joined,
    configCluster: config.further.configCluster,
    awaited: further.awaited,
    // With `--fence shared`, another installation may serve the cluster under the same owner id.
    isRemoved: (id) => config.fence !== "shared" && further.isRemoved(id),
    target: clusters.target,
    provider: clusters.provider,
    types: rows.providers,
    providerTypes: config.providerTypes,
    clusterAliases: config.registry.clusterAliases,
    trusts: trustOf(config, clusters.lease.namespace),
    ...zoneOpeners(config, {
      ...{ ...ports, state, pauses, term, keys, rows: rows.registries },
      store: openRegistryStore({ ...config, publish }, clusters.lease),
      otherOwners: new Set(setsOf(context.config).map((one) => one.owner)),
    }),
    journal: journalIn(state, folder === null ? "cluster" : "folder"),
    startQueue: queueStarter(ports),
    ports,
  });
}

const withoutStatus = (row: SourceRow): SourceRow => ({ ...row, writesStatus: false });

/**
 * The state of one set: keys begin with its name, so that it keeps its counters when other sets
 * change.
 */
function stateOfSet(set: string, state: StateStore): StateStore {
  const keyOf = (key: string): string => `set/${set}/${key}`;
  return {
    read: (key) => state.read(keyOf(key)),
    write: (key, value) => state.write(keyOf(key), value),
  };
}

/** The instance, and the clusters that it reads. */
export interface Serving extends TermClusters {
  readonly instance: RunningInstance;
}

/** Resolves after the stop, when the term has ended. */
export async function withLease(
  context: RunContext,
  serving: Serving,
  lease: LeaseConfig,
): Promise<void> {
  const { config, ports, stop } = context;
  const { instance, clusters, further } = serving;
  const rank = (): number | null => {
    instance.rank = lease.rank ?? further.rankIn(lease.region);
    return instance.rank;
  };
  let running: (() => Promise<void>) | null = null;
  const end = async (): Promise<void> => {
    const ended = running;
    running = null;
    await ended?.();
  };
  const state = openState(context, clusters.lease);
  const namespace = leaseNamespace(lease, clusters.lease);
  const leaseAddress = { ...lease, cluster: clusters.lease.uid, namespace };
  const election: LeaseElection = new LeaseElection({
    ...ports,
    writer: clusters.lease.writer,
    namespace,
    name: lease.name,
    identity: `${hostname()}_${ports.random.uuid()}`,
    installation: installationText(config),
    timing: lease,
    replacedPauseMs: lease.election === null ? 0 : lease.durationMs,
    preference: {
      rank,
      trouble: () => {
        instance.lastTrouble = instance.leadTrouble();
        return instance.lastTrouble;
      },
      afterMs: lease.handBackAfterMs,
    },
    onStartedLeading: (epoch, copyEpoch) => {
      const term = leaseTerm(election, leaseAddress, { ...lease, ...ports, epoch, copyEpoch });
      // Not awaited: the standby term writes nothing.
      void end();
      running = beginTerm(context, serving, { state, term });
    },
    onStandby: (leader, other) => {
      instance.standBy(leader, other);
      running ??= beginTerm(context, serving, { state: new PreviewState(state), term: null });
    },
    onStoppedLeading: end,
  });
  await election.run(stop);
  await end();
}

/**
 * Begins a term. Its compositions follow one another: a new one begins when the set of further
 * clusters that are read changes. Caches of clusters and stored state outlive them, so that no more
 * is forgotten than at a restart. The answer ends the term, and resolves when nothing is written
 * any more.
 */
export function beginTerm(
  context: RunContext,
  serving: Serving,
  start: TermStart,
): () => Promise<void> {
  const { instance, further } = serving;
  const begin = (): void => instance.begin(startTerm(context, serving, start));
  let last = Promise.resolve();
  let isOver = false;
  instance.isWriting = start.term !== null;
  begin();
  const stopListening = further.onJoined(() => {
    // The former composition has ended before, since two must never write.
    last = last.then(async () => {
      if (isOver) return;
      await instance.end();
      if (!isOver) begin();
    });
  });
  if (instance.isWriting) further.tellAgain();
  return async () => {
    isOver = true;
    stopListening();
    await Promise.all([last, instance.end()]);
  };
}
