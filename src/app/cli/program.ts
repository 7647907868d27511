/**
 * The command line: commands, help and examples. What a command does is loaded when it is chosen.
 */
import type { Result } from "@zonekeeper/base/result";
import { Argument, Command } from "commander";
import {
  toClientConfig,
  toMigrateConfig,
  toPauseOrder,
  toPlanView,
  toTakeConfig,
} from "../../config/client-options.ts";
import { toDevConfig } from "../../config/dev-config.ts";
import { toCheckConfig, toRunConfig } from "../../config/run-config.ts";
import type { Problem } from "../../model/problem.ts";
import { spinning } from "../commands/ask/spinner.ts";
import { type Answer, ProblemsError } from "../commands/process/exit.ts";
import type { ProgramContext } from "../commands/process/program-context.ts";
import { VERSION } from "../ports/version.ts";
import { COMPLETION_SCRIPTS, completions, liveCandidates, SHELLS } from "./completion.ts";
import { externalDnsHint } from "./external-dns-flags.ts";
import { addOptions, resolveGiven } from "./given-options.ts";
import { EXAMPLES } from "./help-examples.ts";
import { HELP_FORMAT } from "./help-format.ts";
import { addOwnershipCommands } from "./ownership-commands.ts";

const VERSION_TEXT = `zonekeeper ${VERSION} (node ${process.version})`;

/** The program with its commands; `parseAsync` runs the chosen one. */
export function buildProgram(context: ProgramContext): Command {
  const program = new Command(context.programName)
    .description(
      "Publishes what Kubernetes clusters want into DNS zones, and never touches a record it has no right to.",
    )
    .configureOutput({
      writeOut: (text) => context.print(text),
      outputError: (text, write) => write(`${text}${externalDnsHint(text)}`),
    })
    .configureHelp(HELP_FORMAT)
    .version(VERSION_TEXT, "-v, --version", "Print the version.")
    .helpOption("-h, --help", "Print help; --help=all lists every option.")
    .showHelpAfterError("(see zonekeeper --help)")
    .helpCommand(true)
    .addHelpText("after", EXAMPLES.program);
  program.commandsGroup("Run it:");
  addDev(program, context);
  addRun(program, context);
  addCheck(program, context);
  program.commandsGroup("See and decide:");
  addPlan(program, context);
  addExplain(program, context);
  addApprove(program, context);
  addRestore(program, context);
  addPausing(program, context, "pause");
  addPausing(program, context, "resume");
  program.commandsGroup("Ownership:");
  addOwnershipCommands(program, context);
  addRegistry(program, context);
  addOwner(program, context);
  program.commandsGroup("Other:");
  addCompletion(program, context);
  program
    .command("version")
    .description("Print the version.")
    .action(() => context.print(`${VERSION_TEXT}\n`));
  for (const command of program.commands) {
    command.copyInheritedSettings(program);
    for (const inner of command.commands) inner.copyInheritedSettings(program);
  }
  return program;
}

function addDev(program: Command, context: ProgramContext): void {
  const command = program
    .command("dev")
    .description("Try it out: a Kubernetes API, a name server and the controllers in one process.")
    .addHelpText("after", EXAMPLES.dev)
    .action(async () => {
      const config = needed(toDevConfig(resolveGiven(command, "dev", context)));
      const { dev } = await import("../commands/dev/dev.ts");
      await dev(config, context);
    });
  addOptions(command, "dev", context);
}

function addRun(program: Command, context: ProgramContext): void {
  const command = program
    .command("run")
    .description("Work for clusters and zones that exist: in a pod, or with kubeconfigs.")
    .addHelpText("after", EXAMPLES.run)
    .action(async () => {
      const config = needed(toRunConfig(resolveGiven(command, "run", context)));
      const { run } = await import("../commands/run/run.ts");
      await run(config, context);
    });
  addOptions(command, "run", context);
  // As the program itself has it: Gardener's manager takes it beside its other options.
  command.version(VERSION_TEXT, "--version", "Print the version.");
  command.options.at(-1)?.hideHelp();
}

function addCheck(program: Command, context: ProgramContext): void {
  const command = program
    .command("check")
    .description("Look at clusters, rights and servers that run with these options would need.")
    .addHelpText("after", EXAMPLES.check)
    .action(async () => {
      const config = needed(toCheckConfig(resolveGiven(command, "check", context)));
      const { check } = await import("../commands/check/check.ts");
      const what = "asking clusters and servers";
      deliver(await spinning(what, process.stderr, () => check(config)), context);
    });
  addOptions(command, "check", context);
}

function addPlan(program: Command, context: ProgramContext): void {
  const command = program
    .command("plan")
    .description("Show what is wanted and not so in the zones of the running instance.")
    .addHelpText("after", EXAMPLES.plan)
    .action(async () => {
      const config = toPlanView(resolveGiven(command, "plan", context));
      const { askPlan } = await import("../commands/ask/ask-instance.ts");
      deliver(await askPlan(config, context.terminal), context);
    });
  addOptions(command, "plan", context);
}

function addExplain(program: Command, context: ProgramContext): void {
  const command = program
    .command("explain")
    .argument("<name>", "a DNS name, for example www.example.org")
    .description("Explain a name: which objects want it, what the zone has, what is held and why.")
    .addHelpText("after", EXAMPLES.explain)
    .action(async (name: string) => {
      const config = toClientConfig(resolveGiven(command, "explain", context));
      const { askExplain } = await import("../commands/ask/ask-instance.ts");
      deliver(await askExplain(config, name), context);
    });
  addOptions(command, "explain", context);
}

function addApprove(program: Command, context: ProgramContext): void {
  const command = program
    .command("approve")
    .argument("<hash>", "the hash of a held set, as zonekeeper plan shows it")
    .description("Let a set of changes pass that the fuse of a zone holds.")
    .addHelpText("after", EXAMPLES.approve)
    .action(async (hash: string) => {
      const config = toClientConfig(resolveGiven(command, "approve", context));
      const { askApproval } = await import("../commands/ask/ask-instance.ts");
      deliver(await askApproval(config, hash), context);
    });
  addOptions(command, "approve", context);
}

function addRestore(program: Command, context: ProgramContext): void {
  const command = program
    .command("restore")
    .argument("<hash>", "the hash of a held set, as zonekeeper plan shows it")
    .description("Create the deleted objects again whose records the fuse of a zone holds.")
    .option("--yes", "do it; without --yes, only show what would be created")
    .addHelpText("after", EXAMPLES.restore)
    .action(async (hash: string) => {
      const config = toClientConfig(resolveGiven(command, "approve", context));
      const { askRestore } = await import("../commands/ask/ask-restore.ts");
      const isDoing = command.opts<{ yes?: boolean }>().yes === true;
      deliver(await askRestore(config, hash, isDoing), context);
    });
  addOptions(command, "approve", context);
}

const PAUSING = {
  pause: "Stop writing to a zone, or to all: they are read, planned and explained as before.",
  resume: "End a pause; what is still wanted then is made, as one plan.",
} as const;

function addPausing(program: Command, context: ProgramContext, act: "pause" | "resume"): void {
  const command = program
    .command(act)
    .description(PAUSING[act])
    .addHelpText("after", EXAMPLES.pause)
    .action(async () => {
      const config = needed(toPauseOrder(resolveGiven(command, "pause", context)));
      const { askPause } = await import("../commands/ask/ask-pause.ts");
      deliver(await askPause(config, act), context);
    });
  addOptions(command, "pause", context);
}

function addRegistry(program: Command, context: ProgramContext): void {
  const registry = program.command("registry").description("Look after ownership records.");
  const command = registry
    .command("migrate")
    .description("Bring ownership TXT records to another layout, encrypt or sign them.")
    .addHelpText("after", EXAMPLES.migrate)
    .action(async () => {
      const options = resolveGiven(command, "registry migrate", context);
      const { migrateMarkers } = await import("../commands/ask/migrate-markers.ts");
      deliver(await migrateMarkers(toMigrateConfig(options)), context);
    });
  addOptions(command, "registry migrate", context);
}

function addOwner(program: Command, context: ProgramContext): void {
  const owner = program
    .command("owner")
    .description("Settle which installation has an owner id.")
    .copyInheritedSettings(program);
  const command = owner
    .command("take")
    .description("Take the owner id from another installation that stops this one from writing.")
    .addHelpText("after", EXAMPLES.ownerTake)
    .action(async () => {
      const config = toTakeConfig(resolveGiven(command, "owner take", context));
      const { askTake } = await import("../commands/ask/ask-instance.ts");
      deliver(await askTake(config), context);
    });
  addOptions(command, "owner take", context);
}

function addCompletion(program: Command, context: ProgramContext): void {
  program
    .command("completion")
    .addArgument(new Argument("<shell>", "the shell").choices([...SHELLS]))
    .description("Print the completion script of a shell.")
    .addHelpText("after", EXAMPLES.completion)
    .action((shell: (typeof SHELLS)[number]) => context.print(COMPLETION_SCRIPTS[shell]));
  program
    .command("__complete", { hidden: true })
    .argument("[typed...]", "the command line so far")
    .description("Print what the last argument may become.")
    .action(async (typed: readonly string[]) => {
      const live = () => liveCandidates(typed, context.environment);
      const found = await completions(program, typed, live);
      context.print(found.map((one) => `${one}\n`).join(""));
    });
}

function needed<T>(result: Result<T, readonly Problem[]>): T {
  if (result.ok) return result.value;
  throw new ProblemsError(result.error);
}

function deliver(answer: Answer, context: ProgramContext): void {
  context.print(answer.text);
  context.setExitCode(answer.exitCode);
}
