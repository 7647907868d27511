/** What plug-ins may import is on a page: a change of the surface is seen in review. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { libraryPage } from "../../tools/library-page.ts";

test("the page is that of the entries of the package", () => {
  const page = readFileSync("docs/reference/library.md", "utf8");
  expect(page, "run: npm run generate").toBe(libraryPage());
});
