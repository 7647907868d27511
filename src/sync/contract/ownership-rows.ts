/** Who owns which record set of a zone, for `ownership list` and orders. Types only. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSetKey } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Adoption, OrderedChange } from "../../plan/rules.ts";
import type { OwnerFence } from "./fence-status.ts";
import type { ZoneKey } from "./zone.ts";

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
