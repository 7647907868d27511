/**
 * The commands about rights: `transfer` and `ownership`. They ask the running instance; what is
 * done, it does.
 */
import { Command, Option } from "commander";
import { toClientConfig } from "../../config/client-options.ts";
import type { OwnershipQuestion } from "../commands/ask/ask-instance.ts";
import { type Answer, ProblemsError } from "../commands/process/exit.ts";
import type { ProgramContext } from "../commands/process/program-context.ts";
import { addOptions, resolveGiven } from "./given-options.ts";

/** Adds both to the program. */
export function addOwnershipCommands(program: Command, context: ProgramContext): void {
  addTransfer(program, context);
  const ownership = new Command("ownership").description(
    "Show the owner of each record, adopt records and release them.",
  );
  program.addCommand(ownership);
  const add = (name: string, description: string, question: Question): void =>
    addVerb(ownership, { name, description, question, context });
  add("list", "List every record set with its owner.", () => ({ path: "" }));
  add("show", "Show one name.", (names) => ({ path: "", names }));
  add(
    "orphans",
    "List owned records that no object wants, markers without a record, and fences of owners that are gone.",
    () => ({
      path: "",
      from: "nobody",
    }),
  );
  add("adopt", "Adopt unowned records that an object wants.", (names) => ({
    path: "/adopt",
    names,
  }));
  add("release", "Release records: their markers are removed, the records stay.", (names) => ({
    path: "/release",
    names,
  }));
  add("remove", "Remove orphans: records with their markers, and fences.", (names) => ({
    path: "/remove",
    names,
  }));
  addExport(ownership, context);
}

function addExport(parent: Command, context: ProgramContext): void {
  const command = parent
    .command("export")
    .description("Show which records another program will not understand as its own.")
    .addOption(
      new Option("--for <program>", "the program").choices(["external-dns"]).makeOptionMandatory(),
    )
    .option("--txt-prefix <text>", "its --txt-prefix", "")
    .option("--txt-suffix <text>", "its --txt-suffix", "")
    .option("--txt-wildcard-replacement <text>", "its --txt-wildcard-replacement", "")
    .addHelpText("after", EXPORT_HELP);
  command.action(async () => {
    const config = toClientConfig(resolveGiven(command, "ownership", context));
    const given = command.opts<Readonly<Record<string, string>>>();
    const { askExport } = await import("../commands/ask/ask-instance.ts");
    const { text, exitCode } = await askExport(config, {
      prefix: given["txtPrefix"] ?? "",
      suffix: given["txtSuffix"] ?? "",
      wildcard: given["txtWildcardReplacement"] ?? "",
    });
    context.print(text);
    context.setExitCode(exitCode);
  });
  addOptions(command, "ownership", context);
}

const EXPORT_HELP = `
Nothing is written. Start external-dns with the owner id of this instance (--txt-owner-id) after the instance has stopped, first with
--dry-run: it removes records of its owner id that no object names in its own annotations.
Exit code: 0 external-dns understands and keeps every record; 2 some it does not; 1 a zone could not tell.
`;

type Question = (names: readonly string[]) => OwnershipQuestion;

interface Verb {
  readonly name: string;
  readonly description: string;
  readonly question: Question;
  readonly context: ProgramContext;
}

function addVerb(parent: Command, { name, description, question, context }: Verb): void {
  const isAction = ["adopt", "release", "remove"].includes(name);
  const command = parent.command(name).description(description);
  if (isAction) command.argument("<names...>", "DNS names");
  if (name === "show") command.argument("<name>", "a DNS name");
  if (isAction) addYes(command);
  command.action(async (given: unknown) => {
    const names =
      typeof given === "string" ? [given] : Array.isArray(given) ? given.map(String) : [];
    await answer(command, context, question(names));
  });
  addOptions(command, "ownership", context);
}

interface TransferOptions {
  readonly from: string;
  readonly to: string;
  readonly name?: string[];
  readonly force?: boolean;
}

/** Says why the option is there: nothing else asks the other owner. */
function notForced(from: string): ProblemsError {
  const message = `transfer does not ask the owner "${from}", whose instance would fight for its records: add --force if that instance is gone for good; if it runs, let its objects permit the claim (docs/guides/ownership.md)`;
  return new ProblemsError([{ code: "InvalidOption", subject: "--force", message }]);
}

function addTransfer(program: Command, context: ProgramContext): void {
  const command = program
    .command("transfer")
    .description(
      "Take records over from an owner that is gone. A running owner gives a permit instead.",
    )
    .requiredOption("--from <owner>", "the owner id that has the records now")
    .requiredOption("--to <owner>", "the owner id of the instance that is asked")
    .option("--name <names...>", "only these names")
    .option("--force", "the present owner is gone and is not asked (always needed)")
    .addHelpText("after", TRANSFER_HELP);
  addYes(command);
  command.action(async () => {
    const { from, to, name, force } = command.opts<TransferOptions>();
    if (force !== true) throw notForced(from);
    await answer(command, context, { path: "/transfer", from, to, names: name ?? [] });
  });
  addOptions(command, "ownership", context);
}

function addYes(command: Command): void {
  command.option(
    "--yes",
    "do what the preview showed, if nothing has changed; without --yes, only show the preview",
  );
}

async function answer(
  command: Command,
  context: ProgramContext,
  question: OwnershipQuestion,
): Promise<void> {
  const config = toClientConfig(resolveGiven(command, "ownership", context));
  const { askOwnership } = await import("../commands/ask/ask-instance.ts");
  const isDoing = command.opts<{ yes?: boolean }>().yes === true;
  const { text, exitCode }: Answer = await askOwnership(config, question, isDoing);
  context.print(text);
  context.setExitCode(exitCode);
}

const TRANSFER_HELP = `
Examples:
  zonekeeper transfer --from old-cluster --to new-cluster --force            what would be taken
  zonekeeper transfer --from old-cluster --to new-cluster --force --yes
  zonekeeper transfer --from old-cluster --to new-cluster --name www.example.org --force

--yes acts on what the instance showed for the same command in the last 15 minutes, if it is still so.
Only markers are written, and only of records that an object here wants. Exit code: 0 nothing to do, or all done;
2 something would be done; 1 trouble, or it changed since it was shown, or something could not be done,
or a zone could not tell.
`;
