/**
 * What Cloud DNS refuses, and what that means. The answer names the element that is at fault (docs
 * "Error messages": "the path to the problematic part").
 */
import { fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ChangeGroup } from "../../plan/changes.ts";
import { withoutDot } from "../shared/dotted-rdata.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { type RefusalTable, RefusedCall } from "../shared/refused-call.ts";
import { setsOf } from "../shared/vendor-session.ts";
import type { SentChange } from "./changes.ts";

const MESSAGES_MAX = 50;

/** `{"error": {code, message, errors: [{message, reason}], status}}`, each perhaps absent. */
export function toRefusal(
  { status, json, text, retryAfterMs }: JsonAnswer,
  isOwnIdentity = false,
): RefusedCall {
  const error = fieldsOf(fieldsOf(json)["error"]);
  const errors = (listOf(error["errors"]) ?? []).map(fieldsOf).slice(0, MESSAGES_MAX);
  const messages = errors.flatMap((one) => textOf(one["message"]) ?? []);
  const reasons = new Set(errors.flatMap((one) => textOf(one["reason"]) ?? []));
  const plain = json === undefined ? text : "";
  return new RefusedCall({
    status,
    text: messages.length > 0 ? messages : (textOf(error["message"]) ?? plain),
    retryAfterMs,
    reason: reasons.size > 0 ? [...reasons].join(" ") : (textOf(error["status"]) ?? ""),
    isOwnIdentity,
  });
}

/** Statuses of a call that is refused for what it holds, or for how the zone is. */
const CONTENT = /^(400|404|409|412|413|422)$/;

/** See `RefusalTable`. */
export const REFUSALS: RefusalTable = {
  keyRemedy: "correct the Secret of the DNSProvider, or the roles of its service account",
  rows: [
    { reason: /^(userR|r)ateLimitExceeded$|^RESOURCE_EXHAUSTED$/, is: "throttled" },
    // 403 has many reasons; this one is about what the change holds.
    { reason: /^quotaExceeded$/, is: "refused" },
    // The zone is missing, and no element of the change.
    { status: /^404$/, text: /^(?!.*entity\.change\.)/s, is: "later" },
    // Where several elements are at fault their messages say which of them changed.
    { status: /^(409|412)$/, reason: /^\S*$/, is: "changed" },
    {
      status: CONTENT,
      reason:
        /^(alreadyExists|conditionNotMet|preconditionFailed|cnameResourceRecordSetConflict|notFound)$/,
      is: "changed",
    },
    {
      status: CONTENT,
      text: /already exists|Precondition not met|either one CNAME resource record set|does not exist/,
      is: "changed",
    },
    { status: CONTENT, is: "refused" },
  ],
  codeOf: ({ status }) => `Google${status}`,
};

/** The record set that a message is about, by name and type; type null = the message has none. */
interface Culprit {
  readonly name: string;
  readonly type: string | null;
}

/** `entity.change.additions[3]`, `entity.change.deletions[3].name`. */
const BY_INDEX = /entity\.change\.(?<list>additions|deletions)\[(?<index>\d+)\]/;
/** `entity.change.additions[a.example.org.][TXT]`. */
const BY_KEY = /entity\.change\.(?:additions|deletions)\[(?<name>[^\]]+)\]\[(?<type>[A-Z0-9]+)\]/;
/** `named 'a.example.org. (TXT)'`, `the DNS name 'a.example.org.'`. */
const BY_NAME = /(?:named|DNS name) '(?<name>[^\s']+)(?: \((?<type>[A-Z0-9]+)\))?'/;

function culpritIn(text: string, sent: SentChange): Culprit | null {
  const byIndex = BY_INDEX.exec(text);
  if (byIndex !== null) return elementOf(byIndex.groups, sent);
  const { name, type } = (BY_KEY.exec(text) ?? BY_NAME.exec(text))?.groups ?? {};
  return name === undefined ? null : { name: withoutDot(name), type: type ?? null };
}

function elementOf(found: Readonly<Record<string, string>> = {}, sent: SentChange): Culprit | null {
  const list = found["list"] === "deletions" ? sent.deletions : sent.additions;
  return list[Number(found["index"])] ?? null;
}

/** True where the message names a record set of the group. */
export function isAboutGroup(group: ChangeGroup, text: string, sent: SentChange): boolean {
  const culprit = culpritIn(text, sent);
  if (culprit === null) return false;
  const { name, type } = culprit;
  return setsOf(group).some((set) => set.name === name && (type === null || set.type === type));
}
