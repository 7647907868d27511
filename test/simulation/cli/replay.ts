/**
 * `npm run replay -- --seed N [--class F07] [--shrink] [--save FILE]`, `-- --file FILE`, `-- NAME`
 * of an incident, or `-- --list`: plays one story and prints its lines and the invariant that it
 * breaks, if any. Ends with 1 if it does, with 2 for an option that cannot be used.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { INCIDENTS, tellIncident } from "../incidents/index.ts";
import { play } from "../stories/play.ts";
import { type Script, usualScript } from "../stories/script.ts";
import { shrink } from "../stories/shrink.ts";
import { classOf, type Given, numberOf, readOptions, runCommand, UsageError } from "./options.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function scriptOf(given: Given): Script {
  const file = given.values.get("file");
  if (typeof file === "string") return scriptIn(file);
  return usualScript(numberOf(given, "seed", 1), classOf(given));
}

/** A script that this command has written. */
function scriptIn(file: string): Script {
  try {
    const script = JSON.parse(readFileSync(file, "utf8")) as Partial<Script> | null;
    if (script?.version !== 1 || !Array.isArray(script.events)) throw new Error("it is no script");
    return script as Script;
  } catch (error) {
    throw new UsageError(`--file ${file} cannot be read: ${String(error)}`);
  }
}

function head(script: Script): void {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const { seed: first, world, arrival } = script;
  print(`seed ${first}, class ${world ?? "all"}, ${arrival ?? "empty zone"}, commit ${commit}`);
  for (const [index, { seed, acts, faults }] of script.events.entries())
    print(
      `  ${index + 1}. ${acts ? "a user acts" : "no user acts"}; ${faults.join(" ") || "no fault"} (${seed})`,
    );
}

function list(): void {
  for (const { name, ids, title, mutants } of INCIDENTS) {
    print(`${name} (${ids.join(", ")}): ${title}`);
    for (const { drops } of mutants) print(`    a mutant drops ${drops}`);
  }
}

/** Ends with 1 when the story ends in a violation. */
async function printed(story: () => Promise<readonly string[]>): Promise<void> {
  try {
    for (const line of await story()) print(line);
    print("all invariants hold");
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

async function main(): Promise<void> {
  const given = readOptions(process.argv.slice(2), {
    ...{ seed: "value", class: "value", file: "value", save: "value" },
    ...{ list: "flag", shrink: "flag" },
  });
  const [incident] = given.positions;
  if (given.values.has("list")) return list();
  if (incident !== undefined && !INCIDENTS.some(({ name }) => name === incident))
    throw new UsageError(`there is no incident ${incident}; --list names them`);
  if (incident !== undefined) return printed(() => tellIncident(incident));
  const full = scriptOf(given);
  const script = given.values.has("shrink") ? await shrink(full) : full;
  head(script);
  const file = given.values.get("save");
  if (typeof file === "string") writeFileSync(file, `${JSON.stringify(script, null, 1)}\n`);
  await printed(async () => (await play(script)).diary);
}

await runCommand(main);
