/**
 * Remembers which zones each object contributes to (its assignments), what it contributed last
 * (`Contribution`: what the object wants there), and what the zone reported about that. In memory:
 * after a restart there are none, until each object has contributed again.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type ObjectKey, objectKeyText } from "../../model/provenance.ts";
import { isSameJson } from "../../model/same-json.ts";
import type { Contribution, ContributionReport } from "../../sync/contract/contribution.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";

/** A contribution to a zone. */
export interface NewContribution {
  readonly key: ZoneKey;
  /** Apex of the zone. */
  readonly zone: DnsName;
  readonly contribution: Contribution;
}

/** A zone that an object contributes to, with what it contributed last. */
export interface Assignment extends NewContribution {
  /** The last report about that contribution; null = none yet. */
  readonly report: ContributionReport | null;
}

/** True for the same zone of the same account. */
export function isSameZone(a: ZoneKey, b: ZoneKey): boolean {
  return a.account === b.account && a.zone === b.zone;
}

/**
 * The candidates that differ from what is assigned: an equal contribution would only cause another
 * report.
 */
export function newContributions(
  candidates: readonly NewContribution[],
  assignments: readonly Assignment[],
): readonly NewContribution[] {
  return candidates.filter(({ key, contribution }) => {
    const assignment = assignments.find((candidate) => isSameZone(candidate.key, key));
    return !isSameJson(assignment?.contribution, contribution);
  });
}

/** `report` is about the present contribution; `lastReport` may be about a former one. */
interface Kept extends Assignment {
  readonly lastReport: ContributionReport | null;
}

/** Assignments by object. */
export class Assignments {
  readonly #byObject = new Map<string, readonly Kept[]>();

  of(object: ObjectKey): readonly Assignment[] {
    return this.#of(object);
  }

  /** The last report of each zone, also where another contribution was made since. */
  lastReportsOf(object: ObjectKey): readonly ContributionReport[] {
    return this.#of(object).flatMap(({ lastReport }) => lastReport ?? []);
  }

  /** Replaces the contribution to the same zone. */
  add(object: ObjectKey, { key, zone, contribution }: NewContribution): void {
    const lastReport = this.#at(object, key)?.lastReport ?? null;
    this.#put(object, { key, zone, contribution, report: null, lastReport });
  }

  /** False when the object is not assigned to that zone: the report is late. */
  noteReport(report: ContributionReport): boolean {
    const { object, generation, names } = report;
    const assignment = this.#at(object, report.zone);
    if (assignment === undefined) return false;
    const { key, zone, contribution } = assignment;
    const kept = { object: contribution.object, zone: key, generation, names };
    this.#put(object, { key, zone, contribution, report: kept, lastReport: kept });
    return true;
  }

  drop(object: ObjectKey, zone: ZoneKey): void {
    this.#set(object, this.#without(object, zone));
  }

  forget(object: ObjectKey): void {
    this.#byObject.delete(objectKeyText(object));
  }

  #of(object: ObjectKey): readonly Kept[] {
    return this.#byObject.get(objectKeyText(object)) ?? [];
  }

  #at(object: ObjectKey, zone: ZoneKey): Kept | undefined {
    return this.#of(object).find(({ key }) => isSameZone(key, zone));
  }

  #without(object: ObjectKey, zone: ZoneKey): readonly Kept[] {
    return this.#of(object).filter(({ key }) => !isSameZone(key, zone));
  }

  /**
   * Uses `concat`, for memory: an array that is spread has room for 16 more, and each object has
   * one.
   */
  #put(object: ObjectKey, kept: Kept): void {
    this.#set(object, this.#without(object, kept.key).concat(kept));
  }

  #set(object: ObjectKey, assignments: readonly Kept[]): void {
    if (assignments.length === 0) this.#byObject.delete(objectKeyText(object));
    else this.#byObject.set(objectKeyText(object), assignments);
  }
}
