/** Writes docs/reference/options.md from the option table; with `--check` it only compares. */
import { readFileSync, writeFileSync } from "node:fs";
import { PLUG_INS } from "../src/app/plugins/rows.ts";
import { optionsPage } from "./options-page.ts";

const file = "docs/reference/options.md";
if (process.argv.includes("--check")) {
  if (readFileSync(file, "utf8") !== optionsPage(PLUG_INS)) {
    process.stderr.write(`${file} differs from the option table: run npm run generate\n`);
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, optionsPage(PLUG_INS));
}
