/**
 * Completion for shells: `completion SHELL` prints a script, which asks `__complete` when Tab is
 * pressed. Names, zones and hashes come from the running instance; without one there are none.
 */
import { join } from "node:path";
import { type Fields, isFields } from "@zonekeeper/kube/objects/object-fields";
import type { Command } from "commander";
import { environmentName, rowFor } from "../../config/option.ts";
import { OPTIONS } from "../../config/options-table.ts";
import { FOLDER_FILES } from "../commands/process/data-folder.ts";
import { readReady } from "../commands/process/ready-file.ts";
import { PLUG_INS } from "../plugins/rows.ts";

/** Shells that there is a script for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** For the shell's start-up file: `source <(zonekeeper completion bash)`. */
export const COMPLETION_SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: `_zonekeeper() {
  local IFS=$'\\n'
  COMPREPLY=($(zonekeeper __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _zonekeeper zonekeeper
`,
  zsh: `#compdef zonekeeper
_zonekeeper() {
  local -a found
  found=(\${(f)"$(zonekeeper __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  compadd -a found
}
compdef _zonekeeper zonekeeper
`,
  fish: `function __zonekeeper_complete
  set -l typed (commandline -opc) (commandline -ct)
  zonekeeper __complete -- $typed[2..-1] 2>/dev/null
end
complete -c zonekeeper -f -a '(__zonekeeper_complete)'
`,
};

/** What the instance knows. */
export interface LiveCandidates {
  readonly zones: readonly string[];
  readonly names: readonly string[];
  /** Of held sets. */
  readonly hashes: readonly string[];
}

const NOTHING_LIVE: LiveCandidates = { zones: [], names: [], hashes: [] };
const TIMEOUT_MS = 1_500;

/** What the last argument may become; sorted. `live` is asked only where it is needed. */
export async function completions(
  program: Command,
  typed: readonly string[],
  live: () => Promise<LiveCandidates>,
): Promise<readonly string[]> {
  const last = typed.at(-1) ?? "";
  const before = typed.slice(0, -1);
  const command = before.reduce(
    (at, text) => at.commands.find((one) => one.name() === text) ?? at,
    program,
  );
  const flag = before.at(-1)?.startsWith("--") === true ? (before.at(-1) ?? "") : null;
  const own = command.options.flatMap(({ long, hidden }) =>
    long === undefined || long === null || hidden ? [] : [long],
  );
  const found = last.startsWith("-")
    ? [...own, "--help"]
    : ((flag === null ? null : await valuesOf(command, flag, live)) ??
      (await argumentsOf(command, live)));
  return [...new Set(found)].filter((one) => one.startsWith(last)).sort();
}

/** Null = the flag takes no value. */
async function valuesOf(
  command: Command,
  flag: string,
  live: () => Promise<LiveCandidates>,
): Promise<readonly string[] | null> {
  const option = command.options.find(({ long }) => long === flag);
  if (option === undefined || (!option.required && !option.optional)) return null;
  if (flag === "--zone") return (await live()).zones;
  const row = OPTIONS.find(({ name }) => `--${name}` === flag);
  if (row?.type === "flag") return null;
  return row === undefined ? [] : rowFor(row, "run", PLUG_INS).choices;
}

async function argumentsOf(
  command: Command,
  live: () => Promise<LiveCandidates>,
): Promise<readonly string[]> {
  const [argument] = command.registeredArguments;
  if (argument === undefined)
    return command.commands.map((one) => one.name()).filter((name) => !name.startsWith("_"));
  if (argument.argChoices !== undefined) return argument.argChoices;
  if (argument.name() === "hash") return (await live()).hashes;
  return argument.name().startsWith("name") ? (await live()).names : [];
}

/** Asks the instance that the command line or the environment names. Never rejects. */
export async function liveCandidates(
  typed: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<LiveCandidates> {
  const at = typed.indexOf("--data");
  const data = typed[at + 1] ?? "";
  const folder = at >= 0 ? data : (environment[environmentName("data")] ?? "./.zonekeeper");
  try {
    const { http, token } = readReady(join(folder, FOLDER_FILES.ready));
    const get = async (path: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      return (await fetch(`${http}${path}`, { headers, signal })).json();
    };
    const [zones, owned] = await Promise.all([get("/api/v1/zones"), get("/api/v1/ownership")]);
    const all = recordsIn(zones, "zones");
    return {
      zones: all.flatMap(({ zone }) => textsIn(isFields(zone) ? [zone] : [], "name")),
      hashes: all.flatMap((zone) => textsIn(recordsIn(zone, "heldSets"), "hash")),
      names: recordsIn(owned, "zones").flatMap((zone) => textsIn(recordsIn(zone, "rows"), "name")),
    };
  } catch {
    return NOTHING_LIVE;
  }
}

function recordsIn(value: unknown, field: string): readonly Fields[] {
  const items = isFields(value) ? value[field] : [];
  return Array.isArray(items) ? items.filter(isFields) : [];
}

function textsIn(records: readonly Fields[], field: string): readonly string[] {
  return records.map((record) => record[field]).filter((one) => typeof one === "string");
}
