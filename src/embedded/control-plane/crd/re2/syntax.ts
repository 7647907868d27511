/**
 * The syntax tree of RE2 regular expressions (github.com/google/re2 wiki, "Syntax"), which Kubernetes means by `pattern` and by
 * CEL's `matches`. Captures are not kept: only whether a text matches is asked.
 */

/** Decides about one code point. */
export type CodePointTest = (codePoint: number) => boolean;

/** What holds between two code points. */
export type Assertion =
  | "text-start"
  | "text-end"
  | "line-start"
  | "line-end"
  | "word-boundary"
  | "no-word-boundary";

/** One node. */
export type Node =
  | { readonly kind: "character"; readonly test: CodePointTest }
  | { readonly kind: "assertion"; readonly assertion: Assertion }
  | { readonly kind: "sequence"; readonly items: readonly Node[] }
  | { readonly kind: "choice"; readonly items: readonly Node[] }
  /** `max` null = any number. */
  | {
      readonly kind: "repeat";
      readonly item: Node;
      readonly min: number;
      readonly max: number | null;
    };

/** An expression that is none, worded as Go's `regexp/syntax` does. */
export class RegexSyntaxError extends Error {
  override readonly name = "RegexSyntaxError";

  constructor(what: string, where: string) {
    super(`error parsing regexp: ${what}: \`${where}\``);
  }
}

/** ASCII letters, digits and the underscore, as `\w` and `\b` mean them. */
export function isWordCharacter(codePoint: number): boolean {
  return (
    (codePoint >= 0x30 && codePoint <= 0x39) ||
    (codePoint >= 0x41 && codePoint <= 0x5a) ||
    codePoint === 0x5f ||
    (codePoint >= 0x61 && codePoint <= 0x7a)
  );
}
