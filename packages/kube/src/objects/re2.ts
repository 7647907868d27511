/**
 * Regular expressions as Kubernetes means them by `pattern` and by CEL's `matches`: RE2
 * (github.com/google/re2 wiki, "Syntax"), by re2js. Time is the product of both lengths at most, so
 * that a pattern of a user cannot hang the server.
 */
import { RE2JS } from "re2js";

/**
 * Characters of a text times instructions of an expression that one match may cost: some tenths of
 * a second.
 */
const STEPS_MAX = 20_000_000;

/** An expression that can be matched. */
export class Re2 {
  readonly #expression: RE2JS;

  /**
   * Throws an Error in Go's words for what RE2 does not know, and for an expression that is too
   * large.
   */
  constructor(expression: string) {
    this.#expression = RE2JS.compile(expression);
  }

  /**
   * True when the expression matches somewhere in the text; null = the text is too long to find
   * out.
   */
  test(text: string): boolean | null {
    if (text.length * this.#expression.programSize() > STEPS_MAX) return null;
    return this.#expression.matcher(text).find();
  }
}
