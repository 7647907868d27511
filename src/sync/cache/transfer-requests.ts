/**
 * What objects say about their records, in one zone, where their wishes do not say it: they wait,
 * go, or cannot be read. Kept by the number of the contribution that says it. Remembers; decides
 * nothing.
 */
import {
  isMarkOf,
  objectKeyText,
  type Provenance,
  resourceOf,
  shortResourceOf,
} from "../../model/provenance.ts";
import { NO_TRANSFER, type ObjectTransfer } from "../../model/transfer-request.ts";
import type { Marker } from "../../plan/changes.ts";
import { objectTransferOf } from "../../sources/source.ts";
import type { Contribution } from "../contract/contribution.ts";
import { contributionsAbout } from "./paused-objects.ts";

/** Statements of one zone. */
export class TransferRequests {
  readonly #byRow = new Map<number, ObjectTransfer>();
  /** By resource: numbers of what was said by that object itself, not by something made from it. */
  readonly #byResource = new Map<string, Set<number>>();

  /** The contribution `row` says this; it must not be there yet. */
  add(row: number, contribution: Contribution): void {
    const request = requestOf(contribution);
    if (request === null) return;
    this.#byRow.set(row, request);
    if (objectKeyText(request.object) !== objectKeyText(contribution.object)) return;
    for (const form of formsOf(request.object)) {
      const rows = this.#byResource.get(form) ?? new Set();
      this.#byResource.set(form, rows.add(row));
    }
  }

  /** The contribution says nothing any more. */
  remove(row: number): void {
    const request = this.#byRow.get(row);
    if (request === undefined) return;
    this.#byRow.delete(row);
    for (const form of formsOf(request.object)) {
      const rows = this.#byResource.get(form);
      rows?.delete(row);
      if (rows?.size === 0) this.#byResource.delete(form);
    }
  }

  /** True when anything is said. */
  get isAny(): boolean {
    return this.#byRow.size > 0;
  }

  /** What the contribution says; empty = no more than its wishes. */
  of(row: number): readonly ObjectTransfer[] {
    const request = this.#byRow.get(row);
    return request === undefined ? [] : [request];
  }

  /**
   * What the object in the marker says of a name that it does not list: it may be one that it gave
   * up or cannot spell now. Entries made from one object speak for their own names alone.
   * `listing`: contributions that list the name.
   */
  ofUnlisted(marker: Marker, listing: readonly Contribution[]): readonly ObjectTransfer[] {
    if (marker.resource === null) return [];
    if (contributionsAbout(listing, (object) => isMarkOf(marker, object)).length > 0) return [];
    return [...(this.#byResource.get(marker.resource) ?? [])].flatMap((row) => this.of(row));
  }
}

/** Who is being deleted permits nothing any more, and may give up what it leaves behind. */
function requestOf({ found, deleting }: Contribution): ObjectTransfer | null {
  const request = objectTransferOf(found);
  if (request === null || !deleting) return request;
  const { object, transfer } = request;
  return { object, transfer: { ...NO_TRANSFER, release: transfer.release } };
}

/** What markers may call it; whether they mean the same cluster is asked of what was said. */
function formsOf(object: Provenance): readonly string[] {
  return [...new Set([resourceOf(object), shortResourceOf(object)])];
}
