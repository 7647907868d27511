/**
 * What an option is, and what options need to know of plug-ins: their names and what help texts say
 * of them. Config must not import plug-ins: app makes these lists from src/sources and
 * src/ownership and hands them in. The table of options is options-table.ts; values are resolved in
 * resolve-options.ts.
 */
import type { Problem } from "../model/problem.ts";

const ASKING = [
  ...(["plan", "explain", "history", "imports", "undo", "clusters", "open", "approve"] as const),
  ...(["pause", "registry migrate", "owner take", "ownership"] as const),
] as const;

/** Commands of the program that take options. */
export type CommandName = "dev" | "run" | "check" | "shadow" | (typeof ASKING)[number];

/** The commands that ask a running instance. */
export const CLIENTS: readonly CommandName[] = ASKING;

/**
 * `text`; `integer`; `port` (0 to 65535); `duration` (`300ms`, `15s`, `2m`, `1h30m`; the value is
 * milliseconds); `flag` (true or false); `choice` (one of `choices`); `list` (repeated, or
 * separated by commas).
 */
export type OptionType = "text" | "integer" | "port" | "duration" | "flag" | "choice" | "list";

/** A parsed value. Null = not given and without a default. */
export type OptionValue = string | number | boolean | readonly string[] | null;

/** One row of the table. */
export interface Option {
  /** Flag without its dashes: `lease-name`, `kubeconfig.id`. */
  readonly name: string;
  /** Other spellings of the same flag, from the tools that users come from. */
  readonly aliases: readonly string[];
  readonly type: OptionType;
  /** As a user would write it; null = none. */
  readonly default: string | null;
  /** Defaults of single commands, in place of `default`. */
  readonly defaultFor: Readonly<Partial<Record<CommandName, string>>>;
  /** Of the number, for people: `seconds`; empty where there is none. */
  readonly unit: string;
  /** Inclusive bounds of integers and durations (ms). */
  readonly min: number | null;
  readonly max: number | null;
  readonly choices: readonly string[];
  /** Choices of single commands, in place of `choices`. */
  readonly choicesFor: Readonly<Partial<Record<CommandName, readonly string[]>>>;
  /** What else it takes, for messages: other words of earlier dialects; empty = nothing. */
  readonly furtherChoices: string;
  /** Plug-ins that are choices too, after `choices`; null = none. */
  readonly plugIns: keyof NamedPlugIns | null;
  /** The one registry (`--registry`) under which the option takes effect; null = any. */
  readonly registry: string | null;
  /** One or two sentences: what it does, when one needs it. */
  readonly doc: string;
  /** The same for single commands, in place of `doc`. */
  readonly docFor: Readonly<Partial<Record<CommandName, string>>>;
  /** Its value is never shown. */
  readonly secret: boolean;
  readonly commands: readonly CommandName[];
  /** Commands that refuse to start without it. */
  readonly requiredBy: readonly CommandName[];
}

/** The problem of an option with a value that means nothing. */
export function invalidOption(name: string, message: string): Problem {
  return { code: "InvalidOption", subject: `--${name}`, message };
}

/** The row as one command takes it, with the names and help texts of its plug-ins. */
export function rowFor(option: Option, command: CommandName, plugIns: NamedPlugIns): Option {
  const named = option.plugIns === null ? [] : plugIns[option.plugIns];
  const choices = option.choicesFor[command] ?? option.choices;
  const doc = option.docFor[command] ?? option.doc;
  return {
    ...option,
    choices: [...choices, ...named.map(({ name }) => name)],
    doc: [doc, ...named.flatMap(({ name, doc }) => (doc === "" ? [] : `${name} = ${doc}.`))].join(
      " ",
    ),
  };
}

/** Named before the file is read: a file cannot say them. */
export const NOT_IN_FILE: readonly string[] = ["config", "dialect", "set"];

/** `ZONEKEEPER_` and the flag in upper case, `.` and `-` as `_` (docs/architecture.md#options). */
export function environmentName(name: string): string {
  return `ZONEKEEPER_${name.toUpperCase().replace(/[.-]/g, "_")}`;
}

/**
 * The field of the configuration file: `lease-name` is `leaseName`, `kubeconfig.id` is
 * `kubeconfigId`.
 */
export function fieldName(name: string): string {
  return name.replace(/[.-]([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

/** One plug-in that an option can name. */
export interface PlugInChoice {
  readonly name: string;
  /** What it is, for help texts: one phrase without a full stop; empty = its name says it. */
  readonly doc: string;
}

/** A source that `--controllers` can name. */
export interface SourceChoice extends PlugInChoice {
  /** True = `all` includes it. */
  readonly isDefault: boolean;
  /** A controller of Gardener's manager has this name. */
  readonly isGardeners: boolean;
  /** Its objects are DNSEntries: where they are copied to must not be where they come from. */
  readonly copiesEntries: boolean;
  /** Its objects keep what a webhook is told. */
  readonly takesWebhooks: boolean;
}

/** The plug-ins that options can name, each list in the order of the help text. */
export interface NamedPlugIns {
  readonly controllers: readonly SourceChoice[];
  readonly registries: readonly PlugInChoice[];
  /** Types of DNSProviders; their names say what they are. */
  readonly providerTypes: readonly PlugInChoice[];
}

/** Made by app, which knows the plug-ins. */
export interface PlugIns extends NamedPlugIns {
  /** Rows of plug-in modules, after our own in the table. */
  readonly options: readonly Option[];
}
