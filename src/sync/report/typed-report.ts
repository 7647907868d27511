/** Reports as the readers of objects type the commands in them. Pure. */
import type { NameReport, ObjectReport } from "../contract/contribution-report.ts";

/** `asTyped` absent = as it is. */
export function asTypedIn(
  report: ObjectReport,
  asTyped: ((text: string) => string) | undefined,
): ObjectReport {
  if (asTyped === undefined) return report;
  const typed = (names: readonly NameReport[]): readonly NameReport[] =>
    names.map((name) => ({ ...name, message: asTyped(name.message) }));
  return "unlisted" in report
    ? { ...report, unlisted: typed(report.unlisted) }
    : { ...report, names: typed(report.names) };
}
