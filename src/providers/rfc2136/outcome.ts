/**
 * What the answer to an UPDATE means for its groups (RFC 2136 §2.2, §3; RFC 8945 §5.2). The engine
 * bisects `rejected`, reads after `unknown`, replans after `precondition-failed` and backs off
 * after `retry`.
 */
import type { Message, Rcode } from "@zonekeeper/dns/wire/message/message";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import type { Answer } from "./dns-client.ts";
import { explainNoAnswer } from "./explain-failure.ts";

/** The outcome of one UPDATE, which all its groups share. */
export type CallOutcome =
  | { readonly status: "applied" }
  | { readonly status: "precondition-failed"; readonly message: string }
  | { readonly status: "rejected"; readonly code: string; readonly message: string }
  | {
      readonly status: "retry";
      readonly afterMs: number | null;
      readonly message: string;
      /** As in `Outcome`. */
      readonly mayStand?: true;
    }
  | { readonly status: "unknown"; readonly message: string };

/** The outcome of the call as the outcome of one group, with a cause that the group suggests. */
export function outcomeForGroup(group: ChangeGroup, outcome: CallOutcome): Outcome {
  const { name } = group;
  const cause = causeIn(group, outcome);
  if (outcome.status === "applied" || cause === null) return { ...outcome, name };
  return { ...outcome, name, message: `${outcome.message}; ${cause}` };
}

function causeIn(group: ChangeGroup, outcome: CallOutcome): string | null {
  const written = group.changes.flatMap((one) => (one.op === "remove" ? [] : [one.next]));
  const isNoHost = written.some(({ name, type }) => CHECKED_TYPES.has(type) && name.includes("_"));
  if (outcome.status === "rejected" && outcome.code === "REFUSED" && isNoHost)
    return `${group.name} is no host name (_), so check-names of BIND is the likely cause: set "check-names primary ignore", or choose another name`;
  const mayStand = outcome.status === "retry" && outcome.mayStand === true;
  const large = written.find(({ values }) => values.length > BIND_RECORDS_MAX);
  return large === undefined || !mayStand
    ? null
    : `${large.name} would have ${large.values.length} ${large.type} records, and BIND takes ${BIND_RECORDS_MAX} of a type at a name by default: raise max-records-per-type of the zone, or use fewer values`;
}

/** BIND 9.18.28 and later: max-records-per-type, 100 by default (CVE-2024-1737). */
const BIND_RECORDS_MAX = 100;

/** BIND checks the owner names of addresses and mail exchangers, and no other types. */
const CHECKED_TYPES: ReadonlySet<string> = new Set(["A", "AAAA", "MX"]);

/** `nowSeconds` is our clock, for naming a skew. */
export function outcomeOfCall(answer: Answer, nowSeconds: number): CallOutcome {
  if (answer.status === "answer") return outcomeOfAnswer(answer.message, answer.isSigned);
  const { code, message } = explainNoAnswer(answer, nowSeconds);
  switch (answer.status) {
    case "unsendable":
      return { status: "rejected", code, message };
    case "lost":
      return answer.trouble.sent ? unknown(message) : retry(message);
    case "garbled":
      return unknown(message);
    case "unverified":
      return outcomeOfUnverified(answer, message);
  }
}

function unknown(message: string): CallOutcome {
  return { status: "unknown", message };
}

function retry(message: string): CallOutcome {
  return { status: "retry", afterMs: null, message };
}

/**
 * A primary that answers SERVFAIL has undone everything (RFC 2136 §3.4.2). A forwarding secondary
 * (§6) also answers SERVFAIL when no primary answered in time; then the UPDATE may be applied (BIND
 * 9 lib/dns/zone.c `forward_callback`).
 */
function failed(message: string): CallOutcome {
  return { status: "retry", afterMs: null, message, mayStand: true };
}

/** A verified answer. */
function outcomeOfAnswer(message: Message, isSigned: boolean): CallOutcome {
  const { rcode } = message;
  if (message.opcode !== "UPDATE") return unknown("the answer does not belong to an UPDATE");
  const refused = PRECONDITION_MESSAGES[rcode];
  if (rcode === "NOERROR") return { status: "applied" };
  if (refused !== undefined) return { status: "precondition-failed", message: refused };
  if (rcode === "SERVFAIL")
    return failed("the server answers SERVFAIL: it could not apply the UPDATE now");
  if (rcode === "NOTAUTH")
    return retry(
      "the server answers NOTAUTH: it is not authoritative for the zone (a secondary?), or does not accept unsigned updates",
    );
  if (rcode === "REFUSED" && !isSigned)
    return retry("the server answers REFUSED: it does not accept unsigned updates from here");
  return { status: "rejected", code: rcode, message: REJECTION_MESSAGES[rcode] ?? plain(rcode) };
}

function plain(rcode: Rcode): string {
  return `the server answers ${rcode}`;
}

/** RFC 2136 §3.2. */
const PRECONDITION_MESSAGES: Partial<Record<Rcode, string>> = {
  YXDOMAIN: "the name is in use (YXDOMAIN)",
  YXRRSET: "a record set exists that must not exist (YXRRSET)",
  NXRRSET: "a record set is not as it was read (NXRRSET)",
  NXDOMAIN: "the name is not in use (NXDOMAIN)",
};

const REJECTION_MESSAGES: Partial<Record<Rcode, string>> = {
  // The answer is signed, so the server accepts the key and refuses the change: PowerDNS for a
  // CNAME conflict, BIND for a name that its check-names or update-policy does not allow.
  REFUSED:
    "the server accepts the key but refuses this change (REFUSED): its policy does not grant this name or type to the key (BIND: update-policy), or the name of a CNAME has other data",
  FORMERR: "the server does not understand this change (FORMERR); it may not know the record type",
  NOTIMP: "the server does not take UPDATEs (NOTIMP); enable dynamic updates on the server",
  NOTZONE: "a name lies outside the zone (NOTZONE)",
};

/**
 * Response codes without a signature that report "not done": a false one causes no more than a
 * later read.
 */
function outcomeOfUnverified(
  answer: Extract<Answer, { readonly status: "unverified" }>,
  message: string,
): CallOutcome {
  if (answer.failure.reported) return retry(message);
  // The signature is wrong: the answer is not from the server, or was changed on the way.
  if (answer.failure.error !== "NOTAUTH") return unknown(message);
  const rcode = answer.message?.rcode ?? "NOERROR";
  if (rcode === "SERVFAIL") return failed(message);
  if (UNSIGNED_RETRY.has(rcode)) return retry(message);
  return UNSIGNED_REJECTED.has(rcode)
    ? { status: "rejected", code: rcode, message: REJECTION_MESSAGES[rcode] ?? plain(rcode) }
    : unknown(message);
}

/** Unsigned because the key was not accepted: PowerDNS and BIND say REFUSED, Knot NOTAUTH. */
const UNSIGNED_RETRY: ReadonlySet<Rcode> = new Set(["REFUSED", "NOTAUTH"]);
/** Servers answer these before they check the signature. */
const UNSIGNED_REJECTED: ReadonlySet<Rcode> = new Set(["FORMERR", "NOTIMP", "NOTZONE"]);
