/**
 * Who owns which record set of a zone, as `ownership list` shows it, and what people order about
 * it: orders for single record sets, another form of markers (migration), and changes that are
 * taken back (ADR 0122). Types only.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSetKey } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Change, Hold, MarkerTarget } from "../../plan/changes.ts";
import type { Adoption, OrderedChange, UndoOrder } from "../../plan/rules.ts";
import type { OwnerFence } from "./fence-status.ts";
import type { ZoneKey } from "./zone.ts";
import type { RecordData } from "./zone-change.ts";

/** One record set and its owner, as `ownership list` shows it. */
export interface OwnershipRow extends RecordSetKey {
  /** Values of the record set; null = there is only a marker, or an orphaned permit. */
  readonly values: readonly string[] | null;
  readonly whose: "ours" | "another" | "nobody" | "contested";
  /**
   * Owner ids in its markers; several only if contested, none if its marker proves no ownership.
   */
  readonly owners: readonly string[];
  /**
   * Why the marker proves no ownership: `MarkerUnsigned`, `MarkerForged`, … Absent = it does, or
   * there is none.
   */
  readonly trouble?: string;
  readonly resource: string | null;
  /** Exact state of its marker, for orders; null = it has none. */
  readonly marker: string | null;
  /** Owner name of its marker; absent = the marker is not in the zone. */
  readonly markerName?: DnsName;
  /**
   * The format of its marker where that is not the one of the zone's registry: the record cannot be
   * transferred. Absent = it is that one.
   */
  readonly format?: string;
  /** Its marker is in the middle of a sequence (Z-10). */
  readonly isPending: boolean;
  /** `kind/namespace/name` of an object here that wants this very record set; null = none does. */
  readonly wantedBy: string | null;
  /** What that object wants there. Absent = nothing, or what there is. */
  readonly becomes?: { readonly values: readonly string[]; readonly ttlSeconds: number };
  /**
   * An object that wants it through another account of this zone; an order for it has to be given
   * in that account. Absent = there is none.
   */
  readonly wantedBeside?: string;
  /**
   * What is known of the object in the marker, for people, where no object here will ask for the
   * record by itself (`ORPHANED`). Absent = it is no orphan.
   */
  readonly orphan?: string;
  /** The adoption rule takes it for that object as soon as it has no marker. */
  readonly isAdoptable: boolean;
  /** Who may claim it; null = nobody. */
  readonly permit: { readonly owner: string; readonly resource: string } | null;
}

/** Ownership in one open zone. */
export interface ZoneOwnership {
  readonly key: ZoneKey;
  readonly zone: Zone;
  /** Owner ids that this process acts for, sorted. */
  readonly owners: readonly string[];
  /** The fences of all owner ids that this installation has or waits for; absent = none. */
  readonly fences?: readonly OwnerFence[];
  /** The policy and adoption that hold here. */
  readonly adoption: Adoption["mode"];
  /** Why the rows may be missing or old; null = they are current. */
  readonly trouble: string | null;
  /** From the last reading; empty until then. */
  readonly rows: readonly OwnershipRow[];
}

/** One order and its record set. */
export interface OwnershipOrder {
  readonly key: RecordSetKey;
  readonly order: OrderedChange;
}

/** Which markers to bring to which form. */
export interface MigrationRequest {
  /** Apex; null = every zone. */
  readonly zone: DnsName | null;
  readonly target: MarkerTarget;
  /** False = only report. */
  readonly apply: boolean;
}

/** One name whose markers do not have the form. */
export interface MigrationItem {
  readonly name: DnsName;
  /** What is written, the new marker before the old one goes; empty = nothing can be. */
  readonly writes: readonly Change[];
  /** Markers of the name that cannot be brought to the form, and why. */
  readonly holds: readonly Hold[];
}

/** The migration of one zone. */
export interface MigrationReport {
  readonly zone: ZoneKey;
  readonly apex: DnsName;
  /** Why the counts are not known; null = they are. */
  readonly trouble: string | null;
  /** False = the zone's registry writes markers in one form only: nothing can be outdated. */
  readonly hasForms: boolean;
  /** Names with markers that can be brought to the form. */
  readonly outdated: number;
  /** Names with markers that cannot; see their holds. A name may count as both. */
  readonly stuck: number;
  /** At most MIGRATION_ITEMS_MAX of them, sorted by name. */
  readonly items: readonly MigrationItem[];
  /** How many names are beyond that. */
  readonly unlisted: number;
}

/** Which changes; at least one of `name`, `hash` and `sinceMs` is given. */
export interface UndoQuery {
  /** Apex; null = all zones. */
  readonly zone: DnsName | null;
  /** At this name; without `hash` and `sinceMs` its last change that is not undone. */
  readonly name: DnsName | null;
  /** Changes of the set that a person approved by this hash; null = approved or not. */
  readonly hash: string | null;
  /** All since then, Unix milliseconds; null = of any time. */
  readonly sinceMs: number | null;
}

/** One record set with a change to take back. */
export interface UndoChoice {
  readonly apex: DnsName;
  readonly key: RecordSetKey;
  /** As our last change of those left it; null = without a record. */
  readonly from: RecordData | null;
  /** As it was before the first of them; null = without a record. */
  readonly to: RecordData | null;
  /** What is to be ordered, and in which zone; null = it is left as it is. */
  readonly order: { readonly zone: ZoneKey; readonly change: UndoOrder } | null;
  /** Why it is left; empty with an order. */
  readonly reason: string;
  /** It is left since it is as it was before. */
  readonly isSo: boolean;
  /** What would change it again once the pause ends, and what to do; null = nothing. */
  readonly again: string | null;
}

/** Sorted by zone, then key. */
export interface UndoPreview {
  readonly choices: readonly UndoChoice[];
  /** Why changes may be missing. */
  readonly troubles: readonly string[];
}
