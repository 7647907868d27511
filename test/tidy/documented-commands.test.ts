/**
 * Each command line of this program in README.md and docs/guides is one that it takes: commands,
 * flags and arguments are there. What they do is shown by test/real/readme.test.ts and
 * test/real/guide-*.test.ts, which run them.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { buildProgram } from "../../src/app/cli/program.ts";
import { PLUGIN_NAME } from "../../src/app/commands/process/program-context.ts";
import { METRICS } from "../../src/app/ports/metrics-table.ts";

const PAGES = [
  "README.md",
  ...readdirSync("docs/guides").map((name) => `docs/guides/${name}`),
].filter((path) => path.endsWith(".md"));
const CALL = /^\s*(?:\$ )?(node dist\/zonekeeper\.js|zonekeeper|kubectl zonekeeper) (.*)$/;

const BLOCK = /^ *```.*?\n(.*?)^ *```/gms;
/** `zonekeeper plan --zone NAME` in running text; it may go on in the next line. */
const IN_TEXT = /`((?:node dist\/zonekeeper\.js|zonekeeper|kubectl zonekeeper) [^`]+)`/g;

/** A call, and by which name: a plugin of kubectl has options of its own. */
interface Call {
  readonly name: string;
  readonly args: readonly string[];
}

/** Each call on a page. A code block with prompts has output, too. */
function callsIn(path: string): readonly Call[] {
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
    const [, name = "", call] = CALL.exec(line) ?? [];
    return call === undefined ? [] : [{ name, args: argumentsOf(call) }];
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

/** Built once: commander forgets the values of a parse at the next one. */
const PROGRAMS = new Map(
  ["zonekeeper", PLUGIN_NAME].map((programName) => {
    const program = buildProgram({
      environment: {},
      print: () => undefined,
      terminal: { columns: null, color: false },
      programName,
      isWholeHelp: false,
      setExitCode: () => undefined,
    });
    return [programName, withoutActions(program)];
  }),
);

function parse(args: readonly string[], programName = "zonekeeper"): void {
  try {
    PROGRAMS.get(programName)?.parse([...args], { from: "user" });
  } catch (error) {
    if (args.some((one) => /^--(?:help|version)/.test(one))) return;
    throw error;
  }
}

test.each(PAGES)("%s", (path) => {
  for (const { name, args } of callsIn(path)) {
    const programName = name === PLUGIN_NAME ? name : "zonekeeper";
    expect(() => parse(args, programName), `${name} ${args.join(" ")}`).not.toThrow();
  }
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
  expect(() => parse(["ownership", "release"])).toThrow();
  expect(() => parse(["plan", "-n", "dns"])).toThrow();
  expect(() => parse(["plan", "-n", "dns"], PLUGIN_NAME)).not.toThrow();
});

test("metrics that the runbooks look for are there", () => {
  const page = readFileSync("docs/guides/runbooks.md", "utf8");
  const greps = [...page.matchAll(/\/metrics \| grep (?:-E )?'?\^?([\w()|]+)'?$/gm)];
  expect(greps.length).toBe(page.split("/metrics | grep").length - 1);
  for (const [, pattern = ""] of greps) {
    const [, prefix = pattern, endings] = /^(\w+)\(([\w|]+)\)$/.exec(pattern) ?? [];
    for (const ending of endings?.split("|") ?? [""]) {
      const isOne = METRICS.some(({ name }) => name.startsWith(`${prefix}${ending}`));
      expect(isOne, `${prefix}${ending}`).toBe(true);
    }
  }
});
