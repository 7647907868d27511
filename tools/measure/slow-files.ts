/** Which test files took longest, from the JSON reports that vitest writes. Pure. */

/** A report as far as it is read here. */
export interface TestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
  }[];
}

/** A test file and its time. */
export interface SlowFile {
  /** Relative to the root. */
  readonly path: string;
  readonly seconds: number;
}

/** The slowest first; a file of several reports counts with its longest time. */
export function slowestFiles(
  reports: readonly TestReport[],
  root: string,
  count: number,
): readonly SlowFile[] {
  const seconds = new Map<string, number>();
  for (const { name, startTime, endTime } of reports.flatMap((one) => one.testResults)) {
    const path = name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name;
    const took = Math.round((endTime - startTime) / 100) / 10;
    seconds.set(path, Math.max(took, seconds.get(path) ?? 0));
  }
  return [...seconds]
    .map(([path, took]) => ({ path, seconds: took }))
    .sort((a, b) => b.seconds - a.seconds || (a.path < b.path ? -1 : 1))
    .slice(0, count);
}
