/** How requests that fail are answered: the Status of their error. */
import type { HttpResponse } from "@zonekeeper/base/ports/http";
import { ApiError } from "../errors/api-error.ts";
import { isObject } from "../json/json.ts";
import { jsonResponse } from "./body.ts";

/** The Status as a response; with Retry-After where the error has a time. */
export function refusal(error: ApiError): HttpResponse {
  const seconds = isObject(error.details) ? error.details["retryAfterSeconds"] : undefined;
  const headers: Record<string, string> =
    typeof seconds === "number" ? { "retry-after": String(seconds) } : {};
  return jsonResponse(error.code, error.toStatus(), { headers });
}

/** 401. Says nothing about what was wrong with the credentials. */
export function unauthorized(): ApiError {
  return new ApiError({ code: 401, reason: "Unauthorized", message: "Unauthorized" });
}

/** 500. The cause goes to the log only: it may name files or values. */
export function internalError(): ApiError {
  return new ApiError({
    code: 500,
    reason: "InternalError",
    message: "Internal error occurred: see the log of the control plane",
  });
}
