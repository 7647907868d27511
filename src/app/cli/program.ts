/**
 * The command line: commands, help and examples. What a command does is loaded when it is chosen.
 */
import { Command } from "commander";
import {
  toClientConfig,
  toPauseOrder,
  toPlanView,
  toTakeConfig,
} from "../../config/client-config.ts";
import { toDevConfig } from "../../config/dev-config.ts";
import { toMigrateConfig } from "../../config/migrate-config.ts";
import { toRunConfig } from "../../config/run-config.ts";
import type { Problem } from "../../model/problem.ts";
import type { Result } from "../../model/result.ts";
import { VERSION } from "../version.ts";
import { type Answer, ProblemsError } from "./exit.ts";
import { addOptions, resolveGiven } from "./given-options.ts";
import { addOwnershipCommands } from "./ownership-commands.ts";
import type { ProgramContext } from "./program-context.ts";

const HELP_WIDTH = 100;

/** The program with its commands; `parseAsync` runs the chosen one. */
export function buildProgram(context: ProgramContext): Command {
  const program = new Command("zonekeeper")
    .description(
      "Publishes what Kubernetes clusters want into DNS zones, and never touches a record it has no right to.",
    )
    .configureOutput({ writeOut: (text) => context.print(text) })
    .configureHelp({ helpWidth: HELP_WIDTH })
    .showHelpAfterError("(see zonekeeper --help)")
    .helpCommand(true)
    .addHelpText("after", EXAMPLES.program);
  addDev(program, context);
  addRun(program, context);
  addPlan(program, context);
  addExplain(program, context);
  addApprove(program, context);
  addPausing(program, context, "pause");
  addPausing(program, context, "resume");
  addOwnershipCommands(program, context);
  addRegistry(program, context);
  addOwner(program, context);
  program
    .command("version")
    .description("Print the version.")
    .action(() => context.print(`zonekeeper ${VERSION} (node ${process.version})\n`));
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
      const config = needed(toDevConfig(resolveGiven(command, "dev", context.environment)));
      const { dev } = await import("../dev/dev.ts");
      await dev(config, context);
    });
  addOptions(command, "dev");
}

function addRun(program: Command, context: ProgramContext): void {
  const command = program
    .command("run")
    .description("Work for clusters and zones that exist: in a pod, or with kubeconfigs.")
    .addHelpText("after", EXAMPLES.run)
    .action(async () => {
      const config = needed(toRunConfig(resolveGiven(command, "run", context.environment)));
      const { run } = await import("../run/run.ts");
      await run(config, context);
    });
  addOptions(command, "run");
}

function addPlan(program: Command, context: ProgramContext): void {
  const command = program
    .command("plan")
    .description("Show what is wanted and not so in the zones of the running instance.")
    .addHelpText("after", EXAMPLES.plan)
    .action(async () => {
      const config = toPlanView(resolveGiven(command, "plan", context.environment));
      const { askPlan } = await import("./ask-instance.ts");
      deliver(await askPlan(config, context.terminal), context);
    });
  addOptions(command, "plan");
}

function addExplain(program: Command, context: ProgramContext): void {
  const command = program
    .command("explain")
    .argument("<name>", "a DNS name, for example www.example.org")
    .description("Explain a name: which objects want it, what the zone has, what is held and why.")
    .addHelpText("after", EXAMPLES.explain)
    .action(async (name: string) => {
      const config = toClientConfig(resolveGiven(command, "explain", context.environment));
      const { askExplain } = await import("./ask-instance.ts");
      deliver(await askExplain(config, name), context);
    });
  addOptions(command, "explain");
}

function addApprove(program: Command, context: ProgramContext): void {
  const command = program
    .command("approve")
    .argument("<hash>", "the hash of a held set, as zonekeeper plan shows it")
    .description("Let a set of changes pass that the fuse of a zone holds.")
    .addHelpText("after", EXAMPLES.approve)
    .action(async (hash: string) => {
      const config = toClientConfig(resolveGiven(command, "approve", context.environment));
      const { askApproval } = await import("./ask-instance.ts");
      deliver(await askApproval(config, hash), context);
    });
  addOptions(command, "approve");
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
      const config = needed(toPauseOrder(resolveGiven(command, "pause", context.environment)));
      const { askPause } = await import("./ask-pause.ts");
      deliver(await askPause(config, act), context);
    });
  addOptions(command, "pause");
}

function addRegistry(program: Command, context: ProgramContext): void {
  const registry = program.command("registry").description("Look after ownership records.");
  const command = registry
    .command("migrate")
    .description("Bring ownership TXT records to another layout, encrypt or sign them.")
    .addHelpText("after", EXAMPLES.migrate)
    .action(async () => {
      const options = resolveGiven(command, "registry migrate", context.environment);
      const { migrateMarkers } = await import("./migrate-markers.ts");
      deliver(await migrateMarkers(toMigrateConfig(options)), context);
    });
  addOptions(command, "registry migrate");
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
      const config = toTakeConfig(resolveGiven(command, "owner take", context.environment));
      const { askTake } = await import("./ask-instance.ts");
      deliver(await askTake(config), context);
    });
  addOptions(command, "owner take");
}

function needed<T>(result: Result<T, readonly Problem[]>): T {
  if (result.ok) return result.value;
  throw new ProblemsError(result.error);
}

function deliver(answer: Answer, context: ProgramContext): void {
  context.print(answer.text);
  context.setExitCode(answer.exitCode);
}

const EXAMPLES = {
  program: `
Examples:
  zonekeeper dev                            everything embedded, zone example.org, examples applied
  zonekeeper run --owner my-group           in a cluster, or with $KUBECONFIG
  zonekeeper explain www.example.org        why is it so?
`,
  dev: `
Examples:
  zonekeeper dev
  zonekeeper dev --zone lab.example.org --dns-port 5353 --data /var/lib/zonekeeper
  zonekeeper dev --no-examples --log-level debug

Ctrl-C stops; kill -9 at any time is safe. What was acknowledged is there at the next start.
`,
  run: `
Examples:
  zonekeeper run --owner my-group --http-address 0.0.0.0
  zonekeeper run --owner my-group --kubeconfig source.yaml --target target.yaml
  zonekeeper run --config zonekeeper.yaml --dry-run
`,
  plan: `
Examples:
  zonekeeper plan
  zonekeeper plan --zone example.org --all
  zonekeeper plan --output json | jq '.groups[].items[].name'
  zonekeeper plan --output markdown --limit 200 > comment.md

Exit code: 0 nothing to do, 2 something is to do or held, 1 the instance does not answer or a zone cannot be read.
`,
  approve: `
Examples:
  zonekeeper plan                           shows what is held, with the hash of its set
  zonekeeper approve 4f0c1d2e3b5a6978

An approval is for that set only. Later changes form another set.
`,
  pause: `
Examples:
  zonekeeper pause --zone example.org
  zonekeeper resume --zone example.org
  zonekeeper pause --all                    the kill switch: no zone is written, whatever happens

A pause is kept over restarts. It does not touch --dry-run, nor the annotation zonekeeper.dev/paused of single objects.
`,
  migrate: `
Examples:
  zonekeeper registry migrate                                    shows what differs from what is configured
  zonekeeper registry migrate --to-layout label --zone example.org
  zonekeeper registry migrate --to-layout label --yes          does it, and waits

Records are not changed: each new ownership record is written before the old one is removed. Give --txt-layout to the
writing instance, too; else it writes new ownership records in its old layout. Signatures come with --marker-signing write.
Exit code: 0 nothing to do, 2 something is to do, 1 something cannot be done, or a zone cannot be read.
`,
  ownerTake: `
  zonekeeper plan                           names the other installation
  zonekeeper owner take --from 1f0e4c52-6d0a-4b8f-9a67-0c0a3c1c9f11/kube-system/zonekeeper
  zonekeeper owner take --from 1f0e4c52-6d0a-4b8f-9a67-0c0a3c1c9f11/kube-system/zonekeeper --yes

Exit code: 0 taken, 2 shown only, 1 it could not be done.
`,
  explain: `
Examples:
  zonekeeper explain www.example.org
  zonekeeper explain '*.apps.example.org' --data /var/lib/zonekeeper --output json

Exit code: 0 the name is in sync, 2 a change of it is held, failing or in flight, 1 no object lists the name,
its zone cannot be read, or the instance does not answer.
`,
} as const;
