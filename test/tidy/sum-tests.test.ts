/** The closing line of `npm test`: sums, and failures that no test shows. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../support/programs/run.ts";
import { seededTree } from "../support/values/seeded-tree.ts";

const file = (...statuses: readonly string[]) => ({
  name: "a.test.ts",
  status: statuses.includes("failed") ? "failed" : "passed",
  assertionResults: statuses.map((status) => ({
    status,
    fullName: "does it",
    failureMessages: status === "failed" ? ["Error: expected 1\n    at here"] : [],
  })),
});
const report = (testResults: readonly unknown[], success = true) =>
  JSON.stringify({ success, testResults });

test.each([
  [
    "several reports add up",
    [report([file("passed", "pending")]), report([file("passed", "todo")])],
    [],
    "2 passed, 0 failed, 2 skipped",
    0,
  ],
  [
    "a failed test",
    [report([file("passed", "failed")], false)],
    [],
    "1 passed, 1 failed, 0 skipped",
    1,
  ],
  [
    "a file that cannot be loaded",
    [report([{ ...file(), status: "failed" }, file("passed")], false)],
    [],
    "1 passed, 1 failed, 0 skipped",
    1,
  ],
  [
    "an error outside of tests",
    [report([file("passed")], false)],
    [],
    "1 passed, 1 failed, 0 skipped",
    1,
  ],
  [
    "a step without tests",
    [report([file("passed")])],
    ["check"],
    "1 passed, 1 failed, 0 skipped",
    1,
  ],
  ["nothing at all", [], [], "0 passed, 0 failed, 0 skipped", 1],
])("%s", async (_, reports, steps, line, code) => {
  const tree = seededTree(
    Object.fromEntries(reports.map((text, index) => [`reports/${index}.json`, text])),
  );
  try {
    mkdirSync(join(tree.path, "reports"), { recursive: true });
    const result = await run("node", [
      "script/sum-tests.mjs",
      join(tree.path, "reports"),
      ...steps,
    ]);
    expect(result.stdout.trimEnd().split("\n").at(-1)).toBe(line);
    expect(result.code).toBe(code);
    const hasFailed = reports.some((text) => text.includes("at here"));
    expect(result.stdout.includes("does it\n  Error: expected 1\n")).toBe(hasFailed);
  } finally {
    tree.remove();
  }
});

test("a run that ended with an error before it wrote a report", async () => {
  const tree = seededTree({
    "reports/one.json": report([file("passed")]),
    "reports/one.failed": "",
    "reports/two.failed": "",
  });
  try {
    const result = await run("node", ["script/sum-tests.mjs", join(tree.path, "reports")]);
    expect(result.stdout).toBe(
      "FAILED one.json: errors outside of tests\nFAILED two: ended with an error and without a report\n1 passed, 2 failed, 0 skipped\n",
    );
    expect(result.code).toBe(1);
  } finally {
    tree.remove();
  }
});
