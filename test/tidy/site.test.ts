/**
 * The documentation as a site (ADR 0130): `npm run site` builds it from what is here, every code
 * has its page, nothing comes from elsewhere, and a link that leads nowhere ends the build.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parsePage } from "../../tools/errors-page/page.ts";
import { makeTempFolder, type TempFolder } from "../support/ports/temp-folder.ts";
import { run } from "../support/programs/run.ts";

const ELEVENTY = resolve("node_modules/@11ty/eleventy/cmd.cjs");

const build = (output: string, cwd = ".") =>
  run(process.execPath, [ELEVENTY, "--config=site/eleventy.config.mjs", `--output=${output}`], {
    cwd,
  });

interface Section {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

describe("the site of what is here", () => {
  let folder: TempFolder;
  const page = (path: string): string => readFileSync(join(folder.path, path), "utf8");
  beforeAll(async () => {
    folder = makeTempFolder("site");
    const { code, stderr } = await build(folder.path);
    expect([code, stderr]).toEqual([0, ""]);
  }, 60_000);
  afterAll(() => folder.remove());

  test("every code has its page with its words, and the search knows it", () => {
    const rows = parsePage(readFileSync("docs/reference/errors.md", "utf8"));
    expect(rows.length).toBeGreaterThan(200);
    const { SECTIONS } = runInNewContext(`${page("search-index.js")};({ SECTIONS })`) as {
      SECTIONS: readonly Section[];
    };
    const known = new Map(SECTIONS.map((section) => [section.id, section]));
    for (const { code, meaning } of rows) {
      const [first = ""] = meaning.split(/[`|&<>"\\[]|docs\//);
      expect(page(`errors/${code}.html`)).toContain(first.trim());
      expect(known.get(`errors/${code}.html`)?.title).toBe(code);
      expect(page("reference/errors.html")).toContain(`href="../errors/${code}.html"`);
    }
  });

  test("nothing is inline, and nothing comes from elsewhere", () => {
    const files = readdirSync(folder.path, { recursive: true, encoding: "utf8" });
    const pages = files.filter((path) => path.endsWith(".html"));
    expect(pages.length).toBeGreaterThan(300);
    for (const path of pages) expect([path, page(path).match(FORBIDDEN)]).toEqual([path, null]);
  });

  test("README leads to each page that is no decision and no provider's", () => {
    const listed = new Set(page("index.html").match(/(?<=href=")[\w/.-]+\.html/g));
    const files = readdirSync("docs", { recursive: true, encoding: "utf8" });
    const pages = files.filter((path) => /^(?!adr\/|reference\/providers\/).*\.md$/.test(path));
    const missing = pages.filter((path) => !listed.has(path.replace(/md$/, "html")));
    expect(missing).toEqual([]);
  });
});

/** A script or style inside of a page, a handler, or a file that another host has. */
const FORBIDDEN = /<style|<script(?! src=")| (?:style|on\w+)="| src="(?:https?:)?\/\//;

test("a link to a page or an anchor that is not there ends the build, and a tag in the text", async () => {
  const { path: folder, remove } = makeTempFolder("site");
  onTestFinished(remove);
  for (const name of ["site", "page", "node_modules"])
    symlinkSync(resolve(name), join(folder, name));
  for (const name of ["docs/guides", "docs/adr", "docs/reference"])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of ["CONTRIBUTING.md", "CHANGELOG.md"])
    writeFileSync(join(folder, name), "# x\n");
  writeFileSync(
    join(folder, "README.md"),
    "# x\n\n## Documentation\n\n- Guides: [page](docs/guides/page.md)\n",
  );
  writeFileSync(join(folder, "docs/reference/errors.md"), "# Codes\n");
  writeFileSync(
    join(folder, "docs/guides/page.md"),
    "# A\n\n[x](nowhere.md), [y](page.md#nowhere), take <hash> of it\n",
  );
  const { code, stderr } = await build("out", folder);
  for (const line of [
    "→ nowhere.md",
    "→ page.html#nowhere",
    "docs/guides/page.md: <hash> is a tag",
  ])
    expect(stderr).toContain(line);
  expect(code).not.toBe(0);
  expect(existsSync(join(folder, "out/search-index.js"))).toBe(false);
});
