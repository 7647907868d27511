/** Changelog fragments: each is a list of changes, and folding them loses nothing. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fold, fragmentTrouble } from "../../tools/changelog/fold.ts";

const PAGE = "# Changelog\n\nWords.\n\n## Unreleased\n\n- first\n\n## 0.1.0\n\n- old\n";
const TWO = [
  { name: "b.md", text: "- from b\n" },
  { name: "a.md", text: "- from a\n  and on\n" },
];

test("fragments go below what is unreleased, sorted by name", () => {
  expect(fold(PAGE, TWO, null)).toBe(
    "# Changelog\n\nWords.\n\n## Unreleased\n\n- first\n- from a\n  and on\n- from b\n\n## 0.1.0\n\n- old\n",
  );
});

test("a release takes the section's place and leaves an empty one", () => {
  const page = fold(PAGE, TWO, "0.2.0");
  expect(page).toContain(
    "## Unreleased\n\n## 0.2.0\n\n- first\n- from a\n  and on\n- from b\n\n## 0.1.0",
  );
  expect(fold(page, [], null)).toBe(page);
});

test("a version that has a section already gets a chapter in it", () => {
  const written = "# Changelog\n\n## Unreleased\n\n## 0.2.0\n\n- old\n\n## 0.1.0\n\n- first\n";
  const page = fold(written, TWO, "0.2.0");
  expect(page).toBe(
    "# Changelog\n\n## Unreleased\n\n## 0.2.0\n\n- old\n\n### Later changes\n\n- from a\n  and on\n- from b\n\n## 0.1.0\n\n- first\n",
  );
  expect(fold(page, [], null)).toBe(page);
});

test("a page without the section is refused", () => {
  expect(() => fold("# Changelog\n", TWO, null)).toThrow("Unreleased");
});

test.each([
  ["- a change\n  that goes on\n- another\n", true],
  ["A sentence.\n", false],
  ["  indented first\n", false],
  ["", false],
  ["- a change\n# a heading\n", false],
])("%j is a fragment: %s", (text, isFine) => {
  expect(fragmentTrouble({ name: "x.md", text }) === null).toBe(isFine);
});

test("the fragments of this checkout can be folded", () => {
  const names = existsSync(".changelog") ? readdirSync(".changelog") : [];
  const texts = names.map((name) => ({
    name,
    text: readFileSync(join(".changelog", name), "utf8"),
  }));
  expect(texts.flatMap((fragment) => fragmentTrouble(fragment) ?? [])).toEqual([]);
});
