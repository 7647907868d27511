/**
 * The text or YAML value of an option as a typed value. Pure; a refusal says what would be right.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { Option, OptionType, OptionValue } from "./option.ts";

/** A value as it came: one text, several (a repeated flag), or what YAML made of a field. */
export type RawValue = string | number | boolean | readonly unknown[];

/** Parses. The error completes the sentence "--name …" and does not repeat a secret. */
export function parseOptionValue(option: Option, raw: RawValue): Result<OptionValue> {
  if (option.type === "list") return parseList(option, raw);
  if (typeof raw === "object") return fail("is given more than once; give it once");
  return PARSERS[option.type](option, String(raw).trim());
}

type Parser = (option: Option, text: string) => Result<OptionValue>;

const PARSERS: Readonly<Record<Exclude<OptionType, "list">, Parser>> = {
  text: /* clause: owner-id-is-not-empty */ (_option, text) =>
    text === "" ? fail("is empty; give a value or leave it out") : ok(text),
  integer: parseInteger,
  port: (option, text) =>
    /^\d{1,5}$/.test(text) && Number(text) <= 65_535
      ? ok(Number(text))
      : fail(`${shown(option, text)} is not a port; give a number from 0 to 65535`),
  duration: parseDuration,
  flag: parseFlag,
  choice: (option, text) =>
    option.choices.includes(text)
      ? ok(text)
      : fail(`${shown(option, text)} is none of ${option.choices.join(", ")}`),
};

function shown(option: Option, text: string): string {
  return option.secret ? "the value" : JSON.stringify(text);
}

/** Items of a list, repeated or with commas. */
export function itemsOf(raw: RawValue): readonly string[] {
  return (typeof raw === "object" ? raw.map(String) : [String(raw)])
    .flatMap((item) => item.split(","))
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function parseList(option: Option, raw: RawValue): Result<OptionValue> {
  const items = itemsOf(raw);
  const strange = items.find((item) => option.choices.length > 0 && !option.choices.includes(item));
  if (strange !== undefined) {
    const { choices, furtherChoices: further } = option;
    const all = [...choices, ...(further === "" ? [] : [further])].join(", ");
    return fail(`${shown(option, strange)} is none of ${all}`);
  }
  return items.length === 0 ? fail("is empty; give a value or leave it out") : ok(items);
}

function parseInteger(option: Option, text: string): Result<OptionValue> {
  if (!/^-?\d{1,15}$/.test(text))
    return fail(
      `${shown(option, text)} is not a whole number${option.unit === "" ? "" : ` of ${option.unit}`}`,
    );
  return bounded(option, Number(text), text);
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A bare 0 is a duration in Go, too. */
function parseDuration(option: Option, text: string): Result<OptionValue> {
  if (!/^(?:0|(?:\d{1,9}(?:ms|s|m|h))+)$/.test(text))
    return fail(`${shown(option, text)} is not a duration; write 300ms, 15s, 2m or 1h`);
  const each = text.matchAll(/(\d+)(ms|s|m|h)/g);
  const ms = [...each].map(([, count, unit]) => Number(count) * (UNIT_MS[unit ?? ""] ?? 1));
  return bounded(
    option,
    ms.reduce((sum, one) => sum + one, 0),
    text,
  );
}

function bounded(option: Option, value: number, text: string): Result<OptionValue> {
  const unit = option.type === "duration" ? "ms" : option.unit;
  if (option.min !== null && value < option.min)
    return fail(`${shown(option, text)} is too small; at least ${option.min} ${unit}`.trimEnd());
  if (option.max !== null && value > option.max)
    return fail(`${shown(option, text)} is too large; at most ${option.max} ${unit}`.trimEnd());
  return ok(value);
}

function parseFlag(option: Option, text: string): Result<OptionValue> {
  if (text === "true" || text === "1") return ok(true);
  if (text === "false" || text === "0") return ok(false);
  return fail(`${shown(option, text)} is neither true nor false`);
}
