/**
 * What a ledger learns from an outcome that was not `applied`: when the name is read, tried again,
 * or split off.
 */
import type { ChangeGroup } from "../../plan/changes.ts";
import { codeOf, type NotApplied } from "../calls/outcome.ts";
import { writeSet } from "../calls/pack-batches.ts";
import type { NameLedger } from "./name-ledger.ts";

/** Notes it; sends and reads nothing itself. */
export function learnFailure(ledger: NameLedger, group: ChangeGroup, outcome: NotApplied): void {
  const { name } = group;
  const wrote = writeSet(group);
  const failure = { code: codeOf(outcome), message: outcome.message };
  switch (outcome.status) {
    case "precondition-failed":
      // The first time the names are read and planned anew at once; the second time the batch is
      // split.
      if (ledger.requireRead(name, wrote, true)) ledger.fail(name, failure);
      return;
    case "unknown":
      ledger.requireRead(name, wrote, false);
      ledger.fail(name, failure);
      return;
    case "retry":
      ledger.fail(name, failure, outcome.afterMs ?? 0);
      return;
    case "rejected":
      ledger.fail(name, failure);
      return;
  }
}
