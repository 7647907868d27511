/**
 * The source interface: cluster objects to contributions. Sources are pure; they see a ClusterView
 * and nothing else.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView, ObjectIndex } from "@zonekeeper/kube/ports/cluster-view";
import type { AddressNet } from "../model/addresses.ts";
import type { DnsClasses } from "../model/dns-class.ts";
import type { ExternalDnsRules } from "../model/external-dns-rules.ts";
import type { PluginOptions } from "../model/plugin-options.ts";
import type { Problem } from "../model/problem.ts";
import type { Provenance } from "../model/provenance.ts";
import type { DesiredRecordSet } from "../model/record-set.ts";
import { NO_TRANSFER, type ObjectTransfer } from "../model/transfer-request.ts";

/** Options that all sources share. */
export interface SourceOptions {
  /** Objects of another class (`dns.gardener.cloud/class`) want nothing. */
  readonly dnsClasses: DnsClasses;
  /**
   * The one namespace that generated entries of other namespaces and clusters are written to; null
   * = each source's own. Owner annotations that point out of an entry's namespace are believed only
   * there.
   */
  readonly targetNamespace: string | null;
  /** Entries may refer to those of other namespaces. Absent = no. */
  readonly anyNamespace?: boolean;
  /** Whose ServiceEntries are published without the annotation. Absent = none. */
  readonly serviceEntryNamespaces?: readonly string[];
  /** Addresses of load balancers that are not published. Absent = none. */
  readonly excludedTargetNets?: readonly AddressNet[];
  /** Of plug-in modules. Absent = there are none. */
  readonly pluginOptions?: PluginOptions;
  /** What flags of external-dns say; absent = none was given. */
  readonly externalDns?: ExternalDnsRules;
}

/**
 * A name that the object lists, but for which nothing can be said now (Z-1, Z-4): it is kept, not
 * removed.
 */
export interface Waiting {
  readonly name: DnsName;
  /** `NoTargets`, `Unresolved`, `SourceIncomplete`. */
  readonly reason: string;
  /** The object that markers of its records name, where that is not the contributing one. */
  readonly provenance?: Provenance;
}

/** A look-up of secondary objects that an answer rests on. */
export type SecondaryRead =
  | { readonly kind: KindRef; readonly namespace: string; readonly name: string }
  | {
      readonly kind: KindRef;
      /** Absent = all namespaces. */
      readonly inNamespace?: string;
      /** Absent = all objects. */
      readonly by?: { readonly index: ObjectIndex; readonly value: string };
    };

/**
 * What one object wants. `complete: false` = it may want more than is listed; nothing of it may be
 * removed (Z-2).
 */
export interface Found<T> {
  readonly items: readonly T[];
  readonly waiting: readonly Waiting[];
  readonly problems: readonly Problem[];
  readonly complete: boolean;
  /**
   * Objects whose records are to be left as they are, by annotation; markers name these. Absent =
   * none is paused.
   */
  readonly paused?: readonly Provenance[];
  /**
   * What the object says about its records, where no item says it, or not for all it has. Absent =
   * what the items say.
   */
  readonly objectTransfer?: ObjectTransfer;
  /**
   * Objects whose place it takes, as an entry that was copied to another namespace or cluster, and
   * that nobody publishes: their records at its names are its own to take. Absent = none.
   */
  readonly succeeds?: readonly Provenance[];
  /** Secondary objects that it rests on. Absent = none. */
  readonly reads?: readonly SecondaryRead[];
}

/** Every name that the object lists, also those for which nothing can be said now. */
export function listedNames({
  items,
  waiting,
}: Pick<Found<{ readonly name: DnsName }>, "items" | "waiting">): ReadonlySet<DnsName> {
  return new Set([...items, ...waiting].map(({ name }) => name));
}

/** What the object says about its records now; null = it was not read, or has none. */
export function objectTransferOf(found: Found<DesiredRecordSet>): ObjectTransfer | null {
  const [item] = found.items;
  if (found.objectTransfer !== undefined || item === undefined) return found.objectTransfer ?? null;
  return { object: item.provenance, transfer: item.transfer ?? NO_TRANSFER };
}

/** What a source does. Pure: same object and view, same answer. */
export interface SourceFunctions {
  /**
   * Of the primary kind `object` holds what the row's `keptFields` keep. `view` shows the secondary
   * kinds alone; what is asked of it decides which of their changes matter to the object.
   */
  endpoints(object: KubeObject, view: ClusterView): Found<DesiredRecordSet>;
}

/** Opens a source by what an object wants; one that is being deleted wants nothing. */
export function sourceOf(
  endpoints: (
    object: KubeObject,
    view: ClusterView,
    options: SourceOptions,
  ) => Found<DesiredRecordSet>,
): (options: SourceOptions) => SourceFunctions {
  return (options) => ({
    endpoints: (object, view) =>
      object.metadata.deletionTimestamp === undefined ? endpoints(object, view, options) : NOTHING,
  });
}

/** A kind that is not watched before an object asks for it. */
export interface OnDemandKind {
  readonly kind: KindRef;
  /** As `keptFields` of a row. */
  readonly keptFields: readonly string[];
}

/** What is known of a source before it is opened: pure data. */
export interface SourceFacts {
  /** As `--controllers`, queues and logs name it: `service-dns`. */
  readonly name: string;
  /** The kind whose objects contribute; markers name these objects. */
  readonly primary: KindRef;
  /**
   * Kinds that `endpoints` reads too. One that cannot be read now makes the answers that rest on it
   * incomplete (Z-1).
   */
  readonly secondary: readonly KindRef[];
  /**
   * Further kinds that it reads for single objects: they are watched from the first answer on that
   * looks something up in them. Absent = none.
   */
  readonly onDemand?: readonly OnDemandKind[];
  /** True = `--publish` chooses how its records reach zones. */
  readonly publishesEither?: boolean;
  /** True = its objects are in the target cluster, too, and not only in source clusters. */
  readonly inTarget?: boolean;
  /** True = `status.observedGeneration` and `status.conditions` of the object are written. */
  readonly writesStatus?: boolean;
  /**
   * Fields in which its objects write names, besides annotations: `spec.endpoints.dnsName` is
   * `dnsName` of each element of `spec.endpoints`. Absent = none.
   */
  readonly nameFields?: readonly string[];
  /**
   * Values of `status.state` with which an object says that its records are not as it wants. Absent
   * = its kind has no such field.
   */
  readonly troubledStates?: readonly string[];
}

/**
 * A row of the list in index.ts: all that the program, its ClusterRole and its documentation know
 * of a source.
 */
export interface SourceRow extends SourceFacts {
  /** True = `--controllers all` includes it. */
  readonly isDefault: boolean;
  /** True = `zonekeeper dev` runs it. */
  readonly inDev: boolean;
  /**
   * How its records reach zones, unless `--publish` says otherwise. `entries`: DNSEntries are
   * generated for its objects. `direct`: the records go to zones without them. `itself`: its
   * objects are the DNSEntries, and the controllers named `compound` read them. Objects without a
   * namespace have no entries: a row that says otherwise is refused at start.
   */
  readonly publishes: Publishing | "itself";
  /** Record types that the program manages while the source runs. Absent = those of DNSEntries. */
  readonly types?: readonly string[];
  /**
   * Fields of primary objects that are kept in memory, besides `apiVersion`, `kind` and `metadata`
   * without labels, which `metadata.labels` keeps: `spec.rules.host` is `host` of each element of
   * `spec.rules` (kept-fields.ts). Absent = all fields.
   */
  readonly keptFields?: readonly string[];
  /** What it publishes, for `--help` and docs: one phrase without a full stop. */
  readonly doc: string;
  /** `originals` = kinds that DNSEntries are generated for; an entry refers to its object there. */
  open(options: SourceOptions, originals: readonly KindRef[]): SourceFunctions;
}

/** How the records of a source reach zones. */
export type Publishing = "entries" | "direct";

/** An opened source: one kind whose objects become contributions. */
export interface Source extends SourceFacts, SourceFunctions {}

/** Nothing wanted, and that for certain. */
export const NOTHING: Found<never> = { items: [], waiting: [], problems: [], complete: true };
