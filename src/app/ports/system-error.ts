/**
 * Errors of the operating system as OperationErrors. The message names the address, never a
 * credential.
 */
import { messageOf, OperationError, retryable } from "@zonekeeper/base/operation-error";
import type { SocketAddress } from "@zonekeeper/base/ports/net";

/** What the program was doing when the system refused. */
export type NetworkStep = "connect" | "listen" | "read" | "write" | "send" | "request";

/** The system's own code (`ECONNREFUSED`), or an empty string. */
export function systemCodeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

/** `127.0.0.1:53`, `[::1]:53`. */
export function addressText(address: SocketAddress): string {
  const host = address.host.includes(":") ? `[${address.host}]` : address.host;
  return `${host}:${address.port}`;
}

/**
 * Codes: `ConnectFailed` (nothing was sent), `ConnectTimeout` (nothing was sent), `AddressInUse`,
 * `ListenFailed`, `ReadTimeout`, `ConnectionLost` (what was sent may have arrived).
 */
export function networkError(
  step: NetworkStep,
  address: SocketAddress | string,
  cause: unknown,
): OperationError {
  const where = typeof address === "string" ? address : addressText(address);
  if (cause instanceof OperationError) return cause;
  const systemCode = systemCodeOf(cause);
  const ofListening = systemCode === "EADDRINUSE" ? "AddressInUse" : "ListenFailed";
  const ofTalking = step === "connect" ? "ConnectFailed" : "ConnectionLost";
  return new OperationError({
    code: step === "listen" ? ofListening : ofTalking,
    message: `${step} ${where}: ${meaningOf(systemCode) ?? messageOf(cause)}`,
    retry: step === "listen" ? "never" : "backoff",
    cause,
  });
}

/** A deadline that passed. `afterMs` is how long was waited. */
export function timeoutError(
  code: "ConnectTimeout" | "ReadTimeout" | "HeadersTimeout",
  address: SocketAddress | string,
  afterMs: number,
): OperationError {
  const where = typeof address === "string" ? address : addressText(address);
  return retryable(
    code,
    `${where}: no ${code === "ConnectTimeout" ? "connection" : "answer"} within ${afterMs} ms`,
  );
}

function meaningOf(systemCode: string): string | null {
  switch (systemCode) {
    case "EADDRINUSE":
      return "the port is in use by another program";
    case "EACCES":
      return "permission denied (ports below 1024 need CAP_NET_BIND_SERVICE)";
    case "EADDRNOTAVAIL":
      return "this machine does not have that address";
    case "ECONNREFUSED":
      return "connection refused (nothing listens there)";
    case "ECONNRESET":
    case "EPIPE":
      return "the connection was reset";
    case "EAI_AGAIN":
      return "the host name cannot be looked up now; check the DNS servers and the network of this machine";
    case "ENOTFOUND":
      return "no such host name";
    default:
      return null;
  }
}
