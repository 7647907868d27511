/** A call that a vendor's API answered and refused, and what that means for the account. */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { printable, shortened } from "../../model/printable.ts";
import { throttled } from "./failed-calls.ts";

const MESSAGE_CHARACTERS_MAX = 400;
const STATUS_CLIENT = 400;
const STATUS_TOO_MANY = 429;
const STATUS_SERVER = 500;
const KEY_STATUSES: ReadonlySet<number> = new Set([401, 403]);

/** What the API answered. */
export interface Refusal {
  readonly status: number;
  /** What it says; empty, or a page for browsers = the status is shown. */
  readonly text: string;
  /** Milliseconds; null = the answer does not say. */
  readonly retryAfterMs: number | null;
  /** Default empty. */
  readonly reason?: string;
  /** The call was made with what the surroundings of the program give; default false. */
  readonly isOwnIdentity?: boolean;
}

/** Nothing in a Secret is at fault. */
const OWN_REMEDY =
  "the identity is this program's own: give it the rights that the provider's page names";

/** The API answered, and refused. */
export class RefusedCall extends Error {
  override readonly name = "RefusedCall";
  readonly status: number;
  /** Milliseconds; null = the answer does not say. */
  readonly retryAfterMs: number | null;
  /** The API's own word for it; empty = it gave none. */
  readonly reason: string;
  /** See `Refusal`. */
  readonly isOwnIdentity: boolean;

  constructor({ status, text, retryAfterMs, reason = "", isOwnIdentity = false }: Refusal) {
    const shown = text === "" || /[<>]/.test(text) ? `HTTP status ${status}` : text;
    super(shortened(printable(withoutIds(shown)), MESSAGE_CHARACTERS_MAX));
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.reason = reason;
    this.isOwnIdentity = isOwnIdentity;
  }
}

/** `(Request-ID: req-6d2b…)`, `CorrelationId: '…'`, `[request_id=…]`: an id has a digit. */
const CALL_ID =
  /[\s,;.]*[(["']?\b(?:request|correlation|activity|tracking|trace|transaction|ray)[ _-]?id\b["']?\s*(?:is|[:=])?\s*["']?(?=[\w-]*\d)[\w-]{6,}["']?[)\]]?/gi;

/** Each call has an id; a status that shows it would change with each try. */
function withoutIds(text: string): string {
  return text.replace(CALL_ID, "").trim();
}

/** How one API says what all of them say. */
export interface RefusalRules {
  /** What a person does about a key that is refused. */
  readonly keyRemedy: string;
  /** Too many calls, beside status 429. */
  isTooMany?(call: RefusedCall): boolean;
  /** The key, its token or its rights are at fault, beside statuses 401 and 403. */
  isAboutKey?(call: RefusedCall): boolean;
}

/** What a failed call means as a whole. Keeps an OperationError. */
export function explainCall(error: unknown, what: string, rules: RefusalRules): OperationError {
  if (error instanceof OperationError) return error;
  const message = `${what}: ${messageOf(error)}`;
  const status = error instanceof RefusedCall ? error.status : 0;
  if (error instanceof RefusedCall && isTooMany(error, rules))
    return throttled(message, error.retryAfterMs, error);
  const remedy = error instanceof RefusedCall ? remedyOf(error, rules) : null;
  return new OperationError({
    code: remedy === null ? "ProviderUnavailable" : "ProviderCredentials",
    message: remedy === null ? message : `${message}; ${remedy}`,
    retry: "backoff",
    // An answer with a client's fault is one before anything was done.
    nothingSent: status >= STATUS_CLIENT && status < STATUS_SERVER,
    cause: error,
  });
}

/** Null = nobody has to do anything. */
function remedyOf(call: RefusedCall, rules: RefusalRules): string | null {
  if (!isAboutKey(call, rules)) return null;
  return call.isOwnIdentity ? OWN_REMEDY : rules.keyRemedy;
}

function isAboutKey(call: RefusedCall, rules: RefusalRules): boolean {
  return KEY_STATUSES.has(call.status) || (rules.isAboutKey?.(call) ?? false);
}

function isTooMany(call: RefusedCall, rules: RefusalRules): boolean {
  return call.status === STATUS_TOO_MANY || (rules.isTooMany?.(call) ?? false);
}
