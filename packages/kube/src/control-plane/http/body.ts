/**
 * Request bodies ⇄ values, and the responses of the control plane. Limits sizes; knows no kinds.
 */
import type { HttpHeaders, HttpRequest, HttpResponse } from "@zonekeeper/base/ports/http";
import { type Document, Lexer, parseDocument, type ScalarTag, type Tags } from "yaml";
import { keyFaults, nestsTooDeep } from "../../yaml/yaml-file.ts";
import { ApiError, badRequest, unsupportedMediaType } from "../errors/api-error.ts";
import { DEPTH_MAX, hasEndlessNumber, isDeeperThan, type JsonObject } from "../json/json.ts";
import { decodeProtobuf, PROTOBUF_TYPE } from "../protobuf/protobuf-body.ts";

/** Bytes of a request body. */
export const BODY_BYTES_MAX = 3 * 1024 * 1024;
const ENCODER = new TextEncoder();

/** The media type without parameters, lower case; empty when there is none. */
export function mediaType(headers: HttpHeaders): string {
  return (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/**
 * The body as a value; undefined when there is none. A body without type is JSON, as kubectl 1.20
 * sends it.
 */
export function bodyOf(request: HttpRequest): unknown {
  if (request.body === null || request.body.length === 0) return undefined;
  if (request.body.length > BODY_BYTES_MAX) throw tooLarge();
  const type = mediaType(request.headers);
  if (type === PROTOBUF_TYPE) return bounded(decodeProtobuf(request.body));
  const isText = type === "" || type.includes("json") || type.includes("yaml");
  // A patch is no object.
  if (!isText || (request.method !== "PATCH" && /patch\+(?:json|yaml)$/.test(type)))
    throw unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, ${PROTOBUF_TYPE}`,
    );
  return bounded(parsedText(request.body, type.includes("yaml")));
}

/** What a body over the limit is refused with. */
export const tooLarge = (): ApiError =>
  new ApiError("RequestEntityTooLarge", `Request entity too large: limit is ${BODY_BYTES_MAX}`);

/** Walks over values recurse: what is deeper could end them instead of being answered. */
function bounded(value: unknown): unknown {
  if (isDeeperThan(value, DEPTH_MAX))
    throw badRequest(`the body of the request nests more than ${DEPTH_MAX} levels deep`);
  if (hasEndlessNumber(value))
    throw badRequest("the body of the request holds a number that is too large to be kept");
  return value;
}

function parsedText(bytes: Uint8Array, isYaml: boolean): unknown {
  try {
    // Throws for what is no UTF-8.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const value: unknown = isYaml ? parseYamlBody(text) : JSON.parse(text);
    return value;
  } catch {
    throw badRequest(`the body of the request is not valid ${isYaml ? "YAML" : "JSON"}`);
  }
}

/** Headers of every answer. */
const NO_CACHE = "no-cache, private";

/** Optional properties of an answer. */
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
  const warnings = (options.warnings ?? []).map(warningText);
  return bytesResponse(status, bytes, {
    "content-type": options.contentType ?? "application/json",
    ...(warnings.length > 0 ? { warning: warnings.join(", ") } : {}),
    ...options.headers,
  });
}

/** Characters of one warning; a field name may be as long as a body. */
const WARNING_MAX = 256;

/** RFC 9111 §5.5 as Kubernetes sends it: UTF-8 bytes, which a header carries as Latin-1. */
function warningText(text: string): string {
  const quoted = JSON.stringify(text.slice(0, WARNING_MAX)).replaceAll("\u007f", "");
  return `299 - ${String.fromCharCode(...ENCODER.encode(quoted))}`;
}

/** The answer with one more warning, before its others. */
export function withWarning(response: HttpResponse, text: string): HttpResponse {
  const own = warningText(text);
  const others = response.headers["warning"];
  const warning = others === undefined ? own : `${own}, ${others}`;
  return { ...response, headers: { ...response.headers, warning } };
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
    body: (async function* () {
      yield bytes;
    })(),
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

/** The Status as a response; with Retry-After where the error has a time. */
export function refusal(error: ApiError): HttpResponse {
  const seconds = error.details["retryAfterSeconds"];
  const headers: HttpHeaders =
    typeof seconds === "number" ? { "retry-after": String(seconds) } : {};
  return jsonResponse(error.code, error.toStatus(), { headers });
}

// YAML request bodies, read as Kubernetes reads them: `yes` and `on` are booleans, `0644` is octal,
// the last of two equal keys counts. sigs.k8s.io/yaml
// goyaml.v2/resolve.go.

/** Aliases that may be resolved; more is an attack. */
const ALIASES_MAX = 100;

const BOOLEAN = "tag:yaml.org,2002:bool";
const boolean = (test: RegExp, value: boolean): ScalarTag => ({
  tag: BOOLEAN,
  default: true,
  test,
  resolve: () => value,
});
const octal: ScalarTag = {
  tag: "tag:yaml.org,2002:int",
  default: true,
  test: /^[-+]?0[0-7]+$/,
  resolve: (text) => Number.parseInt(text, 8),
};
const OWN_TAGS: Tags = [
  octal,
  boolean(/^(?:y|Y|yes|Yes|YES|on|On|ON)$/, true),
  boolean(/^(?:n|N|no|No|NO|off|Off|OFF)$/, false),
];

/** The value. Throws for what is no YAML. */
function parseYamlBody(text: string): unknown {
  if (nestsTooDeep(new Lexer().lex(text))) throw new Error("the text nests too deep");
  const document = documentOf(text);
  const [error] = document.errors;
  if (error !== undefined) throw error;
  // sigs.k8s.io/yaml yaml.go convertToJSONableObject refuses them too.
  if (keyFaults(document.contents).complex.length > 0)
    throw new Error("a key of a map is no plain value");
  const value: unknown = document.toJS({ maxAliasCount: ALIASES_MAX });
  return value;
}

function documentOf(text: string): Document.Parsed {
  return parseDocument(text, {
    uniqueKeys: false,
    // Nobody reads them, and thousands of them take seconds.
    prettyErrors: false,
    // Warnings would go to the terminal with lines of the body, which may be those of a Secret.
    logLevel: "error",
    merge: true,
    customTags: (tags) => [...OWN_TAGS, ...tags],
  });
}
