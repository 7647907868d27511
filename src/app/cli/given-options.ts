/**
 * The option table as commander flags, and what was given back to config; and environment variables
 * that look like options and are none. Decides no value and no default.
 */
import { readFileSync } from "node:fs";
import { messageOf } from "@zonekeeper/base/operation-error";
import { Command, Option as CommanderOption } from "commander";
import { isTaken } from "../../config/client-options.ts";
import { type GardenerFlag, gardenerFlags, takesGardener } from "../../config/gardener-dialect.ts";
import { SHORT_FORMS } from "../../config/gardener-options.ts";
import {
  CLIENTS,
  type CommandName,
  environmentName,
  type Option,
  type OptionValue,
  type PlugIns,
} from "../../config/option.ts";
import { OPTIONS, optionsOf } from "../../config/options-table.ts";
import type { RawValue } from "../../config/parse-option-value.ts";
import type { ConfigFile } from "../../config/read-config-file.ts";
import { peekOption, resolveOptions } from "../../config/resolve-options.ts";
import type { ResolvedOptions } from "../../config/resolved-options.ts";
import { editDistance } from "../../model/edit-distance.ts";
import { ProblemsError } from "../commands/process/exit.ts";
import { PLUGIN_NAME, type ProgramContext } from "../commands/process/program-context.ts";
import { OWN_ROWS, plugInsOf } from "../plugins/rows.ts";

/** Characters of choices that fit beside the flag; longer ones are in its text. */
const CHOICES_MAX = 24;

/** What was asked for: a command that was not has no use for its options. */
type Asked = Pick<ProgramContext, "isWholeHelp" | "commandLine" | "rows"> & {
  readonly programName?: string;
};

/**
 * Adds the flags of `name` to a command, aliases hidden, if the command was asked for. Without
 * `isWholeHelp`, help of a command with many options shows the most important ones.
 */
export function addOptions(
  command: Command,
  name: CommandName,
  asked: Asked = { isWholeHelp: false },
): void {
  const { isWholeHelp: isWhole, commandLine, programName, rows = OWN_ROWS } = asked;
  if (!isWhole && commandLine?.includes(command.name()) === false) return;
  const isPlugin = programName === PLUGIN_NAME;
  const plugIns = plugInsOf(rows);
  const options = optionsOf(name, plugIns).filter((one) => isTaken(one.name, name, isPlugin));
  const isLong = options.length > SHORT_MAX;
  const group = (option: Option): string =>
    GROUPS.find(([, pattern]) => isLong && pattern.test(option.name))?.[0] ?? ESSENTIAL;
  const inOrder = GROUP_TITLES.flatMap((title) =>
    options.filter((option) => group(option) === title),
  );
  const isHidden = (option: Option): boolean => !isWhole && group(option) !== ESSENTIAL;
  for (const option of inOrder) {
    const short = isPlugin && CLIENTS.includes(name) ? SHORT_AS_IN_KUBECTL[option.name] : undefined;
    const flag = flagOf(option, option.name, short).helpGroup(group(option));
    command.addOption(isHidden(option) ? flag.hideHelp() : flag);
    for (const alias of option.aliases) command.addOption(flagOf(option, alias).hideHelp());
    const helped = command.options.at(-1 - option.aliases.length);
    if (helped !== undefined) helped.description = description(option, name);
  }
  for (const { name: flag, row } of foreignFlags(name, plugIns))
    command.addOption(flagOf({ ...row, choices: [], unit: "" }, flag).hideHelp());
  const hidden = inOrder.filter(isHidden).length;
  if (hidden > 0)
    command.addHelpText("after", `\n${hidden} more options: zonekeeper ${name} --help=all`);
}

/** Options of a command from which on its first page shows the most important ones. */
const SHORT_MAX = 20;

const foreignFlags = (command: CommandName, plugIns: PlugIns): readonly GardenerFlag[] =>
  takesGardener(command) ? gardenerFlags(plugIns) : [];

type FlagShape = Pick<Option, "type" | "choices" | "unit">;

/** Of the commands that ask an instance in a cluster. */
const SHORT_AS_IN_KUBECTL: Readonly<Record<string, string>> = {
  namespace: "n",
  selector: "l",
  output: "o",
};

function flagOf(option: FlagShape, name: string, letter = SHORT_FORMS[name]): CommanderOption {
  if (option.type === "flag" && name.startsWith("no-")) return new CommanderOption(`--${name}`);
  const short = letter === undefined ? "" : `-${letter}, `;
  // Gardener's command line takes -n=false; commander leaves the sign.
  const withoutSign = (text: string): string => (short === "" ? text : text.replace(/^=/, ""));
  if (option.type === "flag")
    return new CommanderOption(`${short}--${name} [bool]`).preset("true").argParser(withoutSign);
  const choices = option.choices.join("|");
  const isShown = choices !== "" && choices.length <= CHOICES_MAX;
  const placeholder = isShown ? choices : option.unit || option.type;
  const flag = new CommanderOption(`${short}--${name} <${placeholder}>`);
  // commander takes --no-x for the negation of --x; --no-targets-grace has a value and negates
  // nothing.
  flag.negate = false;
  // Every spelling is collected: config refuses what is given twice and may be given once.
  return flag.argParser((value: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    withoutSign(value),
  ]);
}

function description(option: Option, command: CommandName): string {
  const text = option.defaultFor[command] ?? option.default;
  const standard = text === null || option.type === "flag" ? "" : ` Default: ${text}.`;
  const choices = option.choices.join(", ");
  const named = choices.length > CHOICES_MAX ? ` One of ${choices}.` : "";
  const required = option.requiredBy.includes(command) ? " Required." : "";
  return `${option.doc}${named}${standard}${required} [${environmentName(option.name)}]`;
}

/**
 * Resolves the options of a command that commander has parsed. Throws ProblemsError with all that
 * is wrong.
 */
export function resolveGiven(
  command: Command,
  name: CommandName,
  context: Pick<ProgramContext, "environment"> & Pick<Asked, "programName" | "rows">,
): ResolvedOptions {
  const { environment, programName, rows = OWN_ROWS } = context;
  const plugIns = plugInsOf(rows);
  const known = new Set([
    ...optionsOf(name, plugIns).flatMap((option) => [option.name, ...option.aliases]),
    ...foreignFlags(name, plugIns).map((flag) => flag.name),
  ]);
  const given = Object.entries(givenFlags(command));
  // A command may have flags of its own, beside those of the table.
  const flags = Object.fromEntries(given.filter(([flag]) => known.has(flag)));
  const file = readFile(flags["config"] ?? environment[environmentName("config")]);
  const isPlugin = programName === PLUGIN_NAME;
  const resolved = resolveOptions({ command: name, flags, environment, file, plugIns, isPlugin });
  if (!resolved.ok) throw new ProblemsError(resolved.error);
  for (const line of resolved.value.remarks) process.stderr.write(`zonekeeper: ${line}\n`);
  return resolved.value;
}

/** The same for arguments that are no command line of a user. */
export function resolveArgs(
  name: CommandName,
  args: readonly string[],
  context: Pick<ProgramContext, "environment" | "rows">,
): ResolvedOptions {
  const command = new Command(name).exitOverride();
  addOptions(command, name, { isWholeHelp: false, ...context });
  command.parseOptions([...args]);
  return resolveGiven(command, name, context);
}

/**
 * Options of `run`, of which `dev` and `check` have those that are asked for, before it is known
 * which plug-in modules there are. Null = not given, or wrong, which `resolveGiven` then says.
 */
export function peekGiven(
  commandLine: readonly string[],
  environment: NodeJS.ProcessEnv,
): (name: string) => OptionValue {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addOptions(command, "run");
  try {
    command.parseOptions([...commandLine]);
    const flags = givenFlags(command);
    const file = readFile(flags["config"] ?? environment[environmentName("config")]);
    return (name) => peekOption({ command: "run", flags, environment, file }, name);
  } catch {
    return () => null;
  }
}

function givenFlags(command: Command): Readonly<Record<string, RawValue>> {
  const flags: Record<string, RawValue> = {};
  for (const option of command.options) {
    const attribute = option.attributeName();
    if (command.getOptionValueSource(attribute) !== "cli") continue;
    const value: OptionValue = command.getOptionValue(attribute);
    const name = (option.long ?? "").replace(/^--/, "");
    const isSingle = Array.isArray(value) && value.length === 1;
    flags[name] = option.negate ? "true" : isSingle ? String(value[0]) : (value ?? "");
  }
  return flags;
}

function readFile(given: RawValue | undefined): ConfigFile | null {
  if (typeof given !== "string" || given === "") return null;
  try {
    return { name: given, text: readFileSync(given, "utf8") };
  } catch (error) {
    const message = `the file cannot be read: ${messageOf(error)}`;
    throw new ProblemsError([{ code: "InvalidOption", subject: "--config", message }]);
  }
}

// In which group of a help text an option is, and which ones the short page shows. Pure.

/** The first page shows this group alone where a command has others. */
const ESSENTIAL = "Options:";

/** The first group whose pattern fits; the last one fits all. */
const GROUPS: readonly (readonly [string, RegExp])[] = [
  [
    "Clusters:",
    /^(kubeconfig\..+|target(\..+|-namespace|)|providers.*|provider-trusted.*|namespace|cluster-alias|(accepted-)?maintainers?|force-crd-update|source-cluster|config-cluster|clusters-.*)$/,
  ],
  ["What comes in:", /^import(-ports|-domains|-exclude|)$/],
  [
    "What is published:",
    /^(dns-class|source-dns-class|dns-target-class|ttl|no-targets-grace|adopt|controllers|provider-types|policy|publish|serviceentry-namespaces|plugin|omit-status-annotation|exclude-(domains|target-net)|blocked-zone|allow-private-targets|disable-namespace-restriction|target-(realms|owner-id|set|creator).*|live-check|lookup-servers)$/,
  ],
  ["Ownership records:", /^(registry|noop-owns|txt-.*|marker-.*)$/],
  ["Safety:", /^(fuse-.*|fence|pause|paused-zones)$/],
  ["Lease:", /^(lease-.*|omit-lease|election|rank|region|hand-back-after)$/],
  ["Embedded servers:", /^(listen|dns-.*port|secondary)$/],
  [
    "Health, metrics, API and NOTIFY:",
    /^(http-address|notify-address|page-origin|resolvers|api-(users|port|token-file|tls-.*))$/,
  ],
  ["Log:", /^log-/],
  ["Coming from other tools:", /^(dialect|set)$/],
  [ESSENTIAL, /./],
];

/** In the order of the help text: what everybody needs comes first. */
const GROUP_TITLES: readonly string[] = [
  ESSENTIAL,
  ...GROUPS.map(([title]) => title).filter((title) => title !== ESSENTIAL),
];

/** What Kubernetes sets in a pod for a Service of our name (`ZONEKEEPER_SERVICE_HOST`). */
const OF_SERVICES = /_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT_\d+_(TCP|UDP|SCTP)(_.*)?)$/;
const SERVICE_ADDRESS = /^(tcp|udp|sctp):\/\//;
/** Letters that a typing mistake changes. */
const TYPO_LETTERS = 2;

/** One line for each, for stderr; sorted. `further`: rows of plug-in modules. */
export function unknownVariables(
  environment: NodeJS.ProcessEnv,
  further: readonly Option[] = [],
): readonly string[] {
  const known = [...OPTIONS, ...further].map(({ name }) => environmentName(name));
  return Object.entries(environment)
    .filter(([name, value]) => isMeant(name, value ?? "") && !known.includes(name))
    .map(([name]) => {
      const near = known.find((one) => editDistance(name, one) <= TYPO_LETTERS);
      const hint =
        near === undefined ? "docs/reference/options.md lists them" : `did you mean ${near}?`;
      return `the environment variable ${name} is none of an option and has no effect; ${hint}`;
    })
    .sort();
}

function isMeant(name: string, value: string): boolean {
  if (!name.startsWith("ZONEKEEPER_") || OF_SERVICES.test(name)) return false;
  return !(name.endsWith("_PORT") && SERVICE_ADDRESS.test(value));
}
