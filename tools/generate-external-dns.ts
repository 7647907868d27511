/** Writes docs/reference/external-dns-flags.md; with `--check` it only compares. */
import { readFileSync, writeFileSync } from "node:fs";
import { externalDnsPage } from "./external-dns-page.ts";

const file = "docs/reference/external-dns-flags.md";
if (!process.argv.includes("--check")) writeFileSync(file, externalDnsPage());
else if (readFileSync(file, "utf8") !== externalDnsPage()) {
  process.stderr.write(`${file} differs from the table of flags: run npm run generate\n`);
  process.exitCode = 1;
}
