/**
 * What a refused call means: for the call as a whole, and for each group of a change. The answer
 * names the element that is at fault (docs "Error messages": "the path to the problematic part").
 */
import type { OperationError } from "@zonekeeper/base/operation-error";
import { type Fields, fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { RecordSet } from "../../model/record-set.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import { withoutDot } from "../shared/dotted-rdata.ts";
import { outcomesOfFailure, refusedTogether } from "../shared/failed-calls.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { explainCall, RefusedCall } from "../shared/refused-call.ts";
import type { SentChange } from "./changes.ts";

/** Between the messages of one refusal. */
const SEPARATOR = "; ";
const MESSAGES_MAX = 50;

/** `{"error": {code, message, errors: [{message, reason}], status}}`, each perhaps absent. */
export function toRefusal(
  { status, json, text, retryAfterMs }: JsonAnswer,
  isOwnIdentity = false,
): RefusedCall {
  const error = fieldsOf(fieldsOf(json)["error"]);
  const errors = (listOf(error["errors"]) ?? []).map(fieldsOf);
  const messages = errors.flatMap((one) => textOf(one["message"]) ?? []).slice(0, MESSAGES_MAX);
  const shown = messages.length > 0 ? messages.join(SEPARATOR) : textOf(error["message"]);
  const plain = json === undefined ? text : "";
  return new RefusedCall({
    status,
    text: shown ?? plain,
    retryAfterMs,
    reason: reasonOf(errors, error),
    isOwnIdentity,
  });
}

function reasonOf([first = {}]: readonly Fields[], error: Fields): string {
  return textOf(first["reason"]) ?? textOf(error["status"]) ?? "";
}

const TOO_MANY = /^(userR|r)ateLimitExceeded$|^RESOURCE_EXHAUSTED$/;

/** For reading calls, and as far as a whole change is concerned. Keeps an OperationError. */
export function explain(error: unknown, what: string): OperationError {
  return explainCall(error, what, {
    keyRemedy: "correct the Secret of the DNSProvider, or the roles of its service account",
    isTooMany: ({ reason }) => TOO_MANY.test(reason),
  });
}

/** Statuses of a call that is refused for what it holds, or for how the zone is. */
const REFUSED: ReadonlySet<number> = new Set([400, 409, 412, 413, 422]);
/** 403 has many reasons; this one is about what the change holds. */
const QUOTA = "quotaExceeded";

/** One outcome for each group; throws where the account is to wait. */
export function outcomesOf(
  error: unknown,
  groups: readonly ChangeGroup[],
  sent: SentChange,
): readonly Outcome[] {
  if (error instanceof RefusedCall && isAboutContent(error)) return refused(error, groups, sent);
  return outcomesOfFailure(explain(error, "the changes were not made"), groups);
}

function isAboutContent({ status, reason, message }: RefusedCall): boolean {
  if (TOO_MANY.test(reason)) return false;
  const isMissingSet = status === 404 && /entity\.change\./.test(message);
  return REFUSED.has(status) || isMissingSet || reason === QUOTA;
}

/** The zone is not as it was read: by status, by reason, by words. */
const CHANGED_STATUSES: ReadonlySet<number> = new Set([409, 412]);
const CHANGED =
  /^(alreadyExists|conditionNotMet|preconditionFailed|cnameResourceRecordSetConflict|notFound)$/;
const CHANGED_TEXT =
  /already exists|Precondition not met|either one CNAME resource record set|does not exist/;

function refused(
  { status, message, reason }: RefusedCall,
  groups: readonly ChangeGroup[],
  sent: SentChange,
): readonly Outcome[] {
  const texts = message.split(SEPARATOR);
  const culprits = texts.map((text) => culpritIn(text, sent));
  const isNamed = culprits.some((one) => one !== null && groups.some((group) => has(group, one)));
  const isChangedZone = CHANGED_STATUSES.has(status) || CHANGED.test(reason);
  return groups.map((group): Outcome => {
    const { name } = group;
    const mine = texts.filter((_, index) => {
      const culprit = culprits[index] ?? null;
      return culprit !== null && has(group, culprit);
    });
    if (isNamed && mine.length === 0) return refusedTogether(name);
    const about = isNamed ? mine.join(SEPARATOR) : message;
    const isOnly = texts.length === 1 && isChangedZone;
    return isOnly || CHANGED_TEXT.test(about)
      ? { name, status: "precondition-failed", message: about }
      : { name, status: "rejected", code: `Google${status}`, message: about };
  });
}

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

function has({ changes, preconditions }: ChangeGroup, { name, type }: Culprit): boolean {
  const sets: readonly RecordSet[] = [
    ...changes.flatMap((change) => [
      ...(change.op === "create" ? [] : [change.previous]),
      ...(change.op === "remove" ? [] : [change.next]),
    ]),
    ...preconditions.flatMap((one) => (one.is === "exact" ? [one.set] : [])),
  ];
  return sets.some((set) => set.name === name && (type === null || set.type === type));
}
