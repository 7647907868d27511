/** A token that the API refuses, such as a revoked one, is renewed once for the call. */
import type { JsonAnswer } from "./json-call.ts";

/** Where tokens come from. */
export interface TokenSource {
  /** Throws OperationError. */
  token(): Promise<string>;
  /** The next one is asked for anew. */
  forget(): void;
}

const STATUS_UNAUTHORIZED = 401;

/** The answer to the last try. Nothing was done by a call that is refused for its token. */
export async function withRenewedToken(
  tokens: TokenSource,
  send: (token: string) => Promise<JsonAnswer>,
): Promise<JsonAnswer> {
  const first = await send(await tokens.token());
  if (first.status !== STATUS_UNAUTHORIZED) return first;
  tokens.forget();
  const second = await send(await tokens.token());
  if (second.status === STATUS_UNAUTHORIZED) tokens.forget();
  return second;
}
