/**
 * What a failed call means, whatever the API: for the account, and for each group of a batch. Who
 * may not learn what answers at an address reads no trouble of the network (Z-29). How an API says
 * it is its own folder's business.
 */
import { OperationError, retryable, THROTTLED } from "@zonekeeper/base/operation-error";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import type { ProviderEnvironment } from "../provider.ts";
import { isRefusedHere } from "./guarded-http.ts";

/** Whatever an answer says: whoever is between may have written it. One hour. */
const RETRY_AFTER_MS_MAX = 3_600_000;

/** Those of an answer that tell when to come again. */
interface RetryHeaders {
  readonly "retry-after"?: string | undefined;
  /** When the answer was made, by the server's own clock. */
  readonly date?: string | undefined;
}

/**
 * Milliseconds of a `Retry-After`, which is seconds or a date (RFC 9110 §10.2.3), an hour at most;
 * null = there is none that can be understood.
 */
export function retryAfterMs({
  "retry-after": after = "",
  date = "",
}: RetryHeaders): number | null {
  const isSeconds = /^\d+$/.test(after);
  const millis = isSeconds ? Number(after) * 1000 : timeOf(after) - timeOf(date);
  return millis > 0 ? Math.min(millis, RETRY_AFTER_MS_MAX) : null;
}

/** NaN = no date in one of the two forms that name their zone. */
function timeOf(date: string): number {
  return date.endsWith(" GMT") ? Date.parse(date) : Number.NaN;
}

/** Too many calls: the whole account waits. `afterMs`: null = the answer does not say. */
export function throttled(message: string, afterMs: number | null, cause: unknown): OperationError {
  return new OperationError({
    code: THROTTLED,
    message,
    retry: afterMs === null ? "backoff" : "after",
    retryAfterMs: afterMs,
    nothingSent: true,
    cause,
  });
}

/** What proves who asks is at fault, before anything was sent that writes. */
export function badCredentials(message: string, cause: unknown = null): OperationError {
  const what = { code: "ProviderCredentials", message, nothingSent: true };
  return new OperationError({ ...what, retry: "backoff", cause });
}

/** Of a call that asked for a token only. */
export function unsent(error: OperationError, message = error.message): OperationError {
  return new OperationError({ ...error, message, nothingSent: true, cause: error });
}

/** Codes of calls that reached nobody. */
const NOT_CONNECTED = /^Connect(Failed|Timeout)$/;

/** Of a call that nobody refused for what it holds; throws where the account is to wait. */
export function outcomesOfFailure(
  error: OperationError,
  groups: readonly ChangeGroup[],
): readonly Outcome[] {
  const { code, message, retryAfterMs: afterMs, nothingSent } = error;
  if (code === THROTTLED || isRefusedHere(error)) throw error;
  return groups.map(({ name }) =>
    nothingSent || NOT_CONNECTED.test(code)
      ? { name, status: "retry", afterMs, message }
      : { name, status: "unknown", message },
  );
}

/** Of a group whose names are not as they were read. */
export function changedOutcome(name: ChangeGroup["name"], message: string): Outcome {
  return { name, status: "precondition-failed", message };
}

/** Of a group that another one of the call keeps from being sent. */
export function refusedTogether(name: ChangeGroup["name"]): Outcome {
  return { name, status: "refused-together", message: "another change of the call is refused" };
}

const NETWORK_CODES: ReadonlySet<string> = new Set([
  "CallTimeout",
  "ConnectFailed",
  "ConnectTimeout",
  "ConnectionLost",
  "HeadersTimeout",
]);

/** The error as it may be shown: refused, timed out and reset read alike where they may not. */
export function shownTrouble(
  { hidesTroubles, log }: Pick<ProviderEnvironment, "hidesTroubles" | "log">,
  error: unknown,
  what: string,
): unknown {
  const isHidden = hidesTroubles === true && error instanceof OperationError;
  if (!isHidden || !NETWORK_CODES.has(error.code)) return error;
  log.warn("an API does not answer", { what, reason: error.message });
  const message = `${what}: the API cannot be reached, or does not answer; ask whoever runs this program, whose log says more`;
  return retryable("ProviderUnavailable", message);
}

/** A listing that cannot be complete (Z-6). */
export function incomplete(message: string): OperationError {
  return retryable("ProviderUnavailable", message);
}
