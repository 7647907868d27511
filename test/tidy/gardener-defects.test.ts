/** docs/reference/gardener-defects.md: the tests that it names are there, with their titles. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const PAGE = "docs/reference/gardener-defects.md";
/** `| 1 | defect | `file`: "title" |`, or a reason without a test. */
const ROW = /^\| (\d+) \| (.+?) \| (.+) \|$/;

const rows = readFileSync(PAGE, "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, number = "", , answer = ""] = ROW.exec(line) ?? [];
    return number === "" ? [] : [{ number: Number(number), answer }];
  });

test("each defect has a number and an answer", () => {
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
  expect(rows.length).toBe(14);
});

test.each(rows)(
  "defect $number: its tests are there, or it says why it does not concern us",
  ({ answer }) => {
    const tests = [...answer.matchAll(/`([^`]+\.(?:ts|yaml))`: "([^"]+)"/g)];
    if (tests.length === 0) expect(answer).toMatch(/^does not concern us: \S/);
    for (const [, path = "", title = ""] of tests) {
      expect(existsSync(path), path).toBe(true);
      expect(readFileSync(path, "utf8")).toContain(title);
    }
  },
);
