/**
 * Writes the generated files of deploy/chart: the schemas of its values, what its templates know of
 * them, and its version. test/tidy/chart.test.ts fails while they differ.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { chartFiles } from "./chart/chart-files.ts";

for (const [path, text] of Object.entries(
  chartFiles(readFileSync("deploy/chart/Chart.yaml", "utf8")),
))
  writeFileSync(path, text);
