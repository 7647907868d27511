/**
 * Where tests look for programs. Debian keeps servers in /usr/sbin, which is not on everybody's
 * PATH.
 */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The PATH of the test with Debian's folders for servers at its end. */
export function programPath(): string {
  return [process.env["PATH"] ?? "", "/usr/sbin", "/sbin"].join(delimiter);
}

/** The environment without settings of tests: the program would take them for options. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("ZONEKEEPER_"));
  return { ...Object.fromEntries(own), PATH: programPath() };
}

/**
 * True when `program` (a name, or an absolute path) can be executed from one of the folders of
 * `path`.
 */
export function isOnPath(program: string, path: string = programPath()): boolean {
  if (program.startsWith("/")) return isExecutable(program);
  return path
    .split(delimiter)
    .some((folder) => folder !== "" && isExecutable(join(folder, program)));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
