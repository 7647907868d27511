/** What the controllers of one program are made from. */
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter, EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import type { StartQueue } from "@zonekeeper/kube/ports/work-queue";
import type { AccountPorts } from "../../controllers/accounts/account.ts";
import type { AccountEnvironment } from "../../controllers/accounts/guarded-environment.ts";
import type { LiveChecks } from "../../controllers/objects/live-checks.ts";
import type { RefusedChanges } from "../../gardener/dns-entry/entry-controller-options.ts";
import type { OwnerUses } from "../../gardener/dns-entry/owner-use.ts";
import type { DnsClasses } from "../../model/dns-class.ts";
import type { EntryMarks } from "../../model/entry-marks.ts";
import type { ClusterIdentity } from "../../ports/cluster-identity.ts";
import type { Resolver } from "../../ports/resolver.ts";
import type { ProviderType } from "../../providers/provider.ts";
import type { OutcomesOptions } from "../../source-controllers/zones/outcomes.ts";
import type { Source } from "../../sources/source.ts";
import type { PublishEngine } from "../../sync/contract/publish-engine.ts";

/** One cluster, read and written. */
export interface ClusterAccess {
  readonly view: ClusterView;
  readonly writer: ClusterWriter;
  readonly recorder: EventRecorder;
  /** Absent = the cluster is always the one it was. */
  readonly identity?: ClusterIdentity;
}

/**
 * Source clusters of others. All that is written there are Events; no DNSEntry is made of their
 * objects.
 */
export interface FurtherSources {
  /** Those that are read; of the others nothing is known. */
  readonly clusters: readonly ClusterAccess[];
  /** Each reads each of them. */
  readonly sources: readonly Source[];
}

/** What the controllers are made from. */
export interface ControllersOptions {
  /** Services, Ingresses. Several = several source clusters. */
  readonly sourceClusters: readonly ClusterAccess[];
  /** Absent = none. */
  readonly further?: FurtherSources;
  /** See `ComposeOptions`. */
  readonly configCluster?: string | null;
  /** DNSEntries. */
  readonly target: ClusterAccess;
  /** DNSProviders and Secrets. */
  readonly provider: ClusterAccess;
  /** Sources that publish entries: `service-dns`, `ingress-dns`. */
  readonly entrySources: readonly Source[];
  /** The source that reads DNSEntries themselves. */
  readonly entrySource: Source;
  /** Sources that publish to zones directly: `crd`, and others with `--publish direct`. */
  readonly zoneSources: readonly Source[];
  /** Whether their objects get their state in an annotation, where their kind has no status. */
  readonly statusAnnotation: boolean;
  /** See `OutcomesOptions`. */
  readonly knownReasons?: OutcomesOptions["knownReasons"];
  readonly engine: PublishEngine;
  readonly types: ReadonlyMap<string, ProviderType>;
  /** Types of the DNSProviders that this process serves; null = all. */
  readonly providerTypes: ReadonlySet<string> | null;
  readonly environment: AccountEnvironment;
  /** Policy, adoption, managed types and default TTL of every zone. */
  readonly rules: AccountPorts["rules"];
  readonly openOwnership: AccountPorts["openOwnership"];
  readonly metrics: Metrics;
  readonly startQueue: StartQueue;
  /** Classes of DNSProviders and DNSEntries. */
  readonly dnsClasses: DnsClasses;
  /** Classes of the objects that sources read. */
  readonly sourceClasses: DnsClasses;
  /** Class of generated entries; usually the main one of `dnsClasses`. */
  readonly targetClass: string;
  /** Namespace of generated entries; null = that of their source. */
  readonly targetNamespace: string | null;
  /** That of `--owner`. */
  readonly ownerId: string;
  /** Former ids of clusters, with the present ones (Z-30). */
  readonly aliases: ReadonlyMap<string, string>;
  /** The checks behind the condition Live; stopped with the controllers. */
  readonly live: LiveChecks;
  readonly refused: RefusedChanges;
  /** Absent = nobody counts the entries of owner ids. */
  readonly owners?: OwnerUses;
  /** Looks up host names that objects list as targets. */
  readonly resolver: Resolver;
  /** What generated entries carry. */
  readonly marks: EntryMarks;
  /** Entries may use providers of other namespaces. */
  readonly anyNamespace: boolean;
}
