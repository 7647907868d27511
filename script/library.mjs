// The entries of the package `zonekeeper`, as package.json has them: what plug-ins may import.
import { readFileSync } from "node:fs";

const { exports } = JSON.parse(readFileSync("package.json", "utf8"));

/** Path of the file by the name of the entry: `source` is src/app/library/source.ts. */
export const LIBRARY = Object.fromEntries(
  Object.entries(exports).map(([entry, path]) => [entry.slice(2), path.slice(2)]),
);
