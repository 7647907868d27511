/**
 * `--dialect external-dns`, looked for before anything else is read: what follows it is a command
 * line of external-dns, and becomes one of this program's own.
 */
import { readFileSync } from "node:fs";
import { invariant } from "@zonekeeper/base/invariant";
import { EXTERNAL_DNS_FLAGS } from "../../config/external-dns/flags.ts";
import {
  type ExternalDnsConfig,
  type ExternalDnsInput,
  fromExternalDns,
} from "../../config/external-dns/translate.ts";
import { type CommandName, environmentName } from "../../config/option.ts";
import { optionsOf } from "../../config/options-table.ts";
import { inSet, type SpokenSet } from "../../config/run-sets.ts";
import type { Problem } from "../../model/problem.ts";
import { EXTERNAL_DNS_SOURCES } from "../../sources/external-dns-rows.ts";
import { SOURCES } from "../../sources/index.ts";
import { ProblemsError } from "../commands/process/exit.ts";
import type { DeploymentChoice } from "../commands/shadow/read-deployment.ts";
import { plugInsOf, type Rows } from "../plugins/rows.ts";
import { readSets } from "./read-sets.ts";

/** A command line for this program. */
export interface SpokenLine {
  readonly commandLine: readonly string[];
  readonly rows: Rows;
  /** Null = it was not one of external-dns. */
  readonly externalDns: ExternalDnsConfig | null;
  /** Of `--set`, the first one too; empty = there are none. */
  readonly sets: readonly SpokenSet[];
  /** A shadow tells what a run would do, in place of its report. */
  readonly isPlan: boolean;
  readonly remarks: readonly string[];
}

/**
 * Commands that take arguments of external-dns, and those that these then begin: `plan` is a shadow
 * that tells its plan.
 */
const COMMANDS: Readonly<Record<string, CommandName>> = {
  ...{ run: "run", check: "check", shadow: "shadow", plan: "shadow", dev: "dev" },
};
const DIALECT = "external-dns";

/**
 * Arguments without a command are those of `run`, as the charts of external-dns give them; so are
 * none at all where the environment names the dialect, since its arguments may all be variables.
 */
export function withCommand(
  commandLine: readonly string[],
  environment: NodeJS.ProcessEnv,
): readonly string[] {
  const [first] = commandLine;
  const isOfRun =
    first === undefined
      ? environment[environmentName("dialect")] !== undefined
      : first.startsWith("-") && !/^(-[hv]|--(help|version))\b/.test(first);
  return isOfRun ? ["run", ...commandLine] : commandLine;
}

/** Throws ProblemsError with everything that external-dns's arguments ask for in vain. */
export async function spokenLine(
  commandLine: readonly string[],
  environment: NodeJS.ProcessEnv,
  rows: Rows,
): Promise<SpokenLine> {
  const [given = ""] = commandLine;
  const command = Object.hasOwn(COMMANDS, given) ? COMMANDS[given] : undefined;
  const args = withoutDialect(commandLine, environment);
  const isHelp = commandLine.some((one) => one === "-h" || one.startsWith("--help"));
  if (command === undefined || args === null || isHelp)
    return { commandLine, rows, externalDns: null, sets: [], isPlan: false, remarks: [] };
  const ofPlugins = rows.sources.filter((one) => !SOURCES.includes(one));
  const sources = [...EXTERNAL_DNS_SOURCES, ...ofPlugins];
  const spoken = { ...rows, sources };
  const ownNames = optionsOf(command, plugInsOf(spoken)).flatMap(({ name, aliases }) => [
    name,
    ...aliases,
  ]);
  const asked = command === "dev" ? argsOfDev(args, sources) : args;
  const read = (await startedWith(asked, environment)).map((one) => ({
    ...one,
    translated: fromExternalDns({
      ...one,
      ownNames: new Set(ownNames),
      makesOwner: command === "dev",
      sources: sources.flatMap(({ name, publishes }) => (publishes === "itself" ? [] : [name])),
    }),
  }));
  const problems = read.flatMap(({ name, hidden, translated }) =>
    translated.ok
      ? []
      : hidden(translated.error).map((one) => (name === "" ? one : inSet(name, one))),
  );
  if (problems.length > 0) throw new ProblemsError(problems);
  const sets = read.flatMap(({ name, remarks, translated: { ok, ...one } }) =>
    "value" in one ? [{ name, ...one.value, remarks: [...remarks, ...one.value.remarks] }] : [],
  );
  const [first] = sets;
  invariant(first, "there is one external-dns at least");
  const owns = new Set(ownNames);
  // What is only assumed of a run is not of `dev`: ports are its own.
  const line = first.args.filter((one) => {
    const [, name = ""] = /^--([^=]+)/.exec(one) ?? [];
    return command !== "dev" || name === "" || (owns.has(name) && !name.startsWith("http-"));
  });
  const named = new Set(valuesIn(asked, "source"));
  const inDev = { sources: sources.map((row) => ({ ...row, inDev: named.has(row.name) })) };
  return {
    ...{ commandLine: [command, ...line], externalDns: first.config, isPlan: given === "plan" },
    rows: { ...spoken, ...(command === "dev" ? inDev : {}) },
    sets: first.name === "" ? [] : sets,
    remarks: sets.flatMap(({ name, remarks }) =>
      remarks.map((one) => (name === "" ? one : `set ${name}: ${one}`)),
    ),
  };
}

interface Started extends Pick<ExternalDnsInput, "args" | "environment" | "readFile"> {
  /** Of its set; empty = there are no sets. */
  readonly name: string;
  readonly remarks: readonly string[];
  /** Without values out of Secrets. */
  readonly hidden: (problems: readonly Problem[]) => readonly Problem[];
}

/**
 * By the sets or the Deployment that are named, else by this process; flags given here come first.
 */
async function startedWith(
  given: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<readonly Started[]> {
  const files = valuesIn(given, "set");
  const args = withoutFlags(given, ["--set"]);
  const [deployment] = valuesIn(args, "deployment");
  const [container = null] = valuesIn(args, "container");
  if (files.length > 0) {
    const started: Started[] = [];
    for (const { name, ...one } of readSets(files, container)) {
      const set = await ofDeployment(one, args);
      const readFile = (path: string): string | null => set.readFile(path) ?? textOfFile(path);
      started.push({ ...set, name, environment: { ...environment, ...set.environment }, readFile });
    }
    return started;
  }
  if (deployment !== undefined) return [await ofDeployment({ deployment, container }, args)];
  const readFile = textOfFile;
  return [{ name: "", args, environment, readFile, remarks: [], hidden: (problems) => problems }];
}

async function ofDeployment(
  which: Pick<DeploymentChoice, "deployment" | "container">,
  args: readonly string[],
): Promise<Started> {
  const { readDeployment } = await import("../commands/shadow/read-deployment.ts");
  const [kubeconfig = null] = valuesIn(args, "kubeconfig");
  const command = await readDeployment({ ...which, kubeconfig });
  const hide = (text: string): string =>
    [...command.secrets].reduce((shown, name) => {
      const value = command.environment[name] ?? "";
      return value === "" ? shown : shown.replaceAll(value, `$(${name})`);
    }, text);
  return {
    ...command,
    name: "",
    args: [...withoutFlags(command.args, [...args, ...OF_THE_POD]), ...args],
    readFile: (path) => command.files.get(path) ?? null,
    hidden: (problems) => problems.map((one) => ({ ...one, message: hide(one.message) })),
  };
}

/** What `dev` has itself: a provider, and sources of which the cluster has kinds. */
function argsOfDev(args: readonly string[], rows: Rows["sources"]): readonly string[] {
  const flags = EXTERNAL_DNS_FLAGS.filter(({ name, provider }) => name === "provider" || provider);
  const names = flags.map(({ name }) => `--${name}`);
  const rest = withoutFlags(args, names);
  const isNamed = valuesIn(rest, "source").length > 0;
  const inDev = rows.filter((one) => one.inDev && one.publishes === "direct");
  const sources = isNamed ? [] : inDev.map(({ name }) => `--source=${name}`);
  return [
    ...["--provider=rfc2136", "--rfc2136-host=127.0.0.1", "--rfc2136-zone=example.org"],
    ...["--rfc2136-insecure", ...sources, ...rest],
  ];
}

/** The cluster is the one that the Deployment was read from. */
const OF_THE_POD = ["--kubeconfig", "--server", "--master"];

function valuesIn(args: readonly string[], name: string): readonly string[] {
  return args.flatMap((one, at) => {
    if (one.startsWith(`--${name}=`)) return [one.slice(name.length + 3)];
    return one === `--${name}` ? (args[at + 1] ?? []) : [];
  });
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
  // `plan` asks the running instance, beside the variables of its Pod.
  const isOfPod = command === "run" || command === "check";
  const isMeant =
    command === "shadow" || (isOfPod && environment[environmentName("dialect")] === DIALECT);
  return !isOther && isMeant ? args : null;
}
