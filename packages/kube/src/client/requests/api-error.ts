/**
 * From an API server's refusal (HTTP status and `Status` object) to an OperationError. Decides
 * `retry`; never repeats the server's message about a Secret.
 */
import {
  messageOf,
  OperationError,
  type OperationErrorOptions,
} from "@zonekeeper/base/operation-error";
import { fieldsOf, numberOf, textOf } from "../../objects/object-fields.ts";

/** The request that failed. */
export interface ApiCall {
  /** For messages: `PATCH dnsentries.dns.gardener.cloud default/www`. No query, no secret. */
  readonly subject: string;
  /** The request changes an object, so that the outcome is unknown if the answer is lost. */
  readonly mutating: boolean;
  /** The server's message may quote the request; true = the message is not repeated. */
  readonly confidential: boolean;
}

/** An answer that is not a success. */
export interface Refusal {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body, or null when it is not JSON. */
  readonly body: unknown;
}

/**
 * An API error with its HTTP status, for callers that have an alternative (watch-list, discovery).
 */
export class ApiError extends OperationError {
  /** HTTP status of the answer; 0 = no answer. */
  readonly status: number;
  /** The answer was a `Status` of the API, not a text of a proxy or "404 page not found". */
  readonly isStatus: boolean;

  constructor(options: OperationErrorOptions, answer: { status: number; isStatus: boolean }) {
    super(options);
    this.status = answer.status;
    this.isStatus = answer.isStatus;
  }
}

const MESSAGE_CHARS_MAX = 1024;
const RETRY_AFTER_DEFAULT_MS = 1_000;
const RETRY_AFTER_MS_MAX = 600_000;

/**
 * The error for a refusal. Codes are those of `ports/cluster-writer.ts`, and `Unauthorized` and
 * `Expired`.
 */
export function refusalError(call: ApiCall, refusal: Refusal): ApiError {
  const code = codeOf(call, refusal);
  const retryAfterMs = retryAfterOf(refusal);
  const waits = code === "TooManyRequests" || (code === "Unavailable" && retryAfterMs !== null);
  return new ApiError(
    {
      code,
      message: `${call.subject}: ${refusalText(call, refusal)}`,
      // What a policy refuses as it is (422) it may take as it is when the policy has changed.
      retry: waits ? "after" : "backoff",
      ...(waits ? { retryAfterMs: retryAfterMs ?? RETRY_AFTER_DEFAULT_MS } : {}),
    },
    { status: refusal.status, isStatus: fieldsOf(refusal.body)["kind"] === "Status" },
  );
}

/**
 * The error for an answer that never came, or broke off. `nothingSent` = the server cannot have
 * seen the request.
 */
export function lostAnswerError(call: ApiCall, cause: unknown): ApiError {
  const nothingSent =
    cause instanceof OperationError && /^Connect(Failed|Timeout)$/.test(cause.code);
  const unknown = call.mutating && !nothingSent;
  return new ApiError(
    {
      code: unknown ? "UnknownOutcome" : "Unavailable",
      message: `${call.subject}: ${unknown ? "the answer was lost, read before trying again: " : ""}${messageOf(cause)}`,
      retry: "backoff",
      cause,
    },
    { status: 0, isStatus: false },
  );
}

/** The error in an `ERROR` event of a watch: its object is a Status. */
export function watchError(call: ApiCall, status: unknown): ApiError {
  const code = numberOf(fieldsOf(status)["code"]) ?? 500;
  return refusalError(call, { status: code, headers: {}, body: status });
}

/**
 * A mutating request that ended in 500, 502 or 504 may have been carried out (etcd timeout, timeout
 * of a proxy).
 */
const UNKNOWN_AFTER_MUTATION = new Set([500, 502, 504]);

/**
 * Statuses with a code of their own; 409 depends on its reason. Codes are written as `code: …`,
 * where `tools/errors-page.ts` finds them.
 */
const BY_STATUS: ReadonlyMap<number, { readonly code: string }> = new Map([
  [401, { code: "Unauthorized" }],
  [403, { code: "Forbidden" }],
  [404, { code: "NotFound" }],
  [409, { code: "Conflict" }],
  [410, { code: "Expired" }],
  [429, { code: "TooManyRequests" }],
]);
const REFUSED_AS_IT_IS = { code: "Invalid" } as const;

function codeOf(call: ApiCall, refusal: Refusal): string {
  const { status, body } = refusal;
  if (status === 409 && fieldsOf(body)["reason"] === "AlreadyExists") return "AlreadyExists";
  const own = BY_STATUS.get(status);
  if (own !== undefined) return own.code;
  if (status >= 400 && status < 500) return REFUSED_AS_IT_IS.code;
  return call.mutating && UNKNOWN_AFTER_MUTATION.has(status) ? "UnknownOutcome" : "Unavailable";
}

/**
 * `Retry-After` in seconds (RFC 9110 §10.2.3; API servers send no dates), else
 * `details.retryAfterSeconds`.
 */
function retryAfterOf(refusal: Refusal): number | null {
  const header = Number.parseInt(refusal.headers["retry-after"] ?? "", 10);
  const details = fieldsOf(fieldsOf(refusal.body)["details"]);
  const seconds = Number.isNaN(header) ? numberOf(details["retryAfterSeconds"]) : header;
  return seconds === null ? null : Math.min(Math.max(0, seconds) * 1_000, RETRY_AFTER_MS_MAX);
}

function refusalText(call: ApiCall, refusal: Refusal): string {
  const body = fieldsOf(refusal.body);
  const reason = textOf(body["reason"]);
  const message = call.confidential ? null : textOf(body["message"]);
  const explanation = message ?? reason ?? "no explanation given";
  return `${explanation.slice(0, MESSAGE_CHARS_MAX)} (HTTP ${refusal.status})`;
}
