/**
 * The zones that entries contribute to, with the last report of each zone. Kept in memory: after a
 * restart there are none.
 */
import { type ObjectKey, objectKeyText } from "../../model/provenance.ts";
import type { ContributionReport } from "../../sync/contract/contribution-report.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import { type Assignment, isSameZone, type NewContribution } from "./entry-context.ts";

/** Assignments by entry. */
export class Assignments {
  readonly #byEntry = new Map<string, readonly Assignment[]>();

  of(entry: ObjectKey): readonly Assignment[] {
    return this.#byEntry.get(objectKeyText(entry)) ?? [];
  }

  /** Replaces the contribution to the same zone, and forgets the report about the former one. */
  add(entry: ObjectKey, added: NewContribution): void {
    this.#set(entry, [...this.#without(entry, added.key), { ...added, report: null }]);
  }

  /** False when the entry is not assigned to that zone: the report is late. */
  noteReport(report: ContributionReport): boolean {
    const assignment = this.of(report.object).find(({ key }) => isSameZone(key, report.zone));
    if (assignment === undefined) return false;
    this.#set(report.object, [
      ...this.#without(report.object, report.zone),
      { ...assignment, report },
    ]);
    return true;
  }

  drop(entry: ObjectKey, zone: ZoneKey): void {
    this.#set(entry, this.#without(entry, zone));
  }

  forget(entry: ObjectKey): void {
    this.#byEntry.delete(objectKeyText(entry));
  }

  #without(entry: ObjectKey, zone: ZoneKey): readonly Assignment[] {
    return this.of(entry).filter(({ key }) => !isSameZone(key, zone));
  }

  #set(entry: ObjectKey, assignments: readonly Assignment[]): void {
    if (assignments.length === 0) this.#byEntry.delete(objectKeyText(entry));
    else this.#byEntry.set(objectKeyText(entry), assignments);
  }
}
