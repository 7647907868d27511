/**
 * Makes the composition (the running controllers) of a term of leadership: one, or one part for
 * each set of external-dns options (`--set`), over the same clusters.
 */
import { invariant } from "@zonekeeper/base/invariant";
import { type RunConfig, setsOf } from "../../../config/run-config.ts";
import type { Adoption } from "../../../plan/rules.ts";
import type { StateStore } from "../../../ports/stores.ts";
import type { SourceRow } from "../../../sources/source.ts";
import type { WriterTerm } from "../../../sync/contract/writer-term.ts";
import type { PauseRegistry } from "../../../sync/guards/pause-registry.ts";
import { type Composition, compose } from "../../compose/compose.ts";
import type { ClusterAccess } from "../../compose/controllers-options.ts";
import { joinCompositions } from "../../compose/join-compositions.ts";
import { previewing, queueStarter } from "../../compose/open-cluster.ts";
import { openPauses } from "../../compose/open-guards.ts";
import { journalIn } from "../../compose/open-journal.ts";
import { zoneOpeners } from "../../compose/zone-openers.ts";
import type { FurtherClusters } from "./further-clusters.ts";
import type { RunClusters } from "./open-clusters.ts";
import { openRegistryStore } from "./open-state.ts";
import type { RunContext } from "./run-context.ts";
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
  const { owner, set } = config;
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
    adoption: adoptionOf(config),
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

function adoptionOf({ adopt, registry }: RunConfig): Adoption {
  if (registry.format === "noop") return { mode: "unmarked" };
  return adopt === "listed" ? { mode: adopt, keys: [] } : { mode: adopt };
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
