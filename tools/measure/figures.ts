/**
 * Turns the figures of files into the table of docs/style.md "The figures", with floor and target
 * of each. Pure; a figure that nothing can be said about (no such files yet) has value null and
 * breaks no floor.
 */
import type { Documented, Faults, FileFigures } from "./file-figures.ts";
import { SCREEN_LINES, type TestFigures } from "./test-figures.ts";

/** One line of the table. */
export interface Figure {
  /** Number in docs/style.md with a letter where one row there holds several values: `1a`. */
  readonly id: string;
  readonly measure: string;
  /** Null = nothing to measure. */
  readonly value: number | null;
  readonly unit: "" | "%";
  /** `most`: the value must not be above floor; `least`: not below. */
  readonly bound: "most" | "least";
  readonly floor: number;
  /** As docs/style.md words it. */
  readonly target: string;
  /** Where to look first when it is broken. */
  readonly worst: string;
}

/** True when the figure is beyond its floor. */
export function isBroken(figure: Figure): boolean {
  if (figure.value === null) return false;
  return figure.bound === "most" ? figure.value > figure.floor : figure.value < figure.floor;
}

/** Figures 1, 2, 4, 5, 6 and 12. */
export function figuresOf(
  files: readonly FileFigures[],
  tests: readonly TestFigures[],
): readonly Figure[] {
  return [
    ...fileSize(files),
    ...functionSize(files),
    ...documentation(files),
    ...comments(files),
    citations(files),
    ...testSize(tests),
  ];
}

/** The sum of all counted faults. */
export function faultsOfAll(files: readonly FileFigures[]): Faults {
  const sum = (key: keyof Faults): number =>
    files.reduce((total, { faults }) => total + faults[key], 0);
  return {
    any: sum("any"),
    as: sum("as"),
    asAtEdges: sum("asAtEdges"),
    nonNull: sum("nonNull"),
    lintDisable: sum("lintDisable"),
    biomeIgnore: sum("biomeIgnore"),
    todo: sum("todo"),
  };
}

/** The value below which `share` (0 to 1) of the values lie; null when there are none. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return (
    sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? sorted[0] ?? null
  );
}

function most(row: Omit<Figure, "bound" | "unit"> & { readonly unit?: "%" }): Figure {
  return { unit: "", ...row, bound: "most" };
}

function least(row: Omit<Figure, "bound" | "unit">): Figure {
  return { ...row, unit: "%", bound: "least" };
}

function fileSize(files: readonly FileFigures[]): readonly Figure[] {
  const lines = files.map((file) => file.lines);
  const worst = largest(files, (file) => file.lines);
  return [
    most({
      id: "1a",
      measure: "file lines, median",
      value: quantile(lines, 0.5),
      floor: 150,
      target: "100",
      worst,
    }),
    most({
      id: "1b",
      measure: "file lines, p90",
      value: quantile(lines, 0.9),
      floor: 350,
      target: "220",
      worst,
    }),
    most({
      id: "1c",
      measure: "file lines, max",
      value: quantile(lines, 1),
      floor: 400,
      target: "300",
      worst,
    }),
  ];
}

function functionSize(files: readonly FileFigures[]): readonly Figure[] {
  const lines = files.flatMap((file) => file.functionLines);
  const worst = largest(files, (file) => Math.max(0, ...file.functionLines));
  const long = percent(lines.filter((count) => count > 60).length, lines.length);
  return [
    most({
      id: "2a",
      measure: "function lines, median",
      value: quantile(lines, 0.5),
      floor: 8,
      target: "6",
      worst,
    }),
    most({
      id: "2b",
      measure: "function lines, p90",
      value: quantile(lines, 0.9),
      floor: 35,
      target: "22",
      worst,
    }),
    most({
      id: "2c",
      measure: "functions over 60 lines",
      value: long,
      unit: "%",
      floor: 1,
      target: "0",
      worst,
    }),
  ];
}

function documentation(files: readonly FileFigures[]): readonly Figure[] {
  const row = (id: string, pick: (file: FileFigures) => Documented): Figure => {
    const total = files.reduce((sum, file) => sum + pick(file).total, 0);
    const documented = files.reduce((sum, file) => sum + pick(file).documented, 0);
    return least({
      id,
      measure: `doc comments on ${id === "4a" ? "exports" : "exported interfaces"}`,
      value: percent(documented, total),
      floor: id === "4a" ? 80 : 100,
      target: id === "4a" ? "95" : "100",
      worst: largest(files, (file) => pick(file).total - pick(file).documented),
    });
  };
  return [row("4a", (file) => file.exports), row("4b", (file) => file.interfaces)];
}

function comments(files: readonly FileFigures[]): readonly Figure[] {
  const lines = files.reduce((sum, file) => sum + file.commentLines, 0);
  const nonBlank = files.reduce((sum, file) => sum + file.nonBlankLines, 0);
  const worst = largest(files, (file) => 100 * (1 - file.commentLines / (file.nonBlankLines + 1)));
  return [
    least({
      id: "5",
      measure: "comment lines",
      value: percent(lines, nonBlank),
      floor: 12,
      target: "15-35",
      worst,
    }),
  ];
}

/** Record types and wire files; index files only list others. */
function citations(files: readonly FileFigures[]): Figure {
  const about = files.filter(
    ({ path }) => /^packages\/dns\/src\/(wire|rdata)\//.test(path) && !path.endsWith("/index.ts"),
  );
  const silent = about.filter((file) => !file.citesRfcSection);
  return least({
    id: "6",
    measure: "wire and rdata files that cite an RFC section",
    value: percent(about.length - silent.length, about.length),
    floor: 90,
    target: "100",
    worst: silent[0]?.path ?? "",
  });
}

function testSize(tests: readonly TestFigures[]): readonly Figure[] {
  const cases = tests.flatMap((file) => file.caseLines);
  const long = percent(cases.filter((lines) => lines > SCREEN_LINES).length, cases.length);
  const max = quantile(
    tests.map((file) => file.lines),
    1,
  );
  const worst = largest(tests, (file) => file.lines);
  const longest = largest(tests, (file) => Math.max(0, ...file.caseLines));
  return [
    most({ id: "12a", measure: "largest test file", value: max, floor: 500, target: "400", worst }),
    most({
      id: "12b",
      measure: "cases over one screen",
      value: long,
      unit: "%",
      floor: 10,
      target: "0",
      worst: longest,
    }),
  ];
}

function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((1000 * part) / whole) / 10;
}

function largest<T extends { readonly path: string }>(
  items: readonly T[],
  size: (item: T) => number,
): string {
  const sorted = [...items].sort((a, b) => size(b) - size(a));
  return sorted[0]?.path ?? "";
}
