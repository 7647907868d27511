import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { troubleshootingPage } from "../../tools/troubleshooting-page.ts";
import { CHAPTERS } from "../real/mistakes/table.ts";

const PAGE = readFileSync("docs/guides/troubleshooting.md", "utf8");

test("the page is what the table of mistakes makes", () => {
  expect(PAGE, "run: npm run generate").toBe(troubleshootingPage());
});

test("each mistake has its anchor, its message and what to do", () => {
  for (const { id, mend } of CHAPTERS.flatMap(({ rows }) => rows)) {
    expect(PAGE).toContain(`(#${id})`);
    expect(PAGE).toContain(`<a id="${id}"></a>`);
    expect(PAGE).toContain(`**What to do.** ${mend}`);
  }
});
