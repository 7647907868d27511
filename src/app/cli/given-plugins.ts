/**
 * Which plug-ins are given, before anything else is read: options and help name what they bring.
 * Flag over environment over file, as any option.
 */
import { readFileSync } from "node:fs";
import { fieldsOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import { parse } from "yaml";
import { environmentName } from "../../config/option.ts";
import { ProblemsError } from "../commands/process/exit.ts";
import { OWN_ROWS, type Rows } from "../plugins/rows.ts";

/**
 * The rows of the program and of the plug-ins that the command names. Throws ProblemsError with all
 * that cannot be used. Other commands than those that run or check load none.
 */
export async function givenRows(
  commandLine: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Rows> {
  const takesThem = commandLine.some((argument) => ["run", "dev", "check"].includes(argument));
  const names = takesThem ? givenPlugins(commandLine, environment) : [];
  if (names.length === 0) return OWN_ROWS;
  const { loadPlugins } = await import("../plugins/load-plugins.ts");
  const rows = await loadPlugins(names, process.cwd());
  if (!rows.ok) throw new ProblemsError(rows.error);
  return rows.value;
}

/** As given, without duplicates or blanks. A file that cannot be read is told with the options. */
export function givenPlugins(
  commandLine: readonly string[],
  environment: NodeJS.ProcessEnv,
): readonly string[] {
  const asked = (name: string): readonly string[] => {
    const flags = flagsIn(commandLine, name);
    return flags.length > 0 ? flags : [environment[environmentName(name)] ?? ""];
  };
  const names = asked("plugin").flatMap((text) => text.split(","));
  const given = names.map((name) => name.trim()).filter((name) => name !== "");
  const [file = ""] = asked("config");
  return [...new Set(given.length > 0 || file === "" ? given : inFile(file))];
}

function flagsIn(commandLine: readonly string[], name: string): readonly string[] {
  const flag = `--${name}`;
  return commandLine.flatMap((argument, index) => {
    if (argument === flag) return commandLine[index + 1] ?? [];
    return argument.startsWith(`${flag}=`) ? argument.slice(flag.length + 1) : [];
  });
}

function inFile(file: string): readonly string[] {
  try {
    const { plugin } = fieldsOf(parse(readFileSync(file, "utf8")));
    return typeof plugin === "string" ? [plugin] : (textsOf(plugin) ?? []);
  } catch {
    return [];
  }
}
