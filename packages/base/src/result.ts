/** Either a value or the reason why there is none. For parsing at the edges; never thrown. */

/** A parse or look-up that may fail with an explanation for people. */
export type Result<T, E = string> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

/** A success. */
export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** A failure; `error` says what was wrong and what would be right. */
export function fail<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}

/** `convert` of a success; a failure as it is. */
export function mapOk<T, U>(result: Result<T>, convert: (value: T) => U): Result<U> {
  return result.ok ? ok(convert(result.value)) : result;
}
