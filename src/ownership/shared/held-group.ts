/**
 * Holds for a group (all changes of one name) that cannot be written. A group is never split: when
 * one of its changes is held, the others wait with it. Pure.
 */
import type { RecordSet, RecordSetKey } from "../../model/record-set.ts";
import type { Hold, KeyChange, NamePlan } from "../../plan/changes.ts";
import { holdAt } from "../../plan/hold-at.ts";
import type { Blocker } from "../../plan/rules.ts";
import type { Prepared } from "../ownership.ts";

/** The whole group is held. `isCause`: the changes that the blocker is about; default all. */
export function heldGroup(
  plan: NamePlan,
  blocker: Blocker,
  isCause: (change: KeyChange) => boolean = () => true,
): Prepared {
  return { ok: false, holds: holdsOf(plan, blocker, isCause) };
}

/** One hold for each change, in their order. */
export function holdsOf(
  { changes }: NamePlan,
  { code, message }: Blocker,
  isCause: (change: KeyChange) => boolean,
): readonly Hold[] {
  return changes.map((change) =>
    holdAt(change.key, {
      code,
      message: isCause(change) ? message : `waits for another record of the name: ${message}`,
      provenance: change.desired?.provenance ?? null,
    }),
  );
}

/** Another record set has the name, and both cannot be there. */
export function nameInUse({ type, values }: Pick<RecordSet, "type" | "values">): Blocker {
  return {
    code: "NameInUse",
    message: `${type} ${values.join(", ")} already has this name: move or remove it`,
  };
}

/** Why a marker of ours is not rewritten or removed: another text is in the same record set. */
export function sharedMarker({ type, name }: Pick<RecordSetKey, "type" | "name">): Blocker {
  return {
    code: "MarkerShared",
    message: `our marker at ${type} ${name} shares its record set with another text: move that text to another name; the change then follows by itself`,
  };
}

/**
 * Why such a text is not published. The planner leaves the record set out, so that other records at
 * the name do not wait for it.
 */
export const FORGED: Blocker = {
  code: "LooksLikeMarker",
  message:
    "the text has the form of an ownership marker and is not written: change it, or remove it from its object",
};
