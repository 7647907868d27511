/** Entry of the bundle: runs the command line once. Nothing else may import this file. */
import { setMaxListeners } from "node:events";
import { basename } from "node:path";
import { CommanderError } from "commander";
import { spokenLine, withCommand } from "./cli/dialect.ts";
import { unknownVariables } from "./cli/given-options.ts";
import { givenRows } from "./cli/given-plugins.ts";
import { buildProgram } from "./cli/program.ts";
import { EXIT, troubleText } from "./commands/process/exit.ts";
import { PLUGIN_NAME } from "./commands/process/program-context.ts";
import { setEngineFlags } from "./engine-flags.ts";
import { terminalOf } from "./ports/terminal.ts";

/**
 * Every query under way listens to its zone's end, 200 at once per zone: Node takes more than 10
 * for a leak, and says so.
 */
const LISTENERS_MAX = 1_000;

const WHOLE_HELP = "--help=all";

function fatal(error: unknown): void {
  process.stderr.write(troubleText(error));
  process.exit(EXIT.trouble);
}

setEngineFlags();
// The AWS SDK would write six lines about the version of Node between lines of JSON.
process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";
setMaxListeners(LISTENERS_MAX);
// Nothing that this program writes is for other users, files that libraries make included.
process.umask(0o077);
// Whoever reads us has seen enough, as in `zonekeeper plan | head`.
process.stdout.on("error", () => process.exit(EXIT.trouble));
process.on("uncaughtException", fatal);
process.on("unhandledRejection", fatal);

try {
  const isWholeHelp = [WHOLE_HELP, "__complete"].some((one) => process.argv.includes(one));
  const given = withCommand(process.argv.slice(2), process.env);
  const spoken = await spokenLine(given, process.env, await givenRows(given, process.env));
  const { commandLine, rows, externalDns, sets, isPlan } = spoken;
  for (const line of [...unknownVariables(process.env, rows.options), ...spoken.remarks])
    process.stderr.write(`zonekeeper: ${line}
`);
  await buildProgram({
    rows,
    externalDns,
    sets,
    isPlan,
    environment: process.env,
    programName:
      basename(process.argv[1] ?? "") === "kubectl-zonekeeper" ? PLUGIN_NAME : "zonekeeper",
    isWholeHelp,
    commandLine,
    print: (text) => process.stdout.write(text),
    terminal: terminalOf(process.stdout, process.env),
    setExitCode: (code) => {
      process.exitCode = code;
    },
  }).parseAsync(
    commandLine.map((one) => (one === WHOLE_HELP ? "--help" : one)),
    { from: "user" },
  );
} catch (error) {
  if (!(error instanceof CommanderError)) process.stderr.write(troubleText(error));
  process.exitCode = EXIT.trouble;
}
// Everything that has to end has ended: a timer that was forgotten must not keep a user waiting.
// Only what was printed goes out first: a pipe takes 64 KiB at a time, and leaving now would cut
// the rest off.
await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
process.exit();
