import { expect, test } from "vitest";
import { PLUG_INS } from "../app/plugins/rows.ts";
import { classProblems, readClasses, runClassProblems } from "./publish-options.ts";
import { resolveOptions } from "./resolve-options.ts";

function resolved(flags: Readonly<Record<string, string>>) {
  const given = { command: "run", environment: {}, file: null, plugIns: PLUG_INS } as const;
  const options = resolveOptions({ ...given, flags: { owner: "me", ...flags } });
  if (!options.ok) throw new Error(JSON.stringify(options.error));
  return options.value;
}

test.each([
  { "dns-class": "gardendns" },
  { "dns-class": "a, b,a" },
  { "dns-class": "garden.example" },
  { "dns-target-class": "elsewhere" },
  { "dns-class": "a,b", "source-dns-class": "b", "dns-target-class": "a" },
])("%j is fine", (flags) => expect(classProblems(resolved(flags))).toEqual([]));

test.each([
  [{ "dns-class": "a b" }, "--dns-class", '"a b" is no class'],
  [{ "dns-class": "Public" }, "--dns-class", "lower-case letters"],
  [{ "dns-class": "a..b" }, "--dns-class", '"a..b" is no class'],
  [{ "dns-class": "a-.b" }, "--dns-class", '"a-.b" is no class'],
  [{ "dns-class": "a".repeat(64) }, "--dns-class", "is no class"],
  [{ "dns-class": "a,,b" }, "--dns-class", '"" is no class'],
  [{ "source-dns-class": "a,B" }, "--source-dns-class", '"B" is no class'],
  [{ "dns-target-class": "a,b" }, "--dns-target-class", '"a,b" is no class'],
  [{ "dns-class": "a,b", "source-dns-class": "b" }, "--dns-target-class", "b is a further class"],
] as const)("%j names the option and says why", (flags, subject, text) => {
  const [problem, ...more] = classProblems(resolved(flags));
  expect(problem?.subject).toBe(subject);
  expect(problem?.message).toContain(text);
  expect(more).toEqual([]);
});

test("source objects and generated entries have the class that is served, unless said otherwise", () => {
  const classesOf = (flags: Readonly<Record<string, string>>) => readClasses(resolved(flags));
  expect(classesOf({ "dns-class": "a, b,a" })).toEqual({
    ...{ dnsClasses: ["a", "b"], sourceClasses: ["a", "b"], targetClass: "a" },
  });
  expect(classesOf({ "source-dns-class": "x,y" })).toEqual({
    ...{ dnsClasses: ["gardendns"], sourceClasses: ["x", "y"], targetClass: "x" },
  });
});

test("entries are not copied into the class and the cluster that they are in", () => {
  const copying = { controllers: "compound,dnsentry-source" };
  const [problem] = runClassProblems(resolved(copying));
  expect(problem?.message).toContain("give --target, or another --dns-target-class");
  expect(runClassProblems(resolved({ ...copying, target: "other.yaml" }))).toEqual([]);
  const classes = { "source-dns-class": "intern", "dns-target-class": "gardendns" };
  expect(runClassProblems(resolved({ ...copying, ...classes }))).toEqual([]);
  expect(runClassProblems(resolved({}))).toEqual([]);
});
