/**
 * The rules are in the repository: each number of a rule, invariant, fault class, incident or
 * decision that code names has its anchor in docs/, and what docs/ names is there.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { filesBelow, type SourceFile } from "../../tools/measure/source-files.ts";

const FOLDERS = ["src", "packages", "page", "test", "tools", "bench", "script"];
/** This file names numbers that do not exist. */
const SELF = "test/tidy/anchors.test.ts";
const files = FOLDERS.flatMap((folder) => filesBelow(".", folder)).filter(
  ({ path }) => path !== SELF,
);

const RULES = /\bZ-\d+\b/g;
/** `RFC 2136 §2.5.2` and `sha1` are none; a hexadecimal text is none either. */
const LISTED = /(?<![\w.$#/%:\\-])(?:[SL]\d{1,2}|[DPF]\d{2})(?![\w%-]|\.\d)/g;
const DECISIONS = /\bADR (\d{4})\b/g;
const LINKS = /\bdocs\/[\w/.-]+\.md(?:#[\w-]+)?/g;
/** Names of pages that lie outside of the repository. */
const OUTSIDE =
  /\bDESIGN(?:\.md)? (?:§|section)|\b(?:SAFETY|STYLE|DESIGN)\.md\b|\bSAFETY Z-|\bSTYLE (?:rule|figure)|\bfield.lessons\b/g;

const SAFETY = "docs/safety.md";
const LISTS = "docs/invariants.md";
const decisions = readdirSync("docs/adr").map((name) => name.slice(0, 4));

function anchorsOf(page: string): ReadonlySet<string> {
  const text = readFileSync(page, "utf8");
  const written = [...text.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = ""]) => id);
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => slugOf(title));
  return new Set([...written, ...headings]);
}

/** The anchor that GitHub gives to a heading. */
function slugOf(title: string): string {
  const plain = title.replaceAll(/<[^>]*>|[^\w\s-]/g, "");
  return plain.trim().toLowerCase().replaceAll(/\s/g, "-");
}

function isThere(link: string): boolean {
  const [page = "", anchor] = link.split("#");
  return existsSync(page) && (anchor === undefined || anchorsOf(page).has(anchor));
}

interface Finder {
  readonly safety: ReadonlySet<string>;
  readonly lists: ReadonlySet<string>;
}

/** What a file names that has no anchor, or that lies outside. */
function missingIn({ path, text }: SourceFile, { safety, lists }: Finder): readonly string[] {
  const lacks = (pattern: RegExp, isKnown: (found: string) => boolean) =>
    [...text.matchAll(pattern)].map(([all, part]) => part ?? all).filter((one) => !isKnown(one));
  return [
    ...lacks(RULES, (rule) => safety.has(rule.toLowerCase())),
    ...lacks(LISTED, (id) => lists.has(id.toLowerCase())),
    ...lacks(DECISIONS, (number) => decisions.includes(number)),
    ...lacks(LINKS, isThere),
    ...lacks(OUTSIDE, () => false),
  ].map((what) => `${path}: ${what}`);
}

const finder: Finder = { safety: anchorsOf(SAFETY), lists: anchorsOf(LISTS) };

test("each number and page that code names is in docs", () => {
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap((file) => missingIn(file, finder))).toEqual([]);
});

test.each([
  ["// (Z-18)", []],
  ["// (Z-99)", ["x.ts: Z-99"]],
  ["// S12: read", []],
  [
    "// S99, L19, D99, P99 and F99",
    ["x.ts: S99", "x.ts: L19", "x.ts: D99", "x.ts: P99", "x.ts: F99"],
  ],
  ["// ADR 0024", []],
  ["// ADR 9999", ["x.ts: 9999"]],
  ["// docs/safety.md#z-2", []],
  ["// docs/safety.md#nowhere", ["x.ts: docs/safety.md#nowhere"]],
  ["// docs/nowhere.md", ["x.ts: docs/nowhere.md"]],
  ["// DESIGN §5", ["x.ts: DESIGN §"]],
  ["// SAFETY Z-2", ["x.ts: SAFETY Z-"]],
  ["// sha1 0xS12 1.F07 \\u0085 S1.5", []],
])("the finder sees %s", (text, missing) => {
  expect(missingIn({ path: "x.ts", text }, finder)).toEqual(missing);
});

/** `- \`file\`: "title"; "title"`: the tests of a rule. */
const PROOF = /^- `([^`]+)`: (.+)$/gm;

/** The same in a cell of a table, where titles may end early. */
const CELL = /`([^`]+)`: ((?:"[^"]+"; )*"[^"]+")/g;

test.each([
  [SAFETY, PROOF],
  ["docs/reference/reliability.md", CELL],
])("the tests that %s names are there, with their titles", (page, form) => {
  const proofs = [...readFileSync(page, "utf8").matchAll(form)];
  expect(proofs.length).toBeGreaterThan(40);
  const missing = proofs.flatMap(([, path = "", rest = ""]) => {
    if (!existsSync(path)) return [path];
    const source = readFileSync(path, "utf8");
    const titles = [...rest.matchAll(/"([^"…]+)"/g)].map(([, title = ""]) => title);
    return titles.filter((title) => !source.includes(title)).map((title) => `${path}: ${title}`);
  });
  expect(missing).toEqual([]);
});

const pages = ["CONTRIBUTING.md", "README.md", ...pagesBelow("docs")].filter(existsSync);

function pagesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return pagesBelow(path);
    return path.endsWith(".md") ? [path] : [];
  });
}

/** Pages that tell what was: paths there are those of their time. */
const isHistory = (page: string): boolean => /^docs\/adr\/|-log\.md$/.test(page);

test.each(pages.filter((page) => !isHistory(page)))("%s names files that are there", (page) => {
  const text = readFileSync(page, "utf8").replaceAll(/```[\s\S]*?```/g, "");
  const paths = [...text.matchAll(/`((?:src|test|tools|docs)\/[\w./-]+)`/g)];
  const missing = paths.map(([, path = ""]) => path).filter((path) => !existsSync(path));
  expect(missing).toEqual([]);
});

/** `file` (`name`, …), and `name` in `file`: what a file declares or uses. */
const NAMED = /`((?:src|test)\/[\w./-]+\.ts)` \(([^)]*)\)|`(\w+)` in `([^`]+\.ts)`/g;

test.each(["docs/architecture.md", "docs/glossary.md"])("%s names what its files have", (page) => {
  const named = [...readFileSync(page, "utf8").matchAll(NAMED)];
  expect(named.length).toBeGreaterThan(10);
  const missing = named.flatMap(([, file, fragments = "", fragment = "", position = ""]) => {
    const path = file ?? position;
    const source = readFileSync(path, "utf8");
    const all =
      file === undefined
        ? [fragment]
        : [...fragments.matchAll(/`(\w+)`/g)].map(([, one = ""]) => one);
    return all
      .filter((one) => !new RegExp(`\\b${one}\\b`).test(source))
      .map((one) => `${path}: ${one}`);
  });
  expect(missing).toEqual([]);
});

test.each(pages)("%s links to what is there", (page) => {
  const text = readFileSync(page, "utf8").replaceAll(/```[\s\S]*?```/g, "");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const local = links.filter((link) => !/^(https?|mailto):/.test(link));
  const targets = local.map((link) =>
    link.startsWith("#") ? `${page}${link}` : normalize(join(dirname(page), link)),
  );
  expect(targets.filter((target) => !isThere(target.replace(/\/$/, "")))).toEqual([]);
});
