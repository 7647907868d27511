/**
 * What an answer, or none, means: the error of a read, and the outcomes of an UPDATE (RFC 2136
 * §2.2, §3; RFC 8945 §5.2). The engine bisects `rejected`, reads after `unknown`, replans after
 * `precondition-failed` and backs off after `retry`. Messages contain no secrets, and times only as
 * differences.
 */
import { OperationError, retryable } from "@zonekeeper/base/operation-error";
import type { Message, Rcode } from "@zonekeeper/dns/wire/message/message";
import type { TsigFailure } from "@zonekeeper/dns/wire/tsig/tsig-client";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import type { Answer } from "./dns-client.ts";

/** The outcome of one UPDATE, which all its groups share. */
export type CallOutcome = WithoutName<Outcome>;

type WithoutName<O> = O extends Outcome ? Omit<O, "name"> : never;

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

function retry(message: string) {
  return { status: "retry", afterMs: null, message } as const;
}

/**
 * A primary that answers SERVFAIL has undone everything (RFC 2136 §3.4.2). A forwarding secondary
 * (§6) also answers SERVFAIL when no primary answered in time; then the UPDATE may be applied (BIND
 * 9 lib/dns/zone.c `forward_callback`).
 */
function failed(message: string): CallOutcome {
  return { ...retry(message), mayStand: true };
}

function rejected(code: Rcode): CallOutcome {
  const message = REJECTION_MESSAGES[code] ?? `the server answers ${code}`;
  return { status: "rejected", code, message };
}

/** A verified answer. */
function outcomeOfAnswer({ rcode, opcode }: Message, isSigned: boolean): CallOutcome {
  if (opcode !== "UPDATE") return unknown("the answer does not belong to an UPDATE");
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
  return rejected(rcode);
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

type Unverified = Extract<Answer, { readonly status: "unverified" }>;

/**
 * Response codes without a signature that report "not done": a false one causes no more than a
 * later read.
 */
function outcomeOfUnverified(answer: Unverified, message: string): CallOutcome {
  if (answer.failure.reported) return retry(message);
  // The signature is wrong: the answer is not from the server, or was changed on the way.
  if (answer.failure.error !== "NOTAUTH") return unknown(message);
  const rcode = answer.message?.rcode ?? "NOERROR";
  if (rcode === "SERVFAIL") return failed(message);
  if (UNSIGNED_RETRY.has(rcode)) return retry(message);
  return UNSIGNED_REJECTED.has(rcode) ? rejected(rcode) : unknown(message);
}

/** Unsigned because the key was not accepted: PowerDNS and BIND say REFUSED, Knot NOTAUTH. */
const UNSIGNED_RETRY: ReadonlySet<Rcode> = new Set(["REFUSED", "NOTAUTH"]);
/** Servers answer these before they check the signature. */
const UNSIGNED_REJECTED: ReadonlySet<Rcode> = new Set(["FORMERR", "NOTIMP", "NOTZONE"]);

/** The error of a read without a verified answer. `nowSeconds`: as above. */
export function readFailure(what: string, answer: NoAnswer, nowSeconds: number): OperationError {
  const { code, message: shown } = explainNoAnswer(answer, nowSeconds);
  const message = `${what}: ${shown}`;
  const cause = answer.status === "lost" ? answer.trouble.code : answer.status;
  const retries = code === "BadRequest" ? "never" : "backoff";
  return new OperationError({ code, message, retry: retries, cause });
}

/** The error of a read whose response code is no success; `hint` = what else to say of REFUSED. */
export function rcodeFailure(what: string, rcode: Rcode, hint?: string): OperationError {
  const code = rcode === "SERVFAIL" ? "ServerFailed" : "ServerRefused";
  const known = RCODE_HINTS[rcode] ?? "";
  const shown = rcode === "REFUSED" ? (hint ?? known) : known;
  return retryable(code, `${what}: the server answers ${rcode}${shown}`);
}

const RCODE_HINTS: Partial<Record<Rcode, string>> = {
  REFUSED:
    "; it does not serve the zone, or does not allow this to the key; compare the zone and the key with its configuration",
  NOTAUTH: "; it is not authoritative for the zone, or does not accept the key",
  NXDOMAIN: "; it has no such name",
  SERVFAIL: "; the zone may be broken or still loading there",
};

/** Code of the errors table and a sentence for people. */
interface Explanation {
  /** `BadCredentials`, `ClockSkew`, `Unreachable`, `NoAnswer`, `BadAnswer`, `BadRequest`. */
  readonly code: string;
  readonly message: string;
}

/** Every result but a verified answer. */
export type NoAnswer = Exclude<Answer, { readonly status: "answer" }>;

function explainNoAnswer(answer: NoAnswer, nowSeconds: number): Explanation {
  if (answer.status === "unverified") return explainUnverified(answer, nowSeconds);
  if (answer.status === "garbled")
    return { code: "BadAnswer", message: `the answer cannot be read: ${answer.reason}` };
  if (answer.status === "unsendable")
    return { code: "BadRequest", message: `the request cannot be written: ${answer.reason}` };
  const { code, message } = answer.trouble;
  return code === "Unreachable"
    ? { code: "Unreachable", message: `the server cannot be reached: ${message}` }
    : { code: "NoAnswer", message: `no answer from the server: ${message}` };
}

function explainUnverified(
  { failure, message: read }: Unverified,
  nowSeconds: number,
): Explanation {
  if (failure.error === "BADTIME") return explainClock(failure.serverTimeSeconds, nowSeconds);
  if (failure.reported) return explainReported(failure.error);
  const rcode = read?.rcode ?? "unreadable";
  if (rcode === "REFUSED" || rcode === "NOTAUTH")
    return {
      code: "BadCredentials",
      message: `the server answers ${rcode} without a signature: it does not accept the TSIG key here, or does not serve the zone; compare key name, algorithm and secret with the server's, and what it allows to the key`,
    };
  if (failure.error === "NOTAUTH")
    return {
      code: "BadAnswer",
      message: `the answer (${rcode}) is not signed and is not used; check that the server uses the TSIG key`,
    };
  return {
    code: "BadAnswer",
    message: `the signature of the answer is wrong (${failure.error}): the secrets differ, or something on the way changes answers`,
  };
}

function explainReported(error: TsigFailure["error"]): Explanation {
  const causes: Partial<Record<Rcode, string>> = {
    BADKEY: "it does not know a key of this name with this algorithm",
    BADSIG: "its secret for this key differs",
    BADTRUNC: "it wants a longer MAC",
  };
  const cause = causes[error] ?? "it does not accept the signature";
  return {
    code: "BadCredentials",
    message: `the server answers ${error}: ${cause}; compare TSIGKeyName, TSIGSecretAlgorithm and TSIGSecret with the server's`,
  };
}

function explainClock(serverTimeSeconds: number | null, nowSeconds: number): Explanation {
  const skew = serverTimeSeconds === null ? null : serverTimeSeconds - nowSeconds;
  const how =
    skew === null
      ? "differ by more than it allows"
      : `differ: the server is ${Math.abs(skew)} seconds ${skew < 0 ? "behind" : "ahead"}`;
  return {
    code: "ClockSkew",
    message: `the server answers BADTIME: the clocks ${how}; set both by NTP`,
  };
}
