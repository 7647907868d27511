/**
 * A program of ours in a process of its own, with what /proc says about it. Ends with the bench,
 * whatever ends that (setpriv --pdeathsig).
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** The build. */
export const PROGRAM = "dist/zonekeeper.js";

/** CPU clock ticks a second, as /proc counts them on Linux. */
const TICKS_PER_SECOND = 100;

/** A running process. */
export class Program {
  /** `performance.now()` right before it was started. */
  readonly startedAtMs: number;
  readonly #process: ChildProcess;
  readonly #lines: string[] = [];
  readonly #listeners = new Set<(line: string) => void>();

  /**
   * `node script args…`; another program than ours: `{command}` instead of a script. For whoever
   * looks into a figure: BENCH_LOG=1 shows its log, BENCH_NODE_ARGS are further arguments of node,
   * such as `--cpu-prof --cpu-prof-dir=/tmp/profiles`.
   */
  constructor(
    script: string | { readonly command: string },
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ) {
    const log = process.env["BENCH_LOG"] === undefined ? "ignore" : "inherit";
    const nodeArgs = (process.env["BENCH_NODE_ARGS"] ?? "").split(" ").filter(Boolean);
    this.startedAtMs = performance.now();
    const line =
      typeof script === "string" ? [process.execPath, ...nodeArgs, script] : [script.command];
    const bound = existsSync("/usr/bin/setpriv") ? ["/usr/bin/setpriv", "--pdeathsig", "TERM"] : [];
    const [command = "", ...before] = [...bound, ...line, ...args];
    this.#process = spawn(command, before, {
      stdio: ["ignore", "pipe", log],
      env: { ...process.env, ...env },
    });
    const { stdout } = this.#process;
    if (stdout === null) throw new Error("standard output is not piped");
    createInterface(stdout).on("line", (line) => {
      this.#lines.push(line);
      for (const listener of this.#listeners) listener(line);
    });
  }

  /** The first line that begins with `start`, without it. Rejects when the process ends before. */
  line(start: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null): void =>
        reject(new Error(`${this.#process.spawnargs.join(" ")} ended with ${code}`));
      const poll = (line: string): void => {
        if (!line.startsWith(start)) return;
        this.#listeners.delete(poll);
        this.#process.off("exit", ended);
        resolve(line.slice(start.length));
      };
      this.#listeners.add(poll);
      this.#process.once("exit", ended);
      for (const line of this.#lines) poll(line);
    });
  }

  /** Sends a signal, and resolves with the next line that begins with `start`, without it. */
  asked(signal: NodeJS.Signals, start: string): Promise<string> {
    this.#lines.length = 0;
    const answer = this.line(start);
    this.#process.kill(signal);
    return answer;
  }

  /** Resident memory in MB; `VmHWM` is the most so far. */
  rssMb(field: "VmRSS" | "VmHWM" = "VmRSS"): number {
    const status = readFileSync(`/proc/${this.#process.pid}/status`, "utf8");
    return Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024);
  }

  /** Milliseconds of CPU so far. */
  cpuMs(): number {
    const stat = readFileSync(`/proc/${this.#process.pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
  }

  /** Sends a signal, and waits until it has ended. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill(signal);
    await ended;
  }
}
