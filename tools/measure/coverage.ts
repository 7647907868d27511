/**
 * Figure 10 of docs/style.md: which share of the branches the unit tests take, from the summary
 * that vitest writes. Pure; it runs nothing.
 */
import { isAbsolute, relative, sep } from "node:path";
import type { Figure } from "./figures.ts";

/** Without I/O: there every branch can be tested in place. */
const PURE: ReadonlySet<string> = new Set(["model", "plan", "sources", "inbound", "dns"]);

/**
 * `coverage-summary.json` by file, as far as it is read here; the row `total` is the reporter's
 * own.
 */
export type CoverageSummary = Readonly<
  Record<string, { readonly branches: { readonly total: number; readonly covered: number } }>
>;

interface Row {
  /** `src/plan/plan.ts`. */
  readonly path: string;
  readonly total: number;
  readonly covered: number;
}

/** The two figures, and one without a floor for each folder of src and package, by name. */
export function coverageFigures(summary: CoverageSummary, root: string): readonly Figure[] {
  const rows = Object.entries(summary).flatMap(([file, { branches }]) => {
    const path = (isAbsolute(file) ? relative(root, file) : file).split(sep).join("/");
    return /^(src|packages)\//.test(path) ? [{ path, ...branches }] : [];
  });
  const folders = [...new Set(rows.map(folderOf))].sort();
  const pure = rows.filter((row) => PURE.has(folderOf(row)));
  return [
    figure("10a", "branches covered, pure folders", { rows: pure, floor: 95, target: "100" }),
    figure("10b", "branches covered, all", { rows, floor: 85, target: "93" }),
    ...folders.map((folder) =>
      figure("10", `  ${folder}`, {
        rows: rows.filter((row) => folderOf(row) === folder),
        floor: 0,
        target: "",
      }),
    ),
  ];
}

interface Counted {
  readonly rows: readonly Row[];
  readonly floor: number;
  readonly target: string;
}

function figure(id: string, measure: string, { rows, floor, target }: Counted): Figure {
  const sum = (pick: (row: Row) => number): number =>
    rows.reduce((total, row) => total + pick(row), 0);
  const total = sum((row) => row.total);
  const value = total === 0 ? null : Math.round((1000 * sum((row) => row.covered)) / total) / 10;
  const worst = [...rows].sort((a, b) => missed(b) - missed(a))[0];
  return { id, measure, value, unit: "%", bound: "least", floor, target, worst: worstText(worst) };
}

function worstText(row: Row | undefined): string {
  return row === undefined || missed(row) === 0 ? "" : `${row.path}: ${missed(row)} not taken`;
}

function missed({ total, covered }: Row): number {
  return total - covered;
}

function folderOf({ path }: Row): string {
  return path.split("/")[1] ?? "";
}
