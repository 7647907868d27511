/**
 * Which plug-ins are given, before anything else is read: options and help name what they bring.
 * Flag over environment over file, as any option.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fieldsOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import { parse } from "yaml";
import { environmentName } from "../../config/option.ts";
import { FOLDER_FILES } from "../commands/process/data-folder.ts";
import { ProblemsError } from "../commands/process/exit.ts";
import { OWN_ROWS, type Rows } from "../plugins/rows.ts";

/**
 * The rows of the program and of the plug-ins that the command names. Throws ProblemsError with all
 * that cannot be used. Other commands than those that run or check load none; only `run` watches
 * them.
 */
export async function givenRows(
  commandLine: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Rows> {
  const command = commandLine.find((argument) => ["run", "dev", "check"].includes(argument));
  const names = command !== undefined ? givenPlugins(commandLine, environment) : [];
  if (names.length === 0) return OWN_ROWS;
  const { loadPlugins } = await import("../plugins/load-plugins.ts");
  const data = givenData(commandLine, environment);
  const notes = data === "" ? null : join(resolve(data), FOLDER_FILES.leftOff);
  const isWatched = command === "run" && !isDebugged();
  const rows = await loadPlugins(names, process.cwd(), isWatched ? { notes } : null);
  if (!rows.ok) throw new ProblemsError(rows.error);
  return rows.value;
}

/** A break point looks like a loop. */
function isDebugged(): boolean {
  return process.execArgv.some((argument) => argument.startsWith("--inspect"));
}

/** As given, without duplicates or blanks. A file that cannot be read is told with the options. */
export function givenPlugins(
  commandLine: readonly string[],
  environment: NodeJS.ProcessEnv,
): readonly string[] {
  const texts = askedTexts(commandLine, environment, "plugin");
  const names = texts.flatMap((text) => text.split(","));
  const given = names.map((name) => name.trim()).filter((name) => name !== "");
  return [...new Set(given.length > 0 ? given : inFile(commandLine, environment, "plugin"))];
}

/** The data folder of `run`; empty = none. */
export function givenData(commandLine: readonly string[], environment: NodeJS.ProcessEnv): string {
  const given = askedTexts(commandLine, environment, "data").at(-1) ?? "";
  return given === "" ? (inFile(commandLine, environment, "data")[0] ?? "") : given;
}

/** Of the flag, else of the environment; the latter is empty where it has none. */
function askedTexts(
  commandLine: readonly string[],
  environment: NodeJS.ProcessEnv,
  name: string,
): readonly string[] {
  const flags = flagsIn(commandLine, name);
  return flags.length > 0 ? flags : [environment[environmentName(name)] ?? ""];
}

function flagsIn(commandLine: readonly string[], name: string): readonly string[] {
  const flag = `--${name}`;
  return commandLine.flatMap((argument, index) => {
    if (argument === flag) return commandLine[index + 1] ?? [];
    return argument.startsWith(`${flag}=`) ? argument.slice(flag.length + 1) : [];
  });
}

function inFile(
  commandLine: readonly string[],
  environment: NodeJS.ProcessEnv,
  name: string,
): readonly string[] {
  const [file = ""] = askedTexts(commandLine, environment, "config");
  if (file === "") return [];
  try {
    const value = fieldsOf(parse(readFileSync(file, "utf8")))[name];
    return typeof value === "string" ? [value] : (textsOf(value) ?? []);
  } catch {
    return [];
  }
}
