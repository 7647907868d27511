/**
 * Which plug-ins are given, before anything else is read: options and help name what they bring.
 */
import { join, resolve } from "node:path";
import { environmentName } from "../../config/option.ts";
import { FOLDER_FILES } from "../commands/process/data-folder.ts";
import { ProblemsError } from "../commands/process/exit.ts";
import { OWN_ROWS, type Rows } from "../plugins/rows.ts";
import { peekGiven } from "./given-options.ts";

/** Where modules can be named: themselves, or in a file. */
const NAMING = ["plugin", "config"].map((option) => ({
  name: environmentName(option),
  flag: `--${option}`,
}));

/**
 * The rows of the program and of the plug-ins that the command names, which are watched. Throws
 * ProblemsError with all that cannot be used. Other commands than those that run or check load
 * none; only `run` notes what loops: `dev` and `check` are started by a person.
 */
export async function givenRows(
  commandLine: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Rows> {
  const command = commandLine.find((argument) =>
    ["run", "dev", "check", "shadow"].includes(argument),
  );
  const mayName = ({ name, flag }: { readonly name: string; readonly flag: string }): boolean =>
    environment[name] !== undefined || commandLine.some((argument) => argument.startsWith(flag));
  // Most name none: the table of all options is not made to find that out.
  if (command === undefined || !NAMING.some(mayName)) return OWN_ROWS;
  const peek = peekGiven(commandLine, environment);
  const names = peek("plugin") ?? [];
  if (!Array.isArray(names) || names.length === 0) return OWN_ROWS;
  const { loadPlugins } = await import("../plugins/load-plugins.ts");
  const data = command === "run" ? peek("data") : null;
  const notes = data === null ? null : join(resolve(String(data)), FOLDER_FILES.leftOff);
  const unique = [...new Set(names)];
  // A break point looks like a loop.
  const isDebugged = process.execArgv.some((argument) => argument.startsWith("--inspect"));
  const rows = await loadPlugins(unique, process.cwd(), isDebugged ? null : { notes });
  if (!rows.ok) throw new ProblemsError(rows.error);
  return rows.value;
}
