/**
 * What a refused call means: for the call as a whole, and for each group of a PATCH. The server
 * stops at the first error, whose text names the record set.
 */

import type { OperationError } from "@zonekeeper/base/operation-error";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import { withoutDot } from "../shared/dotted-rdata.ts";
import { outcomesOfFailure, refusedTogether } from "../shared/failed-calls.ts";
import { explainCall, RefusedCall } from "../shared/refused-call.ts";
import { keyOf } from "./patch.ts";

/** `{"error": …}`, or a plain text; empty = neither. */
export function textOfRefusal(body: unknown): string {
  return textOf(fieldsOf(body)["error"]) ?? textOf(body) ?? "";
}

/** For reading calls, and as far as a whole PATCH is concerned. Keeps an OperationError. */
export function explain(error: unknown, what: string): OperationError {
  return explainCall(error, what, {
    keyRemedy: "correct ApiKey in the Secret, and webserver-allow-from of the server",
  });
}

/** Statuses of a call that is refused for what it holds. */
const REFUSED: ReadonlySet<number> = new Set([400, 409, 413, 422]);

/** One outcome for each group; throws where the account is to wait. */
export function outcomesOf(error: unknown, groups: readonly ChangeGroup[]): readonly Outcome[] {
  if (error instanceof RefusedCall && REFUSED.has(error.status)) return refused(error, groups);
  return outcomesOfFailure(explain(error, "the changes were not made"), groups);
}

/** A CNAME beside other data: the zone is not as it was read. */
const CHANGED = /Conflicts with (pre-existing|another) RRset/i;
/** `RRset a.example.org. IN A: …`, `Record a.example.org./A '…'`, `Name 'a.example.org.' …` */
const SUBJECT = /^(?:RRset |Record |Name ')(?<name>[^\s/']+)/;

function refused(
  { status, message }: RefusedCall,
  groups: readonly ChangeGroup[],
): readonly Outcome[] {
  const text = SUBJECT.exec(message)?.groups?.["name"];
  const subject = text === undefined ? null : withoutDot(text);
  const isAbout = ({ changes }: ChangeGroup): boolean =>
    changes.some((change) => keyOf(change).name === subject);
  const isNamed = groups.some(isAbout);
  return groups.map((group): Outcome => {
    const { name } = group;
    if (isNamed && !isAbout(group)) return refusedTogether(name);
    return CHANGED.test(message)
      ? { name, status: "precondition-failed", message }
      : { name, status: "rejected", code: `PowerDns${status}`, message };
  });
}
