/**
 * `zonekeeper run` as an operator starts it: the built program in a process of its own, on a data
 * folder and an HTTP port that outlive stops and kills. Keeps everything it ever printed, for
 * judging messages and for finding secrets.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FOLDER_FILES } from "../../../src/app/commands/process/data-folder.ts";
import { readReady } from "../../../src/app/commands/process/ready-file.ts";
import { askOnChange } from "../ports/ask-on-change.ts";
import { eventually } from "../ports/eventually.ts";
import { claimPort, type FreePort } from "../ports/free-port.ts";
import { makeTempFolder, type TempFolder } from "../ports/temp-folder.ts";
import { Child, waitUntilReady } from "./child.ts";
import { PROGRAM } from "./dev-instance.ts";
import { type RunResult, run } from "./run.ts";

/**
 * Most stories have few objects and end with all of them. A Lease that a killed process left behind
 * is waited for.
 */
const DEFAULTS = {
  ZONEKEEPER_FUSE_WHOLE_KIND: "false",
  ZONEKEEPER_LEASE_DURATION: "6s",
  ZONEKEEPER_LEASE_RENEW_DEADLINE: "4s",
  ZONEKEEPER_LEASE_RETRY_PERIOD: "1s",
};

/** How it is started. */
export interface RunInstanceOptions {
  /** Path. */
  readonly kubeconfig: string;
  /** Empty = it is not given. */
  readonly owner: string;
  /** Without `--data`: its memory is in the cluster. Default false. */
  readonly dataless?: boolean;
  /** Namespaces whose DNSProviders may name servers of this host. Default `*`. */
  readonly trusted?: string;
  /** More flags of `run`. */
  readonly args?: readonly string[];
  /** Added to the environment of the test. */
  readonly env?: Readonly<Record<string, string>>;
}

/** One data folder with the process that runs on it. */
export class RunInstance {
  readonly http: string;
  readonly data: string;
  readonly #options: RunInstanceOptions;
  readonly #folder: TempFolder;
  readonly #port: FreePort;
  readonly #plans = new Map<string, () => Promise<RunResult>>();
  #child: Child | null = null;

  private constructor(options: RunInstanceOptions, folder: TempFolder, port: FreePort) {
    this.#options = options;
    this.#folder = folder;
    this.#port = port;
    this.data = join(folder.path, "data");
    this.http = `http://127.0.0.1:${port.port}`;
  }

  /** Starts one on an empty data folder and waits until `/readyz` says so. */
  static async start(options: RunInstanceOptions): Promise<RunInstance> {
    const instance = await RunInstance.launch(options);
    try {
      await instance.ready();
      return instance;
    } catch (error) {
      await instance.remove();
      throw error;
    }
  }

  /** As `start`, without waiting. */
  static async launch(options: RunInstanceOptions): Promise<RunInstance> {
    const instance = new RunInstance(options, makeTempFolder("run"), await claimPort());
    await instance.begin();
    return instance;
  }

  /**
   * Starts the process again; the one before must have ended. `more` flags count for this start
   * only.
   */
  async begin(...more: readonly string[]): Promise<void> {
    const {
      kubeconfig,
      owner,
      dataless = false,
      trusted = "*",
      args = [],
      env = {},
    } = this.#options;
    const data = dataless ? [] : ["--data", this.data];
    const http = ["--http-port", String(this.#port.port), ...data];
    const trust = ["--provider-trusted-namespaces", trusted];
    const flags = [
      ...(owner === "" ? [] : ["--owner", owner]),
      "--kubeconfig",
      kubeconfig,
      ...trust,
      ...http,
      ...args,
      ...more,
    ];
    this.#child = await Child.start({
      command: process.execPath,
      args: [PROGRAM, "run", ...flags],
      cwd: this.#folder.path,
      logFile: this.#logFile,
      env: { ...DEFAULTS, ...env },
    });
  }

  /**
   * Waits for `/readyz`; where a right to read is missing it fails for good, and all else being
   * read is enough. Throws with the log when the process ends first.
   */
  async ready(): Promise<void> {
    if (this.#child === null) throw new Error("not started");
    await waitUntilReady(this.#child, async () => isUp(await this.fetch("/readyz")));
  }

  /** Starts it again and waits until it is ready. */
  async restart(...more: readonly string[]): Promise<void> {
    await this.#child?.stop();
    await this.begin(...more);
    await this.ready();
  }

  get running(): boolean {
    return this.#child?.running === true;
  }

  /** The status of a GET, or 0 when nobody answers. */
  async get(path: string): Promise<number> {
    return (await this.fetch(path)).status;
  }

  /** A GET; status 0 when nobody answers. */
  async fetch(path: string): Promise<{ readonly status: number; readonly text: string }> {
    try {
      const response = await fetch(`${this.http}${path}`);
      return { status: response.status, text: await response.text() };
    } catch {
      return { status: 0, text: "" };
    }
  }

  /**
   * `zonekeeper plan`, `explain` and so on against this instance; `plan` is started again where the
   * plan is another.
   */
  cli(...args: readonly string[]): Promise<RunResult> {
    const command = () => run(process.execPath, [PROGRAM, ...args, "--data", this.data]);
    if (args[0] !== "plan") return command();
    const line = args.join(" ");
    const ask = this.#plans.get(line) ?? askOnChange(() => this.#plan(), command);
    this.#plans.set(line, ask);
    return ask();
  }

  /** Waits until `plan` ends with 0 and has a loaded zone to say so of. */
  async hasNothingToDo(): Promise<void> {
    await eventually(
      "plan has nothing to do",
      () => this.cli("plan"),
      ({ code, stdout }) => code === 0 && stdout.includes("nothing to do"),
    );
  }

  /** That of its API. */
  token(): string {
    return readReady(join(this.data, FOLDER_FILES.ready)).token;
  }

  /** The whole plan; null while there is no answer. */
  async #plan(): Promise<string | null> {
    const headers = { authorization: `Bearer ${this.token()}`, accept: "application/json" };
    const response = await fetch(`${this.http}/api/v1/plan`, { headers });
    return response.ok ? response.text() : null;
  }

  /** Standard output and logs of all runs. */
  output(): string {
    return existsSync(this.#logFile) ? readFileSync(this.#logFile, "utf8") : "";
  }

  /** Stops it gracefully; returns the exit code (null = a signal had to end it). */
  async stop(signal: "SIGTERM" | "SIGINT" = "SIGTERM"): Promise<number | null> {
    await this.#child?.stop(signal);
    return this.#child?.exitCode ?? null;
  }

  async kill9(): Promise<void> {
    await this.#child?.kill9();
  }

  /** SIGSTOP, and SIGCONT. */
  freeze(isFrozen: boolean): void {
    if (isFrozen) this.#child?.pause();
    else this.#child?.resume();
  }

  /** Stops it and removes its data. */
  async remove(): Promise<void> {
    await this.#child?.stop();
    this.#port.release();
    this.#folder.remove();
  }

  get #logFile(): string {
    return join(this.#folder.path, "run.log");
  }
}

/** Nothing is missing but rights: what is forbidden does not come by waiting. */
function isUp({ status, text }: { readonly status: number; readonly text: string }): boolean {
  if (status === 200) return true;
  const unread = text.split("\n").filter((line) => /^\[-\] (cache|objects|clusters)/.test(line));
  return unread.length > 0 && unread.every((line) => line.includes(": forbidden"));
}
