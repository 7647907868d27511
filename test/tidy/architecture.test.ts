/** The layers and rooms of docs/architecture.md are those that the import rules check. */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

type Lists = Readonly<Record<string, readonly string[]>>;

const { may, packages, rooms, values } = (await import(resolve(".dependency-cruiser.mjs"))) as {
  readonly may: Lists;
  readonly packages: Lists;
  readonly rooms: Lists;
  readonly values: readonly string[];
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
  expect(tableBelow("### Folders of src")).toEqual(Object.fromEntries(rules));
});

test("each package may import what the page says, and values of packages are those that it names", () => {
  expect(tableBelow("### Packages")).toEqual(packages);
  const named = values.map((name) => `\`${name}\``).join(", ");
  expect(page).toContain(`Values of packages (${named} and the files of \`base\` itself)`);
});

test("rooms stand in the order that the page says", () => {
  expect(tableBelow("### Rooms inside a folder")).toEqual(rooms);
});

test("each folder and room has its paragraph", () => {
  const folders = ["src", "packages"].flatMap((top) =>
    readdirSync(top).map((name) => `${top}/${name}`),
  );
  expect(folders.filter((folder) => !page.includes(`\n**\`${folder}\`**`))).toEqual([]);
  const all = Object.values(rooms).flat();
  expect(all.filter((room) => !page.includes(`\`${room}\``))).toEqual([]);
});
