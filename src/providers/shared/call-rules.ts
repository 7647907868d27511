/**
 * What every call to a vendor's API keeps to: nothing is written in a dry run or a pause
 * (docs/safety.md#no-calls), and who may not learn what answers at an address reads no trouble of
 * the network (Z-29). Nothing here knows an API.
 */
import type { DnsName } from "../../model/dns-name.ts";
import { OperationError } from "../../model/operation-error.ts";
import type { ProviderEnvironment } from "../provider.ts";

/** Asked right before a call that changes the zone with this apex. Throws when it must not be. */
export function refuseWrites(
  { dryRun, writeGate }: Pick<ProviderEnvironment, "dryRun" | "writeGate">,
  zone: DnsName,
): void {
  const blocker = dryRun ? null : (writeGate?.(zone) ?? null);
  if (!dryRun && blocker === null) return;
  throw new OperationError({
    code: dryRun ? "DryRun" : "Paused",
    message: dryRun
      ? "a change was about to be sent in a dry run; nothing was sent"
      : `${blocker}; the change was not sent`,
    retry: "never",
    nothingSent: true,
  });
}

const NETWORK_CODES: ReadonlySet<string> = new Set([
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
  return new OperationError({ code: "ProviderUnavailable", message, retry: "backoff" });
}

/** A call that reads. */
interface ReadCall {
  readonly environment: Pick<ProviderEnvironment, "hidesTroubles" | "log">;
  /** What fails when it fails, for people: `the zone example.org cannot be read`. */
  readonly what: string;
  /** Says what the provider's own errors mean. */
  readonly explain: (error: unknown, what: string) => OperationError;
}

/** The answer of a call that reads; it fails with an error that may be shown. */
export async function explained<T>(
  call: () => Promise<T>,
  { environment, what, explain }: ReadCall,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw explain(shownTrouble(environment, error, what), what);
  }
}

/** A listing that cannot be complete (Z-6). */
export function incomplete(message: string): OperationError {
  return new OperationError({ code: "ProviderUnavailable", message, retry: "backoff" });
}
