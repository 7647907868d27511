/** What follows a backslash in an RE2 expression, outside and inside of classes. */
import { not, PERL_CLASSES, unicodeClass } from "./classes.ts";
import type { Cursor } from "./cursor.ts";
import { type CodePointTest, RegexSyntaxError } from "./syntax.ts";

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["f", 12],
  ["t", 9],
  ["n", 10],
  ["r", 13],
  ["v", 11],
]);
const CODE_POINT_MAX = 0x10ffff;

/** The class after a backslash, or null when none follows; the cursor stands behind the backslash. */
export function takeClass(cursor: Cursor): CodePointTest | null {
  const perl = PERL_CLASSES.get(cursor.next);
  if (perl !== undefined) {
    cursor.take();
    return perl;
  }
  const start = cursor.position;
  const letter = cursor.next;
  if (letter !== "p" && letter !== "P") return null;
  cursor.take();
  const isBraced = cursor.takeIf("{");
  const name = isBraced ? cursor.takeWhile(/[^}]/) : cursor.take();
  if (isBraced && !cursor.takeIf("}"))
    throw new RegexSyntaxError("invalid character class range", `\\${cursor.since(start)}`);
  const isCaret = name.startsWith("^");
  const test = unicodeClass(isCaret ? name.slice(1) : name, `\\${cursor.since(start)}`);
  return (letter === "P") === isCaret ? test : not(test);
}

/** The code point after a backslash; the cursor stands behind the backslash. */
export function takeEscaped(cursor: Cursor): number {
  const start = cursor.position;
  const character = cursor.take();
  if (character === "") throw new RegexSyntaxError("trailing backslash at end of expression", "");
  const control = CONTROLS.get(character);
  if (control !== undefined) return control;
  if (character === "x") return takeHexadecimal(cursor, start);
  if (/[0-7]/.test(character)) return takeOctal(cursor, character);
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x80 && !/[A-Za-z0-9]/.test(character)) return codePoint;
  throw badEscape(cursor, start);
}

function takeHexadecimal(cursor: Cursor, start: number): number {
  const isBraced = cursor.takeIf("{");
  const digits = isBraced ? cursor.takeWhile(/[0-9A-Fa-f]/) : cursor.take() + cursor.take();
  const isRight = /^[0-9A-Fa-f]+$/.test(digits) && (!isBraced || cursor.takeIf("}"));
  const value = Number.parseInt(digits, 16);
  if (!isRight || value > CODE_POINT_MAX) throw badEscape(cursor, start);
  return value;
}

/** A single digit but zero would be a reference to a group, which RE2 does not have. */
function takeOctal(cursor: Cursor, first: string): number {
  const start = cursor.position - 1;
  let digits = first;
  while (digits.length < 3 && /[0-7]/.test(cursor.next)) digits += cursor.take();
  if (first !== "0" && digits.length === 1) throw badEscape(cursor, start);
  return Number.parseInt(digits, 8);
}

function badEscape(cursor: Cursor, start: number): RegexSyntaxError {
  return new RegexSyntaxError("invalid escape sequence", `\\${cursor.since(start)}`);
}
