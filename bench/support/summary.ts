/**
 * Reads `figures {…}` lines of benches from standard input and prints one table with budget and
 * verdict; with BENCH_MARKDOWN=1 as docs/reference/benchmarks.md has it.
 */
import { text } from "node:stream/consumers";
import { type BenchReport, type Figure, rowOf } from "./report.ts";

const reports = (await text(process.stdin))
  .split("\n")
  .filter((line) => line.startsWith("figures "))
  .map((line): BenchReport => JSON.parse(line.slice("figures ".length)));
const [first] = reports;
if (first !== undefined) {
  const isMarkdown = process.env["BENCH_MARKDOWN"] === "1";
  const head = isMarkdown ? "| bench | figure | value | budget | |\n|---|---|---|---|---|\n" : "";
  process.stdout.write(`\n== ${first.machine}, commit ${first.commit}\n${head}`);
  for (const { bench, at, load, seconds, figures } of reports) {
    const circumstances = `${at.slice(0, 16)}Z, load ${load}, ${seconds} s`;
    const rows = figures.map(isMarkdown ? markdownRowOf : rowOf).join("");
    process.stdout.write(
      isMarkdown
        ? `| **${bench}** | ${circumstances} | | | |\n${rows}`
        : `${bench} (${circumstances})\n${rows}`,
    );
  }
  const judged = reports.flatMap(({ figures }) => figures).filter(({ met }) => met !== undefined);
  const missed = judged.filter(({ met }) => met === false).length;
  const seconds = reports.reduce((sum, report) => sum + report.seconds, 0);
  process.stdout.write(
    `\n${judged.length - missed} budgets met, ${missed} missed; ${seconds} s in all\n`,
  );
}

function markdownRowOf({ what, value, budget = "", met }: Figure): string {
  const verdict = met === undefined ? "" : met ? "met" : "**missed**";
  return `| | ${what} | ${value} | ${budget} | ${verdict} |\n`;
}
