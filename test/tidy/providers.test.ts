/**
 * Each provider has its page, with a manifest that opens and the same questions answered, and the
 * page of checks names the checks and providers that there are.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PROVIDER_TYPES } from "../../src/providers/index.ts";
import { columnsOf, providersPage, type RunCase } from "../../tools/providers-page/matrix.ts";
import { exampleOf } from "../support/values/provider-example.ts";
import { realEnvironment } from "../support/values/rfc2136-session.ts";

const FOLDER = "docs/reference/providers";
const PAGE = readFileSync("docs/reference/providers.md", "utf8");
const HINT = "run: node script/run.mjs tools/providers-page.ts";
const PAGES = readdirSync(FOLDER).map((file) => [file, readFileSync(`${FOLDER}/${file}`, "utf8")]);

const HEADINGS = [
  "Secret",
  "Least rights",
  "Record types",
  "How it works",
  "Limits, and what happens at them",
  "What a race can do",
];

describe.each(PAGES)("%s", (_file = "", text = "") => {
  test("answers what is asked of every provider", () => {
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(expect.arrayContaining(HEADINGS));
    const race = text.slice(text.indexOf("## What a race can do"));
    expect(race, "kept apart by a fence record, or by the Lease").toMatch(/The fence is|the Lease/);
  });

  test("shows a manifest that opens", async () => {
    const { type, ...settings } = exampleOf(text);
    expect(text.split("\n")[0]).toContain(type === "" ? "a type" : type);
    const provider = PROVIDER_TYPES.find((one) => one.type === type);
    const opened = await provider?.open(settings, realEnvironment({}));
    expect(opened).toMatchObject({ ok: true });
    if (opened?.ok === true) opened.value.close();
  });
});

test("each provider type has a page, which names it in its title", () => {
  const titles = PAGES.map(([, text = ""]) => text.split("\n")[0]).join(" ");
  const named = new Set(titles.split(/[# ]+/));
  expect(PROVIDER_TYPES.filter(({ type }) => !named.has(type))).toEqual([]);
});

test("the page of checks has each check and each provider that there is", () => {
  const list = ["vitest", "list", "--project", "suites", "test/conformance/provider-", "--json"];
  const { stdout } = spawnSync("npx", list, { encoding: "utf8", maxBuffer: 1e8 });
  const cases = JSON.parse(stdout) as readonly { readonly name: string }[];
  const suites = cases.map(({ name }) => name.split(" > "));
  const checks = suites.filter(([suite = ""]) => suite.startsWith("provider conformance: "));
  const wanted = new Set(checks.map(([, title]) => title));
  const [table = "", calls = ""] = PAGE.split("## Calls");
  const rowsOf = (part: string) => [...part.matchAll(/^\| (.+?) \|/gm)].map(([, row]) => row);
  expect(new Set(rowsOf(table).filter((row) => row !== "check")), HINT).toEqual(wanted);
  expect(rowsOf(calls), HINT).toEqual(["provider", ...PROVIDER_TYPES.map(({ type }) => type)]);
  const head = PAGE.split("\n").find((line) => line.startsWith("| check |")) ?? "";
  const columns = [...head.matchAll(/\[([^\]]+)\]/g)].map(([, type]) => type);
  const titled = suites.map(([suite = ""]) => ({ ancestorTitles: [suite] }));
  const types = PROVIDER_TYPES.map(({ type }) => type);
  expect(columns, HINT).toEqual(columnsOf(titled, types));
});

describe("the page is made of a run", () => {
  const ran = (suite: string, title: string, more: Partial<RunCase> = {}): RunCase => ({
    ancestorTitles: [`provider conformance: ${suite}`],
    title,
    status: "passed",
    ...more,
  });

  test("what one back end is not asked has its reason", () => {
    const race = "of 20 creators of one name exactly one wins";
    const cases = [ran("one", race), ran("one, other words", race), ran("two", "b")];
    const all = [...cases, ran("one", "b", { meta: { unsupported: "no b here" } })];
    const page = providersPage(all, ["one", "two"]);
    expect(page).toContain(`| ${race} | ✓ | 1 |`);
    expect(page).toContain("| b | 2 | ✓ |");
    expect(page).toContain("1. the call compares nothing");
    expect(page).toContain("2. no b here");
  });

  test("a mode that writes in another way has a column beside its type", () => {
    const known = ran("one with mode", "a", { meta: { unsupported: "it is known to fail" } });
    const page = providersPage([known, ran("one", "a"), ran("two", "a")], ["one", "two"]);
    expect(page).toContain("| check | [one](providers/one.md) | [one with mode](providers/");
    expect(page).toContain("| a | ✓ | 1 | ✓ |");
    expect(page).toContain("1. it is known to fail");
  });

  test.each([
    ["a failed check", [ran("one", "a", { status: "failed" })], /not passed: a/],
    ["a provider without a run", [], /no conformance suite ran for one/],
    ["no reason", [ran("one", "a"), ran("one", "b"), ran("two", "b")], /no reason .*: a$/],
  ])("%s makes no page", (_title, cases, message) => {
    expect(() => providersPage(cases, cases.length === 3 ? ["one", "two"] : ["one"])).toThrow(
      message,
    );
  });
});
