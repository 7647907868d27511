/** Reads `figures {…}` lines of benches from standard input and prints one table with budget and verdict. */
import { text } from "node:stream/consumers";
import { type BenchReport, rowOf } from "./report.ts";

const reports = (await text(process.stdin))
  .split("\n")
  .filter((line) => line.startsWith("figures "))
  .map((line): BenchReport => JSON.parse(line.slice("figures ".length)));
const [first] = reports;
if (first !== undefined) {
  process.stdout.write(`\n== ${first.machine}, commit ${first.commit}\n`);
  for (const { bench, at, load, figures } of reports)
    process.stdout.write(
      `${bench} (${at.slice(0, 16)}Z, load ${load})\n${figures.map(rowOf).join("")}`,
    );
  const judged = reports.flatMap(({ figures }) => figures).filter(({ met }) => met !== undefined);
  const missed = judged.filter(({ met }) => met === false).length;
  process.stdout.write(`${judged.length - missed} budgets met, ${missed} missed\n`);
}
