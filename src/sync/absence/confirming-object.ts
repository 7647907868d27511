/** The objects whose API servers are asked before a removal is sent (ADR 0021). Pure. */
import { resourceOf } from "../../model/provenance.ts";
import { type Contributor, isItself, isOfCopy, type Tombstone } from "./name-records.ts";

/** An object that a removal rests on: its API server is asked for it before the removal is sent. */
export interface ConfirmingObject {
  /** Null = every cluster that may hold it. */
  readonly cluster: string | null;
  /** `kind/namespace/name`. */
  readonly resource: string;
  /**
   * The object was made from the object in the marker, which may want the record although this one
   * is gone.
   */
  readonly isDerived: boolean;
}

/** The objects whose end proves that no object wants a record. */
export interface ObjectEnd {
  /**
   * The contributor for the object in the marker, itself or a DNSEntry of it, that lists the name
   * no more; null = none is known.
   */
  readonly made: ConfirmingObject | null;
  /** The object whose end is the proof; null = the marker names none. */
  readonly proving: ConfirmingObject | null;
}

/** The contributor itself, which lists the name or did, as an object to ask for. */
export function toConfirming({ object, provenance }: Contributor): ConfirmingObject {
  const isDerived = !isItself({ object, provenance });
  return { cluster: object.cluster, resource: resourceOf(object), isDerived };
}

/**
 * The DNSEntry that is asked for in place of the object in a marker: where the object is a DNSEntry
 * of which it is a copy, or where the cluster of the object is not served here (`isFar`). Null =
 * the object itself is asked for.
 */
export function standInOf(tombstone: Tombstone | null, isFar: boolean): ConfirmingObject | null {
  if (tombstone === null || /* clause: copied-entry-is-read */ !(isFar || isOfCopy(tombstone)))
    return null;
  return { ...toConfirming(tombstone), isDerived: false };
}
