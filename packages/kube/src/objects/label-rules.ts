/**
 * Label selectors as text: `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1`. Tokens and grammar are
 * those of apimachinery pkg/labels/selector.go (Lexer, Parser, NewRequirement), so that both refuse
 * the same selectors. Pure.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { isLabelValue, isQualifiedName } from "./name-rules.ts";

/** Decides about the labels of one object. */
export type LabelRule = (labels: Readonly<Record<string, string>>) => boolean;

/** The rules, all of which have to hold; none = everything is selected. */
export function labelRules(text: string): Result<readonly LabelRule[]> {
  try {
    return ok(rulesIn(text));
  } catch (error) {
    if (error instanceof SelectorFault) return fail(error.message);
    throw error;
  }
}

class SelectorFault extends Error {}

function rulesIn(text: string): readonly LabelRule[] {
  const tokens = new Tokens(text);
  const rules: LabelRule[] = [];
  while (tokens.peek() !== END) {
    rules.push(requirement(tokens));
    const next = tokens.take();
    if (next === END) break;
    if (next !== ",") throw unexpected(next, "',' or 'end of string'");
    if (!isName(tokens.peek()) && tokens.peek() !== "!")
      throw unexpected(tokens.peek(), "identifier after ','");
  }
  return rules;
}

/** Stands behind the last token. */
const END = "";
/** The longest that fits counts. */
const SYMBOLS = ["==", "!=", "=", "!", "(", ")", ",", ">", "<"] as const;
const TOKEN = /\s*(==|!=|[=!(),<>]|[^\s=!(),<>]+)/y;

const isName = (token: string): boolean =>
  token !== END && !SYMBOLS.some((symbol) => symbol === token);

/** The words and signs of a selector, in order. */
class Tokens {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    const pattern = new RegExp(TOKEN);
    const tokens: string[] = [];
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text))
      tokens.push(match[1] ?? END);
    this.#tokens = tokens;
  }

  peek(): string {
    return this.#tokens[this.#at] ?? END;
  }

  take(): string {
    const token = this.peek();
    this.#at += 1;
    return token;
  }
}

/** One condition about one key. */
function requirement(tokens: Tokens): LabelRule {
  const isAbsent = tokens.peek() === "!";
  if (isAbsent) tokens.take();
  const key = tokens.take();
  if (!isName(key)) throw unexpected(key, "identifier");
  if (!isQualifiedName(key)) throw unusable(`the key ${JSON.stringify(key)} is no label key`);
  if (isAbsent) return (labels) => !Object.hasOwn(labels, key);
  if (tokens.peek() === END || tokens.peek() === ",") return (labels) => Object.hasOwn(labels, key);
  const operator = tokens.take();
  const values = operator === "in" || operator === "notin" ? listOf(tokens) : [oneOf(tokens)];
  for (const value of values)
    if (!isLabelValue(value)) throw unusable(`${JSON.stringify(value)} is no label value`);
  return ruleOf(operator, key, values);
}

function ruleOf(operator: string, key: string, values: readonly string[]): LabelRule {
  const has: LabelRule = (labels) =>
    Object.hasOwn(labels, key) && values.includes(labels[key] ?? "");
  switch (operator) {
    case "=":
    case "==":
    case "in":
      return has;
    case "!=":
    case "notin":
      return (labels) => !has(labels);
    case ">":
    case "<":
      return comparison(operator, key, values[0] ?? "");
    default:
      throw unexpected(operator, "in, notin, =, ==, !=, gt, lt");
  }
}

/** Whole numbers are compared; an object whose value is none is not selected. */
function comparison(operator: ">" | "<", key: string, value: string): LabelRule {
  const bound = wholeNumber(value);
  if (bound === null) throw unusable("for 'Gt', 'Lt' operators, the value must be an integer");
  return (labels) => {
    const own = Object.hasOwn(labels, key) ? wholeNumber(labels[key] ?? "") : null;
    if (own === null) return false;
    return operator === ">" ? own > bound : own < bound;
  };
}

/** Label values have at most 63 characters, and may be integers of 64 bits. */
function wholeNumber(text: string): bigint | null {
  return /^[-+]?\d+$/.test(text) ? BigInt(text.replace(/^\+/, "")) : null;
}

/** The value behind `=` and its like; nothing is the empty text. */
function oneOf(tokens: Tokens): string {
  if (tokens.peek() === END || tokens.peek() === ",") return "";
  const value = tokens.take();
  if (!isName(value)) throw unexpected(value, "identifier");
  return value;
}

/** `(a,b)`; an empty item counts as the empty text. */
function listOf(tokens: Tokens): readonly string[] {
  const open = tokens.take();
  if (open !== "(") throw unexpected(open, "'('");
  const values: string[] = [];
  for (;;) {
    values.push(isName(tokens.peek()) ? tokens.take() : "");
    const next = tokens.take();
    if (next === ")") return values;
    if (next !== ",") throw unexpected(next, "',' or ')'");
  }
}

function unexpected(found: string, expected: string): Error {
  return unusable(`found '${found}', expected: ${expected}`);
}

const unusable = (why: string): Error => new SelectorFault(`unable to parse requirement: ${why}`);
