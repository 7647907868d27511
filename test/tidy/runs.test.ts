/**
 * The lists of real tests by run (docs/reference/tests-by-run.md): each names a file that is there,
 * and what only the campaign plays has a row that says what judges the same in `.ci/run`.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { filesBelow } from "../../tools/measure/source-files.ts";

const listed = (file: string): readonly string[] => readFileSync(file, "utf8").trim().split("\n");
const first = listed("test/real/first.txt");
const campaign = listed("test/real/campaign.txt");
const page = readFileSync("docs/reference/tests-by-run.md", "utf8");

test("each file of a list is there, and in one list only", () => {
  expect([...first, ...campaign].filter((file) => !existsSync(file))).toEqual([]);
  expect(first.filter((file) => campaign.includes(file))).toEqual([]);
});

test("the page has a row for each file of which the campaign plays more", () => {
  const withVariants = filesBelow(".", "test/real")
    .filter(({ text }) => /"(?:coredns|openstack|variants)"|storyNeeds/.test(text))
    .map(({ path }) => path);
  expect(withVariants.length).toBeGreaterThan(5);
  const unnamed = [...campaign, ...withVariants].filter((file) => !page.includes(basename(file)));
  expect(unnamed).toEqual([]);
});
