/** What the command line may use of the world; handed to every command. */
import type { ExternalDnsConfig } from "../../../config/external-dns/translate.ts";
import type { Rows } from "../../plugins/rows.ts";
import type { Terminal } from "../../ports/terminal.ts";

/** How the program is called as a plugin of kubectl; it then finds its instance in a cluster. */
export const PLUGIN_NAME = "kubectl zonekeeper";

/** One external-dns of several. */
export interface SpokenSet {
  readonly name: string;
  /** Arguments of this program's own command. */
  readonly args: readonly string[];
  readonly config: ExternalDnsConfig;
}

/** Made once by the entry. */
export interface ProgramContext {
  readonly environment: NodeJS.ProcessEnv;
  /** To stdout. */
  print(text: string): void;
  readonly terminal: Terminal;
  /** As help calls the program: `zonekeeper`, or `kubectl zonekeeper` as a plugin of kubectl. */
  readonly programName: string;
  /** Help shows every option (`--help=all`). */
  readonly isWholeHelp: boolean;
  /**
   * What was given: the hundreds of options of a command that is not among it are left out. Absent
   * = all commands have theirs.
   */
  readonly commandLine?: readonly string[];
  /** Rows of the program and of `--plugin`; absent = without plug-ins. */
  readonly rows?: Rows;
  /** What a command line of external-dns said; absent or null = it was none. */
  readonly externalDns?: ExternalDnsConfig | null;
  /** Of `--set`, the first one too; absent or empty = there are none. */
  readonly sets?: readonly SpokenSet[];
  /** A shadow tells its plan, in place of its report. */
  readonly isPlan?: boolean;
  setExitCode(code: number): void;
}
