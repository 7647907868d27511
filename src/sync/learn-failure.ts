/** What a group that was not applied means for its name: doubt, back-off, suspicion. Changes the ledger alone. */
import type { ChangeGroup } from "../plan/changes.ts";
import type { NameLedger } from "./name-ledger.ts";
import { codeOf, type NotApplied } from "./outcome.ts";
import { writeSet } from "./pack.ts";

/** Notes the outcome; the name is tried again as its status calls for. */
export function learnFailure(ledger: NameLedger, group: ChangeGroup, outcome: NotApplied): void {
  const { name } = group;
  const wrote = writeSet(group);
  const failure = { code: codeOf(outcome), message: outcome.message };
  switch (outcome.status) {
    case "precondition-failed":
      // The first time the names are read and planned anew at once; the second time the batch is split.
      if (ledger.doubt(name, wrote, true)) ledger.fail(name, failure);
      return;
    case "unknown":
      ledger.doubt(name, wrote, false);
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
