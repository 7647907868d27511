/**
 * A server process that a test starts: output goes to a log file, it is stopped by its process id,
 * and it dies with the test process (setpriv --pdeathsig) so that an aborted run leaves nothing
 * behind.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { PATIENCE_MS } from "../ports/eventually.ts";
import { programEnvironment } from "./program-path.ts";

const LOG_TAIL_BYTES = 4000;

/** What to start. */
export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Appended to. */
  readonly logFile: string;
  readonly cwd?: string;
  /** Added to the environment of the test. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A running process. */
export class Child {
  readonly pid: number;
  readonly #process: ChildProcess;
  readonly #logFile: string;
  readonly #ended: Promise<void>;

  private constructor(process: ChildProcess, pid: number, logFile: string) {
    this.#process = process;
    this.pid = pid;
    this.#logFile = logFile;
    this.#ended = new Promise((resolve) => process.once("exit", () => resolve()));
  }

  /** Starts it. Throws when the program cannot be executed. */
  static async start(options: ChildOptions): Promise<Child> {
    const log = openSync(options.logFile, "a");
    const line = [options.command, ...options.args];
    const [program = "", ...args] = existsSync("/usr/bin/setpriv")
      ? ["/usr/bin/setpriv", "--pdeathsig", "KILL", ...line]
      : line;
    const child = spawn(program, args, {
      stdio: ["ignore", log, log],
      cwd: options.cwd,
      env: { ...programEnvironment(), ...options.env },
    });
    try {
      await new Promise<void>((resolve, reject) => {
        child.once("spawn", resolve);
        child.once("error", reject);
      });
    } finally {
      closeSync(log);
    }
    if (child.pid === undefined) throw new Error(`${options.command} has no process id`);
    return new Child(child, child.pid, options.logFile);
  }

  /** False once it has ended. */
  get running(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** The exit code; null while it runs or when a signal ended it. */
  get exitCode(): number | null {
    return this.#process.exitCode;
  }

  /** Sends SIGTERM and waits; SIGKILL after `PATIENCE_MS`. Idempotent. */
  async stop(signal: "SIGTERM" | "SIGINT" = "SIGTERM"): Promise<void> {
    if (!this.running) return;
    this.#process.kill(signal);
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), PATIENCE_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  /** SIGSTOP: it does nothing any more and keeps its connections, until `resume`. */
  pause(): void {
    this.#process.kill("SIGSTOP");
  }

  /** SIGCONT. */
  resume(): void {
    this.#process.kill("SIGCONT");
  }

  /** SIGKILL, and waits until it is gone. */
  async kill9(): Promise<void> {
    if (this.running) this.#process.kill("SIGKILL");
    await this.#ended;
  }

  /** Resolves when it has ended by itself or by a signal. */
  async ended(): Promise<void> {
    if (this.running) await this.#ended;
  }

  /** The end of its log, for messages of failed tests. */
  logTail(): string {
    if (!existsSync(this.#logFile)) return "";
    return readFileSync(this.#logFile, "utf8").slice(-LOG_TAIL_BYTES);
  }
}

/**
 * Polls `isReady` every 50 ms. Throws with the log's end when the process ends first or `timeoutMs`
 * passes.
 */
export async function waitUntilReady(
  child: Child,
  isReady: () => Promise<boolean>,
  timeoutMs = PATIENCE_MS,
): Promise<void> {
  const until = Date.now() + timeoutMs;
  while (!(await isReady())) {
    if (!child.running) throw new Error(`process ended before it was ready:\n${child.logTail()}`);
    if (Date.now() > until) throw new Error(`not ready in ${timeoutMs} ms:\n${child.logTail()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
