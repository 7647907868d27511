/** What a refused call means: for the account, and for the record that it was to write. */
import { OperationError, THROTTLED } from "@zonekeeper/base/operation-error";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import { outcomesOfFailure, PARTLY_MADE } from "../shared/failed-calls.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { explainCall, RefusedCall } from "../shared/refused-call.ts";

/** `{"RequestId", "HostId", "Code", "Message", "Recommend"}`; the ids change with each call. */
export function toRefusal(
  { status, json, text, retryAfterMs }: JsonAnswer,
  isOwnIdentity = false,
): RefusedCall {
  const fields = fieldsOf(json);
  const reason = textOf(fields["Code"]) ?? "";
  const message = textOf(fields["Message"]) ?? reason;
  const shown = json === undefined ? text : `${cleaned(message)}${reason && ` (${reason})`}`;
  return new RefusedCall({ status, text: shown, retryAfterMs, reason, isOwnIdentity });
}

/** A wrong signature is told with what was to be signed; a wrong key may be repeated. */
function cleaned(message: string): string {
  return message
    .replace(/[,;.]?\s*(server )?(string ?to ?sign|canonical ?request|accesskeyid)\b.*$/is, "")
    .replace(/\b[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\b/gi, "…")
    .replace(/\.$/, "");
}

/** "Common error codes": the key, its token or its rights are at fault, whatever the status. */
const KEY =
  /^(InvalidAccessKeyId|InvalidAccessKeySecret|InvalidSecurityToken|MissingSecurityToken|SignatureDoesNotMatch|IncompleteSignature|Forbidden|NoPermission|UserDisable)\b/;
/** "Notice on API throttling". */
const TOO_MANY = /^Throttling\b/;
/** Further tries may succeed: a batch of somebody else runs, or the clock is wrong. */
const LATER =
  /^(LastOperationNotFinished|RecordForbidden\.DNSChange|SignatureNonceUsed|InvalidTimeStamp\b.*)$/;
/** Whatever the status: the vendor does not know what became of the call. */
const UNSURE = /^(InternalError|ServiceUnavailable|UnKnownError|UnknownError)\b/;
/** The zone is not as it was read; the last is our own word. */
const CHANGED = /^(DomainRecordDuplicate|DomainRecordNotBelongToUser|InvalidRR\.NoExist|changed)$/;

/**
 * What the user can do about a refused record; the codes are those of the error tables of
 * "AddDomainRecord", "UpdateDomainRecord" and "DeleteDomainRecord".
 */
const REMEDIES: Readonly<Record<string, string>> = {
  DomainForbidden: "the vendor has barred changes to the zone; its console or its support says why",
  DomainRecordConflict:
    "delete what conflicts in Alibaba Cloud DNS (a CNAME stands alone, and other products of the vendor may hold the name), or choose another name",
  DomainRecordLocked: "unlock the record in Alibaba Cloud DNS",
  IncorrectDomainUser: "the zone has left this account; use a key of the account that has it",
  "QuotaExceeded.ARecord":
    "write fewer addresses for the name, or choose an edition of Alibaba Cloud DNS that takes more",
  "QuotaExceeded.Record": "write fewer values for the name",
  "RecordForbidden.BlackHole":
    "the vendor answers no queries for an attacked name; wait until its defence ends, or choose an edition with more of it",
};

const REMEDY =
  "correct the Secret of the DNSProvider, or give its RAM user the rights that the page of alicloud-dns names";

/** True where the API took the key for a wrong one. */
export function isAboutKey({ reason }: RefusedCall): boolean {
  return KEY.test(reason);
}

/** For reading calls, and as far as the account is concerned. Keeps an OperationError. */
export function explain(error: unknown, what: string): OperationError {
  return explainCall(error, what, {
    keyRemedy: REMEDY,
    isTooMany: ({ reason }) => TOO_MANY.test(reason),
    isAboutKey,
  });
}

const STATUS_CLIENT = 400;
const STATUS_SERVER = 500;

/** After a part of a change was made: the account waits, and the name is read. */
export function throwIfThrottled(error: unknown): void {
  const { code, message, retry, retryAfterMs } = explain(error, PARTLY_MADE.message);
  if (code !== THROTTLED) return;
  const wait = retryAfterMs === null ? {} : { retryAfterMs };
  throw new OperationError({ code, message, retry, ...wait, cause: error });
}

/** Throws where the account is to wait. */
export function outcomeOf(error: unknown, group: ChangeGroup): Outcome {
  const { name } = group;
  if (error instanceof RefusedCall) {
    const { reason } = error;
    const remedy = REMEDIES[reason];
    const message = remedy === undefined ? error.message : `${error.message}: ${remedy}`;
    if (reason === "DomainRecordConflict")
      return { name, status: "precondition-failed", code: "AliDnsConflict", message };
    if (reason === "disabled") return { name, status: "rejected", code: "AliDnsDisabled", message };
    if (CHANGED.test(reason)) return { name, status: "precondition-failed", message };
    if (UNSURE.test(reason)) return { name, status: "unknown", message };
    if (isRefusal(error)) return { name, status: "rejected", code: reason, message };
  }
  const [outcome] = outcomesOfFailure(explain(error, "the change was not made"), [group]);
  return outcome ?? { name, status: "unknown", message: "the change was not made" };
}

/** The call is refused for what it holds. */
function isRefusal({ status, reason }: RefusedCall): boolean {
  const isOther = [KEY, TOO_MANY, LATER].some((pattern) => pattern.test(reason));
  return reason !== "" && !isOther && status >= STATUS_CLIENT && status < STATUS_SERVER;
}
