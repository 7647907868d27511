/**
 * Finds the files that the figures are about. Reads folders only; decides nothing about their
 * content.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** A file with its text. */
export interface SourceFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

const SOURCES = ["packages", "src"];

/** Production files of the program and its packages: no tests, no generated files. By path. */
export function productionFiles(root: string): readonly SourceFile[] {
  return filesIn(root, SOURCES).filter(({ path }) => !isTest(path));
}

/** Test files beside the sources and below test: `*.test.ts`. Sorted by path. */
export function testFiles(root: string): readonly SourceFile[] {
  return filesIn(root, [...SOURCES, "test"]).filter(({ path }) => isTest(path));
}

function filesIn(root: string, folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap((folder) => filesBelow(root, folder));
}

/**
 * TypeScript files below one folder, without declaration and generated files; none when there is no
 * such folder.
 */
export function filesBelow(root: string, folder: string): readonly SourceFile[] {
  return walk(join(root, folder))
    .filter((path) => /\.ts$/.test(path) && !/\.(generated|d)\.ts$/.test(path))
    .sort()
    .map((path) => ({
      path: relative(root, path).replaceAll("\\", "/"),
      text: readFileSync(path, "utf8"),
    }));
}

function isTest(path: string): boolean {
  return path.endsWith(".test.ts");
}

function walk(folder: string): readonly string[] {
  let entries: ReturnType<typeof list>;
  try {
    entries = list(folder);
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : walk(path);
    return [path];
  });
}

function list(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}
