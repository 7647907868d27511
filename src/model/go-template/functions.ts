/**
 * Functions of templates: those of Go's `text/template` that need no HTML, and those of
 * external-dns (`source/template/functions.go` @v0.22). Total: each one answers, or throws
 * TemplateTrouble. Pure.
 */
import { jsonIn } from "@zonekeeper/base/json-text";
import { ipv4Bytes, ipv6Bytes } from "@zonekeeper/dns/rdata/addresses";
import {
  anything,
  isTrue,
  keyIn,
  nameOf,
  TemplateTrouble,
  textOfValue,
  type Value,
} from "./values.ts";

/** What a function knows besides its arguments. */
export interface CallContext {
  /** Name of the source that asks. */
  readonly source: string;
}

/** Gets all its arguments, the value of the command before it last. */
export type TemplateFunction = (args: readonly Value[], context: CallContext) => Value;

/** Characters of a text, also of all that is printed. */
export const TEXT_MAX = 65_536;

/** `and` and `or` look at no argument behind the one that decides: evaluate.ts has them. */
export const FUNCTIONS: ReadonlyMap<string, TemplateFunction> = new Map<string, TemplateFunction>([
  ["and", (args) => args.find((one) => !isTrue(one)) ?? last(args)],
  ["or", (args) => args.find(isTrue) ?? last(args)],
  ["not", (args) => !isTrue(one(args, "not"))],
  ["len", (args) => lengthOf(one(args, "len"))],
  ["index", indexOf],
  ["slice", sliceOf],
  ["print", (args) => bounded(args.map((value) => textOfValue(value)).join(""))],
  ["println", (args) => bounded(`${args.map((value) => textOfValue(value)).join(" ")}\n`)],
  ["printf", printf],
  ["eq", equals],
  ["ne", (args) => !isEqual(...two(args, "ne"))],
  ["lt", (args) => order(args, "lt") < 0],
  ["le", (args) => order(args, "le") <= 0],
  ["gt", (args) => order(args, "gt") > 0],
  ["ge", (args) => order(args, "ge") >= 0],
  ...texts("contains", 2, ([text = "", part = ""]) => text.includes(part)),
  ...texts("trimPrefix", 2, ([text = "", prefix = ""]) =>
    text.startsWith(prefix) ? text.slice(prefix.length) : text,
  ),
  ...texts("trimSuffix", 2, ([text = "", suffix = ""]) =>
    suffix !== "" && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text,
  ),
  ...texts("trim", 1, ([text = ""]) => text.trim()),
  ...texts("toLower", 1, ([text = ""]) => text.toLowerCase()),
  ...texts("replace", 3, ([from = "", to = "", text = ""]) => replaced(text, from, to)),
  ...texts("isIPv4", 1, ([text = ""]) => ipv4Bytes(text) !== null),
  ...texts("isIPv6", 1, ([text = ""]) => ipv6Bytes(text) !== null),
  ...texts("isSource", 1, ([name = ""], { source }) => name.toLowerCase() === source),
  ...texts("fromJson", 1, ([text = ""]) => anything(jsonIn(text) ?? null)),
  ["hasKey", hasKey],
]);

function texts(
  name: string,
  count: number,
  answer: (texts: readonly string[], context: CallContext) => Value,
): readonly (readonly [string, TemplateFunction])[] {
  const call: TemplateFunction = (args, context) => {
    if (args.length !== count)
      throw new TemplateTrouble(`${name} takes ${count} texts, and gets ${args.length}`);
    return answer(
      args.map((value) => textArgument(value, name)),
      context,
    );
  };
  return [[name, call]];
}

function textArgument(value: Value, name: string): string {
  if (typeof value === "string") return value;
  throw new TemplateTrouble(`${name} takes texts, and gets a ${nameOf(value)}`);
}

function one(args: readonly Value[], name: string): Value {
  const [value] = args;
  if (value === undefined || args.length > 1)
    throw new TemplateTrouble(`${name} takes one value, and gets ${args.length}`);
  return value;
}

function two(args: readonly Value[], name: string): readonly [Value, Value] {
  const [a, b] = args;
  if (a === undefined || b === undefined || args.length > 2)
    throw new TemplateTrouble(`${name} takes two values, and gets ${args.length}`);
  return [a, b];
}

function last(args: readonly Value[]): Value {
  const value = args.at(-1);
  if (value === undefined) throw new TemplateTrouble("and, or take at least one value");
  return value;
}

/** A text of a permitted length. */
export function bounded(text: string): string {
  if (text.length > TEXT_MAX)
    throw new TemplateTrouble(`it makes more than ${TEXT_MAX} characters`);
  return text;
}

function replaced(text: string, from: string, to: string): string {
  const pieces = text.split(from);
  const length = text.length + (pieces.length + 1) * to.length;
  if (length > 2 * TEXT_MAX) throw new TemplateTrouble("replace makes too long a text");
  // Go replaces the empty text around each character, too.
  return bounded(
    from === "" ? `${to}${[...text].map((one) => `${one}${to}`).join("")}` : pieces.join(to),
  );
}

function hasKey(args: readonly Value[]): Value {
  const [map, key] = two(args, "hasKey");
  const entries = mapIn(map)?.entries;
  if (entries === undefined)
    throw new TemplateTrouble(`hasKey takes a map, and gets a ${nameOf(map)}`);
  return Object.hasOwn(entries, textArgument(key, "hasKey"));
}

function mapIn(value: Value) {
  const isMap = typeof value === "object" && value !== null && "shape" in value;
  return isMap && value.shape === "map" ? value : null;
}

function listIn(value: Value): readonly Value[] | null {
  return typeof value === "object" && value !== null && !("shape" in value) ? value : null;
}

function lengthOf(value: Value): number {
  if (typeof value === "string") return new TextEncoder().encode(value).length;
  const length =
    listIn(value)?.length ?? (mapIn(value) && Object.keys(mapIn(value)?.entries ?? {}).length);
  if (length === null) throw new TemplateTrouble(`len of a ${nameOf(value)}`);
  return length;
}

function indexOf(args: readonly Value[]): Value {
  const [start, ...keys] = args;
  if (start === undefined) throw new TemplateTrouble("index takes a list or a map");
  return keys.reduce((value: Value, key): Value => {
    const map = mapIn(value);
    if (map !== null) return keyIn(map, textArgument(key, "index of a map"), "index");
    const list = listIn(value);
    if (list === null) throw new TemplateTrouble(`index of a ${nameOf(value)}`);
    const found = typeof key === "number" ? list[key] : undefined;
    if (found === undefined)
      throw new TemplateTrouble(
        `there is no element ${textOfValue(key)}; the list has ${list.length}`,
      );
    return found;
  }, start);
}

function sliceOf(args: readonly Value[]): Value {
  const [value, from = 0, to] = args;
  const list = typeof value === "string" ? value : listIn(value ?? null);
  const end = to ?? list?.length;
  const isRange =
    list !== null &&
    args.length <= 3 &&
    typeof from === "number" &&
    typeof end === "number" &&
    from >= 0 &&
    from <= end &&
    end <= list.length;
  if (!isRange) throw new TemplateTrouble("slice takes a text or a list, and places in it");
  return list.slice(from, end);
}

/** Of any of the others. */
function equals(args: readonly Value[]): Value {
  const [first, ...others] = args;
  if (first === undefined || others.length === 0)
    throw new TemplateTrouble("eq takes at least two values");
  return others.some((other) => isEqual(first, other));
}

function isEqual(a: Value, b: Value): boolean {
  if (a === null || b === null) return a === b;
  if (typeof a === "object" || typeof a !== typeof b)
    throw new TemplateTrouble(`a ${nameOf(a)} and a ${nameOf(b)} cannot be compared`);
  return a === b;
}

function order(args: readonly Value[], name: string): number {
  const [a, b] = two(args, name);
  const isOrdered =
    (typeof a === "string" && typeof b === "string") ||
    (typeof a === "number" && typeof b === "number");
  if (!isOrdered) throw new TemplateTrouble(`${name} of a ${nameOf(a)} and a ${nameOf(b)}`);
  return a < b ? -1 : Number(a > b);
}

/** Widths of what printf pads. */
const WIDTH_MAX = 255;

function printf(args: readonly Value[]): Value {
  const [format, ...values] = args;
  let used = 0;
  const text = textArgument(format ?? null, "printf").replace(
    /%([-0]*)(\d*)([\s\S]?)/g,
    (_, flags: string, digits: string, verb: string): string => {
      if (verb === "%") return "%";
      const value = values[used] ?? null;
      used += 1;
      const width = Number(digits);
      if (width > WIDTH_MAX) throw new TemplateTrouble(`printf pads to ${WIDTH_MAX} at most`);
      return padded(formatted(value, verb), flags, width);
    },
  );
  if (used !== values.length)
    throw new TemplateTrouble(`printf has ${used} places, and gets ${values.length} values`);
  return bounded(text);
}

function padded(text: string, flags: string, width: number): string {
  if (flags.includes("-")) return text.padEnd(width);
  const isNumber = flags.includes("0") && /^-?\d+$/.test(text);
  const sign = isNumber && text.startsWith("-") ? "-" : "";
  return isNumber
    ? sign + text.slice(sign.length).padStart(width - sign.length, "0")
    : text.padStart(width);
}

function formatted(value: Value, verb: string): string {
  if (verb === "v" || (verb === "t" && typeof value === "boolean")) return textOfValue(value);
  if (verb === "s") return textArgument(value, "printf %s");
  if (verb === "q") return JSON.stringify(textArgument(value, "printf %q"));
  if (verb === "d" && typeof value === "number" && Number.isInteger(value)) return String(value);
  throw new TemplateTrouble(`printf has no %${verb} for a ${nameOf(value)}; it has s, v, q, d, t`);
}
