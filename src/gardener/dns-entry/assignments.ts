/**
 * Where entries contribute to, as this process knows it, with the last report of each zone. Memory
 * only.
 */
import { type ObjectKey, objectKeyText } from "../../model/provenance.ts";
import type { ContributionReport } from "../../sync/contract/contribution-report.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import { type Assignment, isSameZone, type NewContribution } from "./entry-context.ts";

/** Routes by entry. */
export class Routes {
  readonly #byEntry = new Map<string, readonly Assignment[]>();

  of(entry: ObjectKey): readonly Assignment[] {
    return this.#byEntry.get(objectKeyText(entry)) ?? [];
  }

  /**
   * A new contribution replaces the one to the same zone; what was reported about that counts no
   * more.
   */
  sent(entry: ObjectKey, sending: NewContribution): void {
    this.#set(entry, [...this.#without(entry, sending.key), { ...sending, report: null }]);
  }

  /** False when the entry has no route to that zone: a late report about something else. */
  reported(report: ContributionReport): boolean {
    const route = this.of(report.object).find(({ key }) => isSameZone(key, report.zone));
    if (route === undefined) return false;
    this.#set(report.object, [...this.#without(report.object, report.zone), { ...route, report }]);
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

  #set(entry: ObjectKey, routes: readonly Assignment[]): void {
    if (routes.length === 0) this.#byEntry.delete(objectKeyText(entry));
    else this.#byEntry.set(objectKeyText(entry), routes);
  }
}
