/**
 * Decides which further clusters a composition (the running controllers) reads. Removals wait for
 * every cluster that is read, so that one that cannot be read must not take part (Z-3). Pure.
 */
import type { ClusterAccess } from "../../compose/controllers-options.ts";

/** A further cluster as it is now. */
export interface Candidate {
  readonly id: string;
  /** Null = it has not answered yet. A cluster with another UID gets another one. */
  readonly access: ClusterAccess | null;
  readonly mode: "observe" | "active";
  /** True = each of its kinds was listed and may be read. */
  readonly isReadable: boolean;
  readonly isAnswering: boolean;
}

/**
 * The set to read; null = it stays. A running composition keeps clusters that stop answering, as
 * what they want is known. A new composition has to list them, and leaves them out until they
 * answer.
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
