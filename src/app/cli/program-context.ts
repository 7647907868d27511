/** What commands may use of the process around them. A type only; `main.ts` makes the real one. */

/** What the command line may use of the world. */
export interface ProgramContext {
  readonly environment: NodeJS.ProcessEnv;
  print(text: string): void;
  setExitCode(code: number): void;
}
