/**
 * Record sets that several clusters make together (ADR 0118): each has a part, with its own values
 * and its own marker. A part is told apart by its cluster, as a member of a routing policy is by
 * its set identifier; the zone has the values of all parts as one plain record set.
 */
import type { Provenance } from "./provenance.ts";
import type { PolicyMember, RecordSet } from "./record-set.ts";

/** Types whose values of several clusters make one answer. */
export const MERGED_TYPES: ReadonlySet<string> = new Set(["A", "AAAA", "NS"]);

/** In place of a routing policy; no back end has it, and no object may write it. */
export const MERGED = { type: "merged", parameters: {} } as const;

/** What tells the part of this object's cluster apart. */
export function partOf({ cluster }: Provenance): PolicyMember {
  return { setIdentifier: cluster, routingPolicy: MERGED };
}

/** True for the part of a cluster, of data or of its marker. */
export function isPart({ routingPolicy }: Pick<RecordSet, "routingPolicy">): boolean {
  return routingPolicy?.type === MERGED.type;
}

/**
 * Asks a back end about a record set, which knows no parts: it sees that of a part as a plain one.
 */
export function asPlain<T extends Pick<RecordSet, "setIdentifier" | "routingPolicy">>(set: T): T {
  return isPart(set) ? { ...set, setIdentifier: null, routingPolicy: null } : set;
}
