/**
 * Prints the figures of docs/style.md for this checkout. `--check` ends with 1 below a floor or
 * when a counted fault grew over tools/figures-baseline.json; `--update` lowers that baseline to
 * the present counts and never raises it. `--faults` lists the counted faults by file, `--words`
 * the retired names and phrases. The slowest test files come from the last run of script/check or
 * script/test. `--coverage` runs the unit tests and adds figure 10; `--coverage=read` takes it from
 * the last such run.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type CoverageSummary, coverageFigures } from "./measure/coverage.ts";
import { type Figure, faultsOfAll, figuresOf, isBroken } from "./measure/figures.ts";
import { measureFile } from "./measure/file-figures.ts";
import { type Counts, grown, lowered, type RatchetRow, ratchetRows } from "./measure/ratchet.ts";
import { slowestFiles, type TestReport } from "./measure/slow-files.ts";
import { filesBelow, productionFiles, testFiles } from "./measure/source-files.ts";
import { measureTestFile } from "./measure/test-figures.ts";
import { treeFigures } from "./measure/tree-figures.ts";
import { retiredNames, retiredPhrases } from "./measure/words.ts";

const root = resolve(
  process.argv.find((argument) => argument.startsWith("--root="))?.slice(7) ?? ".",
);
const baselineFile = join(root, "tools/figures-baseline.json");
const production = productionFiles(root);
const all = ["src", "packages", "test", "tools", "bench"].flatMap((folder) =>
  filesBelow(root, folder),
);
const files = production.map(measureFile);
const retired = { names: retiredNames(all), phrases: retiredPhrases(all) };
const figures = [
  ...figuresOf(files, testFiles(root).map(measureTestFile)),
  ...treeFigures({ production, all }),
  ...(process.argv.includes("--coverage") ? coverage(true) : []),
  ...(process.argv.includes("--coverage=read") ? coverage(false) : []),
];
const counts = {
  ...faultsOfAll(files),
  retiredNames: retired.names.length,
  retiredPhrases: retired.phrases.length,
};
const rows = ratchetRows(counts, readBaseline());

process.stdout.write(`${[...tableOf(figures), "", ...faultTable(rows)].join("\n")}\n`);
if (process.argv.includes("--faults")) process.stdout.write(`${faultsByFile().join("\n")}\n`);
if (process.argv.includes("--words"))
  for (const { at, text } of [...retired.names, ...retired.phrases])
    process.stdout.write(`${at}: ${text}\n`);
process.stdout.write(slowTable());
if (process.argv.includes("--update"))
  writeFileSync(baselineFile, `${JSON.stringify(lowered(rows), null, 2)}\n`);
if (process.argv.includes("--check")) check();

function readBaseline(): Partial<Counts> {
  return JSON.parse(readFileSync(baselineFile, "utf8")) as Partial<Counts>;
}

/** Empty when no tests have run here. */
function slowTable(): string {
  const folder = join(root, ".cache/test-reports");
  if (!existsSync(folder)) return "";
  const reports = readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as TestReport,
  );
  const cells = slowestFiles(reports, root, 10).map((file) => [`${file.seconds}`, file.path]);
  return `\n${aligned([["s", "slowest test files of the last run"], ...cells]).join("\n")}\n`;
}

/**
 * Throws when there is nothing to read: a figure that was asked for is never left out in silence.
 */
function coverage(isFresh: boolean): readonly Figure[] {
  const file = join(root, "coverage/coverage-summary.json");
  if (isFresh)
    spawnSync(
      "npx",
      ["vitest", "run", "--project", "unit", "--project", "suites", "--reporter=dot"],
      {
        cwd: root,
        env: { ...process.env, ZONEKEEPER_COVERAGE: "1" },
        stdio: ["ignore", "inherit", "inherit"],
      },
    );
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
    fault.startsWith("retired") ? "17" : "7",
    fault,
    String(count),
    `<= ${baseline}`,
    count > baseline
      ? `GROWN (npm run measure -- ${fault.startsWith("retired") ? "--words" : "--faults"} lists them)`
      : "",
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
