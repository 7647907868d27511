/**
 * `npm run mutate -- PATH... [--list] [--seconds N] [--skip REGEX]`: makes mutants of the files at
 * or below the paths, in that order, runs the unit tests of their top folder (and its conformance
 * suite) against each, and prints those that stay alive. `--list` only names them; N bounds the CPU
 * seconds; tests with a title like REGEX are left out. Changes no file: mutants live in a bundle of
 * their own. ZONEKEEPER_LAW_RUNS sets the length of laws.
 */
import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Plugin } from "esbuild";
import { bundled } from "../script/bundle.mjs";
import { filesBelow, type SourceFile } from "./measure/source-files.ts";
import { Campaign } from "./mutate/campaign.ts";
import { type Mutant, type Mutated, mutate } from "./mutate/mutants.ts";
import { ALIVE, CRASHED, KILLED, UNREACHED } from "./mutate/thread-task.ts";

/** Tests that take longer are named: each mutant that stays alive runs them all. */
const SLOW_MS = 500;
const TOOL = resolve("tools/mutate");
const VITEST = `${TOOL}/recorded-tests.ts`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "boolean", default: false },
    seconds: { type: "string" },
    skip: { type: "string" },
  },
});
const secondsMax = values.seconds === undefined ? null : Number(values.seconds);
const tops = [...new Set(positionals.map((path) => path.split("/").slice(0, 2).join("/")))];
const below = tops.flatMap((top) => filesBelow(".", top));
const asked = positionals.flatMap((one) =>
  below.filter(({ path }) => path === one || path.startsWith(`${one.replace(/\/$/, "")}/`)),
);
const sources = [...new Set(asked)].filter(({ path }) => !path.endsWith(".test.ts"));
if (sources.length === 0 || (secondsMax !== null && !(secondsMax > 0))) {
  console.error(
    "usage: npm run mutate -- (src|packages)/FOLDER/FILE-OR-FOLDER... [--list] [--seconds N] [--skip REGEX]",
  );
  process.exit(2);
}

const files: (Mutated & SourceFile)[] = [];
for (const source of sources) {
  const firstId = files.reduce((sum, { mutants }) => sum + mutants.length, 0);
  files.push({ ...source, ...mutate(source, firstId) });
}
const mutants = files.flatMap((file) => file.mutants);
if (values.list) for (const mutant of mutants) console.log(lineOf(mutant));
else await campaign();

async function campaign(): Promise<void> {
  const script = await bundled("mutated-tests", "mutate", { plugins: [inMemory(testFiles())] });
  const run = await Campaign.open({ script, skip: values.skip ?? null }, mutants.length);
  console.log(`${mutants.length} mutants, ${run.tests.length} tests; before: ${cpuSeconds()} s`);
  for (const { name, ms } of run.tests)
    if (ms > SLOW_MS) console.log(`slow: ${Math.round(ms)} ms ${name}`);
  for (const { path, mutants: own } of files) {
    const isOver = () => secondsMax !== null && cpuSeconds() > secondsMax;
    await run.run(
      own.map(({ id }) => id),
      isOver,
    );
    report(path, own, run);
  }
  report("all", mutants, run);
  console.log(`${cpuSeconds()} CPU seconds`);
}

function report(title: string, own: readonly Mutant[], run: Campaign): void {
  const having = (...outcomes: readonly number[]) =>
    own.filter(({ id }) => outcomes.includes(run.outcomeOf(id)));
  const [alive, unreached] = [having(ALIVE), having(UNREACHED)];
  if (title !== "all") for (const one of alive) console.log(`ALIVE      ${lineOf(one)}`);
  if (title !== "all") for (const one of unreached) console.log(`UNREACHED  ${lineOf(one)}`);
  const killed = having(KILLED, CRASHED).length;
  console.log(
    `${title}: ${own.length} mutants, ${killed} killed (${having(CRASHED).length} by a thread that ended), ` +
      `${alive.length} alive, ${unreached.length} reached by no test, ${having(0).length} not run`,
  );
}

function testFiles(): readonly SourceFile[] {
  const suites = tops.map((top) => `test/conformance/${basename(top)}.test.ts`).filter(existsSync);
  const conformance = filesBelow(".", "test/conformance");
  return [...below, ...conformance.filter(({ path }) => suites.includes(path))].filter(({ path }) =>
    path.endsWith(".test.ts"),
  );
}

/** One script of the test files, with mutated files in the place of their originals. */
function inMemory(tests: readonly SourceFile[]): Plugin {
  const started = tests.map(({ path, text }): [string, string] => [
    resolve(path),
    `import { startFile } from "vitest"; startFile(${JSON.stringify(path)}); ${text}`,
  ]);
  const texts = new Map([
    ...started,
    ...files.map(({ path, text }): [string, string] => [resolve(path), text]),
  ]);
  const order = [`${TOOL}/switch.ts`, ...started.map(([path]) => path), `${TOOL}/worker.ts`];
  const entry = order.map((path) => `import ${JSON.stringify(path)};`).join("\n");
  return {
    name: "mutants",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^mutated-tests$/ }, ({ path }) => ({ path, namespace: "mutants" }));
      onLoad({ filter: /./, namespace: "mutants" }, () => ({ contents: entry, resolveDir: TOOL }));
      onResolve({ filter: /^vitest$/ }, ({ path, importer }) =>
        importer === VITEST ? { path, external: true } : { path: VITEST },
      );
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = texts.get(path);
        return contents === undefined ? undefined : { contents, loader: "ts" };
      });
    },
  };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return Math.round((user + system) / 1e6);
}

function lineOf({ path, line, what }: Mutant): string {
  return `${path}:${line}  ${what}`;
}
