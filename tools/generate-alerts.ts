/** Copies rules and dashboard into the chart, which renders them. A tidy test compares. */
import { copyFileSync, mkdirSync } from "node:fs";

mkdirSync("deploy/chart/files", { recursive: true });
for (const file of ["rules.yaml", "dashboard.json"])
  copyFileSync(`deploy/alerts/${file}`, `deploy/chart/files/${file}`);
