/** Bearer tokens: who makes a request. Tokens are compared in constant time and never logged. */
import type { HttpHeaders } from "@zonekeeper/base/ports/http";

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
