/**
 * Folds the fragments of `.changelog/` into CHANGELOG.md and removes them: `node script/run.mjs
 * tools/changelog.ts 0.2.0` for a release; without a version they stay unreleased.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fold, fragmentTrouble } from "./changelog/fold.ts";

const FOLDER = ".changelog";
const PAGE = "CHANGELOG.md";

const names = readdirSync(FOLDER).filter((name) => name.endsWith(".md"));
const fragments = names.map((name) => ({ name, text: readFileSync(join(FOLDER, name), "utf8") }));
const troubles = fragments.flatMap((fragment) => fragmentTrouble(fragment) ?? []);
if (troubles.length > 0) throw new Error(troubles.join("\n"));
writeFileSync(PAGE, fold(readFileSync(PAGE, "utf8"), fragments, process.argv[2] ?? null));
for (const name of names) rmSync(join(FOLDER, name));
process.stdout.write(`${PAGE}: ${names.length} fragments\n`);
