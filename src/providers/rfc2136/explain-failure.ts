/**
 * Explains why a server gave no usable answer, and what to do. Reads (which throw) and writes
 * (which yield outcomes) share these messages. They contain no secrets, and times only as
 * differences.
 */
import { OperationError, retryable } from "@zonekeeper/base/operation-error";
import type { Rcode } from "@zonekeeper/dns/wire/message/message";
import type { TsigFailure } from "@zonekeeper/dns/wire/tsig/tsig-client";
import type { Answer } from "./dns-client.ts";

/** Code of the errors table and a sentence for people. */
export interface Explanation {
  /**
   * `BadCredentials`, `ClockSkew`, `Unreachable`, `NoAnswer`, `ServerRefused`, `ServerFailed`,
   * `BadAnswer`.
   */
  readonly code: string;
  readonly message: string;
}

/** Every result but a verified answer. */
export type NoAnswer = Exclude<Answer, { readonly status: "answer" }>;

/** What the failure means. `nowSeconds` is our clock in Unix seconds. */
export function explainNoAnswer(answer: NoAnswer, nowSeconds: number): Explanation {
  switch (answer.status) {
    case "lost":
      return answer.trouble.code === "Unreachable"
        ? {
            code: "Unreachable",
            message: `the server cannot be reached: ${answer.trouble.message}`,
          }
        : { code: "NoAnswer", message: `no answer from the server: ${answer.trouble.message}` };
    case "garbled":
      return { code: "BadAnswer", message: `the answer cannot be read: ${answer.reason}` };
    case "unsendable":
      return { code: "BadRequest", message: `the request cannot be written: ${answer.reason}` };
    case "unverified":
      return explainUnverified(answer.failure, answer.message?.rcode ?? null, nowSeconds);
  }
}

function explainUnverified(
  failure: TsigFailure,
  rcode: Rcode | null,
  nowSeconds: number,
): Explanation {
  if (failure.error === "BADTIME") return explainClock(failure.serverTimeSeconds, nowSeconds);
  if (failure.reported) return explainReported(failure.error);
  if (rcode === "REFUSED" || rcode === "NOTAUTH")
    return {
      code: "BadCredentials",
      message: `the server answers ${rcode} without a signature: it does not accept the TSIG key here, or does not serve the zone; compare key name, algorithm and secret with the server's, and what it allows to the key`,
    };
  if (failure.error === "NOTAUTH")
    return {
      code: "BadAnswer",
      message: `the answer (${rcode ?? "unreadable"}) is not signed and is not used; check that the server uses the TSIG key`,
    };
  return {
    code: "BadAnswer",
    message: `the signature of the answer is wrong (${failure.error}): the secrets differ, or something on the way changes answers`,
  };
}

function explainReported(error: Rcode): Explanation {
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

/** The error of a read without a verified answer. */
export function readFailure(what: string, answer: NoAnswer, nowSeconds: number): OperationError {
  const { code, message: shown } = explainNoAnswer(answer, nowSeconds);
  const message = `${what}: ${shown}`;
  const cause = answer.status === "lost" ? answer.trouble.code : answer.status;
  const retry = code === "BadRequest" ? "never" : "backoff";
  return new OperationError({ code, message, retry, cause });
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
