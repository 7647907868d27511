/**
 * Failed operations are thrown as OperationError, with advice on when to try again. docs/style.md
 * rule 11 says who catches it.
 */

/**
 * `backoff`: try again with growing delays. `after`: not before `retryAfterMs`. `never`: until the
 * input changes.
 */
export type RetryAdvice = "backoff" | "after" | "never";

/** What the thrower knows about a failed operation. */
export interface OperationErrorOptions {
  /** From the table in `docs/reference/errors.md`. */
  readonly code: string;
  /** What was tried on which object, what happened, what to do. No secrets. */
  readonly message: string;
  /** Decided where the knowledge is. */
  readonly retry: RetryAdvice;
  /** Milliseconds; only with `retry: "after"`. Null or absent = it is not known. */
  readonly retryAfterMs?: number | null;
  /** True = the provider or we refused it before anything could take effect. Default false. */
  readonly nothingSent?: boolean;
  /** The error that caused this one, if any. */
  readonly cause?: unknown;
}

/** Code of a call that the provider refused because its account made too many; nothing was done. */
export const THROTTLED = "Throttled";

/** An operation as a whole failed (a load, a connection, a request). */
export class OperationError extends Error {
  override readonly name = "OperationError";
  readonly code: string;
  readonly retry: RetryAdvice;
  /** Milliseconds to wait at least; null unless `retry` is `after`. */
  readonly retryAfterMs: number | null;
  /** True = nothing of the operation took effect; false = it may have. */
  readonly nothingSent: boolean;

  constructor(options: OperationErrorOptions) {
    super(options.message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = options.code;
    this.retry = options.retry;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.nothingSent = options.nothingSent ?? false;
  }
}

/** A failure that may pass: to be tried again with growing delays. */
export function retryable(code: string, message: string, cause?: unknown): OperationError {
  return new OperationError({ code, message, retry: "backoff", cause });
}

/** A failure that no further try changes, only another input. */
export function permanent(code: string, message: string, cause?: unknown): OperationError {
  return new OperationError({ code, message, retry: "never", cause });
}

/** The message of anything thrown, for logs and conditions. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An API server's answer that another try does not change as long as nobody acts there. */
export function isRefusal(error: unknown): error is OperationError {
  return error instanceof OperationError && REFUSALS.has(error.code);
}

const REFUSALS: ReadonlySet<string> = new Set(["Forbidden", "Invalid"]);
