/**
 * The commands about rights: `transfer` and `ownership`. They ask the running instance; what is
 * done, it does.
 */
import { Command, Option } from "commander";
import { toClientConfig } from "../../config/client-options.ts";
import type { OwnershipQuestion } from "../commands/ask/ask-instance.ts";
import { type Answer, ProblemsError } from "../commands/process/exit.ts";
import type { ProgramContext } from "../commands/process/program-context.ts";
import { type Asked, addRow, type CommandRow } from "./questions.ts";

const YES =
  "do what the preview showed, if nothing has changed; without --yes, only show the preview";

async function askOf({ options, isDoing }: Asked, question: OwnershipQuestion): Promise<Answer> {
  const { askOwnership } = await import("../commands/ask/ask-instance.ts");
  return askOwnership(toClientConfig(options), question, isDoing);
}

/** Of the verb that shows. */
const listing = (
  name: string,
  description: string,
  question: Omit<OwnershipQuestion, "path">,
): CommandRow => ({
  ...{ name, description, takes: "ownership" },
  act: (asked) => askOf(asked, { path: "", ...question }),
});

/** Of a verb that does something about records. */
const acting = (name: "release" | "remove", description: string): CommandRow => ({
  ...{ name, description, takes: "ownership", argument: ["<names...>", "DNS names"], yes: YES },
  act: (asked) => askOf(asked, { path: `/${name}`, names: asked.names }),
});

const ADOPT: CommandRow = {
  name: "adopt",
  description: "Adopt unowned records that an object wants.",
  argument: ["[names...]", "DNS names"],
  addFlags: (command) =>
    command.option(
      "--from <owner>",
      "orphans of this owner id of the instance that objects want; without names all of them",
    ),
  ...{ takes: "ownership", yes: YES },
  act: (asked) => {
    const { from } = asked.command.opts<{ readonly from?: string }>();
    const given = from === undefined ? {} : { from };
    return askOf(asked, { path: "/adopt", names: asked.names, ...given });
  },
};

/** In the order of the help text. */
const VERBS: readonly CommandRow[] = [
  listing("list", "List every record set with its owner.", {}),
  {
    ...{ name: "show", description: "Show one name.", takes: "ownership" },
    argument: ["<name>", "a DNS name"],
    act: (asked) => askOf(asked, { path: "", names: asked.names }),
  },
  listing(
    "orphans",
    "List owned records that no object wants, markers without a record, and fences of owners that are gone.",
    { from: "nobody" },
  ),
  ADOPT,
  acting("release", "Release records: their markers are removed, the records stay."),
  acting("remove", "Remove orphans: records with their markers, and fences."),
];

const EXPORT_HELP = `
Nothing is written. Start external-dns with the owner id of this instance (--txt-owner-id) after the instance has stopped, first with
--dry-run: it removes records of its owner id that no object names in its own annotations. An instance with --dialect external-dns
knows its affixes, types and filters, and answers for these.
Exit code: 0 external-dns understands and keeps every record; 2 some it does not; 1 a zone could not tell.
`;

const EXPORT: CommandRow = {
  name: "export",
  description: "Show which records another program will not understand as its own.",
  addFlags: (command) =>
    command
      .addOption(
        new Option("--for <program>", "the program")
          .choices(["external-dns"])
          .makeOptionMandatory(),
      )
      .option("--txt-prefix <text>", "its --txt-prefix", "")
      .option("--txt-suffix <text>", "its --txt-suffix", "")
      .option("--txt-wildcard-replacement <text>", "its --txt-wildcard-replacement", ""),
  help: EXPORT_HELP,
  takes: "ownership",
  act: async ({ options, command }) => {
    const given = command.opts<Readonly<Record<string, string>>>();
    const { askExport } = await import("../commands/ask/ask-instance.ts");
    return askExport(toClientConfig(options), {
      prefix: given["txtPrefix"] ?? "",
      suffix: given["txtSuffix"] ?? "",
      wildcard: given["txtWildcardReplacement"] ?? "",
    });
  },
};

interface TransferOptions {
  readonly from: string;
  readonly to: string;
  readonly name?: string[];
  readonly force?: boolean;
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

const TRANSFER: CommandRow = {
  name: "transfer",
  description:
    "Take records over from an owner that is gone. A running owner gives a permit instead.",
  addFlags: (command) =>
    command
      .requiredOption("--from <owner>", "the owner id that has the records now")
      .requiredOption("--to <owner>", "the owner id of the instance that is asked")
      .option("--name <names...>", "only these names")
      .option("--force", "the present owner is gone and is not asked (always needed)"),
  yes: YES,
  help: TRANSFER_HELP,
  takes: "ownership",
  act: (asked) => {
    const { from, to, name, force } = asked.command.opts<TransferOptions>();
    if (force !== true) {
      // Nothing else asks the other owner.
      const message = `transfer does not ask the owner "${from}", whose instance would fight for its records: add --force if that instance is gone for good; if it runs, let its objects permit the claim (docs/guides/ownership.md)`;
      throw new ProblemsError([{ code: "InvalidOption", subject: "--force", message }]);
    }
    return askOf(asked, { path: "/transfer", from, to, names: name ?? [] });
  },
};

/** Adds both to the program. */
export function addOwnershipCommands(program: Command, context: ProgramContext): void {
  addRow(program, context, TRANSFER);
  const ownership = new Command("ownership").description(
    "Show the owner of each record, adopt records and release them.",
  );
  program.addCommand(ownership);
  for (const verb of [...VERBS, EXPORT]) addRow(ownership, context, verb);
}
