// The packages that are inside of a bundle, from esbuild's metafile, and their licences.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FILE = /^(?:licen[cs]e|copying|copyright|notice)/i;
const SOURCE = /\.[cm]?[jt]s$/;
const FOLDER = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Paths of the packages' folders, sorted. */
export function foldersOf({ inputs }) {
  const folders = Object.keys(inputs).flatMap((path) => FOLDER.exec(path)?.[1] ?? []);
  return [...new Set(folders)].sort();
}

/** One section a package, sorted by name and version. Throws where a package brings none. */
export function licencesOf(folders) {
  const sections = folders.map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    const texts = new Set(licenceFiles(folder).map((file) => readFileSync(file, "utf8").trim()));
    if (texts.size === 0 && typeof license !== "string")
      throw new Error(`${name}@${version} brings no licence`);
    return `${name}@${version} (${license ?? "see below"})\n\n${[...texts].join("\n\n")}`;
  });
  return `${[...new Set(sections)].sort().join(`\n\n${"-".repeat(72)}\n\n`)}\n`;
}

/** Those of what a package has taken in, too, such as the C libraries inside of lmdb. */
function licenceFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && FILE.test(entry.name) && !SOURCE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !dirname(path).slice(folder.length).includes("node_modules"))
    .sort();
}
