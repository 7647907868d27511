/**
 * `--dialect external-dns`, looked for before anything else is read: what follows it is a command
 * line of external-dns, and becomes one of this program's own.
 */
import { readFileSync } from "node:fs";
import { type ExternalDnsConfig, fromExternalDns } from "../../config/external-dns/translate.ts";
import { type CommandName, environmentName } from "../../config/option.ts";
import { optionsOf } from "../../config/options-table.ts";
import { EXTERNAL_DNS_SOURCES, SOURCES } from "../../sources/index.ts";
import { ProblemsError } from "../commands/process/exit.ts";
import type { Rows } from "../plugins/rows.ts";
import { plugInsOf } from "./plug-ins.ts";

/** A command line for this program. */
export interface SpokenLine {
  readonly commandLine: readonly string[];
  readonly rows: Rows;
  /** Null = it was not one of external-dns. */
  readonly externalDns: ExternalDnsConfig | null;
  readonly remarks: readonly string[];
}

/** Commands that take arguments of external-dns. */
const COMMANDS: readonly CommandName[] = ["run", "check", "shadow"];
const DIALECT = "external-dns";

/** Throws ProblemsError with everything that external-dns's arguments ask for in vain. */
export function spokenLine(
  commandLine: readonly string[],
  environment: NodeJS.ProcessEnv,
  rows: Rows,
): SpokenLine {
  const command = COMMANDS.find((one) => one === commandLine[0]);
  const args = withoutDialect(commandLine, environment);
  const isHelp = commandLine.some((one) => one === "-h" || one.startsWith("--help"));
  if (command === undefined || args === null || isHelp)
    return { commandLine, rows, externalDns: null, remarks: [] };
  const ofPlugins = rows.sources.filter((one) => !SOURCES.includes(one));
  const sources = [...EXTERNAL_DNS_SOURCES, ...ofPlugins];
  const spoken = { ...rows, sources };
  const ownNames = optionsOf(command, plugInsOf(spoken)).flatMap(({ name, aliases }) => [
    name,
    ...aliases,
  ]);
  const read = fromExternalDns({
    args,
    environment,
    ownNames: new Set(ownNames),
    readFile: (path) => {
      try {
        return readFileSync(path, "utf8");
      } catch {
        return null;
      }
    },
    sources: sources.flatMap(({ name, publishes }) => (publishes === "itself" ? [] : [name])),
  });
  if (!read.ok) throw new ProblemsError(read.error);
  const { config: externalDns, remarks } = read.value;
  const line = [command, ...read.value.args];
  return { commandLine: line, rows: spoken, externalDns, remarks };
}

/** The arguments behind the command; null = they are of another dialect. */
function withoutDialect(
  [command, ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
): readonly string[] | null {
  const joined = args.indexOf(`--dialect=${DIALECT}`);
  if (joined >= 0) return args.toSpliced(joined, 1);
  const apart = args.findIndex((one, at) => one === "--dialect" && args[at + 1] === DIALECT);
  if (apart >= 0) return args.toSpliced(apart, 2);
  const isOther = args.some((one) => /^--dialect(=|$)/.test(one));
  const isMeant = command === "shadow" || environment[environmentName("dialect")] === DIALECT;
  return !isOther && isMeant ? args : null;
}
