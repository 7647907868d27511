// Adds up the JSON reports of vitest in a folder and prints `N passed, N failed, N skipped` as the
// last line. A file `x.failed` is of a run or step that ended with an error, be it outside of the
// tests of its report `x.json` or without one. Further arguments name more steps that failed.
// Ends with 1 when anything failed or nothing passed.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, ...brokenSteps] = process.argv.slice(2);
const REASON_LINES = 12;
const LINE_LENGTH = 300;
const sum = { passed: 0, failed: brokenSteps.length, skipped: 0 };
const failures = brokenSteps.map((step) => `step ${step}`);

const names = readdirSync(folder).sort();
for (const name of names)
  if (name.endsWith(".json")) add(JSON.parse(readFileSync(join(folder, name), "utf8")), name);
for (const name of names)
  if (name.endsWith(".failed") && !names.includes(name.replace(/failed$/, "json")))
    fail(`${name.replace(/\.failed$/, "")}: ended with an error and without a report`);
for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
process.stdout.write(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped\n`);
process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0;

function add(report, name) {
  const before = sum.failed;
  for (const file of report.testResults) {
    for (const { status, fullName, failureMessages } of file.assertionResults) {
      if (status === "passed") sum.passed += 1;
      else if (status === "failed") fail(`${file.name}: ${fullName}${reason(failureMessages)}`);
      else sum.skipped += 1;
    }
    // A file that cannot be loaded, or whose hooks fail, has no failed test of its own.
    const hasFailed = file.assertionResults.some(({ status }) => status === "failed");
    if (file.status === "failed" && !hasFailed) fail(file.name);
  }
  // vitest counts a rejection that nobody handled as no failure of its report; its exit code tells.
  const hasEndedWell = report.success && !existsSync(join(folder, name.replace(/json$/, "failed")));
  if (!hasEndedWell && sum.failed === before) fail(`${name}: errors outside of tests`);
}

/** The start of the first message: whoever has only the end of a log sees why. */
function reason(messages) {
  const [message = ""] = messages;
  const lines = message.split("\n").slice(0, REASON_LINES);
  return lines.map((line) => `\n  ${line.slice(0, LINE_LENGTH)}`).join("");
}

function fail(what) {
  sum.failed += 1;
  failures.push(what);
}
