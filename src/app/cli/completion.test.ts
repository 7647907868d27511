import { expect, test } from "vitest";
import { completions, liveCandidates } from "./completion.ts";
import { buildProgram } from "./program.ts";

const program = buildProgram({
  environment: {},
  print: () => undefined,
  terminal: { columns: null, color: false },
  programName: "zonekeeper",
  isWholeHelp: true,
  setExitCode: () => undefined,
});
const LIVE = {
  zones: ["example.net", "example.org"],
  names: ["api.example.org", "www.example.org"],
  hashes: ["4f0c1d2e3b5a6978"],
};
let asked = 0;
const complete = (...typed: readonly string[]) =>
  completions(program, typed, async () => {
    asked += 1;
    return LIVE;
  });

test.each([
  ["commands", ["ow"], ["owner", "ownership"]],
  ["commands of a command", ["ownership", "re"], ["release", "remove"]],
  ["flags, aliases left out", ["run", "--own"], ["--owner"]],
  ["choices of a flag", ["run", "--policy", "c"], ["create-only"]],
  ["shells", ["completion", ""], ["bash", "fish", "zsh"]],
  ["zones", ["plan", "--zone", ""], LIVE.zones],
  ["names", ["explain", "w"], ["www.example.org"]],
  [
    "names behind a flag without a value",
    ["ownership", "adopt", "--yes", "a"],
    ["api.example.org"],
  ],
  ["hashes", ["approve", ""], LIVE.hashes],
])("%s", async (_, typed, expected) => {
  expect(await complete(...typed)).toEqual(expected);
});

test("the instance is asked only for what it knows", async () => {
  const before = asked;
  await complete("run", "--");
  await complete("");
  expect(asked).toBe(before);
});

test("without an instance there are no live typed, and no error", async () => {
  const none = { zones: [], names: [], hashes: [] };
  expect(await liveCandidates(["explain", "--data", "/nowhere", ""], {})).toEqual(none);
});
