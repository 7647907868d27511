/**
 * Commands as rows: what a row has, how it becomes a command, and the rows of those that ask a
 * running instance. What a command does is loaded when it is chosen.
 */
import type { Result } from "@zonekeeper/base/result";
import type { Command } from "commander";
import {
  toClientConfig,
  toHistoryView,
  toMigrateConfig,
  toPauseOrder,
  toPlanView,
  toTakeConfig,
  toUndoConfig,
} from "../../config/client-options.ts";
import type { CommandName } from "../../config/option.ts";
import type { ResolvedOptions } from "../../config/resolved-options.ts";
import type { Problem } from "../../model/problem.ts";
import { type Answer, ProblemsError } from "../commands/process/exit.ts";
import type { ProgramContext } from "../commands/process/program-context.ts";
import { addOptions, resolveGiven } from "./given-options.ts";
import { EXAMPLES } from "./help-examples.ts";

/** What was given with the command. */
export interface Asked {
  readonly options: ResolvedOptions;
  /** The arguments; empty = it takes none. */
  readonly names: readonly string[];
  /** `--yes` of its own. */
  readonly isDoing: boolean;
  /** As commander read it. */
  readonly command: Command;
  readonly context: ProgramContext;
}

/** One command. */
export interface CommandRow {
  readonly name: string;
  readonly description: string;
  readonly argument?: readonly [name: string, description: string];
  /** Of its own `--yes`. */
  readonly yes?: string;
  readonly help?: string;
  /** Adds flags of its own, which stand before those of the table. */
  readonly addFlags?: (command: Command) => void;
  /** Whose options of the table it takes. */
  readonly takes: CommandName;
  /** Null = it has said everything by itself. */
  readonly act: (asked: Asked) => Promise<Answer | null>;
}

/** Adds the command. */
export function addRow(parent: Command, context: ProgramContext, row: CommandRow): void {
  const { name, description, argument, addFlags, yes, help, takes, act } = row;
  const command = parent.command(name).description(description);
  if (argument !== undefined) command.argument(...argument);
  addFlags?.(command);
  if (yes !== undefined) command.option("--yes", yes);
  if (help !== undefined) command.addHelpText("after", help);
  command.action(async (given: unknown) => {
    const options = resolveGiven(command, takes, context);
    const all = Array.isArray(given) ? given : [given];
    const names = all.filter((one) => typeof one === "string");
    const isDoing = command.opts<{ yes?: unknown }>().yes === true;
    const answer = await act({ options, names, isDoing, command, context });
    if (answer === null) return;
    context.print(answer.text);
    context.setExitCode(answer.exitCode);
  });
  addOptions(command, takes, context);
}

/** Throws ProblemsError with all that is wrong. */
export function needed<T>(result: Result<T, readonly Problem[]>): T {
  if (result.ok) return result.value;
  throw new ProblemsError(result.error);
}

const asking = () => import("../commands/ask/ask-instance.ts");

const pausing = (name: "pause" | "resume", description: string): CommandRow => ({
  name,
  description,
  help: EXAMPLES.pause,
  takes: "pause",
  act: async ({ options }) => (await asking()).askPause(needed(toPauseOrder(options)), name),
});

const HASH = ["<hash>", "the hash of a held set, as zonekeeper plan shows it"] as const;

/** In the order of the help text. */
export const QUESTIONS: readonly CommandRow[] = [
  {
    name: "plan",
    description: "Show what is wanted and not so in the zones of the running instance.",
    help: EXAMPLES.plan,
    takes: "plan",
    act: async ({ options, context }) =>
      (await asking()).askPlan(toPlanView(options), context.terminal),
  },
  {
    name: "explain",
    description: "Explain a name: which objects want it, what the zone has, what is held and why.",
    argument: ["<name>", "a DNS name, for example www.example.org"],
    help: EXAMPLES.explain,
    takes: "explain",
    act: async ({ options, names: [name = ""] }) =>
      (await asking()).askExplain(toClientConfig(options), name),
  },
  {
    name: "history",
    description: "Show what zones have taken: when, before and after, for which object and why.",
    argument: ["[name]", "a DNS name; without it, of all names"],
    help: EXAMPLES.history,
    takes: "history",
    act: async ({ options, names: [name = ""] }) =>
      (await asking()).askHistory(toHistoryView(options), name),
  },
  {
    name: "imports",
    description: "Show which hosts of zones come in as ServiceEntries, and which do not and why.",
    help: EXAMPLES.imports,
    takes: "imports",
    act: async ({ options }) => (await asking()).askListing(toClientConfig(options), "imports"),
  },
  {
    name: "undo",
    description:
      "Take changes back where nobody has changed the records since, and pause the names.",
    argument: ["[what]", "a DNS name: its last change; or the hash of an approved set"],
    yes: "do it; without --yes, only show what would be undone",
    help: EXAMPLES.undo,
    takes: "undo",
    act: async ({ options, names: [what = ""], isDoing }) =>
      (await asking()).askUndo(needed(toUndoConfig(options, what)), isDoing),
  },
  {
    name: "clusters",
    description: "Show the further source clusters: which are read, which are not and why.",
    help: EXAMPLES.clusters,
    takes: "clusters",
    act: async ({ options }) => (await asking()).askListing(toClientConfig(options), "clusters"),
  },
  {
    name: "open",
    description: "Open the page of the running instance: print a link that lets one browser in.",
    help: EXAMPLES.open,
    addFlags: (command) => command.option("--print", "print the link alone; open no browser"),
    takes: "open",
    act: async ({ options, command, context }) => {
      const isPrinting = command.opts<{ print?: unknown }>().print === true;
      const { askOpen } = await import("../commands/ask/open-page.ts");
      return askOpen(toClientConfig(options), !isPrinting && context.terminal.columns !== null);
    },
  },
  {
    name: "approve",
    description: "Let a set of changes pass that the fuse of a zone holds.",
    argument: HASH,
    help: EXAMPLES.approve,
    takes: "approve",
    act: async ({ options, names: [hash = ""] }) =>
      (await asking()).askApproval(toClientConfig(options), hash),
  },
  {
    name: "restore",
    description: "Create the deleted objects again whose records the fuse of a zone holds.",
    argument: HASH,
    yes: "do it; without --yes, only show what would be created",
    help: EXAMPLES.restore,
    takes: "approve",
    act: async ({ options, names: [hash = ""], isDoing }) =>
      (await asking()).askRestore(toClientConfig(options), hash, isDoing),
  },
  pausing(
    "pause",
    "Stop writing to a zone, or to all: they are read, planned and explained as before.",
  ),
  pausing("resume", "End a pause; what is still wanted then is made, as one plan."),
];

/** Of `registry`. */
export const MIGRATE: CommandRow = {
  name: "migrate",
  description: "Bring ownership TXT records to another layout, encrypt or sign them.",
  help: EXAMPLES.migrate,
  takes: "registry migrate",
  act: async ({ options }) => {
    const { migrateMarkers } = await import("../commands/ask/migrate-markers.ts");
    return migrateMarkers(toMigrateConfig(options));
  },
};

/** Of `owner`. */
export const OWNER_TAKE: CommandRow = {
  name: "take",
  description: "Take the owner id from another installation that stops this one from writing.",
  help: EXAMPLES.ownerTake,
  takes: "owner take",
  act: async ({ options }) => (await asking()).askTake(toTakeConfig(options)),
};
