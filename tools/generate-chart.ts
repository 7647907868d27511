/**
 * Writes the generated files of deploy/chart: the schemas of its values, what its templates know of
 * them, and its version; and deploy/manifests, which is the chart rendered. test/tidy/chart.test.ts
 * and test/real/chart.test.ts fail while they differ.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { chartFiles } from "./chart/chart-files.ts";
import { manifests } from "./chart/manifests.ts";

for (const [path, text] of Object.entries(
  chartFiles(readFileSync("deploy/chart/Chart.yaml", "utf8")),
))
  writeFileSync(path, text);

const rendered = manifests();
if (rendered === null)
  process.stderr.write("deploy/manifests is left as it is: no helm (bash script/fetch-helm)\n");
for (const [path, text] of Object.entries(rendered ?? {})) writeFileSync(path, text);
