/** What the DNSEntry controller works with. Types only. */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter, EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import type { StartQueue } from "@zonekeeper/kube/ports/work-queue";
import type { EntryWaits } from "../../controllers/objects/entry-waits.ts";
import type { HostLookups } from "../../controllers/objects/host-lookups.ts";
import type { LiveChecks } from "../../controllers/objects/live-checks.ts";
import type { ProviderDirectory } from "../../controllers/zone-choice/provider-directory.ts";
import type { DnsClasses } from "../../model/dns-class.ts";
import type { Source } from "../../sources/source.ts";
import type { Publisher, ReportSource } from "../../sync/contract/publish-engine.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import type { Origins } from "./origins.ts";
import type { OwnerUses } from "./owner-use.ts";

/** Changes of entries, made for their source objects, that the cluster refuses. */
export interface RefusedChanges {
  /** Why the entry (`namespace/name`) is not changed; null = nothing is refused. */
  of(entry: string): string | null;
  /** Calls `listener` for each entry of which this begins or ends. Answers how to stop. */
  onChange(listener: (entry: string) => void): () => void;
}

/** What the controller works with. */
export interface EntryControllerOptions {
  /** The target cluster. */
  readonly view: ClusterView;
  readonly writer: ClusterWriter;
  readonly recorder: EventRecorder;
  /** The source `dnsentry`. */
  readonly source: Source;
  readonly directory: ProviderDirectory;
  /** Of the DNSProviders that are served; null = all. */
  readonly providerTypes: ReadonlySet<string> | null;
  readonly engine: Publisher & ReportSource;
  /** Asked before something is contributed to a zone that is not open. */
  readonly ensureOpen: (key: ZoneKey) => void;
  readonly clock: Clock;
  readonly startQueue: StartQueue;
  readonly dnsClasses: DnsClasses;
  /** Where entries of other namespaces are generated; null = nowhere. */
  readonly targetNamespace: string | null;
  /** That of `--owner`. */
  readonly ownerId: string;
  /** Seconds. */
  readonly defaultTtlSeconds: number;
  /** Ids of zones that are never open. */
  readonly blockedZones: readonly string[];
  /** Knows the source objects of generated entries. */
  readonly origins: Origins;
  readonly live: LiveChecks;
  readonly lookups: HostLookups;
  readonly refused: RefusedChanges;
  /** Absent = nobody counts. */
  readonly owners?: OwnerUses;
  /** Reports when a source object loses its last address, or gets one. */
  readonly waits: EntryWaits;
}
