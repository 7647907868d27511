/** What the command line may use of the world; handed to every command. */

/** Made once by the entry. */
export interface ProgramContext {
  readonly environment: NodeJS.ProcessEnv;
  /** To stdout. */
  print(text: string): void;
  setExitCode(code: number): void;
}
