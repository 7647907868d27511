/**
 * What a failed call means, whatever the API: for the account, and for each group of a batch. How
 * an API says it is its own folder's business.
 */
import { OperationError, THROTTLED } from "../../model/operation-error.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";

/**
 * Milliseconds of a `Retry-After` in seconds (RFC 9110 §10.2.3); null = there is none, or a date,
 * which no API here sends.
 */
export function retryAfterMs(header: string | undefined): number | null {
  const seconds = Number(header ?? "");
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
}

/** Too many calls: the whole account waits. `afterMs`: null = the answer does not say. */
export function throttled(message: string, afterMs: number | null, cause: unknown): OperationError {
  return new OperationError({
    code: THROTTLED,
    message,
    ...(afterMs === null ? { retry: "backoff" } : { retry: "after", retryAfterMs: afterMs }),
    nothingSent: true,
    cause,
  });
}

/** Codes of calls that reached nobody. */
const NOT_CONNECTED = /^Connect(Failed|Timeout)$/;

/** Of a call that nobody refused for what it holds; throws where the account is to wait. */
export function outcomesOfFailure(
  error: OperationError,
  groups: readonly ChangeGroup[],
): readonly Outcome[] {
  const { code, message, retryAfterMs: afterMs, nothingSent } = error;
  if (code === THROTTLED) throw error;
  return groups.map(({ name }) =>
    nothingSent || NOT_CONNECTED.test(code)
      ? { name, status: "retry", afterMs, message }
      : { name, status: "unknown", message },
  );
}

/** Of a group that another one of the call keeps from being sent. */
export function refusedTogether(name: ChangeGroup["name"]): Outcome {
  return { name, status: "refused-together", message: "another change of the call is refused" };
}
