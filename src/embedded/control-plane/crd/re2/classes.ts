/** Classes of characters of RE2: Perl (`\d`), POSIX (`[[:alpha:]]`) and Unicode (`\pL`). Perl and POSIX are ASCII only. */
import { type CodePointTest, isWordCharacter, RegexSyntaxError } from "./syntax.ts";

/** A test for the code points from `low` to `high`. */
export function range(low: number, high: number): CodePointTest {
  return (codePoint) => codePoint >= low && codePoint <= high;
}

/** Any of the tests. */
export function anyOf(tests: readonly CodePointTest[]): CodePointTest {
  return (codePoint) => tests.some((test) => test(codePoint));
}

/** The opposite. */
export function not(test: CodePointTest): CodePointTest {
  return (codePoint) => !test(codePoint);
}

/** The same for both cases of a letter. */
export function ignoringCase(test: CodePointTest): CodePointTest {
  return (codePoint) => {
    if (test(codePoint)) return true;
    const text = String.fromCodePoint(codePoint);
    const others = [text.toLowerCase(), text.toUpperCase()];
    return others.some((other) => [...other].length === 1 && test(other.codePointAt(0) ?? 0));
  };
}

const among = (characters: string): CodePointTest => {
  const points = new Set([...characters].map((each) => each.codePointAt(0)));
  return (codePoint) => points.has(codePoint);
};
const digit = range(0x30, 0x39);
const upper = range(0x41, 0x5a);
const lower = range(0x61, 0x7a);
const space = among("\t\n\f\r ");

/** `\d`, `\s`, `\w` and their opposites; undefined = no Perl class. */
export const PERL_CLASSES: ReadonlyMap<string, CodePointTest> = new Map([
  ["d", digit],
  ["D", not(digit)],
  ["s", space],
  ["S", not(space)],
  ["w", isWordCharacter],
  ["W", not(isWordCharacter)],
]);

/** By name, without the brackets. */
export const POSIX_CLASSES: ReadonlyMap<string, CodePointTest> = new Map([
  ["alnum", anyOf([digit, upper, lower])],
  ["alpha", anyOf([upper, lower])],
  ["ascii", range(0, 0x7f)],
  ["blank", among("\t ")],
  ["cntrl", anyOf([range(0, 0x1f), range(0x7f, 0x7f)])],
  ["digit", digit],
  ["graph", range(0x21, 0x7e)],
  ["lower", lower],
  ["print", range(0x20, 0x7e)],
  ["punct", anyOf([range(0x21, 0x2f), range(0x3a, 0x40), range(0x5b, 0x60), range(0x7b, 0x7e)])],
  ["space", among("\t\n\v\f\r ")],
  ["upper", upper],
  ["word", isWordCharacter],
  ["xdigit", anyOf([digit, range(0x41, 0x46), range(0x61, 0x66)])],
]);

/** A general category (`L`, `Lu`) or script (`Greek`). Throws RegexSyntaxError for others. */
export function unicodeClass(name: string, where: string): CodePointTest {
  const known = [`\\p{General_Category=${name}}`, `\\p{Script=${name}}`]
    .map(compiled)
    .find((each) => each !== null);
  if (known === undefined || !/^[A-Za-z_]+$/.test(name))
    throw new RegexSyntaxError("invalid character class range", where);
  return (codePoint) => known.test(String.fromCodePoint(codePoint));
}

/** Null = ECMAScript does not know the property. */
function compiled(source: string): RegExp | null {
  try {
    return new RegExp(`^${source}$`, "u");
  } catch {
    return null;
  }
}
