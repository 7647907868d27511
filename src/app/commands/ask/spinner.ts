/** Shows on a terminal that a command still waits; a pipe and a file get nothing. */

/** Where it turns: stderr. */
export interface SpinnerOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const FRAMES = ["|", "/", "-", "\\"];
/** Milliseconds: what is quicker needs no sign. */
const FIRST_MS = 700;
const TURN_MS = 120;
const CLEAR_LINE = "\r\u001b[K";

/** Waits for the work; a line with the seconds so far is there meanwhile, and gone afterwards. */
export async function spinning<T>(
  what: string,
  output: SpinnerOutput,
  work: () => Promise<T>,
): Promise<T> {
  if (output.isTTY !== true) return work();
  const since = performance.now();
  let turns = 0;
  const timer = setInterval(() => {
    const ms = performance.now() - since;
    if (ms < FIRST_MS) return;
    turns += 1;
    const frame = FRAMES[turns % FRAMES.length] ?? "";
    output.write(`${CLEAR_LINE}${frame} ${what} ${Math.floor(ms / 1000)} s`);
  }, TURN_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (turns > 0) output.write(CLEAR_LINE);
  }
}
