// The licences of the packages that are inside of a bundle, from esbuild's metafile. Throws where a
// package brings none.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FILE = /^(?:licen[cs]e|copying|notice)/i;
const FOLDER = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** One section a package, sorted by name and version. */
export function licencesOf({ inputs }) {
  const folders = new Set(Object.keys(inputs).flatMap((path) => FOLDER.exec(path)?.[1] ?? []));
  const sections = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    const files = readdirSync(folder)
      .filter((file) => FILE.test(file))
      .sort();
    const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
    if (texts.length === 0 && typeof license !== "string")
      throw new Error(`${name}@${version} brings no licence`);
    return `${name}@${version} (${license ?? "see below"})\n\n${texts.join("\n\n")}`;
  });
  return `${[...new Set(sections)].sort().join(`\n\n${"-".repeat(72)}\n\n`)}\n`;
}
