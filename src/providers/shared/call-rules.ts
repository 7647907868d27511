/**
 * What every call to a vendor's API keeps to: who may not learn what answers at an address reads no
 * trouble of the network (Z-29). Nothing here knows an API.
 */
import { OperationError, retryable } from "@zonekeeper/base/operation-error";
import type { ProviderEnvironment } from "../provider.ts";

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

/** Each item as it was read. One that cannot be read is no free name: the listing is incomplete. */
export function allOf<T>(
  items: readonly unknown[],
  read: (item: unknown) => T | null,
  what: string,
): readonly T[] {
  return items.map((item) => {
    const found = read(item);
    if (found !== null) return found;
    throw incomplete(`${what} cannot be read: a record of the answer lacks its id, name or type`);
  });
}

/** A listing that cannot be complete (Z-6). */
export function incomplete(message: string): OperationError {
  return retryable("ProviderUnavailable", message);
}
