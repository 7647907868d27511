/**
 * Everything that a DNSEntry is decided from (`EntryContext`) and what is decided
 * (`EntryDecision`): data between the controller, which reads and writes, and the pure rules
 * (decide-entry.ts).
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { EventNote } from "@zonekeeper/kube/ports/cluster-writer";
import { NO_CAUSE, type StateCause } from "../../controllers/objects/state-conditions.ts";
import type { Assignment, NewContribution } from "../../controllers/publication/published-kind.ts";
import type { Refusal } from "../../controllers/zone-choice/admission.ts";
import type { Selection } from "../../controllers/zone-choice/select-provider.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { ZoneNote } from "../../model/zone-note.ts";
import type { Found } from "../../sources/source.ts";
import type { Contribution, NameReport } from "../../sync/contract/contribution.ts";
import { isSameZone, type ZoneKey } from "../../sync/contract/zone.ts";
import type { Entry, EntryStatus } from "./entry.ts";

/** The zone that `status` names, when an account that leads there is open. */
export interface StatusZone {
  readonly key: ZoneKey;
  readonly zone: DnsName;
  /** `namespace/name` of the DNSProvider that leads there; absent = that of the status. */
  readonly provider?: string;
  /**
   * True = the account no longer lists the zone, and lists another one of its name. Absent = false.
   */
  readonly isReplaced?: boolean;
  /** True = `--blocked-zone` names it: it is never open. Absent = it is not. */
  readonly isBlocked?: boolean;
}

/** Everything that decides about an entry. */
export interface EntryContext {
  readonly entry: Entry;
  /** The content of its spec. */
  readonly found: Found<DesiredRecordSet>;
  /** The same with the addresses of its host names; null = none is to be looked up. */
  readonly lookedUp: Found<DesiredRecordSet> | null;
  /**
   * The provider and zone that serve its name, or why there is none, or why the provider does not
   * take the entry now (`Refusal`: quota or rate limit).
   */
  readonly selection: Selection | Refusal;
  /** Zone of the status; null = none, or no account reaches it now. */
  readonly statusZone: StatusZone | null;
  /**
   * The provider of the status: `gone` = it certainly does not exist, `other-type` = another
   * process serves it.
   */
  readonly statusProvider: "usable" | "unusable" | "gone" | "other-type";
  /** Types of DNSProviders that this process serves; null = all. */
  readonly providerTypes: ReadonlySet<string> | null;
  /** Contributions of this process to zones that can be reached, at most one a zone. */
  readonly assignments: readonly Assignment[];
  /** Held records of the entry at names that it no longer lists. */
  readonly unwantedRecords: readonly NameReport[];
  /**
   * The source object of a generated entry. `no-address` = it exists and has no address: existing
   * records are kept (Z-4). `unlisted` = its cluster was not listed yet. `elsewhere` = it is in
   * another cluster, where nobody here can see it. An entry without a source object is `ready`.
   */
  readonly origin: "ready" | "no-address" | "unlisted" | "elsewhere";
  /**
   * Why the cluster refuses to change the entry to what its source object wants; null = it does
   * not.
   */
  readonly refused: string | null;
  /** The definition of DNSEntries is being deleted or gone: the entry ends with it (Z-2). */
  readonly endsWithDefinition: boolean;
  /** Owner id of another set of controllers that publishes the entry now; null = none does. */
  readonly successor: string | null;
  /** Owner id of the records, unless the entry or its provider names another one. */
  readonly ownerId: string;
  /** Seconds; used where neither entry nor provider names a TTL (Z-21). */
  readonly defaultTtlSeconds: number;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/**
 * The steps, in this order: add the finalizer, contribute for the first time, write the status,
 * contribute to another zone, unassign, record the Event, remove the finalizer.
 */
export interface EntryDecision {
  readonly finalizer: "add" | "remove" | null;
  /** The zone, stored as an annotation with the finalizer; null = nothing is to be noted. */
  readonly note: ZoneNote | null;
  /**
   * Our owner id and class, stored as an annotation with the finalizer, so that the set of
   * controllers that had the entry hands its records over (hand-over.ts). Null = none is to be
   * stored.
   */
  readonly publisher: string | null;
  /** The whole status as it is to be; null = leave it. */
  readonly status: EntryStatus | null;
  /** Why it has its state. */
  readonly cause: StateCause;
  /** Only contributions that differ from the assigned ones. */
  readonly send: readonly NewContribution[];
  readonly unassign: readonly ZoneKey[];
  /**
   * The wishes of the entry while no zone is known for it: keeps each zone from removing records at
   * its names (Z-2). Null = nothing is to be said.
   */
  readonly withoutZone: Contribution | null;
  readonly event: EventNote | null;
  /** Milliseconds until the entry is decided again; null = at the next change. */
  readonly againAfterMs: number | null;
}

/** Nothing to do. */
export const NO_DECISION: EntryDecision = {
  finalizer: null,
  note: null,
  publisher: null,
  status: null,
  cause: NO_CAUSE,
  send: [],
  unassign: [],
  withoutZone: null,
  event: null,
  againAfterMs: null,
};

/** Zones that may hold records of the entry: the assigned ones, and the one of its status. */
export function zonesOf(context: EntryContext): readonly StatusZone[] {
  const { assignments, statusZone } = context;
  if (
    statusZone === null ||
    assignments.some((assignment) => isSameZone(assignment.key, statusZone.key))
  )
    return assignments;
  return [...assignments, statusZone];
}
