/** What Azure refuses, and what that means. */
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { JsonAnswer } from "../shared/json-call.ts";
import { type RefusalTable, RefusedCall } from "../shared/refused-call.ts";

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

const CONFLICT_REMEDY =
  "where no record shows, delete record sets of the name that are empty in Azure";
/** Of a call that is refused for what it holds. */
const CONTENT = /^(400|409|413|422)$/;

/** See `RefusalTable`. */
export const REFUSALS: RefusalTable = {
  keyRemedy: "correct the Secret of the DNSProvider, or the roles of its application",
  rows: [
    {
      reason: /^(TooManyRequests|(Subscription|Operation|Resource)RequestsThrottled)$/i,
      is: "throttled",
    },
    // Somebody else's call is under way; nothing is wrong with ours.
    { reason: /^(AnotherOperationInProgress|RetryableError)$/i, is: "later" },
    // The same under the code of every conflict (dnscontrol#4363, 2026-06).
    { text: /^Another operation is pending/i, is: "later" },
    { status: /^412$/, is: "changed" },
    // Another record set of the name bars this one.
    {
      status: CONTENT,
      text: /could not be created because/i,
      is: "changed",
      remedy: CONFLICT_REMEDY,
    },
    { status: CONTENT, reason: /CNameNamingRestriction/i, is: "changed", remedy: CONFLICT_REMEDY },
    { status: CONTENT, text: /CNameNamingRestriction/i, is: "changed", remedy: CONFLICT_REMEDY },
    { status: CONTENT, is: "refused" },
  ],
  codeOf: ({ status }) => `Azure${status}`,
};
