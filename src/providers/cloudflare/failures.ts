/**
 * What a refused call means: for the call as a whole, and for each group of a batch. The API names
 * the first error only, and the operation at fault where it gives a `source.pointer`.
 */

import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { printable, shortened } from "../../model/printable.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import { outcomesOfFailure, refusedTogether, throttled } from "../shared/failed-calls.ts";
import type { Operation } from "./batch.ts";

/** One entry of `errors`, its `error_chain` included. */
interface ApiError {
  readonly code: number;
  readonly message: string;
  /** Such as `/posts/3/content`; empty = the answer does not say. */
  readonly pointer: string;
}

/** The API answered, and refused. */
export class RefusedCall extends Error {
  override readonly name = "RefusedCall";
  readonly status: number;
  readonly errors: readonly ApiError[];
  /** Milliseconds; null = the answer does not say. */
  readonly retryAfterMs: number | null;

  constructor(status: number, body: unknown, retryAfterMs: number | null) {
    const errors = (listOf(fieldsOf(body)["errors"]) ?? []).flatMap(readError);
    super(errors.length === 0 ? `HTTP status ${status}` : errors.map(textOfError).join("; "));
    this.status = status;
    this.errors = errors;
    this.retryAfterMs = retryAfterMs;
  }
}

/** In chains of one level: deeper ones are not documented. */
function readError(value: unknown): readonly ApiError[] {
  const { code, message, source, error_chain: chain } = fieldsOf(value);
  const pointer = textOf(fieldsOf(source)["pointer"]) ?? "";
  const own = { code: numberIn(code), message: cleaned(message), pointer };
  const causes = (listOf(chain) ?? []).map((one) => {
    const cause = fieldsOf(one);
    return { code: numberIn(cause["code"]), message: cleaned(cause["message"]), pointer };
  });
  return [own, ...causes];
}

/** 0 = it is none. */
function numberIn(code: unknown): number {
  const number = Number(code ?? 0);
  return Number.isFinite(number) ? number : 0;
}

/** Hexadecimal ids of requests, zones and records change, or tell a stranger something. */
function cleaned(message: unknown): string {
  const text = textOf(message) ?? "no reason is given";
  const shown = printable(text).replace(/\b[0-9a-f]{16,}\b/gi, "…");
  return shortened(shown, MESSAGE_CHARACTERS_MAX);
}

const MESSAGE_CHARACTERS_MAX = 400;

function textOfError({ code, message }: ApiError): string {
  return code === 0 ? message : `${message.replace(/\.$/, "")} (${code})`;
}

/** "Please wait and consider throttling your request speed". */
const CODE_THROTTLED = 971;
const STATUS_CLIENT = 400;
const STATUS_NOT_FOUND = 404;
const STATUS_TOO_MANY = 429;
const STATUS_SERVER = 500;
/**
 * The token is at fault, and no record: 6003 invalid headers, 9103, 9106 and 9109 invalid key or
 * token, 10000 and 10001 no authentication or right.
 */
const BAD_KEY: ReadonlySet<number> = new Set([
  6003, 6100, 6103, 6111, 9103, 9106, 9109, 10000, 10001,
]);

/** For reading calls, and as far as a whole batch is concerned. Keeps an OperationError. */
export function explain(error: unknown, what: string): OperationError {
  if (error instanceof OperationError) return error;
  const message = `${what}: ${messageOf(error)}`;
  if (!(error instanceof RefusedCall))
    return new OperationError({
      code: "ProviderUnavailable",
      message,
      retry: "backoff",
      cause: error,
    });
  if (isThrottle(error)) return throttled(message, error.retryAfterMs, error);
  const isKeyTrouble = isAboutKey(error);
  return new OperationError({
    code: isKeyTrouble ? "ProviderCredentials" : "ProviderUnavailable",
    message: isKeyTrouble ? `${message}; ${KEY_REMEDY}` : message,
    retry: "backoff",
    // An answer with a client's fault is one before anything was done.
    nothingSent: isClientFault(error),
    cause: error,
  });
}

const KEY_REMEDY =
  "correct the Secret of the DNSProvider, and give its token the permissions Zone Read and DNS Edit for the zone";

function isClientFault({ status }: RefusedCall): boolean {
  return status >= STATUS_CLIENT && status < STATUS_SERVER;
}

function isThrottle({ status, errors }: RefusedCall): boolean {
  return status === STATUS_TOO_MANY || errors.some(({ code }) => code === CODE_THROTTLED);
}

function isAboutKey({ status, errors }: RefusedCall): boolean {
  return status === 401 || status === 403 || errors.some(({ code }) => BAD_KEY.has(code));
}

/** One outcome for each group; throws where the account is to wait. */
export function outcomesOf(
  error: unknown,
  groups: readonly ChangeGroup[],
  operations: readonly Operation[],
): readonly Outcome[] {
  if (isRefusal(error)) return refused(error, groups, operations);
  return outcomesOfFailure(explain(error, "the changes were not made"), groups);
}

/** The call is refused for what it holds, and may be accepted without one of its groups. */
function isRefusal(error: unknown): error is RefusedCall {
  return (
    error instanceof RefusedCall &&
    error.errors.length > 0 &&
    isClientFault(error) &&
    error.status !== STATUS_NOT_FOUND &&
    !isThrottle(error) &&
    !isAboutKey(error)
  );
}

/**
 * The zone is not as it was read: 81044 no such record, 81053 and 81054 an address or CNAME of that
 * name, 81056 an NS record of that name, 81057 and 81058 the same record.
 */
const CHANGED: ReadonlySet<number> = new Set([81044, 81053, 81054, 81056, 81057, 81058]);

function refused(
  error: RefusedCall,
  groups: readonly ChangeGroup[],
  operations: readonly Operation[],
): readonly Outcome[] {
  const culprits = new Set(error.errors.flatMap(({ pointer }) => groupAt(pointer, operations)));
  const isChanged = error.errors.some(({ code }) => CHANGED.has(code));
  // The last error of a chain says what it is.
  const code = `Cloudflare${error.errors.at(-1)?.code ?? 0}`;
  const { message } = error;
  return groups.map(({ name }, index): Outcome => {
    if (culprits.size > 0 && !culprits.has(index)) return refusedTogether(name);
    return isChanged
      ? { name, status: "precondition-failed", message }
      : { name, status: "rejected", code, message };
  });
}

/** `/posts/3/content`, `body.posts[3]` → the group of the fourth creation. */
function groupAt(pointer: string, operations: readonly Operation[]): readonly number[] {
  const match = /\b(deletes|patches|posts)\W+(\d+)\b/.exec(pointer);
  if (match === null) return [];
  const found = operations.filter(({ list }) => list === match[1])[Number(match[2])];
  return found === undefined ? [] : [found.group];
}
