/** What a marker's name says where several templates are read at once. */
import { describe, expect, test } from "vitest";
import { nameTemplate } from "../../../test/support/values/name-template.ts";
import { nameOf, ORIGIN, shortName } from "../../../test/support/values/zone-text.ts";
import { candidatesAt, dependentNamesOf, readsBack, templatesRead } from "./marker-candidates.ts";
import { LABEL, type NameTemplate, TYPED } from "./name-template.ts";

const A_DASH = nameTemplate("a-");
const TXT_DASH = nameTemplate("txt-");
const optionsOf = (...readAlso: readonly NameTemplate[]) => ({
  apex: ORIGIN,
  nameTemplates: templatesRead(TYPED, readAlso),
});

test("each template is read once, the chosen ones first, the default one last", () => {
  expect(templatesRead(TYPED, [])).toEqual([LABEL, TYPED]);
  expect(templatesRead(TXT_DASH, [TYPED, A_DASH, TXT_DASH])).toEqual([
    LABEL,
    TXT_DASH,
    A_DASH,
    TYPED,
  ]);
});

describe("readings of a name, the best first", () => {
  test.each<[string, readonly NameTemplate[], readonly string[]]>([
    ["a-www", [], ["www A"]],
    ["www", [], ["www -"]],
    ["_owner.a.www", [], ["www A"]],
    // A prefix that reads no type in it: what the default template says comes behind.
    ["a-www", [A_DASH], ["www -", "www A"]],
    // A prefix that reads a type: the name without affix does not label itself.
    ["txt-a-team", [TXT_DASH], ["team A", "a-team TXT"]],
    ["txt-team", [TXT_DASH], ["team -", "team TXT"]],
    ["x-a-www", [nameTemplate("x-")], ["www A"]],
    ["x-www", [nameTemplate("x-")], ["www -", "x-www -"]],
    ["x-a-a-www", [nameTemplate("x-"), nameTemplate("x-a-")], ["a-www A", "www A"]],
    ["x-a-www", [nameTemplate("x-a-"), nameTemplate("x-")], ["www A", "www -"]],
    ["txt-a-www", [TXT_DASH, nameTemplate("txt-")], ["www A", "a-www TXT"]],
  ])("%s", (name, readAlso, candidates) => {
    const found = candidatesAt(nameOf(name), optionsOf(...readAlso));
    expect(found.map((one) => `${shortName(one.name)} ${one.type ?? "-"}`)).toEqual(candidates);
  });
});

describe("a marker name fits where it is read first as that of its record", () => {
  test.each<[string, string, string, boolean]>([
    ["a-www", "www", "A", true],
    ["a-www", "www", "AAAA", false],
    ["a-www", "api", "A", false],
    ["txt-a-team", "a-team", "TXT", false],
    ["txt-www", "www", "TXT", false],
  ])("%s for %s %s: %s", (markerName, name, type, isRead) => {
    const record = { name: nameOf(name), type };
    const options = optionsOf(TXT_DASH);
    expect(readsBack(TYPED, { markerName: nameOf(markerName), record }, options)).toBe(isRead);
  });

  test("not where its own template reads it in two ways", () => {
    const wild = nameTemplate("txt-", "", "any");
    const record = { name: nameOf("*"), type: "A" };
    const options = { apex: ORIGIN, nameTemplates: templatesRead(wild, []) };
    expect(readsBack(wild, { markerName: nameOf("txt-a-any"), record }, options)).toBe(false);
  });
});

describe("names that a marker may label as well", () => {
  test.each<[string, readonly NameTemplate[], readonly string[]]>([
    ["www", [], []],
    ["a-team", [], []],
    ["a-team", [TXT_DASH], ["team"]],
    ["www-old", [nameTemplate("", "-old")], ["www"]],
  ])("%s", (name, readAlso, dependentNames) => {
    const found = dependentNamesOf(nameOf(name), optionsOf(...readAlso)).map(shortName);
    expect(found).not.toContain(name);
    for (const dependentName of dependentNames) expect(found).toContain(dependentName);
    if (dependentNames.length === 0) expect(found).toEqual([]);
    expect(new Set(found).size).toBe(found.length);
  });
});
