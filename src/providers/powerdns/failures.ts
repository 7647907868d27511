/**
 * What a refused call means: for the call as a whole, and for each group of a PATCH. The server
 * stops at the first error, whose text names the record set.
 */

import { fieldsOf, textOf } from "../../model/object-fields.ts";
import { messageOf, OperationError } from "../../model/operation-error.ts";
import { printable } from "../../model/printable.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import { outcomesOfFailure, refusedTogether, throttled } from "../shared/failed-calls.ts";
import { toName } from "./convert.ts";
import { keyOf } from "./patch.ts";

const MESSAGE_CHARACTERS_MAX = 400;
const STATUS_CLIENT = 400;
const STATUS_TOO_MANY = 429;
const STATUS_SERVER = 500;

/** The server answered, and refused. */
export class RefusedCall extends Error {
  override readonly name = "RefusedCall";
  readonly status: number;
  /** Milliseconds; null = the answer does not say. */
  readonly retryAfterMs: number | null;

  /** `{"error": …}`, or a plain text. */
  constructor(status: number, body: unknown, retryAfterMs: number | null) {
    const text = textOf(fieldsOf(body)["error"]) ?? textOf(body);
    const shown = text === null || /[<>]/.test(text) ? `HTTP status ${status}` : text;
    super(printable(shown.trim()).slice(0, MESSAGE_CHARACTERS_MAX));
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** For reading calls, and as far as a whole PATCH is concerned. Keeps an OperationError. */
export function explain(error: unknown, what: string): OperationError {
  if (error instanceof OperationError) return error;
  const message = `${what}: ${messageOf(error)}`;
  const status = error instanceof RefusedCall ? error.status : 0;
  // The server has no limit; a proxy before it may have one.
  if (error instanceof RefusedCall && status === STATUS_TOO_MANY)
    return throttled(message, error.retryAfterMs, error);
  const isKeyTrouble = status === 401 || status === 403;
  return new OperationError({
    code: isKeyTrouble ? "ProviderCredentials" : "ProviderUnavailable",
    message: isKeyTrouble
      ? `${message}; correct ApiKey in the Secret, and webserver-allow-from of the server`
      : message,
    retry: "backoff",
    nothingSent: isClientFault(status),
    cause: error,
  });
}

function isClientFault(status: number): boolean {
  return status >= STATUS_CLIENT && status < STATUS_SERVER;
}

/** Statuses of a call that is refused for what it holds. */
const REFUSED: ReadonlySet<number> = new Set([400, 409, 413, 422]);

/** One outcome for each group; throws where the account is to wait. */
export function outcomesOf(error: unknown, groups: readonly ChangeGroup[]): readonly Outcome[] {
  if (error instanceof RefusedCall && REFUSED.has(error.status)) return refused(error, groups);
  return outcomesOfFailure(explain(error, "the changes were not made"), groups);
}

/** A CNAME beside other data: the zone is not as it was read. */
const CHANGED = /Conflicts with (pre-existing|another) RRset/i;
/** `RRset a.example.org. IN A: …`, `Record a.example.org./A '…'`, `Name 'a.example.org.' …` */
const SUBJECT = /^(?:RRset |Record |Name ')(?<name>[^\s/']+)/;

function refused(
  { status, message }: RefusedCall,
  groups: readonly ChangeGroup[],
): readonly Outcome[] {
  const text = SUBJECT.exec(message)?.groups?.["name"];
  const subject = text === undefined ? null : toName(text);
  const isAbout = ({ changes }: ChangeGroup): boolean =>
    changes.some((change) => keyOf(change).name === subject);
  const isNamed = groups.some(isAbout);
  return groups.map((group): Outcome => {
    const { name } = group;
    if (isNamed && !isAbout(group)) return refusedTogether(name);
    return CHANGED.test(message)
      ? { name, status: "precondition-failed", message }
      : { name, status: "rejected", code: `PowerDns${status}`, message };
  });
}
