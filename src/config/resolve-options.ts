/**
 * Flag over environment over file over default (docs/architecture.md#options). Pure: app hands in
 * what was given.
 */
import { invariant } from "@zonekeeper/base/invariant";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { fieldsOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import { parse } from "yaml";
import type { Problem } from "../model/problem.ts";
import { isTaken } from "./client-options.ts";
import { type DialectInput, fromGardener } from "./gardener-dialect.ts";
import { type GardenerFile, readGardenerFile } from "./gardener-file.ts";
import {
  type CommandName,
  environmentName,
  fieldName,
  invalidOption,
  type Option,
  type OptionValue,
  type PlugIns,
} from "./option.ts";
import { OPTIONS, optionsOf } from "./options-table.ts";
import { parseOptionValue, type RawValue } from "./parse-option-value.ts";
import { type ConfigFile, type FileValue, readConfigFile } from "./read-config-file.ts";
import { ResolvedOptions } from "./resolved-options.ts";

/** What the user gave. */
export interface Given {
  readonly command: CommandName;
  /** By option name or alias, without dashes. */
  readonly flags: Readonly<Record<string, RawValue>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Null = none. */
  readonly file: ConfigFile | null;
  readonly plugIns: PlugIns;
  /** Called as a plugin of kubectl; default false. */
  readonly isPlugin?: boolean;
}

/** Resolves all options of the command. Every problem is reported, not only the first. */
export function resolveOptions(given: Given): Result<ResolvedOptions, readonly Problem[]> {
  const isGardener =
    [given.flags["dialect"], given.environment[environmentName("dialect")]].find(
      (one) => one !== undefined && one !== "",
    ) === "gardener";
  const file = readFile(given.file, { isGardener, plugIns: given.plugIns });
  if (!file.ok) return file;
  const { values: flags, ...translated } = fromGardener(given.flags, {
    isGardener,
    plugIns: given.plugIns,
    command: given.command,
  });
  const problems: Problem[] = [...translated.problems];
  const values = new Map<string, OptionValue>();
  for (const option of optionsOf(given.command, given.plugIns)) {
    if (!isTaken(option.name, given.command, given.isPlugin === true)) {
      values.set(option.name, null);
      continue;
    }
    const resolved = resolveOne(option, { ...given, flags }, file.value.values.get(option.name));
    if (resolved.ok) values.set(option.name, resolved.value);
    else problems.push(resolved.error);
  }
  const remarks = [...translated.remarks, ...file.value.remarks];
  if (problems.length > 0) return fail(problems);
  return ok(new ResolvedOptions(values, given.plugIns, remarks));
}

/**
 * One option of the table before it is known which plug-in modules there are. Null = not given, or
 * wrong, which `resolveOptions` then says.
 */
export function peekOption(given: Omit<Given, "plugIns">, name: string): OptionValue {
  const option = OPTIONS.find((row) => row.name === name);
  invariant(option, `there is no option ${name}`);
  const resolved = resolveOne(option, given, peekField(given.file, option));
  return resolved.ok ? resolved.value : null;
}

/** Of a file that may have fields of plug-in modules. */
function peekField(file: ConfigFile | null, { name }: Option): FileValue | undefined {
  try {
    const value = fieldsOf(parse(file?.text ?? ""))[fieldName(name)];
    const raw = textOf(value) ?? textsOf(value);
    return raw === null ? undefined : { raw, line: 0 };
  } catch {
    return undefined;
  }
}

function readFile(
  file: ConfigFile | null,
  { isGardener, plugIns }: DialectInput,
): Result<GardenerFile, readonly Problem[]> {
  if (file === null) return ok({ values: new Map(), remarks: [] });
  if (isGardener && !/^apiVersion:/m.test(file.text)) return readGardenerFile(file, plugIns);
  const read = readConfigFile(file, plugIns.options);
  return read.ok ? ok({ values: read.value, remarks: [] }) : read;
}

interface Origin {
  /** Where the value came from, as the user knows it. */
  readonly where: string;
  readonly raw: RawValue;
}

function resolveOne(
  option: Option,
  given: Omit<Given, "plugIns">,
  fromFile: FileValue | undefined,
): Result<OptionValue, Problem> {
  const flags = [option.name, ...option.aliases].flatMap((name) => {
    const raw = given.flags[name];
    return raw === undefined ? [] : [{ where: `--${name}`, raw }];
  });
  if (flags.length > 1) {
    const spellings = flags.map((flag) => flag.where).join(" and ");
    return fail(invalidOption(option.name, `${spellings} are the same option; give one of them`));
  }
  const origin =
    flags[0] ?? fromEnvironment(option, given) ?? originInFile(option, given, fromFile);
  if (origin === null) return withoutValue(option, given.command);
  const parsed = parseOptionValue(option, origin.raw);
  return parsed.ok ? parsed : fail(invalidOption(option.name, `${origin.where} ${parsed.error}`));
}

function fromEnvironment(option: Option, given: Pick<Given, "environment">): Origin | null {
  const name = environmentName(option.name);
  const raw = given.environment[name];
  return raw === undefined || raw === "" ? null : { where: `environment variable ${name}`, raw };
}

function originInFile(
  option: Option,
  given: Pick<Given, "file">,
  value: FileValue | undefined,
): Origin | null {
  if (value === undefined) return null;
  const where = `${given.file?.name ?? "file"}:${value.line} ${fieldName(option.name)}`;
  return { where, raw: value.raw };
}

function withoutValue(option: Option, command: CommandName): Result<OptionValue, Problem> {
  const text = option.defaultFor[command] ?? option.default;
  if (text !== null) {
    const parsed = parseOptionValue(option, text);
    invariant(parsed.ok, `the default of --${option.name} is not valid`);
    return parsed;
  }
  if (!option.requiredBy.includes(command)) return ok(null);
  const aliases = option.aliases.map((alias) => `--${alias}`).join(", ");
  const also = aliases === "" ? "" : ` (also ${aliases})`;
  const remedy = `give --${option.name}${also}, ${environmentName(option.name)}, or ${fieldName(option.name)} in the configuration file`;
  return fail({
    code: "MissingOption",
    subject: `--${option.name}`,
    message: `${command} needs it and there is no default: ${remedy}. ${option.doc}`,
  });
}
