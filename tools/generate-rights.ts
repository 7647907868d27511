/**
 * Writes deploy/rbac, the rules of the chart and docs/reference/rights.md from the table of rights.
 * test/tidy/rights.test.ts fails while they differ.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { rightRows } from "../src/app/commands/run/right-rows.ts";
import { chartRules } from "./rights-pages/chart-rules.ts";
import { rightsPage } from "./rights-pages/rights-page.ts";
import { ROLE_FILES, roleText } from "./rights-pages/roles.ts";

const rows = rightRows();
for (const file of ROLE_FILES) writeFileSync(file.path, roleText(file, rows));
mkdirSync("deploy/chart/templates", { recursive: true });
writeFileSync("deploy/chart/templates/_rights.tpl", chartRules(rows));
writeFileSync("docs/reference/rights.md", rightsPage(rows));
