/**
 * HTTP to the APIs of vendors, through the proxy that the environment asks for. Clusters have
 * clients of their own, for a kubeconfig may name a proxy.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { HttpClient, HttpTarget } from "@zonekeeper/base/ports/http";
import { environmentProxy } from "./environment-proxy.ts";
import { RealHttpClient } from "./real-http-client.ts";

/** A client, whose requests are rejected where the environment names a proxy that is none. */
export function openHttp(
  target: HttpTarget,
  environment: Readonly<Record<string, string | undefined>>,
): HttpClient {
  try {
    const proxyUrl = environmentProxy(target.origin, environment);
    return new RealHttpClient({ ...target, ...(proxyUrl === null ? {} : { proxyUrl }) });
  } catch (error) {
    return unreachable(messageOf(error));
  }
}

function unreachable(message: string): HttpClient {
  const failure = {
    code: "ProviderUnavailable",
    message,
    retry: "backoff",
    nothingSent: true,
  } as const;
  return { request: () => Promise.reject(new OperationError(failure)), close: () => undefined };
}
