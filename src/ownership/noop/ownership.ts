/**
 * No registry: nothing in the zone is ever ours, so nothing is changed or removed (Z-14). Creates where
 * nothing stands, and no more.
 */
import type { RecordSet } from "../../model/record-set.ts";
import type { Hold, KeyChange, NamePlan, OwnedRecordSet } from "../../plan/changes.ts";
import { holdAt } from "../../plan/hold-reasons.ts";
import { preconditionsOf } from "../../plan/preconditions.ts";
import type { Ownership, Prepared, ZoneContent } from "../ownership.ts";

/** Opens the registry that knows nobody. */
export function openNoopOwnership(): Ownership {
  return {
    format: "noop",
    read: (sets) => Promise.resolve(sets.map(foreign)),
    affected: (name) => [name],
    related: (name) => [name],
    prepare: (plan, content) => Promise.resolve(prepare(plan, content)),
    confirm: () => Promise.resolve(),
  };
}

function foreign(set: RecordSet): OwnedRecordSet {
  const { name, type, setIdentifier } = set;
  return { name, type, setIdentifier, data: set, marker: null, contested: false };
}

/** Everything but a create would need a right that nothing can give here; adoption included. */
function prepare(plan: NamePlan, content: ZoneContent): Prepared {
  const holds = plan.changes.filter(({ change }) => change?.op !== "create").map(forbidden);
  if (holds.length > 0) return { ok: false, holds };
  const changes = plan.changes.flatMap(({ change }) => change ?? []);
  const preconditions = preconditionsOf(changes, content);
  return { ok: true, group: { name: plan.name, keys: plan.changes, changes, preconditions } };
}

function forbidden({ key, desired }: KeyChange): Hold {
  const message = "without a registry records are created and never changed";
  const provenance = desired?.provenance ?? null;
  return holdAt(key, { code: "PolicyForbids", message, provenance });
}
