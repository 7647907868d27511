/**
 * Transfers and releases that objects request for their records in one zone, by the number of the
 * contribution with the request. Remembers; decides nothing.
 */
import { isMarkOf, isSameObject, resourceForms } from "../../model/provenance.ts";
import { NO_TRANSFER, type ObjectTransfer } from "../../model/transfer-request.ts";
import type { Marker } from "../../plan/changes.ts";
import { objectTransferOf } from "../../sources/source.ts";
import type { Contribution } from "../contract/contribution.ts";
import { contributionsAbout } from "./paused-objects.ts";

/** The requests of one zone. */
export class TransferRequests {
  readonly #byRow = new Map<number, ObjectTransfer>();
  /**
   * By resource (callers compare the cluster): contributions of that object itself, not of entries
   * made from it.
   */
  readonly #byResource = new Map<string, Set<number>>();

  /** Adds the request of the contribution `row`, which must not be there yet. */
  add(row: number, contribution: Contribution): void {
    const given = objectTransferOf(contribution.found);
    if (given === null) return;
    // An object that is being deleted permits no transfer any more; it may still release records.
    const { release } = given.transfer;
    const request = contribution.deleting
      ? { object: given.object, transfer: { ...NO_TRANSFER, release } }
      : given;
    this.#byRow.set(row, request);
    if (!isSameObject(request.object, contribution.object)) return;
    for (const form of resourceForms(request.object)) {
      const rows = this.#byResource.get(form) ?? new Set();
      this.#byResource.set(form, rows.add(row));
    }
  }

  /** The contribution is withdrawn. */
  remove(row: number): void {
    const request = this.#byRow.get(row);
    if (request === undefined) return;
    this.#byRow.delete(row);
    for (const form of resourceForms(request.object)) {
      const rows = this.#byResource.get(form);
      rows?.delete(row);
      if (rows?.size === 0) this.#byResource.delete(form);
    }
  }

  /** True when there is a request. */
  get isAny(): boolean {
    return this.#byRow.size > 0;
  }

  /** The request of the contribution; empty = none. */
  of(row: number): readonly ObjectTransfer[] {
    const request = this.#byRow.get(row);
    return request === undefined ? [] : [request];
  }

  /**
   * Requests of the object in the marker for a name that it does not list: it may have released the
   * name, or cannot be read now. A request of an entry applies to the names of that entry alone.
   * `listing`: contributions that list the name.
   */
  ofUnlisted(marker: Marker, listing: readonly Contribution[]): readonly ObjectTransfer[] {
    if (marker.resource === null) return [];
    if (contributionsAbout(listing, (object) => isMarkOf(marker, object)).length > 0) return [];
    return [...(this.#byResource.get(marker.resource) ?? [])].flatMap((row) => this.of(row));
  }
}
