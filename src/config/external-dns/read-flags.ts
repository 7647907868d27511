/**
 * A command line of external-dns as values of its flags: flag over environment, `$(NAME)` as a
 * kubelet expands it, every mistake at once. Decides no meaning. Pure.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { Problem } from "../../model/problem.ts";
import { invalidOption } from "../option.ts";
import type { FlagRow } from "./flag-row.ts";
import { EXTERNAL_DNS_FLAGS } from "./flags.ts";

/** What the program was started with. */
export interface CommandLine {
  /** Behind the name of the command. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Options of the program's own for this command, without dashes. */
  readonly ownNames: ReadonlySet<string>;
}

/** The flags that were given, and the rest of the command line. */
export interface ReadFlags {
  /** By name: texts as they were given, of the type of their row; empty ones are left out. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** For the program's own options, in order. */
  readonly rest: readonly string[];
  readonly problems: readonly Problem[];
}

const BY_NAME = new Map(EXTERNAL_DNS_FLAGS.map((row) => [row.name, row]));

/** The row of a flag, `no-` of a switch too; null = external-dns never had it. */
function rowOf(name: string): FlagRow | null {
  const switched = BY_NAME.get(name.replace(/^no-/, ""));
  return BY_NAME.get(name) ?? (switched?.type === "bool" ? switched : null);
}

/** Reads everything. */
export function readFlags({ args, environment, ownNames }: CommandLine): ReadFlags {
  const { given, rest, problems: misplaced } = splitArgs(args, ownNames);
  const problems = [...misplaced];
  const values = new Map<string, readonly string[]>();
  for (const row of EXTERNAL_DNS_FLAGS) {
    const texts = given.get(row.name) ?? environment[variableOf(row.name)]?.split("\n") ?? [];
    const read = texts.map((text) => readText(row, text, environment));
    problems.push(...read.flatMap((one) => (one.ok ? [] : [invalidOption(row.name, one.error)])));
    const kept = read.flatMap((one) => (one.ok && one.value !== "" ? [one.value] : []));
    if (kept.length > 1 && row.type !== "list")
      problems.push(invalidOption(row.name, "is given more than once; give it once"));
    if (kept.length > 0) values.set(row.name, kept);
  }
  return { values, rest, problems };
}

interface SplitArgs extends Pick<ReadFlags, "rest" | "problems"> {
  /** Texts of each flag, as they were written. */
  readonly given: ReadonlyMap<string, readonly string[]>;
}

function splitArgs(args: readonly string[], ownNames: ReadonlySet<string>): SplitArgs {
  const given = new Map<string, string[]>();
  const rest: string[] = [];
  const problems: Problem[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] ?? "";
    const [, name = "", inline] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(argument) ?? [];
    const row = rowOf(name);
    if (row === null) {
      if (name !== "" && !ownNames.has(name)) problems.push(invalidOption(name, UNKNOWN));
      else rest.push(argument);
      continue;
    }
    const isSwitch = row.type === "bool" && inline === undefined;
    if (!isSwitch && inline === undefined) at += 1;
    const text = isSwitch ? String(row.name === name) : (inline ?? args[at]);
    if (text === undefined) problems.push(invalidOption(row.name, "has no value; write one"));
    else given.set(row.name, [...(given.get(row.name) ?? []), text]);
  }
  return { given, rest, problems };
}

/** `EXTERNAL_DNS_TXT_OWNER_ID`. */
export function variableOf(name: string): string {
  return `EXTERNAL_DNS_${name.toUpperCase().replaceAll("-", "_")}`;
}

const UNKNOWN = "is a flag of no version of external-dns, and none of this program";

/** Empty = not given, as the charts write it. */
function readText(
  row: FlagRow,
  text: string,
  environment: CommandLine["environment"],
): Result<string> {
  const expanded = expand(text, environment);
  if (!expanded.ok || expanded.value.trim() === "") return expanded;
  const value = row.type === "list" || row.isSecret ? expanded.value : expanded.value.trim();
  if (/^(["']).*\1$/s.test(value)) return fail(QUOTED);
  if (row.choices.length > 0 && !row.choices.includes(value) && row.effect === "works")
    return fail(`${JSON.stringify(value)} is none of ${row.choices.join(", ")}${row.otherwise}`);
  return CHECKS[row.type](value);
}

/** In YAML, `- --txt-owner-id="me"` has them in its value. */
const QUOTED =
  "has quotes inside of the argument, which are a part of its value; quote the whole argument, or leave them out";

/** `$(NAME)`, and `$$(NAME)` for the text itself. */
function expand(text: string, environment: CommandLine["environment"]): Result<string> {
  const missing = new Set<string>();
  const value = text.replace(
    /\$(\$?)\(([A-Za-z_][\w.-]*)\)/g,
    (whole, twice: string, name: string) => {
      if (twice !== "") return whole.slice(1);
      const found = environment[name];
      if (found === undefined) missing.add(name);
      return found ?? whole;
    },
  );
  if (missing.size === 0) return ok(value);
  return fail(`names ${[...missing].join(", ")}, which the environment lacks; set it`);
}

const CHECKS: Readonly<Record<FlagRow["type"], (text: string) => Result<string>>> = {
  text: ok,
  list: (text) => ok(text.trim()),
  bool: (text) => {
    if (/^(1|t|T|true|TRUE|True)$/.test(text)) return ok("true");
    if (/^(0|f|F|false|FALSE|False)$/.test(text)) return ok("false");
    return fail(`${JSON.stringify(text)} is neither true nor false`);
  },
  integer: (text) =>
    /^-?\d{1,15}$/.test(text) ? ok(text) : fail(`${JSON.stringify(text)} is not a whole number`),
  duration: (text) =>
    secondsOf(text) === null
      ? fail(`${JSON.stringify(text)} is not a duration; write 300ms, 15s, 1m30s or 1h`)
      : ok(text),
};

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  ...{ ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 },
};

/** Of a duration of Go, or of whole seconds; null = it is none. */
export function secondsOf(text: string): number | null {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  if (!/^\+?(?:\d{1,10}(?:\.\d{1,9})?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return null;
  const counts = [...text.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)];
  return counts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNIT_SECONDS[unit ?? ""] ?? 0),
    0,
  );
}
