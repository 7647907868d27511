/** Which further clusters a composition reads (Z-3). Pure. */
import type { ClusterAccess } from "../../compose/controllers-options.ts";

/** A further cluster as it is now. */
export interface Candidate {
  readonly id: string;
  /** Null = it has not answered yet. Another one after its UID was another one. */
  readonly access: ClusterAccess | null;
  readonly mode: "observe" | "active";
  /** Each of its kinds was listed, and may be read. */
  readonly isReadable: boolean;
  readonly isAnswering: boolean;
}

/**
 * A composition goes on with clusters that stop answering: what they want is known. A new one has
 * to read them, and leaves them out until they answer. Null = the set is as it was.
 */
export function nextJoined(
  candidates: readonly Candidate[],
  joined: ReadonlyMap<string, ClusterAccess>,
): ReadonlyMap<string, ClusterAccess> | null {
  const active = candidates.flatMap(({ id, access, mode, isReadable, isAnswering }) => {
    // clause: unread-cluster-takes-no-part
    if (access === null || !isReadable) return [];
    // clause: observed-cluster-takes-no-part
    if (mode !== "active") return [];
    return [{ id, access, isAnswering }];
  });
  const isJoined = ({ id, access }: (typeof active)[number]): boolean => joined.get(id) === access;
  const kept = active.filter(
    (one) => /* clause: silent-cluster-stays */ isJoined(one) || one.isAnswering,
  );
  if (kept.length === joined.size && kept.every(isJoined)) return null;
  const next = active.filter(({ isAnswering }) => isAnswering);
  return new Map(next.map(({ id, access }) => [id, access]));
}
