/**
 * A shell in which the commands of a guide run as they stand: `zonekeeper` is the built program,
 * asks the instance that is given, and `kubectl` its cluster.
 */
import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type KubectlVersion, kubectlPath } from "../clients/kubectl.ts";
import { makeTempFolder } from "../ports/temp-folder.ts";
import { PROGRAM } from "./dev-instance.ts";
import { type RunResult, run } from "./run.ts";
import type { RunInstance } from "./run-instance.ts";
import type { RunSession } from "./run-session.ts";

/** Whose commands they are. */
export interface GuideReader {
  readonly session: RunSession;
  readonly instance: RunInstance;
}

/** See above. `close` removes its folder. */
export class GuideShell {
  readonly #folder = makeTempFolder("guide");

  constructor(version: KubectlVersion = "1.32") {
    this.#add("zonekeeper", `${process.execPath} ${resolve(PROGRAM)}`);
    this.#add("kubectl", kubectlPath(version));
  }

  #add(name: string, command: string): void {
    const program = join(this.#folder.path, name);
    writeFileSync(program, `#!/bin/sh\nexec ${command} "$@"\n`);
    chmodSync(program, 0o755);
  }

  /**
   * Runs one command, or several lines; never throws. `--norc`: a bash whose input is a socket
   * takes itself for one of a remote shell, and reads its files (bash(1), "Invocation").
   */
  run({ session, instance }: GuideReader, script: string): Promise<RunResult> {
    const path = `export PATH="${this.#folder.path}:$PATH"\n`;
    return run("bash", ["--norc", "-uo", "pipefail", "-c", `${path}${script}`], {
      cwd: this.#folder.path,
      env: { KUBECONFIG: session.kubeconfig, ZONEKEEPER_DATA: instance.data },
    });
  }

  close(): void {
    this.#folder.remove();
  }
}
