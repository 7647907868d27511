// Runs dependency-cruiser and fails also when it cruised nothing, which it reports as success.
import { execFileSync } from "node:child_process";

const run = (type) =>
  execFileSync("npx", ["depcruise", "src", "packages", "page", "--output-type", type], {
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
let summary;
try {
  summary = JSON.parse(run("json")).summary;
} catch (error) {
  summary = JSON.parse(error.stdout).summary;
}
for (const { from, to, rule } of summary.violations)
  process.stdout.write(`${rule.name}: ${from} -> ${to}\n`);
if (summary.totalCruised === 0) {
  process.stderr.write("dependency-cruiser cruised 0 modules: the import rules were not checked\n");
  process.exit(1);
}
if (summary.violations.some((v) => v.rule.severity === "error")) process.exit(1);
process.stdout.write(`${summary.totalCruised} modules, no import rule broken\n`);
