/**
 * Keeps docs/reference/errors.md: adds a row for each new code with the message beside it in the
 * source, drops codes that are gone, keeps the words of all others. test/tidy/errors.test.ts fails
 * while page and source differ.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { codesIn } from "./errors-page/codes.ts";
import { formatPage, parsePage, updatedRows } from "./errors-page/page.ts";
import { productionFiles } from "./measure/source-files.ts";

const PAGE = "docs/reference/errors.md";
const rows = existsSync(PAGE) ? parsePage(readFileSync(PAGE, "utf8")) : [];
const next = updatedRows(rows, productionFiles(".").flatMap(codesIn));
writeFileSync(PAGE, formatPage(next));
process.stdout.write(`${PAGE}: ${next.length} codes\n`);
