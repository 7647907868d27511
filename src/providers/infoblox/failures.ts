/**
 * What a refused call means: for the call as a whole, and for each group of a transaction. The Grid
 * stops at the first error, whose text mostly names the record.
 */
import type { OperationError } from "@zonekeeper/base/operation-error";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import { nameFromUnicode } from "../shared/dotted-rdata.ts";
import { outcomesOfFailure, refusedTogether } from "../shared/failed-calls.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { explainCall, RefusedCall } from "../shared/refused-call.ts";

/** `{"Error": …, "code": …, "text": …}`, or a page for browsers. */
export function toRefusedCall({ status, json, retryAfterMs }: JsonAnswer): RefusedCall {
  const { text, Error: error, code } = fieldsOf(json);
  return new RefusedCall({
    status,
    text: withoutHandles(textOf(text) ?? textOf(error) ?? ""),
    retryAfterMs,
    reason: textOf(code) ?? "",
  });
}

/** `record:a/ZG5z…:www.example.org/default`: the handle in the middle tells people nothing. */
function withoutHandles(text: string): string {
  return text.replace(/\/[A-Za-z0-9+/=_-]{12,}:/g, " ");
}

/** For reading calls, and as far as a whole transaction is concerned. Keeps an OperationError. */
export function explain(error: unknown, what: string): OperationError {
  return explainCall(error, what, {
    keyRemedy: KEY_REMEDY,
    isAboutKey: ({ message }) => NO_RIGHT.test(message),
  });
}

/** The Grid has no code and no status of its own for it. */
const NO_RIGHT = /permission/i;
const KEY_REMEDY =
  "correct USERNAME and PASSWORD in the Secret of the DNSProvider, and give the user API access and write rights on the zone";

/** One outcome for each group; throws where the account is to wait. */
export function outcomesOf(error: unknown, groups: readonly ChangeGroup[]): readonly Outcome[] {
  if (error instanceof RefusedCall && isRefusal(error)) return refused(error, groups);
  return outcomesOfFailure(explain(error, "the changes were not made"), groups);
}

/** Of what the call holds; statuses differ between versions, the code does not. */
function isRefusal({ status, reason }: RefusedCall): boolean {
  const isClientFault = status >= 400 && status < 500;
  return isClientFault && /^Client\.Ibap\.(Data|Proto)\b/.test(reason);
}

/** The zone is not as it was read: something is there, or is not there any more. */
const CHANGED = /^Client\.Ibap\.Data\.(Conflict|NotFound)$/;
/** The same code for other things: no such zone or view, a right that is missing. */
const FINAL = /parent was not found|^View .* not found|not allowed|permission/i;

function refused(
  { status, reason, message }: RefusedCall,
  groups: readonly ChangeGroup[],
): readonly Outcome[] {
  const fragments = new Set(message.split(/[\s'",:;/()]+/).map(nameFromUnicode));
  const isAbout = ({ changes }: ChangeGroup): boolean =>
    changes.some((change) =>
      fragments.has(change.op === "remove" ? change.previous.name : change.next.name),
    );
  const isNamed = groups.some(isAbout);
  const shown = NO_RIGHT.test(message) ? `${message}; ${KEY_REMEDY}` : message;
  const isChanged = CHANGED.test(reason) && !FINAL.test(message);
  return groups.map((group): Outcome => {
    const { name } = group;
    if (isNamed && !isAbout(group)) return refusedTogether(name);
    return isChanged
      ? { name, status: "precondition-failed", message }
      : { name, status: "rejected", code: `Infoblox${status}`, message: shown };
  });
}
