/** Request bodies ⇄ values, and the responses of the control plane. Limits sizes; knows no kinds. */
import { parse as parseYaml } from "yaml";
import type { HttpHeaders, HttpRequest, HttpResponse } from "../../ports/http.ts";
import { ApiError, badRequest, unsupportedMediaType } from "./api-error.ts";
import { isDeeperThan, type JsonObject } from "./json.ts";
import { decodeProtobuf, PROTOBUF_TYPE } from "./protobuf-body.ts";

/** Bytes of a request body. */
export const BODY_BYTES_MAX = 3 * 1024 * 1024;
/** Objects and lists in one another, in bodies and in what patches make of them. */
export const DEPTH_MAX = 300;
/** Warnings would go to the terminal with lines of the body, which may be those of a Secret. */
const YAML_OPTIONS = { maxAliasCount: 100, logLevel: "error" } as const;
const ENCODER = new TextEncoder();

/** The media type without parameters, lower case; empty when there is none. */
export function mediaType(headers: HttpHeaders): string {
  return (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** The body as a value; undefined when there is none. A body without type is JSON, as kubectl 1.20 sends it. */
export function bodyOf(request: HttpRequest): unknown {
  if (request.body === null || request.body.length === 0) return undefined;
  if (request.body.length > BODY_BYTES_MAX)
    throw new ApiError({
      code: 413,
      reason: "RequestEntityTooLarge",
      message: `limit is ${BODY_BYTES_MAX}`,
    });
  const type = mediaType(request.headers);
  if (type === PROTOBUF_TYPE) return decodeProtobuf(request.body);
  if (type !== "" && !type.includes("json") && !type.includes("yaml"))
    throw unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, ${PROTOBUF_TYPE}`,
    );
  return textBody(request.body, type.includes("yaml"));
}

/** Walks over values recurse: what is deeper could end them instead of being answered. */
function textBody(bytes: Uint8Array, isYaml: boolean): unknown {
  const value = parsedText(bytes, isYaml);
  if (isDeeperThan(value, DEPTH_MAX))
    throw badRequest(`the body of the request nests more than ${DEPTH_MAX} levels deep`);
  return value;
}

function parsedText(bytes: Uint8Array, isYaml: boolean): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const value: unknown = isYaml ? parseYaml(text, YAML_OPTIONS) : JSON.parse(text);
    return value;
  } catch {
    throw badRequest(`the body of the request is not valid ${isYaml ? "YAML" : "JSON"}`);
  }
}

/** Headers of every answer. */
const NO_CACHE = "no-cache, private";

/** What an answer carries besides status and value. */
export interface JsonOptions {
  readonly contentType?: string;
  readonly warnings?: readonly string[];
  readonly headers?: HttpHeaders;
}

/** An answer with one JSON value. */
export function jsonResponse(
  status: number,
  value: JsonObject,
  options: JsonOptions = {},
): HttpResponse {
  const bytes = ENCODER.encode(JSON.stringify(value));
  const warnings = (options.warnings ?? []).map((text) => `299 - ${JSON.stringify(text)}`);
  return bytesResponse(status, bytes, {
    "content-type": options.contentType ?? "application/json",
    ...(warnings.length > 0 ? { warning: warnings.join(", ") } : {}),
    ...options.headers,
  });
}

/** An answer with plain text. */
export function textResponse(status: number, text: string): HttpResponse {
  return bytesResponse(status, ENCODER.encode(text), {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
  });
}

/** An answer with bytes. */
export function bytesResponse(
  status: number,
  bytes: Uint8Array,
  headers: HttpHeaders,
): HttpResponse {
  return {
    status,
    headers: { "cache-control": NO_CACHE, "content-length": String(bytes.length), ...headers },
    body: once(bytes),
  };
}

/** An answer that goes on. */
export function streamResponse(body: AsyncIterable<Uint8Array>): HttpResponse {
  return {
    status: 200,
    headers: { "cache-control": NO_CACHE, "content-type": "application/json" },
    body,
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
