/**
 * A reader's laptop: one folder, in which the commands of a guide run as they stand, those that
 * stay each in a terminal of its own. The name server that asks for port 5300 may get another one.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { kubectlPath } from "../clients/kubectl.ts";
import { eventually } from "../ports/eventually.ts";
import { makeTempFolder } from "../ports/temp-folder.ts";
import { Child } from "./child.ts";
import { PROGRAM } from "./dev-instance.ts";
import { run } from "./run.ts";

/** See above; `replaced` = texts that are others in a test, such as addresses of downloads. */
export class Laptop {
  readonly folder: string;
  readonly #temporary: ReturnType<typeof makeTempFolder>;
  readonly #terminals: Child[] = [];
  #opened = 0;
  readonly #replaced: Map<string | RegExp, string>;

  constructor(name: string, replaced: Readonly<Record<string, string>> = {}) {
    this.#temporary = makeTempFolder(name);
    this.folder = this.#temporary.path;
    this.#replaced = new Map<string | RegExp, string>([
      [/(?<=^|\s)zonekeeper (?=\w)/gm, `"${process.execPath}" "${resolve(PROGRAM)}" `],
      [/\bkubectl (?=-)/g, `"${kubectlPath("1.32")}" `],
      ...Object.entries(replaced),
    ]);
  }

  #asHere(script: string): string {
    return [...this.#replaced].reduce((text, [what, by]) => text.replaceAll(what, by), script);
  }

  /** Runs one command, or several lines; what was defined in `before` is known. Never throws. */
  run(script: string, before = "") {
    const text = this.#asHere(`${before}\n${script}`);
    return run("bash", ["--norc", "-euo", "pipefail", "-c", text], {
      cwd: this.folder,
    });
  }

  /** Repeats it until its output has the line; rejects after a minute. */
  shows(script: string, line: RegExp): Promise<string> {
    return eventually(
      `${script.trim()} shows ${line}`,
      async () => (await this.run(script)).stdout,
      (text) => line.test(text),
    );
  }

  /** A command that stays, in its terminal; `dev` says when it is ready, where it answers. */
  async start(command: string): Promise<Child> {
    const logFile = join(this.folder, `terminal-${this.#opened++}.log`);
    const child = await Child.start({
      ...{ command: "bash", args: ["--norc", "-uc", `exec ${this.#asHere(command)}`] },
      ...{ cwd: this.folder, logFile, env: { ZONEKEEPER_HTTP_PORT: "0" } },
    });
    this.#terminals.push(child);
    if (!command.startsWith("zonekeeper dev")) return child;
    const ready = /^ready \{.*"dns":"[^"]*:(\d+)"/m;
    const log = await eventually(
      `${command.trim()} is ready`,
      async () => readFileSync(logFile, "utf8"),
      (text) => ready.test(text),
    );
    if (!this.#replaced.has("5300")) this.#replaced.set("5300", ready.exec(log)?.[1] ?? "");
    return child;
  }

  /** Ends what runs, and removes the folder. */
  async close(): Promise<void> {
    await Promise.all(this.#terminals.map((child) => child.stop()));
    this.#temporary.remove();
  }
}
