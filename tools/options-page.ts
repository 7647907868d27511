/**
 * The page `docs/reference/options.md`, made from the table. Pure; tools/generate-options.ts writes
 * it.
 */
import { isTaken } from "../src/config/client-options.ts";
import { GARDENER_OPTIONS, type GardenerOption } from "../src/config/gardener-options.ts";
import {
  type CommandName,
  environmentName,
  fieldName,
  NOT_IN_FILE,
  type Option,
  type PlugIns,
} from "../src/config/option.ts";
import { optionsOf } from "../src/config/options-table.ts";
import { CONFIG_API_VERSION, CONFIG_KIND } from "../src/config/read-config-file.ts";

const COMMANDS: readonly CommandName[] = [
  "run",
  "dev",
  "plan",
  "explain",
  "history",
  "undo",
  "clusters",
  "approve",
  "pause",
  "registry migrate",
  "owner take",
  "ownership",
];

/** Markdown that ends in a newline; equal for equal tables. */
export function optionsPage(plugIns: PlugIns): string {
  return `${[intro(), ...COMMANDS.map((command) => section(command, plugIns)), gardener()].join("\n\n")}\n`;
}

function intro(): string {
  return `<!-- Generated from src/config/options-table.ts and the lists of plug-ins by tools/generate-options.ts. Do not edit. -->
# Options

A flag wins over the environment, the environment over the file. In the environment an option is \`ZONEKEEPER_\` and
its name in upper case, with \`.\` and \`-\` as \`_\`. The file is named by \`--config\`:

\`\`\`yaml
apiVersion: ${CONFIG_API_VERSION}
kind: ${CONFIG_KIND}
owner: my-group
leaseName: zonekeeper
\`\`\`

\`kubectl zonekeeper\` is the same program as a plugin of kubectl, which finds its instance in a cluster ([guide](../guides/kubectl-plugin.md)).

One file may hold the options of several commands. \`zonekeeper check\` takes those of \`run\`, and \`--output\`.`;
}

function section(command: CommandName, plugIns: PlugIns): string {
  const rows = optionsOf(command, plugIns);
  const table = rows.map((option) => row(option, command)).join("\n");
  return `## zonekeeper ${command}\n\n| flag | environment | file | value | default | meaning |\n|---|---|---|---|---|---|\n${table}`;
}

function row(option: Option, command: CommandName): string {
  const flags = [option.name, ...option.aliases].map((name) => `\`--${name}\``).join(", ");
  const field = NOT_IN_FILE.includes(option.name) ? "" : `\`${fieldName(option.name)}\``;
  const cells = [
    flags,
    `\`${environmentName(option.name)}\``,
    field,
    valueText(option),
    defaultText(option, command),
    `${nameOf(option, command)}${option.doc.replaceAll("|", "\\|").replaceAll("<", "&lt;")}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Under which of its two names a command takes it; empty = both. */
function nameOf({ name }: Option, command: CommandName): string {
  if (!isTaken(name, command, false)) return "Of `kubectl zonekeeper`: ";
  return isTaken(name, command, true) ? "" : "Of `zonekeeper`: ";
}

/** What may be given: `a \| b`, `seconds, 1 to 10`, `duration`. */
export function valueText(option: Option): string {
  if (option.choices.length > 0) return option.choices.join(" \\| ");
  if (option.type !== "integer") return option.type;
  const unit = option.unit === "" ? "integer" : option.unit;
  return option.min === null ? unit : `${unit}, ${option.min} to ${option.max ?? "any"}`;
}

function defaultText(option: Option, command: CommandName): string {
  if (option.requiredBy.includes(command)) return "**required**";
  const text = option.defaultFor[command] ?? option.default;
  return text === null ? "" : `\`${text}\``;
}

/** What becomes of the options of Gardener's manager that are not in the tables above. */
function gardener(): string {
  const rows = GARDENER_OPTIONS.map((one) => {
    const names = [
      ...(one.isPlain ? [`\`--${one.name}\``] : []),
      ...one.scopes.map((group) => `\`--<${SCOPES[group]}>.${one.name}\``),
    ];
    return `| ${names.join(", ")} | ${effect(one)} |`;
  });
  const intro =
    "`run` and `check` take these, too. One without effect is named on stderr when they start.";
  const table = ["| option | what becomes of it |", "|---|---|", ...rows].join("\n");
  return `## Options of Gardener's manager\n\n${intro}\n\n${table}`;
}

const SCOPES = {
  providers: "controller",
  accounts: "type",
  sources: "source",
  annotation: "annotation",
} as const;

function effect({ to, why }: GardenerOption): string {
  return to === null ? `no effect: ${why}` : `is \`--${to}\``;
}
