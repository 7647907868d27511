/** Where tests look for programs. Debian keeps servers in /usr/sbin, which is not on everybody's PATH. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The PATH of the test with Debian's folders for servers at its end. */
export function programPath(): string {
  return [process.env["PATH"] ?? "", "/usr/sbin", "/sbin"].join(delimiter);
}

/** True when `program` can be executed from one of the folders of `path`. */
export function isOnPath(program: string, path: string = programPath()): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== "";
    } catch {
      return false;
    }
  });
}
