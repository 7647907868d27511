/**
 * Other people's clients of Kubernetes, made by script/build-api-clients from
 * test/real/api-clients: each runs as a process of its own with one kubeconfig, and prints a line
 * for each thing that it sees.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { eventually } from "../ports/eventually.ts";
import { makeTempFolder } from "../ports/temp-folder.ts";
import { Child } from "../programs/child.ts";

/** Absolute path of a program of the newest build; it need not exist. */
export function apiClientPath(program: "informer" | "controller" | "python/bin/python"): string {
  return resolve("node_modules/.cache/zonekeeper/api-clients/current", program);
}

/** A client that runs. */
export interface ApiClient {
  /** What it printed so far, standard error too. */
  lines(): readonly string[];
  /** Resolves when a line is there; throws with all it printed when none came. */
  prints(line: string | RegExp): Promise<void>;
  /** SIGTERM; resolves with its exit code, null when it had to be killed. */
  end(): Promise<number | null>;
}

/** What to start. */
export interface ApiClientOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** Path. */
  readonly kubeconfig: string;
}

/** Starts a program; its home is a folder that is removed with it. */
export async function startApiClient(options: ApiClientOptions): Promise<ApiClient> {
  const { command, args = [], kubeconfig } = options;
  const folder = makeTempFolder("api-client");
  const logFile = join(folder.path, "log");
  const env = { HOME: folder.path, KUBECONFIG: kubeconfig };
  const child = await Child.start({ command, args, logFile, env, cwd: folder.path });
  let last: readonly string[] | null = null;
  const lines = (): readonly string[] => last ?? readFileSync(logFile, "utf8").split("\n");
  return {
    lines,
    prints: async (wanted) => {
      const isThere = (): boolean =>
        lines().some((line) => (typeof wanted === "string" ? line === wanted : wanted.test(line)));
      const what = `${command} prints ${wanted}`;
      const isOver = async (): Promise<boolean> => isThere() || !child.running;
      await eventually(what, isOver, Boolean).catch(() => undefined);
      if (!isThere()) throw new Error(`not so: ${what}:\n${lines().join("\n")}`);
    },
    end: async () => {
      await child.stop();
      last = lines();
      folder.remove();
      return child.exitCode;
    },
  };
}
