/**
 * `zonekeeper/manager`: the program inside of somebody else's process. It takes no signal, changes
 * nothing of the process, and several of them live beside each other.
 */
import { sleep } from "@zonekeeper/base/ports/clock";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { resolveOptions } from "../../config/resolve-options.ts";
import { type RunConfig, toRunConfig } from "../../config/run-config.ts";
import type { Problem } from "../../model/problem.ts";
import { Teardown } from "../commands/process/teardown.ts";
import type { ClusterApis } from "../commands/run/run-context.ts";
import { serve } from "../commands/run/serve.ts";
import type { Instance } from "../compose/instance.ts";
import { checkPlugin } from "../plugins/check-plugin.ts";
import { withPlugin } from "../plugins/load-plugins.ts";
import type { PluginModule } from "../plugins/plugin-module.ts";
import { OWN_ROWS, plugInsOf, type Rows } from "../plugins/rows.ts";
import { makeLog } from "../ports/pino-log.ts";
import { RealClock } from "../ports/real-clock.ts";
import type { ProgramPorts } from "../ports/real-ports.ts";

export type { HttpClient } from "@zonekeeper/base/ports/http";
export type { Log } from "@zonekeeper/base/ports/log";
export type { Result } from "@zonekeeper/base/result";
export type { Problem } from "../../model/problem.ts";
export type { ClusterApis } from "../commands/run/run-context.ts";
export type { PluginModule } from "../plugins/plugin-module.ts";
export type { ProgramPorts } from "../ports/real-ports.ts";

/** What a manager is made of. */
export interface ManagerOptions {
  /**
   * Options of `zonekeeper run` by the names of their flags, without dashes, as texts, numbers,
   * true or lists: `owner`, `kubeconfig`, `target`, `controllers` … No environment and no file is
   * read for them. Health and metrics are at a free port of 127.0.0.1 unless `http-port` says
   * another.
   */
  readonly options: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** Rows of others, which are guarded as those of `--plugin` are; absent = none. */
  readonly plugins?: readonly PluginModule[];
  /**
   * API servers by what they are for, in place of kubeconfigs: `providers` falls back to `target`,
   * `target` to `source`. They are not closed. Absent = as the options say.
   */
  readonly apis?: ClusterApis;
  /** In place of the real ones of this process, one by one. */
  readonly ports?: Partial<ProgramPorts>;
}

/** One program. Its methods may be called in any order and more than once. */
export interface Manager {
  /**
   * Begins to work, once. Rejects with OperationError where it cannot: a port that is taken, a
   * kubeconfig that leads nowhere.
   */
  start(): Promise<void>;
  /**
   * Resolves when all that it watches and serves is known and every check is well, as `/readyz`
   * says; rejects when it ended before, or could not start.
   */
  ready(): Promise<void>;
  /** What is not well now: lines of `/readyz`; empty = ready. */
  troubles(): readonly string[];
  /** Ends in good order: calls under way finish, no other begins, records stay. */
  stop(): Promise<void>;
}

const READY_POLL_MS = 100;

/** Checks options and rows, and does nothing yet; a failure says all that is wrong. */
export function createManager({
  options,
  plugins = [],
  apis = {},
  ports = {},
}: ManagerOptions): Result<Manager, readonly Problem[]> {
  const rows = rowsWith(plugins);
  if (!rows.ok) return rows;
  const resolved = resolveOptions({
    command: "run",
    flags: { "http-port": 0, ...options },
    environment: {},
    file: null,
    plugIns: plugInsOf(rows.value),
  });
  if (!resolved.ok) return resolved;
  const config = toRunConfig(resolved.value);
  return config.ok ? ok(new EmbeddedManager(config.value, rows.value, { apis, ports })) : config;
}

function rowsWith(plugins: readonly PluginModule[]): Result<Rows, readonly Problem[]> {
  let rows = OWN_ROWS;
  for (const [index, given] of plugins.entries()) {
    const subject = `plugins[${index}]`;
    const module = checkPlugin(given, rows);
    if (!module.ok)
      return fail([{ code: "InvalidPlugin", subject, message: `${subject} ${module.error}` }]);
    rows = withPlugin(rows, module.value, { given: subject, file: "" });
  }
  return ok(rows);
}

/** What its owner hands in. */
type Given = Required<Pick<ManagerOptions, "apis" | "ports">>;

class EmbeddedManager implements Manager {
  readonly #config: RunConfig;
  readonly #rows: Rows;
  readonly #given: Given;
  readonly #stop = new AbortController();
  #instance: Instance | null = null;
  #work: Promise<void> | null = null;
  #hasEnded = false;

  constructor(config: RunConfig, rows: Rows, given: Given) {
    this.#config = config;
    this.#rows = rows;
    this.#given = given;
  }

  async start(): Promise<void> {
    this.#work ??= this.#serve();
    const begun = this.#poll(() => this.#instance !== null);
    await Promise.race([this.#work, begun]);
  }

  async ready(): Promise<void> {
    if (this.#work === null) throw new Error("the manager was not started");
    const isReady = this.#poll(() => this.#hasEnded || this.troubles().length === 0);
    await Promise.race([this.#work, isReady]);
    if (this.#hasEnded) throw new Error("the manager has ended");
  }

  troubles(): readonly string[] {
    const checks = this.#instance?.checks() ?? [NOT_STARTED];
    return checks.filter(({ ok: isOk }) => !isOk).map((one) => `${one.name}: ${one.message}`);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#work?.catch(() => undefined);
  }

  async #serve(): Promise<void> {
    const log = this.#given.ports.log ?? makeLog(this.#config.log);
    const teardown = new Teardown();
    try {
      await serve(this.#config, {
        ...this.#given,
        ...{ log, teardown, stop: this.#stop.signal, rows: this.#rows },
        onInstance: (instance) => {
          this.#instance = instance;
        },
      });
    } finally {
      this.#hasEnded = true;
      await teardown.run(log);
    }
  }

  async #poll(isDone: () => boolean): Promise<void> {
    const clock = this.#given.ports.clock ?? new RealClock();
    while (!isDone() && !this.#stop.signal.aborted)
      await sleep(clock, READY_POLL_MS, this.#stop.signal);
  }
}

const NOT_STARTED = { name: "manager", ok: false, message: "not started" };
