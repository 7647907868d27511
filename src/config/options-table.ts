/**
 * Every option of the program, once. Flags, environment, configuration file, help texts and
 * `docs/reference/options.md` are made from it; nothing else may declare an option but a plug-in
 * module (plugin-option.ts).
 */
import { CLIENT_OPTIONS } from "./client-options.ts";
import { CLUSTER_OPTIONS } from "./cluster-options.ts";
import { FURTHER_OPTIONS } from "./further-options.ts";
import { IMPORT_OPTIONS } from "./import-options.ts";
import { INSTANCE_OPTIONS, LISTENER_OPTIONS, LOG_OPTIONS } from "./instance-options.ts";
import { type CommandName, type Option, type PlugIns, rowFor } from "./option.ts";
import { OWNERSHIP_OPTIONS } from "./ownership-options.ts";
import { PAGE_OPTIONS } from "./page-options.ts";
import { PUBLISH_OPTIONS } from "./publish-options.ts";
import { FUSE_OPTIONS, LEASE_OPTIONS } from "./safety-options.ts";
import { TXT_OPTIONS } from "./txt-options.ts";

/** Sorted by what they are about; the order is that of the help text. */
export const OPTIONS: readonly Option[] = [
  ...INSTANCE_OPTIONS,
  ...CLUSTER_OPTIONS,
  ...FURTHER_OPTIONS,
  ...PUBLISH_OPTIONS,
  ...IMPORT_OPTIONS,
  ...OWNERSHIP_OPTIONS,
  ...TXT_OPTIONS,
  ...FUSE_OPTIONS,
  ...LISTENER_OPTIONS,
  ...PAGE_OPTIONS,
  ...LEASE_OPTIONS,
  ...CLIENT_OPTIONS,
  ...LOG_OPTIONS,
];

/** The options of a command, in the order of the table; those of plug-in modules come last. */
export function optionsOf(command: CommandName, plugIns: PlugIns): readonly Option[] {
  // They look at what `run` would work with.
  const rows = [...OPTIONS, ...plugIns.options].map((row) =>
    command === "check" || command === "shadow" ? asRun(row, command) : row,
  );
  return rows
    .filter((row) => row.commands.includes(command))
    .map((row) => rowFor(row, command, plugIns));
}

function asRun(row: Option, command: CommandName): Option {
  if (!row.commands.includes("run")) return row;
  const requiredBy = row.requiredBy.includes("run") ? [...row.requiredBy, command] : [];
  return { ...row, commands: [...row.commands, command], requiredBy };
}
