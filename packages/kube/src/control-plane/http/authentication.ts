/**
 * Who makes a request, by its bearer token, and what is answered without one. Tokens are compared
 * in constant time and never logged.
 */
import type { HttpHeaders, HttpResponse } from "@zonekeeper/base/ports/http";
import { jsonResponse, textResponse } from "./body.ts";

/** A token and the name of who holds it. */
export interface NamedToken {
  /** User name, e.g. `admin` or `zonekeeper`. */
  readonly name: string;
  /** The secret; at least 16 characters. */
  readonly token: string;
}

/** The user, or null when the request has no token that is known. */
export function authenticate(headers: HttpHeaders, tokens: readonly NamedToken[]): string | null {
  const match = /^Bearer\s+(\S+)$/i.exec(headers["authorization"] ?? "");
  const given = match?.[1];
  if (given === undefined) return null;
  let user: string | null = null;
  // No early end: the time does not tell which token was nearly right.
  for (const { name, token } of tokens) if (isEqual(given, token)) user = name;
  return user;
}

function isEqual(given: string, token: string): boolean {
  let difference = given.length ^ token.length;
  for (let index = 0; index < token.length; index += 1)
    difference |= token.charCodeAt(index) ^ (given.charCodeAt(index) || 0);
  return difference === 0;
}

/** The Kubernetes version whose API is served, and the server. */
const VERSION = {
  major: "1",
  minor: "32",
  gitVersion: "v1.32.0+zonekeeper",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "",
  compiler: "typescript",
  platform: "embedded",
};

/** The answer, or null when the path needs a token. */
export function openAnswer(segments: readonly string[]): HttpResponse | null {
  const [first, second] = segments;
  if (second !== undefined) return null;
  if (first === "version") return jsonResponse(200, VERSION);
  if (first === "healthz" || first === "livez" || first === "readyz")
    return textResponse(200, "ok");
  return null;
}
