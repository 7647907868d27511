/**
 * Texts in CEL: the functions of Kubernetes and of cel-go's `ext.Strings` that the library does not
 * have, and matching by RE2, which the library would do by ECMAScript (k8s.io/apiserver
 * pkg/cel/library/regex.go).
 */

import type { Environment } from "@marcbachmann/cel-js";
import { hexText } from "@zonekeeper/base/byte-text";
import { Re2 } from "../../../../objects/re2.ts";
import { registerAll } from "./register.ts";

/**
 * Name that calls of `matches` are given before they are compiled: the library does not release
 * its own.
 */
export const RE2_MATCHES = "matchesRe2";

/** Adds the functions. */
export function registerTexts(environment: Environment): void {
  registerAll(environment, {
    [`string.${RE2_MATCHES}(string): bool`]: matches,
    "matches(string, string): bool": matches,
    "string.charAt(int): string": charAt,
    "string.replace(string, string): string": (text: string, from: string, to: string) =>
      text.replaceAll(from, () => to),
    "string.replace(string, string, int): string": replaceSome,
    "string.reverse(): string": (text: string) => Array.from(text).reverse().join(""),
    "string.format(list): string": format,
  });
}

function matches(text: string, pattern: string): boolean {
  const found = new Re2(pattern).test(text);
  if (found === null) throw new Error("the text is too long for the pattern");
  return found;
}

function charAt(text: string, index: bigint): string {
  const points = Array.from(text);
  if (index < 0n || index > points.length) throw new Error(`index out of range: ${index}`);
  return points[Number(index)] ?? "";
}

function replaceSome(text: string, from: string, ...rest: readonly unknown[]): string {
  const [to, count] = rest;
  const pieces = text.split(from);
  const limit = typeof count === "bigint" && count >= 0n ? Number(count) : pieces.length;
  return pieces.reduce((all, part, index) => `${all}${index <= limit ? String(to) : from}${part}`);
}

/** `%s`, `%d`, `%f`, `%x`, `%%` and the like (cel-go `ext.Strings`, format). */
function format(text: string, values: readonly unknown[]): string {
  let next = 0;
  return text.replaceAll(
    /%(?:%|(\.\d+)?([a-zA-Z]))/g,
    (clause, precision: unknown, verb: unknown) => {
      if (clause === "%%") return "%";
      if (next >= values.length) throw new Error(`index ${next} out of range`);
      const value = values[next];
      next += 1;
      return formatted(String(verb), value, typeof precision === "string" ? precision : "");
    },
  );
}

/** How each verb shows a value; `digits` stand behind the point. */
const VERBS: ReadonlyMap<string, (value: unknown, digits: number) => string> = new Map([
  ["s", (value: unknown) => shown(value)],
  ["d", (value: unknown) => wholeNumber(value, 10)],
  ["b", (value: unknown) => wholeNumber(value, 2)],
  ["o", (value: unknown) => wholeNumber(value, 8)],
  ["f", (value: unknown, digits: number) => Number(value).toFixed(digits)],
  ["e", (value: unknown, digits: number) => Number(value).toExponential(digits)],
  ["x", (value: unknown) => hexadecimal(value)],
  ["X", (value: unknown) => hexadecimal(value).toUpperCase()],
]);
/** Digits behind the point where nothing else is said, and at most. */
const DIGITS_DEFAULT = 6;
const DIGITS_MAX = 100;

function formatted(verb: string, value: unknown, precision: string): string {
  const show = VERBS.get(verb);
  if (show === undefined) throw new Error(`unrecognized formatting clause "${verb}"`);
  const digits = precision === "" ? DIGITS_DEFAULT : Number(precision.slice(1));
  return show(value, Math.min(digits, DIGITS_MAX));
}

const wholeNumber = (value: unknown, base: number): string =>
  typeof value === "bigint" ? value.toString(base) : shown(value);

function hexadecimal(value: unknown): string {
  if (typeof value !== "string") return wholeNumber(value, 16);
  return hexText(new TextEncoder().encode(value));
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
  if (value instanceof Map)
    return `{${[...value].map(([key, each]) => `${shown(key)}: ${shown(each)}`).join(", ")}}`;
  return String(value);
}
