/** What a refused call means: for the account, and for the record set that it was to write. */
import type { OperationError } from "@zonekeeper/base/operation-error";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import { outcomesOfFailure } from "../shared/failed-calls.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { explainCall, RefusedCall } from "../shared/refused-call.ts";

/** `{"code": …, "message": …}`, or the same in `error`. */
export function toRefusal(
  { status, json, text, retryAfterMs }: JsonAnswer,
  isOwnIdentity = false,
): RefusedCall {
  const outer = fieldsOf(json);
  const error = fieldsOf(outer["error"] ?? outer);
  const reason = textOf(error["code"]) ?? "";
  const plain = json === undefined ? text : "";
  const shown = textOf(error["message"]) ?? plain;
  return new RefusedCall({ status, text: withoutIds(shown), retryAfterMs, reason, isOwnIdentity });
}

function isBusy({ reason, message }: RefusedCall): boolean {
  return BUSY.test(reason) || BUSY_TEXT.test(message);
}

/** Requests and operations have ids; a status that shows one would change with each try. */
function withoutIds(text: string): string {
  return text
    .replace(/\s*\(?(Activity|Request|Correlation|Tracking) ?ID:? ?'?[0-9a-f-]{36}'?\)?\.?/gi, "")
    .replace(/(Operation group ')[^']*|(\/operations\/type\/\w+\/id\/)[\w-]+/gi, "$1$2…");
}

const STATUS_NOT_FOUND = 404;

/**
 * The record set is not there (`The resource record 'x' does not exist`, azure-cli#27374). Where
 * the zone is not, the code is `ParentResourceNotFound` or another
 * (terraform-provider-azurerm#21399).
 */
export function isNoSet({ status, reason }: RefusedCall): boolean {
  return status === STATUS_NOT_FOUND && reason === "NotFound";
}

const PRECONDITION_FAILED = 412;

/** A record set that was to be new is there. */
export function isExisting(error: unknown): boolean {
  return error instanceof RefusedCall && error.status === PRECONDITION_FAILED;
}

const TOO_MANY = /^(TooManyRequests|(Subscription|Operation|Resource)RequestsThrottled)$/i;

/** For reading calls, and as far as the account is concerned. Keeps an OperationError. */
export function explain(error: unknown, what: string): OperationError {
  return explainCall(error, what, {
    keyRemedy: "correct the Secret of the DNSProvider, or the roles of its application",
    isTooMany: ({ reason }) => TOO_MANY.test(reason),
  });
}

/** Statuses of a call that is refused for what it holds. */
const REFUSED: ReadonlySet<number> = new Set([400, 409, 413, 422]);
/** Another record set of the name bars this one. */
const CNAME_CONFLICT = /could not be created because|CNameNamingRestriction/i;
const CONFLICT_REMEDY =
  "where no record shows, delete record sets of the name that are empty in Azure";
/** Somebody else's call is under way; nothing is wrong with ours. */
const BUSY = /^(AnotherOperationInProgress|RetryableError)$/i;
/** The same under the code of every conflict (dnscontrol#4363, 2026-06). */
const BUSY_TEXT = /^Another operation is pending/i;

/** Throws where the account is to wait. */
export function outcomeOf(error: unknown, group: ChangeGroup): Outcome {
  const { name } = group;
  if (error instanceof RefusedCall && !isBusy(error)) {
    const { status, message, reason } = error;
    const isConflict = CNAME_CONFLICT.test(`${reason} ${message}`);
    if (status === PRECONDITION_FAILED) return { name, status: "precondition-failed", message };
    if (REFUSED.has(status) && isConflict)
      return { name, status: "precondition-failed", message: `${message}; ${CONFLICT_REMEDY}` };
    if (REFUSED.has(status)) return { name, status: "rejected", code: `Azure${status}`, message };
  }
  const [outcome] = outcomesOfFailure(explain(error, "the change was not made"), [group]);
  return outcome ?? { name, status: "unknown", message: "the change was not made" };
}
