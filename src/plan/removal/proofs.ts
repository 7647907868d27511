/** The proofs of absence, as people read them. */
import type { AbsenceProof } from "../changes.ts";

/** How it is known that no object wants a record any more. */
export const PROOFS: Readonly<Record<AbsenceProof, string>> = {
  "deleted-object": "its object was deleted",
  "deleted-with-kind": "its object was deleted, and at once all others of its kind",
  "ended-with-definition": "its object ended with the definition of its kind, which is back",
  "found-deleting": "its object was found while it was being deleted",
  "object-dropped-name": "its object was changed and lists the name no more",
  "object-omits-name": "its object no longer lists the name",
  "missing-from-list": "its object is missing from a complete list",
  "moved-zone": "the name moved to another zone",
  "no-targets-grace": "its object has had no address for too long",
  approved: "a person approved its removal",
  "removed-cluster": "its cluster was removed, with its records",
};

/** Words for why a change was made; null = it is no proof, but the code of a reason. */
export function proofText(why: string): string | null {
  return Object.entries(PROOFS).find(([proof]) => proof === why)?.[1] ?? null;
}
