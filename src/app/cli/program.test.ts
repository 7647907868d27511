import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { buildProgram } from "./program.ts";

const program = buildProgram({
  environment: {},
  print: () => undefined,
  terminal: { columns: null, color: false },
  setExitCode: () => undefined,
});
const all = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(all)];
const path = (command: Command): string =>
  command.parent === null ? "" : `${path(command.parent)} ${command.name()}`.trim();

describe("the command line", () => {
  test("has the commands that the guides speak of", () => {
    expect(all(program).map(path)).toEqual(
      expect.arrayContaining([
        "dev",
        "run",
        "plan",
        "explain",
        "approve",
        "pause",
        "resume",
        "transfer",
        "ownership list",
        "ownership adopt",
        "registry migrate",
        "owner take",
      ]),
    );
  });

  test.each(all(program).map((command) => [path(command), command] as const))(
    "`%s` says what it is for and what each option does",
    (_, command) => {
      expect(command.description()).not.toBe("");
      for (const option of command.options.filter(({ hidden }) => !hidden))
        expect(option.description, option.flags).not.toBe("");
      expect(command.helpInformation()).toContain("Usage:");
    },
  );
});
