/** The further source clusters as a table, and what is wrong with each below it. Pure. */
import { printable } from "../../../../model/printable.ts";
import type { ClusterRow, ClustersDocument } from "../../../api/documents.ts";
import { ageText } from "./age-text.ts";

const HEAD = ["CLUSTER", "MODE", "STATE", "OBJECTS", "ANSWERED", "FROM"];

/** A closing newline. */
export function clustersText({ now, clusters }: ClustersDocument): string {
  if (clusters.length === 0)
    return "There are no further source clusters: see --source-cluster, --clusters-dir and --clusters-namespace of run.\n";
  const rows = [HEAD, ...clusters.map((one) => cellsOf(one, Date.parse(now)))];
  const widths = HEAD.map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const troubles = clusters.flatMap(({ id, message }) =>
    message === "" ? [] : `${id}: ${message}`,
  );
  const rest = troubles.length === 0 ? [] : ["", ...troubles];
  return `${[...lines, ...rest].map(printable).join("\n")}\n`;
}

function cellsOf(
  { id, mode, state, objects, answeredAt, origin }: ClusterRow,
  nowMs: number,
): readonly string[] {
  const answered = answeredAt === null ? "never" : ageText(nowMs - Date.parse(answeredAt));
  return [id, mode, state, String(objects), answered, origin];
}
