/**
 * The parts of the process that commands use: environment, terminal, exit code and what was given
 * on the command line. Handed to every command.
 */
import type { ExternalDnsConfig } from "../../../config/external-dns/translate.ts";
import type { SpokenSet } from "../../../config/run-sets.ts";
import type { Rows } from "../../plugins/rows.ts";
import type { Terminal } from "../../ports/terminal.ts";

/** How the program is called as a plugin of kubectl; it then finds its instance in a cluster. */
export const PLUGIN_NAME = "kubectl zonekeeper";

/** Made once by the entry. */
export interface ProgramContext {
  readonly environment: NodeJS.ProcessEnv;
  /** To stdout. */
  print(text: string): void;
  readonly terminal: Terminal;
  /** Name of the program in help: `zonekeeper`, or `kubectl zonekeeper` as a plugin of kubectl. */
  readonly programName: string;
  /** Help shows every option (`--help=all`). */
  readonly isWholeHelp: boolean;
  /**
   * The words that were given. Only commands among them get their options, of which there are
   * hundreds. Absent = all commands get theirs.
   */
  readonly commandLine?: readonly string[];
  /** Rows of the program and of `--plugin`; absent = without plug-ins. */
  readonly rows?: Rows;
  /** The configuration from a command line of external-dns; absent or null = it was none. */
  readonly externalDns?: ExternalDnsConfig | null;
  /**
   * The sets of options (`--set`), one for each external-dns that is replaced; absent or empty =
   * none.
   */
  readonly sets?: readonly SpokenSet[];
  /** True = `shadow` prints its plan in place of its report. */
  readonly isPlan?: boolean;
  setExitCode(code: number): void;
}
