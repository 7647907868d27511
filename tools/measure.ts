/**
 * Prints the figures of docs/style.md for this checkout. `--check` ends with 1 below a floor or
 * when a counted fault grew over tools/figures-baseline.json; `--update` lowers that baseline to
 * the present counts and never raises it. `--coverage` runs the unit tests and adds figure 10;
 * `--coverage=read` takes it from the last such run.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type CoverageSummary, coverageFigures } from "./measure/coverage.ts";
import { type Figure, faultsOfAll, figuresOf, isBroken } from "./measure/figures.ts";
import { type Faults, measureFile } from "./measure/file-figures.ts";
import { grown, lowered, type RatchetRow, ratchetRows } from "./measure/ratchet.ts";
import { productionFiles, testFiles } from "./measure/source-files.ts";
import { measureTestFile } from "./measure/test-figures.ts";

const root = resolve(process.argv.find((word) => word.startsWith("--root="))?.slice(7) ?? ".");
const baselineFile = join(root, "tools/figures-baseline.json");
const files = productionFiles(root).map(measureFile);
const figures = [
  ...figuresOf(files, testFiles(root).map(measureTestFile)),
  ...(process.argv.includes("--coverage") ? coverage(true) : []),
  ...(process.argv.includes("--coverage=read") ? coverage(false) : []),
];
const rows = ratchetRows(faultsOfAll(files), readBaseline());

process.stdout.write(`${[...tableOf(figures), "", ...faultTable(rows)].join("\n")}\n`);
if (process.argv.includes("--faults")) process.stdout.write(`${faultsByFile().join("\n")}\n`);
if (process.argv.includes("--update"))
  writeFileSync(baselineFile, `${JSON.stringify(lowered(rows), null, 2)}\n`);
if (process.argv.includes("--check")) check();

function readBaseline(): Partial<Faults> {
  return JSON.parse(readFileSync(baselineFile, "utf8")) as Partial<Faults>;
}

/**
 * Throws when there is nothing to read: a figure that was asked for is never left out in silence.
 */
function coverage(isFresh: boolean): readonly Figure[] {
  const file = join(root, "coverage/coverage-summary.json");
  if (isFresh)
    spawnSync("npx", ["vitest", "run", "--project", "unit", "--reporter=dot"], {
      cwd: root,
      env: { ...process.env, ZONEKEEPER_COVERAGE: "1" },
      stdio: ["ignore", "inherit", "inherit"],
    });
  if (!existsSync(file)) throw new Error(`${file} is missing: the unit tests wrote no coverage`);
  return coverageFigures(JSON.parse(readFileSync(file, "utf8")) as CoverageSummary, root);
}

function tableOf(list: readonly Figure[]): readonly string[] {
  const cells = list.map((figure) => [
    figure.id,
    figure.measure,
    figure.value === null ? "-" : `${figure.value}${figure.unit}`,
    `${figure.bound === "most" ? "<=" : ">="} ${figure.floor}${figure.unit}`,
    figure.target,
    isBroken(figure) ? `BROKEN  ${figure.worst}` : figure.worst,
  ]);
  return aligned([["#", "measure", "value", "floor", "target", "look at"], ...cells]);
}

function faultTable(list: readonly RatchetRow[]): readonly string[] {
  const cells = list.map(({ fault, count, baseline }) => [
    "7",
    fault,
    String(count),
    `<= ${baseline}`,
    count > baseline ? "GROWN (npm run measure -- --faults lists them)" : "",
  ]);
  return aligned([["#", "counted fault", "count", "baseline", ""], ...cells]);
}

function aligned(table: readonly (readonly string[])[]): readonly string[] {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => (row[column] ?? "").length)),
  );
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function faultsByFile(): readonly string[] {
  return files.flatMap(({ path, faults }) => {
    const present = Object.entries(faults).filter(([, count]) => count > 0);
    return present.length === 0
      ? []
      : [`${path}: ${present.map(([fault, count]) => `${fault} ${count}`).join(", ")}`];
  });
}

function check(): void {
  const broken = figures.filter(isBroken).map(({ id, measure }) => `figure ${id} (${measure})`);
  const more = grown(rows).map(({ fault }) => `counted fault ${fault}`);
  if (files.length === 0) broken.push("no production file was found: nothing was measured");
  if (broken.length + more.length === 0) return;
  process.stderr.write(`measure: below the floor: ${[...broken, ...more].join("; ")}\n`);
  process.exitCode = 1;
}
