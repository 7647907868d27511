/** Everything that one program and its controllers are made from. Types only. */
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter, EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import type { StartQueue } from "@zonekeeper/kube/ports/work-queue";
import type { ClassConfig, PublishConfig } from "../../config/publish-options.ts";
import type { AccountPorts } from "../../controllers/accounts/account.ts";
import type { AccountEnvironment } from "../../controllers/accounts/guarded-environment.ts";
import type { LiveChecks } from "../../controllers/objects/live-checks.ts";
import type { RefusedChanges } from "../../gardener/dns-entry/entry-controller-options.ts";
import type { OwnerUses } from "../../gardener/dns-entry/owner-use.ts";
import type { ImportRules } from "../../model/imports.ts";
import type { Adoption } from "../../plan/rules.ts";
import type { ClusterIdentity } from "../../ports/cluster-identity.ts";
import type { Resolver } from "../../ports/resolver.ts";
import type { StateStore } from "../../ports/stores.ts";
import type { ProviderType } from "../../providers/provider.ts";
import type { OutcomesOptions } from "../../source-controllers/zones/outcomes.ts";
import type { Source, SourceRow } from "../../sources/source.ts";
import type { PublishEngine } from "../../sync/contract/publish-engine.ts";
import type { SyncSettings } from "../../sync/contract/settings.ts";
import type { EngineOptions } from "../../sync/engine.ts";
import type { FenceOptions } from "../../sync/fence/zone-fence.ts";
import type { PauseRegistry } from "../../sync/guards/pause-registry.ts";
import type { JournalStorage } from "../../sync/report/change-journal.ts";
import type { ProgramPorts } from "../ports/real-ports.ts";

/** A cluster, read and written. */
export interface ClusterAccess {
  readonly view: ClusterView;
  readonly writer: ClusterWriter;
  readonly recorder: EventRecorder;
  /** Whether it still is the same cluster. Absent = it is not checked. */
  readonly identity?: ClusterIdentity;
}

/**
 * Further source clusters, which other teams may own. Only Events are written there, and no
 * DNSEntry is generated for their objects: they are published directly.
 */
export interface FurtherSources {
  /** Clusters that are read now. */
  readonly clusters: readonly ClusterAccess[];
  /** Sources, each of which reads each of these clusters. */
  readonly sources: readonly Source[];
}

/** Everything that the program is made from. */
export interface ComposeOptions
  extends Pick<
    ProgramOptions,
    "sourceClusters" | "configCluster" | "target" | "provider" | "openOwnership" | "startQueue"
  > {
  /** Owner id of this group. */
  readonly owner: string;
  readonly publish: PublishConfig;
  /** Zones whose hosts become ServiceEntries of the cluster. Absent = none. */
  readonly imports?: readonly ImportRules[];
  readonly adoption: Adoption;
  /** Names of sources, and `compound` for DNSProviders and DNSEntries. */
  readonly controllers: ReadonlySet<string>;
  /**
   * Its name, where one process runs several of these programs (parts); absent or empty = the only
   * one.
   */
  readonly part?: string;
  /** The sources to choose from. */
  readonly sources: readonly SourceRow[];
  /** Source clusters of others, whose objects are published directly; absent = none. */
  readonly furtherClusters?: readonly ClusterAccess[];
  /**
   * Why nothing is known of this further cluster yet; null = it is known, or it is no further
   * cluster. Absent = there are none.
   */
  readonly awaited?: (cluster: string) => string | null;
  /** Whether a further cluster was removed, with its records. Absent = none was. */
  readonly isRemoved?: (cluster: string) => boolean;
  readonly types: readonly ProviderType[];
  /** Types of the DNSProviders that are served; absent or null = all. */
  readonly providerTypes?: ReadonlySet<string> | null;
  /** Whether DNSProviders of a namespace may name any address (Z-29); absent = all may. */
  readonly trusts?: (namespace: string) => boolean;
  /** Former ids of clusters, with the present ones; absent = none. */
  readonly clusterAliases?: ReadonlyMap<string, string>;
  readonly openGuard: EngineOptions["openGuard"];
  /** The registry of pauses that `openGuard` uses too. Absent = nothing can be paused. */
  readonly pauses?: PauseRegistry;
  /**
   * Keeps which objects were seen to list names (Z-23) and the identities of clusters (Z-30).
   * Absent = nothing survives a restart.
   */
  readonly state?: StateStore;
  /** Where the history of zones is kept. Absent = nowhere. */
  readonly journal?: JournalStorage;
  /** Absent = no other process can write. */
  readonly fence?: FenceOptions;
  readonly ports: ProgramPorts;
  /** Default SYNC_DEFAULTS. */
  readonly settings?: SyncSettings;
}

/** Everything that a program has before its engine: clusters, sources and rules. */
export interface ProgramOptions
  extends ClassConfig,
    Pick<PublishConfig, "statusAnnotation" | "targetNamespace" | "marks" | "anyNamespace"> {
  /** Clusters of Services, Ingresses and other source objects. */
  readonly sourceClusters: readonly ClusterAccess[];
  /** Further clusters and their sources; absent = none. */
  readonly further?: FurtherSources;
  /**
   * Id of the only cluster whose ServiceEntries are published; absent or null = those of all are.
   */
  readonly configCluster?: string | null;
  /** DNSEntries. */
  readonly target: ClusterAccess;
  /** The cluster of DNSProviders and Secrets. */
  readonly provider: ClusterAccess;
  /** Sources that publish entries: `service-dns`, `ingress-dns`. */
  readonly entrySources: readonly Source[];
  /** The source that reads DNSEntries themselves. */
  readonly entrySource: Source;
  /** Sources that publish to zones directly: `crd`, and others with `--publish direct`. */
  readonly zoneSources: readonly Source[];
  /** Reasons of Events under external-dns's options; absent = our own. */
  readonly knownReasons?: OutcomesOptions["knownReasons"];
  readonly types: ReadonlyMap<string, ProviderType>;
  /** Types of the DNSProviders that this process serves; null = all. */
  readonly providerTypes: ReadonlySet<string> | null;
  readonly environment: AccountEnvironment;
  /** Policy, adoption, managed types and default TTL of every zone. */
  readonly rules: AccountPorts["rules"];
  readonly openOwnership: AccountPorts["openOwnership"];
  readonly metrics: Metrics;
  readonly startQueue: StartQueue;
  /** The owner id of `--owner`. */
  readonly ownerId: string;
  /** Former ids of clusters, with the present ones (Z-30). */
  readonly aliases: ReadonlyMap<string, string>;
  /** Looks up host names that objects list as targets. */
  readonly resolver: Resolver;
}

/** Everything that the controllers are made from. */
export interface ControllersOptions extends ProgramOptions {
  readonly engine: PublishEngine;
  /** The checks behind the condition Live; stopped with the controllers. */
  readonly live: LiveChecks;
  /** Knows which entries the cluster refuses to change. */
  readonly refused: RefusedChanges;
  /** Counts entries by owner id; absent = they are not counted. */
  readonly owners?: OwnerUses;
}
