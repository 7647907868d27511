/**
 * `zonekeeper dev` as a user starts it: the built program in a process of its own, with a data
 * folder that outlives stops and kills. Reads what it prints on standard output; logs are kept for
 * the messages of failed tests.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { claimPort, type FreePort } from "../ports/free-port.ts";
import { makeTempFolder, type TempFolder } from "../ports/temp-folder.ts";
import { Child, waitUntilReady } from "./child.ts";

/** The bundle; script/test and the `real` project's global setup build it. */
export const PROGRAM = resolve("dist/zonekeeper.js");

const PORT_OPTIONS = ["--dns-port", "--api-port", "--http-port"] as const;

/** The line `ready {…}`. */
export interface ReadyLine {
  /** Path. */
  readonly kubeconfig: string;
  /** `127.0.0.1:PORT`. */
  readonly dns: string;
  readonly http: string;
  /** Path. */
  readonly data: string;
}

type Environment = Readonly<Record<string, string>>;

/** One data folder with the instance that runs on it. */
export class DevInstance {
  readonly folder: TempFolder;
  readonly data: string;
  readonly #args: readonly string[];
  readonly #env: Environment;
  readonly #ports: readonly FreePort[];
  #child: Child | null = null;
  #runs = 0;

  private constructor(
    folder: TempFolder,
    given: { readonly args: readonly string[]; readonly ports: readonly FreePort[] },
    env: Environment,
  ) {
    this.folder = folder;
    this.data = join(folder.path, "data");
    this.#args = given.args;
    this.#ports = given.ports;
    this.#env = env;
  }

  /** Starts one on an empty data folder and waits for its ready line. */
  static start(...args: readonly string[]): Promise<DevInstance> {
    return DevInstance.startWith({}, ...args);
  }

  /**
   * As `start`; `env` is added to the environment of the test. Its ports are claimed, so that no
   * other test takes them while it is stopped, and named at the first start only: it remembers
   * them.
   */
  static async startWith(env: Environment, ...args: readonly string[]): Promise<DevInstance> {
    const options = PORT_OPTIONS.filter((option) => !args.includes(option));
    const ports = await Promise.all(options.map(claimPort));
    const named = options.flatMap((option, index) => [option, String(ports[index]?.port)]);
    const instance = new DevInstance(makeTempFolder("dev"), { args, ports }, env);
    try {
      await instance.restart(...named);
      return instance;
    } catch (error) {
      await instance.remove();
      throw error;
    }
  }

  /**
   * Starts it again on the same data folder, with `more` options; the process before must have
   * ended.
   */
  async restart(...more: readonly string[]): Promise<void> {
    this.#runs += 1;
    const args = [PROGRAM, "dev", "--data", this.data, ...this.#args, ...more];
    const child = await Child.start({
      command: process.execPath,
      args,
      cwd: this.folder.path,
      logFile: this.#logFile(),
      env: this.#env,
    });
    this.#child = child;
    await waitUntilReady(child, async () => this.#readyLines().length > 0);
  }

  /** What it announced. Throws unless there is exactly one ready line. */
  ready(): ReadyLine {
    const [line, ...more] = this.#readyLines();
    if (line === undefined || more.length > 0)
      throw new Error(`${more.length + 1} ready lines:\n${this.output()}`);
    return JSON.parse(line) as ReadyLine;
  }

  /** Of the present run. */
  get pid(): number {
    if (this.#child === null) throw new Error("not started");
    return this.#child.pid;
  }

  get dnsPort(): number {
    return Number(this.ready().dns.split(":").at(-1));
  }

  /** Everything the present run printed, standard output and logs. */
  output(): string {
    return existsSync(this.#logFile()) ? readFileSync(this.#logFile(), "utf8") : "";
  }

  /** Ctrl-C; returns the exit code (null = a signal had to end it). */
  async interrupt(): Promise<number | null> {
    await this.#child?.stop("SIGINT");
    return this.#child?.exitCode ?? null;
  }

  async kill9(): Promise<void> {
    await this.#child?.kill9();
  }

  /** Stops it and removes its data. */
  async remove(): Promise<void> {
    await this.#child?.stop();
    for (const port of this.#ports) port.release();
    this.folder.remove();
  }

  #logFile(): string {
    return join(this.folder.path, `run-${this.#runs}.log`);
  }

  #readyLines(): readonly string[] {
    return this.output()
      .split("\n")
      .filter((line) => line.startsWith("ready {") && line.endsWith("}"))
      .map((line) => line.slice("ready ".length));
  }
}
