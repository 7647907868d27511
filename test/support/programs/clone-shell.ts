/**
 * A person in a checkout beside a running `npm start`: the commands of a document run as they
 * stand, one shell for each, with the settings (`export`, `alias`) of those before.
 */
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { kubectlPath } from "../clients/kubectl.ts";
import { eventually } from "../ports/eventually.ts";
import type { DevInstance } from "./dev-instance.ts";
import { type Step, unlike } from "./documented-commands.ts";
import { programPath } from "./program-path.ts";
import { run } from "./run.ts";

/** The port of the name server that documents name. */
const PORT = "5300";

/** See above. Its folder is in that of the instance, and goes with it. */
export class CloneShell {
  readonly #dev: DevInstance;
  readonly #folder: string;
  readonly #settings: string[] = ["shopt -s expand_aliases"];

  constructor(dev: DevInstance) {
    this.#dev = dev;
    this.#folder = join(dev.folder.path, "clone");
    mkdirSync(this.#folder);
    for (const one of ["dist", "examples"]) symlinkSync(resolve(one), join(this.#folder, one));
    symlinkSync(dev.data, join(this.#folder, ".zonekeeper"));
  }

  /**
   * What a step prints, errors with it. One that only reads, or gives the program time
   * (`sleep 1; …`), gets more, here where others run, too. Throws where it ends with another code
   * than 0, or 2 (something is open).
   */
  seen({ command, output }: Step): Promise<string> {
    const here = command.replaceAll(`-p ${PORT}`, `-p ${this.#dev.dnsPort}`);
    if (/^(?:export|alias) /.test(here)) this.#settings.push(here);
    if (!/^(?:sleep|kubectl get|dig) /.test(here)) return this.#run(here);
    const isAsDocumented = (text: string) => unlike(output, text) === null;
    return eventually(here, () => this.#run(here), isAsDocumented);
  }

  async #run(command: string): Promise<string> {
    const script = ["exec 2>&1", ...this.#settings, command].join("\n");
    const { code, stdout } = await run("bash", ["--norc", "-uo", "pipefail", "-c", script], {
      cwd: this.#folder,
      env: { PATH: `${dirname(kubectlPath("1.32"))}:${programPath()}` },
    });
    if (code === 0 || code === 2) return stdout;
    throw new Error(`${command} ended with ${code}:\n${stdout}`);
  }
}
