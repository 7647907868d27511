/**
 * Each command line of this program in README.md and docs/guides is one that it takes: commands,
 * flags and arguments are there. What they do is shown by test/real/readme.test.ts and
 * test/real/guide-*.test.ts, which run them.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { buildProgram } from "../../src/app/cli/program.ts";

const PAGES = [
  "README.md",
  ...readdirSync("docs/guides").map((name) => `docs/guides/${name}`),
].filter((path) => path.endsWith(".md"));
const CALL = /^\s*(?:\$ )?(?:node dist\/zonekeeper\.js|zonekeeper) (.*)$/;

const BLOCK = /^ *```.*?\n(.*?)^ *```/gms;
/** `zonekeeper plan --zone NAME` in running text; it may go on in the next line. */
const IN_TEXT = /`((?:node dist\/zonekeeper\.js|zonekeeper) [^`]+)`/g;

/** Arguments of each call on a page. A code block with prompts has output, too. */
function callsIn(path: string): readonly (readonly string[])[] {
  const page = readFileSync(path, "utf8");
  const blocks = [...page.matchAll(BLOCK)];
  const lines = blocks.flatMap(([, text = ""]) => {
    const all = text.split("\n");
    const prompted = all.filter((line) => line.trimStart().startsWith("$ "));
    return prompted.length > 0 ? prompted : all;
  });
  const spoken = [...page.replaceAll(BLOCK, "").matchAll(IN_TEXT)].map(([, call = ""]) =>
    call.replaceAll("\n", " "),
  );
  return [...lines, ...spoken].flatMap((line) => {
    const [, call] = CALL.exec(line) ?? [];
    return call === undefined ? [] : [argumentsOf(call)];
  });
}

/** As a shell splits them: no comment, no pipe, no redirection; `<the other>` is one. */
function argumentsOf(call: string): readonly string[] {
  const plain = call.replace(/<[^>]*>/g, "PLACE").replace(/ +(#|\||>|&|…|;).*$/, "");
  const pieces = plain.match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? [];
  return pieces.map((piece) => piece.replace(/^['"]|['"]$/g, ""));
}

function withoutActions(command: Command): Command {
  command.exitOverride().action(() => undefined);
  command.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  for (const inner of command.commands) withoutActions(inner);
  return command;
}

function parse(args: readonly string[]): void {
  const program = buildProgram({
    environment: {},
    print: () => undefined,
    terminal: { columns: null, color: false },
    programName: "zonekeeper",
    isWholeHelp: false,
    setExitCode: () => undefined,
  });
  try {
    withoutActions(program).parse([...args], { from: "user" });
  } catch (error) {
    if (args.some((one) => /^--(?:help|version)/.test(one))) return;
    throw error;
  }
}

test.each(PAGES)("%s", (path) => {
  for (const args of callsIn(path)) expect(() => parse(args), args.join(" ")).not.toThrow();
});

test("a page whose blocks call zonekeeper says how: it is on no PATH", () => {
  const calling = PAGES.filter((path) =>
    [...readFileSync(path, "utf8").matchAll(BLOCK)].some(([, text = ""]) =>
      /^ *(?:\$ )?(?:[^#\n]*; )?zonekeeper /m.test(text),
    ),
  );
  expect(calling.length).toBeGreaterThan(4);
  for (const path of calling)
    expect(readFileSync(path, "utf8"), path).toMatch(
      /alias zonekeeper=|README\.md#a-first-session/,
    );
});

test("the pages have calls, and a wrong one is found", () => {
  expect(PAGES.flatMap(callsIn).length).toBeGreaterThan(40);
  expect(() => parse(["plan", "--zoen", "example.org"])).toThrow();
  expect(() => parse(["ownership", "adopt"])).toThrow();
});
