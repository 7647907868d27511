/** What Alibaba Cloud DNS refuses, and what that means. */
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { JsonAnswer } from "../shared/json-call.ts";
import { type RefusalRow, type RefusalTable, RefusedCall } from "../shared/refused-call.ts";

/** `{"RequestId", "HostId", "Code", "Message", "Recommend"}`; the ids change with each call. */
export function toRefusal(
  { status, json, text, retryAfterMs }: JsonAnswer,
  isOwnIdentity = false,
): RefusedCall {
  const fields = fieldsOf(json);
  const reason = textOf(fields["Code"]) ?? "";
  // A wrong signature is told with what was to be signed; a wrong key may be repeated.
  const message = (textOf(fields["Message"]) ?? reason)
    .replace(/[,;.]?\s*(server )?(string ?to ?sign|canonical ?request|accesskeyid)\b.*$/is, "")
    .replace(/\b[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\b/gi, "…")
    .replace(/\.$/, "");
  const shown = json === undefined ? text : `${message}${reason && ` (${reason})`}`;
  return new RefusedCall({ status, text: shown, retryAfterMs, reason, isOwnIdentity });
}

/** "Common error codes": the key, its token or its rights are at fault, whatever the status. */
const KEY =
  /^(InvalidAccessKeyId|InvalidAccessKeySecret|InvalidSecurityToken|MissingSecurityToken|SignatureDoesNotMatch|IncompleteSignature|Forbidden|NoPermission|UserDisable)\b/;

/** True where the API took the key for a wrong one. */
export function isAboutKey(answer: JsonAnswer): boolean {
  return KEY.test(textOf(fieldsOf(answer.json)["Code"]) ?? "");
}

/**
 * What the user can do about a refused record; the codes are those of the error tables of
 * "AddDomainRecord", "UpdateDomainRecord" and "DeleteDomainRecord".
 */
const REMEDIES: Readonly<Record<string, string>> = {
  DomainForbidden: "the vendor has barred changes to the zone; its console or its support says why",
  DomainRecordLocked: "unlock the record in Alibaba Cloud DNS",
  IncorrectDomainUser: "the zone has left this account; use a key of the account that has it",
  "QuotaExceeded.ARecord":
    "write fewer addresses for the name, or choose an edition of Alibaba Cloud DNS that takes more",
  "QuotaExceeded.Record": "write fewer values for the name",
  "RecordForbidden.BlackHole":
    "the vendor answers no queries for an attacked name; wait until its defence ends, or choose an edition with more of it",
};

/** See `RefusalTable`. */
export const REFUSALS: RefusalTable = {
  keyRemedy:
    "correct the Secret of the DNSProvider, or give its RAM user the rights that the page of alicloud-dns names",
  beforeRemedy: ": ",
  rows: [
    {
      reason: /^DomainRecordConflict$/,
      is: "changed",
      code: "AliDnsConflict",
      remedy:
        "delete what conflicts in Alibaba Cloud DNS (a CNAME stands alone, and other products of the vendor may hold the name), or choose another name",
    },
    // Our own word, before anything was sent.
    { reason: /^disabled$/, is: "refused", code: "AliDnsDisabled" },
    {
      reason: /^(DomainRecordDuplicate|DomainRecordNotBelongToUser|InvalidRR\.NoExist)$/,
      is: "changed",
    },
    // Whatever the status: the vendor does not know what became of the call.
    { reason: /^(InternalError|ServiceUnavailable|UnKnownError|UnknownError)\b/, is: "unsure" },
    { reason: KEY, is: "key" },
    // "Notice on API throttling".
    { reason: /^Throttling\b/, is: "throttled" },
    // Further tries may succeed: a batch of somebody else runs, or the clock is wrong.
    {
      reason:
        /^(LastOperationNotFinished|RecordForbidden\.DNSChange|SignatureNonceUsed|InvalidTimeStamp\b.*)$/,
      is: "later",
    },
    ...Object.entries(REMEDIES).map(([code, remedy]): RefusalRow => {
      return {
        status: /^4/,
        reason: new RegExp(`^${code.replace(".", String.raw`\.`)}$`),
        is: "refused",
        remedy,
      };
    }),
    { status: /^4/, reason: /./, is: "refused" },
  ],
};
