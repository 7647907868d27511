/** A token that the API refuses, such as a revoked one, is renewed once for the call. */
import type { JsonAnswer } from "./json-call.ts";

/** Where tokens come from. */
export interface TokenSource<P = string> {
  /** Throws OperationError; nothing that writes was sent then. */
  token(): Promise<P>;
  /** The API took this one for a wrong one: the next one is asked for anew. */
  forget(token: P): void;
}

const STATUS_UNAUTHORIZED = 401;

/** The answer to the last try. Nothing was done by a call that is refused for its token. */
export async function withRenewedToken<P>(
  tokens: TokenSource<P>,
  send: (token: P) => Promise<JsonAnswer>,
  isRefused = ({ status }: JsonAnswer): boolean => status === STATUS_UNAUTHORIZED,
): Promise<JsonAnswer> {
  const token = await tokens.token();
  const first = await send(token);
  if (!isRefused(first)) return first;
  tokens.forget(token);
  const renewed = await tokens.token();
  const second = await send(renewed);
  if (isRefused(second)) tokens.forget(renewed);
  return second;
}

/** One token at a time for all calls, which is asked for when the first of them needs it. */
export class KeptToken<P> implements TokenSource<P> {
  readonly #ask: () => Promise<P>;
  #asked: Promise<P> | null = null;
  #last: P | null = null;

  constructor(ask: () => Promise<P>) {
    this.#ask = ask;
  }

  async token(): Promise<P> {
    const asked = this.#asked ?? this.#ask();
    this.#asked = asked;
    try {
      this.#last = await asked;
      return this.#last;
    } catch (error) {
      if (this.#asked === asked) this.#asked = null;
      throw error;
    }
  }

  /** Nothing where another one was asked for since. */
  forget(token: P): void {
    if (this.#last !== token) return;
    this.#asked = null;
    this.#last = null;
  }
}
