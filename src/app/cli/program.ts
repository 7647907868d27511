/**
 * The command line: commands, help and examples. What a command does is loaded when it is chosen.
 */
import { Argument, Command, type Help, type Option } from "commander";
import { toDevConfig } from "../../config/dev-config.ts";
import type { CommandName } from "../../config/option.ts";
import type { ResolvedOptions } from "../../config/resolved-options.ts";
import { toCheckConfig } from "../../config/run-config.ts";
import { withSets } from "../../config/run-sets.ts";
import { spinning } from "../commands/ask/spinner.ts";
import { PLUGIN_NAME, type ProgramContext } from "../commands/process/program-context.ts";
import { asTypedInKubectl } from "../commands/process/typed-commands.ts";
import { VERSION } from "../ports/version.ts";
import { COMPLETION_SCRIPTS, completions, liveCandidates, SHELLS } from "./completion.ts";
import { resolveArgs } from "./given-options.ts";
import { EXAMPLES } from "./help-examples.ts";
import { addOwnershipCommands } from "./ownership-commands.ts";
import { addRow, type CommandRow, MIGRATE, needed, OWNER_TAKE, QUESTIONS } from "./questions.ts";

const VERSION_TEXT = `zonekeeper ${VERSION} (node ${process.version})`;

/** The program with its commands; `parseAsync` runs the chosen one. */
export function buildProgram(context: ProgramContext): Command {
  const { programName } = context;
  const program = new Command(programName)
    .description(
      "Publishes what Kubernetes clusters want into DNS zones, and never touches a record it has no right to.",
    )
    .configureOutput({
      writeOut: (text) =>
        context.print(programName === PLUGIN_NAME ? asTypedInKubectl(text) : text),
      outputError: (text, write) => write(`${text}${externalDnsHint(text)}`),
    })
    .configureHelp(HELP_FORMAT)
    .version(VERSION_TEXT, "-v, --version", "Print the version.")
    .helpOption("-h, --help", "Print help; --help=all lists every option.")
    .showHelpAfterError(`(see ${programName} --help)`)
    .helpCommand(true)
    .addHelpText("after", EXAMPLES.program);
  program.commandsGroup("Run it:");
  for (const row of STARTING) addRow(program, context, row);
  program.commandsGroup("See and decide:");
  for (const row of QUESTIONS) addRow(program, context, row);
  program.commandsGroup("Ownership:");
  addOwnershipCommands(program, context);
  const registry = program.command("registry").description("Look after ownership records.");
  addRow(registry, context, MIGRATE);
  const owner = program
    .command("owner")
    .description("Settle which installation has an owner id.")
    .copyInheritedSettings(program);
  addRow(owner, context, OWNER_TAKE);
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

/** The commands that begin something of their own, in the order of the help text. */
const STARTING: readonly CommandRow[] = [
  {
    name: "dev",
    description: "Try it out: a Kubernetes API, a name server and the controllers in one process.",
    ...{ help: EXAMPLES.dev, takes: "dev" },
    act: async ({ options, context }) => {
      const config = needed(toDevConfig(options, context.externalDns));
      const { dev } = await import("../commands/dev/dev.ts");
      await dev(config, context);
      return null;
    },
  },
  {
    name: "run",
    description: "Work for clusters and zones that exist: in a pod, or with kubeconfigs.",
    ...{ help: EXAMPLES.run, takes: "run" },
    addFlags: (command) => {
      // As the program itself has it: Gardener's manager takes it beside its other options.
      command.version(VERSION_TEXT, "--version", "Print the version.");
      command.options.at(-1)?.hideHelp();
    },
    act: async ({ options, context }) => {
      const config = needed(runConfigOf("run", options, context));
      const { run } = await import("../commands/run/run.ts");
      await run(config, context);
      return null;
    },
  },
  {
    name: "check",
    description: "Look at clusters, rights and servers that run with these options would need.",
    ...{ help: EXAMPLES.check, takes: "check" },
    act: async ({ options, context }) => {
      const config = needed(toCheckConfig(options, runConfigOf("check", options, context)));
      const { check } = await import("../commands/check/check.ts");
      const what = "asking clusters and servers";
      return spinning(what, process.stderr, () => check(config, context.rows));
    },
  },
  {
    name: "shadow",
    description: "Compare with a live external-dns, by its own arguments; nothing is written.",
    ...{ help: EXAMPLES.shadow, takes: "shadow" },
    act: async ({ options, context }) => {
      const config = needed(toCheckConfig(options, runConfigOf("shadow", options, context)));
      const { shadow } = await import("../commands/shadow/shadow.ts");
      return spinning("reading clusters and zones", process.stderr, () => shadow(config, context));
    },
  },
];

/** With the sets of `--set`, whose first one `options` are of. */
function runConfigOf(name: CommandName, options: ResolvedOptions, context: ProgramContext) {
  const { externalDns = null, sets = [] } = context;
  const [first, ...others] = sets;
  return withSets([
    { name: first?.name ?? "", options, externalDns },
    ...others.map((one) => ({
      ...{ name: one.name, externalDns: one.config },
      options: resolveArgs(name, one.args, context),
    })),
  ]);
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

/** Columns of a help text. */
const HELP_WIDTH = 100;
/** Of flags and commands; longer ones get a line of their own. */
const TERM_WIDTH = 26;
const INDENT = 2;
const GAP = 2;

/** For `configureHelp`. */
const HELP_FORMAT = {
  helpWidth: HELP_WIDTH,
  padWidth: () => TERM_WIDTH,
  /** Environment and default are in the text. */
  optionDescription: ({ description }: Option) => description,
  formatItem(...[term, width, description, helper]: readonly [string, number, string, Help]) {
    const first = `${" ".repeat(INDENT)}${term}`;
    if (description === "") return first;
    const start = INDENT + width + GAP;
    const lines = helper.boxWrap(description, HELP_WIDTH - start).split("\n");
    const rest = lines.map((line) => `${" ".repeat(start)}${line}`);
    if (term.length > width) return [first, ...rest].join("\n");
    return [first.padEnd(start) + (lines[0] ?? ""), ...rest.slice(1)].join("\n");
  },
};

/** Flag → what does its work here. */
export const EXTERNAL_DNS_FLAGS: Readonly<Record<string, string>> = {
  "--source": "--controllers (service-dns, ingress-dns, crd …)",
  "--provider": "spec.type of a DNSProvider",
  "--domain-filter": "spec.domains.include of a DNSProvider",
  "--zone-id-filter": "spec.zones.include of a DNSProvider",
  "--interval": "nothing to set: changes are watched",
  "--annotation-filter": "dns.gardener.cloud/class and --dns-class",
  "--managed-record-types": "--controllers, which say the types",
  "--crd-source-apiversion":
    "nothing to set: DNSEndpoints are those of externaldns.k8s.io/v1alpha1",
};

/**
 * What to add to a refusal of an unknown option, whole lines; empty where external-dns has none of
 * that name.
 */
function externalDnsHint(refusal: string): string {
  const [, flag = ""] = /unknown option '(--[\w-]+)/.exec(refusal) ?? [];
  if (!Object.hasOwn(EXTERNAL_DNS_FLAGS, flag)) return "";
  const rows = Object.entries(EXTERNAL_DNS_FLAGS).map(([name, here]) => `  ${name}: ${here}\n`);
  return `${flag} is a flag of external-dns: run and check take its arguments as they are behind --dialect external-dns. Without it:\n${rows.join("")}`;
}
