/**
 * What an entry is decided from and what is decided: data between the thin acting part and the pure
 * rules.
 */

import type { Selection } from "../../controllers/zone-choice/select-provider.ts";
import type { DnsName } from "../../model/dns-name.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { EventNote } from "../../ports/cluster-writer.ts";
import type { Found } from "../../sources/source.ts";
import type { Contribution } from "../../sync/contract/contribution.ts";
import type { ContributionReport, NameReport } from "../../sync/contract/contribution-report.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import type { Entry, EntryStatus } from "./entry.ts";

/** A zone that the entry contributes to. */
export interface Assignment {
  readonly key: ZoneKey;
  /** Apex of the zone. */
  readonly zone: DnsName;
  /** What it contributed last. */
  readonly contribution: Contribution;
  /** The last report about it; null = none since. */
  readonly report: ContributionReport | null;
}

/** The zone that `status` names, when its provider's account is open. */
export interface StatusZone {
  readonly key: ZoneKey;
  readonly zone: DnsName;
  /** True = the zone went while another one of the account has its name. Absent = it is there. */
  readonly isReplaced?: boolean;
}

/** Everything that decides about an entry. */
export interface EntryContext {
  readonly entry: Entry;
  /** What its spec says. */
  readonly found: Found<DesiredRecordSet>;
  readonly selection: Selection;
  /** Zone of the status; null = none, or not to be reached now. */
  readonly statusZone: StatusZone | null;
  /** The provider of the status: `gone` = there is none of that name, for certain. */
  readonly statusProvider: "usable" | "unusable" | "gone";
  /** Contributions of this process to zones that can be reached, at most one a zone. */
  readonly assignments: readonly Assignment[];
  /** Records of it that are held at names which it no longer lists. */
  readonly unwantedRecords: readonly NameReport[];
  /**
   * The object that it was made from: `no-address` = it is alive without any now, and what stands
   * is kept (Z-4); `unlisted` = its cluster was not listed yet. An entry that nothing was made from
   * is `ready`.
   */
  readonly origin: "ready" | "no-address" | "unlisted";
  /** Seconds; where neither entry nor provider says anything (Z-21). */
  readonly defaultTtlSeconds: number;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** A contribution with where it goes. */
export interface NewContribution {
  readonly key: ZoneKey;
  readonly zone: DnsName;
  readonly contribution: Contribution;
}

/**
 * What to do, in this order: finalizer on, status, contributions, routes off, event, finalizer off.
 */
export interface EntryDecision {
  readonly finalizer: "add" | "remove" | null;
  /** The whole status as it is to be; null = leave it. */
  readonly status: EntryStatus | null;
  /** Only what differs from the routes. */
  readonly send: readonly NewContribution[];
  readonly unassign: readonly ZoneKey[];
  /**
   * What it wants while no zone is known for it: nobody's record goes that it lists (Z-2). Null =
   * nothing to say.
   */
  readonly withoutZone: Contribution | null;
  readonly event: EventNote | null;
  /** Look again after so many milliseconds; null = when something changes. */
  readonly againAfterMs: number | null;
}

/** Nothing to do. */
export const NO_DECISION: EntryDecision = {
  finalizer: null,
  status: null,
  send: [],
  unassign: [],
  withoutZone: null,
  event: null,
  againAfterMs: null,
};

/** True for the same zone of the same account. */
export function isSameZone(a: ZoneKey, b: ZoneKey): boolean {
  return a.account === b.account && a.zone === b.zone;
}

/**
 * Those sendings that say something new: contributing again what stands would only cause another
 * report.
 */
export function newContributions(
  candidates: readonly NewContribution[],
  assignments: readonly Assignment[],
): readonly NewContribution[] {
  return candidates.filter(({ key, contribution }) => {
    const route = assignments.find((candidate) => isSameZone(candidate.key, key));
    return JSON.stringify(route?.contribution) !== JSON.stringify(contribution);
  });
}

/** Zones that may hold records of the entry: its routes, and the one that its status names. */
export function zonesOf(context: EntryContext): readonly StatusZone[] {
  const { assignments, statusZone } = context;
  if (statusZone === null || assignments.some((route) => isSameZone(route.key, statusZone.key)))
    return assignments;
  return [...assignments, statusZone];
}
