/**
 * A source tree of a few lines in a temporary folder, for tests of the checkers: does a seeded
 * fault come out?
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeTempFolder, type TempFolder } from "../ports/temp-folder.ts";

/** Writes `files` (path → text) into a new folder. The caller removes it. */
export function seededTree(files: Readonly<Record<string, string>>): TempFolder {
  const folder = makeTempFolder("tree");
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder.path, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return folder;
}
