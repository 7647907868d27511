/**
 * The source interface: cluster objects to contributions. Sources are pure; they see a ClusterView
 * and nothing else.
 */
import type { DnsName } from "../model/dns-name.ts";
import type { KindRef, KubeObject } from "../model/kubernetes.ts";
import type { Problem } from "../model/problem.ts";
import type { ObjectKey, Provenance } from "../model/provenance.ts";
import type { DesiredRecordSet } from "../model/record-set.ts";
import { NO_TRANSFER, type ObjectTransfer } from "../model/transfer-request.ts";
import type { ClusterView, ObjectChange } from "../ports/cluster-view.ts";

/**
 * A name that the object lists, but for which nothing can be said now (Z-1, Z-4): it is kept, not
 * removed.
 */
export interface Waiting {
  readonly name: DnsName;
  /** `NoTargets`, `Unresolved`, `SourceUnknown`. */
  readonly reason: string;
  /** The object that markers of its records name, where that is not the contributing one. */
  readonly provenance?: Provenance;
}

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
}

/** What the object says about its records now; null = it was not read, or has none. */
export function objectTransferOf(found: Found<DesiredRecordSet>): ObjectTransfer | null {
  const [item] = found.items;
  if (found.objectTransfer !== undefined || item === undefined) return found.objectTransfer ?? null;
  return { object: item.provenance, transfer: item.transfer ?? NO_TRANSFER };
}

/**
 * One for each kind that is turned into contributions. Pure: same object and view, same answer. Of
 * Services and Ingresses it is shown what `kept-fields.ts` keeps.
 */
export interface Source {
  /** `service-dns`, `ingress-dns`, `dnsentry`. */
  readonly name: string;
  readonly primary: KindRef;
  /** Kinds that `endpoints` looks at besides. */
  readonly secondary: readonly KindRef[];
  endpoints(object: KubeObject, view: ClusterView): Found<DesiredRecordSet>;
  /** Which primaries a change of a secondary object touches. */
  affected(change: ObjectChange, view: ClusterView): readonly ObjectKey[];
}

/** Nothing wanted, and that for certain. */
export const NOTHING: Found<never> = { items: [], waiting: [], problems: [], complete: true };
