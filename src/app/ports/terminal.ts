/** What stdout is: how wide, and whether colours are welcome. */

/** Where stdout goes. */
export interface Terminal {
  /** Null = it is no terminal: lines are not cut. */
  readonly columns: number | null;
  /**
   * False without a terminal, and where NO_COLOR is set (https://no-color.org) or TERM is `dumb`.
   */
  readonly color: boolean;
}

/** The part of a stream that says so. */
interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const COLUMNS = 80;

/** `NO_COLOR` counts when it is not empty (https://no-color.org). */
export function terminalOf(output: Output, environment: NodeJS.ProcessEnv): Terminal {
  if (output.isTTY !== true) return { columns: null, color: false };
  const isPlain = (environment["NO_COLOR"] ?? "") !== "" || environment["TERM"] === "dumb";
  return { columns: output.columns ?? COLUMNS, color: !isPlain };
}
