/** Runs a program to its end and returns what it said. For tests only; no shell is involved. */
import { execFile } from "node:child_process";
import { PATIENCE_MS } from "../ports/eventually.ts";
import { programEnvironment } from "./program-path.ts";

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** What to run it with. */
export interface RunOptions {
  readonly input?: string;
  /** Added to the environment of the test. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Absent = `PATIENCE_MS`. */
  readonly timeoutMs?: number;
}

/** How a program ended. */
export interface RunResult {
  /** Exit code; -1 when a signal or the timeout ended it, 127 when it cannot be executed. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs it; never rejects, the code says how it went. */
export function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  return new Promise((resolve) => {
    const child = execFile(
      command,
      args,
      {
        encoding: "utf8",
        maxBuffer: OUTPUT_BYTES_MAX,
        timeout: options.timeoutMs ?? PATIENCE_MS,
        killSignal: "SIGKILL",
        cwd: options.cwd,
        env: { ...programEnvironment(), ...options.env },
      },
      (error, stdout, stderr) => resolve({ code: exitCode(error), stdout, stderr }),
    );
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(options.input ?? "");
  });
}

/**
 * Runs it and returns its standard output; throws with everything it said unless it exits with 0.
 */
export async function runOk(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const result = await run(command, args, options);
  if (result.code === 0) return result.stdout;
  const line = [command, ...args].join(" ");
  throw new Error(`${line} ended with ${result.code}:\n${result.stdout}${result.stderr}`);
}

function exitCode(error: { readonly code?: unknown } | null): number {
  if (error === null) return 0;
  if (typeof error.code === "number") return error.code;
  return error.code === "ENOENT" || error.code === "EACCES" ? 127 : -1;
}
