/**
 * The ordinary kubectl, from both ends of what people have: 1.20 and 1.32 (script/fetch-kubectl
 * unpacks them). Each instance has its own kubeconfig, HOME and cache, so that nothing of the
 * person at the machine is read or written.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { eventually } from "../ports/eventually.ts";
import { makeTempFolder, type TempFolder } from "../ports/temp-folder.ts";
import { type RunResult, run } from "../programs/run.ts";

/** The versions that the end-to-end tests use. */
export const KUBECTL_VERSIONS = ["1.20", "1.32"] as const;

/** One of them. */
export type KubectlVersion = (typeof KUBECTL_VERSIONS)[number];

/** Of Go's memory: collections take a sixth of the CPU of a command that ends at once. */
const FEW_COLLECTIONS = { GOGC: "off", GOMEMLIMIT: "256MiB" };

/** Where `script/fetch-kubectl` puts one. */
export function kubectlPath(version: string): string {
  return resolve("node_modules/.cache/zonekeeper/kubectl", version, "kubectl");
}

/** A running `kubectl get -w` or `logs -f`. */
export interface Watching {
  /** The lines so far. */
  lines(): readonly string[];
  /** Resolves with the first line that fits; throws with all lines if none comes. */
  waitForLine(pattern: RegExp): Promise<string>;
  stop(): Promise<void>;
}

/** One user with one kubeconfig. */
export class Kubectl {
  readonly version: string;
  readonly #program: string;
  readonly #folder: TempFolder;
  readonly #kubeconfig: string;
  readonly #watching = new Set<ChildProcess>();

  /**
   * `kubeconfig` is a path; the file may be written later. `program` may name another kubectl than
   * the fetched one.
   */
  constructor(version: string, kubeconfig: string, program: string = kubectlPath(version)) {
    this.version = version;
    this.#program = program;
    this.#kubeconfig = resolve(kubeconfig);
    this.#folder = makeTempFolder(`kubectl-${version}`);
    mkdirSync(join(this.#folder.path, "home"));
  }

  /**
   * Runs it to its end; `input` goes to its standard input (`apply -f -`), `env` is added to its
   * environment.
   */
  run(
    args: readonly string[],
    input = "",
    env: Readonly<Record<string, string>> = {},
  ): Promise<RunResult> {
    return run(this.#program, this.#arguments(args), {
      input,
      env: { ...env, ...this.#environment() },
      cwd: this.#folder.path,
    });
  }

  /**
   * Runs it and returns its standard output. Throws with everything it said unless it exits with 0.
   */
  async ok(args: readonly string[], input = ""): Promise<string> {
    const result = await this.run(args, input);
    if (result.code === 0) return result.stdout;
    throw new Error(
      `kubectl ${this.version} ${args.join(" ")} ended with ${result.code}:\n${result.stdout}${result.stderr}`,
    );
  }

  /** `kubectl … -o json`, parsed. */
  async json(args: readonly string[]): Promise<unknown> {
    return JSON.parse(await this.ok([...args, "-o", "json"]));
  }

  /** Starts one that does not end by itself, such as `get dnse -w`. */
  watch(args: readonly string[]): Watching {
    const child = spawn(this.#program, this.#arguments(args), {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...this.#environment() },
      cwd: this.#folder.path,
    });
    this.#watching.add(child);
    let text = "";
    const collect = (bytes: Buffer): void => {
      text += bytes.toString("utf8");
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", (error) => {
      text += `${error.message}\n`;
    });
    const lines = (): readonly string[] => text.split("\n").filter((line) => line !== "");
    return {
      lines,
      waitForLine: async (pattern) => {
        const find = async () => lines().find((line) => pattern.test(line)) ?? lines();
        const isLine = (seen: string | readonly string[]) => typeof seen === "string";
        return String(await eventually(`a line like ${pattern}`, find, isLine));
      },
      stop: async () => {
        this.#watching.delete(child);
        await end(child);
      },
    };
  }

  /** Ends what still watches and removes its HOME. */
  async close(): Promise<void> {
    await Promise.all([...this.#watching].map(end));
    this.#folder.remove();
  }

  #arguments(args: readonly string[]): readonly string[] {
    return [`--cache-dir=${join(this.#folder.path, "cache")}`, ...args];
  }

  #environment(): Readonly<Record<string, string>> {
    return {
      ...FEW_COLLECTIONS,
      KUBECONFIG: this.#kubeconfig,
      HOME: join(this.#folder.path, "home"),
    };
  }
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
    return Promise.resolve();
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  return ended;
}
