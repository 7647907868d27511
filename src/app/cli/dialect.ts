/**
 * `--dialect external-dns`, looked for before anything else is read: what follows it is a command
 * line of external-dns, and becomes one of this program's own.
 */
import { readFileSync } from "node:fs";
import {
  type ExternalDnsConfig,
  type ExternalDnsInput,
  fromExternalDns,
} from "../../config/external-dns/translate.ts";
import { type CommandName, environmentName } from "../../config/option.ts";
import { optionsOf } from "../../config/options-table.ts";
import type { Problem } from "../../model/problem.ts";
import { EXTERNAL_DNS_SOURCES } from "../../sources/external-dns-rows.ts";
import { SOURCES } from "../../sources/index.ts";
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
export async function spokenLine(
  commandLine: readonly string[],
  environment: NodeJS.ProcessEnv,
  rows: Rows,
): Promise<SpokenLine> {
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
  const started = await startedWith(args, environment);
  const read = fromExternalDns({
    ...started,
    ownNames: new Set(ownNames),
    sources: sources.flatMap(({ name, publishes }) => (publishes === "itself" ? [] : [name])),
  });
  if (!read.ok) throw new ProblemsError(started.hidden(read.error));
  const { config: externalDns, remarks } = read.value;
  const line = [command, ...read.value.args];
  return {
    ...{ commandLine: line, rows: spoken, externalDns },
    remarks: [...started.remarks, ...remarks],
  };
}

interface Started extends Pick<ExternalDnsInput, "args" | "environment" | "readFile"> {
  readonly remarks: readonly string[];
  /** Without values out of Secrets. */
  readonly hidden: (problems: readonly Problem[]) => readonly Problem[];
}

/** By the Deployment that is named, else by this process; flags given here come first. */
async function startedWith(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Started> {
  const deployment = valueIn(args, "deployment");
  if (deployment === null)
    return { args, environment, readFile: textOfFile, remarks: [], hidden: (problems) => problems };
  const { readDeployment } = await import("../commands/shadow/read-deployment.ts");
  const command = await readDeployment({
    deployment,
    container: valueIn(args, "container"),
    kubeconfig: valueIn(args, "kubeconfig"),
  });
  const hide = (text: string): string =>
    [...command.secrets].reduce((shown, name) => {
      const value = command.environment[name] ?? "";
      return value === "" ? shown : shown.replaceAll(value, `$(${name})`);
    }, text);
  return {
    ...command,
    args: [...withoutFlags(command.args, [...args, ...OF_THE_POD]), ...args],
    readFile: (path) => command.files.get(path) ?? null,
    hidden: (problems) => problems.map((one) => ({ ...one, message: hide(one.message) })),
  };
}

/** The cluster is the one that the Deployment was read from. */
const OF_THE_POD = ["--kubeconfig", "--server", "--master"];

function valueIn(args: readonly string[], name: string): string | null {
  const joined = args.find((one) => one.startsWith(`--${name}=`));
  if (joined !== undefined) return joined.slice(name.length + 3);
  const at = args.indexOf(`--${name}`);
  return at < 0 ? null : (args[at + 1] ?? null);
}

/** Without the flags that `given` has, and their values. */
function withoutFlags(args: readonly string[], given: readonly string[]): readonly string[] {
  const nameIn = (text: string): string => /^--(?:no-)?([^=]+)/.exec(text)?.[1] ?? "";
  const names = new Set(given.map(nameIn));
  const isGiven = (one: string): boolean => one.startsWith("--") && names.has(nameIn(one));
  return args.filter((one, at) => {
    const before = args[at - 1] ?? "";
    const isValue = !one.startsWith("--") && !before.includes("=") && isGiven(before);
    return !isGiven(one) && !isValue;
  });
}

function textOfFile(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
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
