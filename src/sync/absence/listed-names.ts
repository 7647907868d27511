/** What a contribution means for the names that its object lists (Z-1). Pure. */
import type { Provenance } from "../../model/provenance.ts";
import type { AbsenceProof } from "../../plan/changes.ts";
import type { Contribution } from "../contract/contribution.ts";
import type { AbsenceEntry } from "./name-listings.ts";
import { isItself } from "./tombstones.ts";

/** Names with the reason each waits for; an incomplete contribution keeps those known before. */
export function listedNames(
  { deleting, found }: Contribution,
  known: readonly string[],
): ReadonlyMap<string, string | null> {
  const names = new Map<string, string | null>();
  if (deleting) return names;
  // clause: last-known-names-are-listed
  if (!found.complete) for (const name of known) names.set(name, "SourceIncomplete");
  // clause: waiting-names-are-listed
  for (const wait of found.waiting) names.set(wait.name, wait.reason);
  for (const item of found.items) names.set(item.name, null);
  return names;
}

/**
 * The provenance that markers of a contribution name: that of its items, else what it was, else the
 * object.
 */
export function provenanceOf(contribution: Contribution, before: AbsenceEntry | null): Provenance {
  const { items, waiting } = contribution.found;
  return (
    items[0]?.provenance ?? waiting[0]?.provenance ?? before?.provenance ?? contribution.object
  );
}

/**
 * A new generation that was watched is a change by its author. What ends a listing otherwise is
 * none, nor is a change of an object that was made from another one: we make it.
 */
export function proofOf(
  { object, deleting, found, generation }: Contribution,
  provenance: Provenance,
  before: AbsenceEntry | null,
): AbsenceProof {
  if (deleting) return "deleted-object";
  const isWatched = before !== null && found.complete && generation >>> 0 !== before.generation;
  return isWatched && isItself({ object, provenance })
    ? "object-dropped-name"
    : "object-omits-name";
}
