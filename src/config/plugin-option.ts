/**
 * Options of plug-in modules: rows that are added to the table, so that flag, environment, file and
 * help are as those of our own. Pure.
 */
import { GARDENER_OPTIONS } from "./gardener-options.ts";
import type { Option, OptionType } from "./option.ts";
import { environmentName } from "./option.ts";
import { BOTH, option } from "./option-row.ts";
import { OPTIONS } from "./options-table.ts";
import { parseOptionValue } from "./parse-option-value.ts";

/** An option of a plug-in module; `run`, `check` and `dev` take it, and rows get its value. */
export interface PluginOption {
  /**
   * The flag without its dashes, of letters a to z, digits and dashes: the name of the module, a
   * dash, and more. `acme-url` is also `ZONEKEEPER_ACME_URL`, and `acmeUrl` of the configuration
   * file.
   */
  readonly name: string;
  /**
   * `duration` is written `300ms`, `15s`, `2m` or `1h30m`; `list` is repeated, or has commas;
   * `choice` is one of `choices`.
   */
  readonly type: OptionType;
  /** One or two sentences: what it does, when one needs it. */
  readonly doc: string;
  /** As a user would write it. Absent = none, and of a flag `false`. */
  readonly default?: string;
  /** Inclusive bounds of integers and durations (milliseconds). Absent = none. */
  readonly min?: number;
  readonly max?: number;
  /** Of a `choice`, and of a `list`; absent = whatever is given. */
  readonly choices?: readonly string[];
  /** True = its value is never shown. Absent = false. */
  readonly secret?: boolean;
  /** True = no start without it. Absent = false. */
  readonly required?: boolean;
}

/** As the table has it. */
export function optionOf({ name, type, doc, required, ...more }: PluginOption): Option {
  return option({
    ...{ name, type, doc, commands: BOTH },
    ...(type === "flag" ? { default: "false" } : {}),
    ...more,
    requiredBy: required === true ? BOTH : [],
  });
}

const NAMES = [...OPTIONS, ...GARDENER_OPTIONS].map(({ name }) => name);
const TAKEN = new Set(
  [...NAMES, ...OPTIONS.flatMap(({ aliases }) => aliases)].map(environmentName),
);

/**
 * What is wrong with the rows of a module beside those of other modules, `others`: a sentence about
 * one of its fields; null = nothing.
 */
export function wrongOptions(
  plugin: string,
  given: readonly PluginOption[],
  others: readonly Option[],
): string | null {
  const taken = new Set([...TAKEN, ...others.map(({ name }) => environmentName(name))]);
  for (const [index, row] of given.entries()) {
    const wrong = wrongOption(row, plugin);
    if (wrong !== null) return `options[${index}].${wrong}`;
    const name = environmentName(row.name);
    if (taken.has(name))
      return `has an option --${row.name}, which is there already: give it another name`;
    taken.add(name);
  }
  return null;
}

function wrongOption(row: PluginOption, plugin: string): string | null {
  const { name, type, choices = [], default: standard } = row;
  if (!name.startsWith(`${plugin}-`) || !/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(name))
    return `name must be ${plugin}- and then letters a to z, digits and single dashes`;
  if (type === "choice" && choices.length === 0) return "choices must have at least one text";
  if (standard === undefined) return null;
  const parsed = parseOptionValue(optionOf(row), standard);
  return parsed.ok ? null : `default ${parsed.error}`;
}
