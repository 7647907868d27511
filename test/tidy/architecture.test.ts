/** The layers and rooms of docs/architecture.md are those that the import rules check. */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

type Lists = Readonly<Record<string, readonly string[]>>;

const { may, rooms } = (await import(resolve(".dependency-cruiser.mjs"))) as {
  readonly may: Lists;
  readonly rooms: Lists;
};

const page = readFileSync("docs/architecture.md", "utf8");

/** Rows of the table below a heading: the first cell, and the words in backticks of the second. */
function tableBelow(heading: string): Lists {
  const [, section = ""] = page.split(`\n${heading}\n`);
  const [text = ""] = section.split(/\n#{2,3} /);
  const rows = [...text.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)];
  return Object.fromEntries(
    rows.map(([, name = "", cell = ""]) => [
      name,
      [...cell.matchAll(/`([^`]+)`/g)].map(([, fragment = ""]) => fragment),
    ]),
  );
}

test("each folder may import what the page says", () => {
  const rules = Object.entries(may).map(([name, list]) => [
    name,
    list.map((path) => path.replaceAll("[.]", ".")),
  ]);
  expect(tableBelow("## Layers")).toEqual(Object.fromEntries(rules));
});

test("rooms stand in the order that the page says", () => {
  expect(tableBelow("### Rooms inside a folder")).toEqual(rooms);
});

test("each folder and room has its paragraph", () => {
  const folders = readdirSync("src");
  expect(folders.filter((folder) => !page.includes(`\n**\`src/${folder}\`**`))).toEqual([]);
  const all = Object.values(rooms).flat();
  expect(all.filter((room) => !page.includes(`\`${room}\``))).toEqual([]);
});
