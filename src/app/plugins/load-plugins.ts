/**
 * Loads the modules that `--plugin` names and adds their rows to the program's. A module that
 * cannot be used is refused here, at the start, with file, field and remedy.
 */
import { createRequire } from "node:module";
import { isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { messageOf } from "@zonekeeper/base/operation-error";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { optionOf } from "../../config/plugin-option.ts";
import type { Problem } from "../../model/problem.ts";
import { checkPlugin } from "./check-plugin.ts";
import { guardProvider } from "./guard-provider.ts";
import { guardRegistry } from "./guard-registry.ts";
import { guardSource } from "./guard-source.ts";
import {
  type LeftOffNote,
  leftOffText,
  type ModuleFile,
  moduleFile,
  noteOf,
  readNotes,
} from "./left-off.ts";
import type { LoadedPlugin, PluginModule } from "./plugin-module.ts";
import { OWN_ROWS, type Rows } from "./rows.ts";
import type { WatchdogData } from "./watchdog-thread.ts";
import { loading, newCells, UNWATCHED, type Watch, watchIn } from "./watched-calls.ts";

/** How loaded modules are watched; see `startWatchdog`. */
export interface Watching {
  /** File of the notes of modules that looped; null = there is no data folder. */
  readonly notes: string | null;
}

/**
 * The program's own rows, then those of these files (`./my-source.js`, from `folder`) and installed
 * packages, in order. All that cannot be used is told. `watching`: null = they are not watched.
 */
export async function loadPlugins(
  names: readonly string[],
  folder: string,
  watching: Watching | null = null,
): Promise<Result<Rows, readonly Problem[]>> {
  let rows = OWN_ROWS;
  const problems: Problem[] = [];
  const refuse = (given: string, why: string): void => {
    const message = `the plug-in ${given} ${why}`;
    problems.push({ code: "InvalidPlugin", subject: "--plugin", message });
  };
  const modules: ModuleFile[] = [];
  for (const given of names) {
    const file = fileOf(given, folder);
    if (file.ok) modules.push(moduleFile(given, file.value));
    else refuse(given, file.error);
  }
  const watched = await watchedBy(watching, modules);
  if (!watched.ok) return fail([...problems, watched.error]);
  for (const [index, module] of modules.entries()) {
    const loaded = await load(module, rows, watched.value(module, index));
    if (loaded.ok) rows = loaded.value;
    else refuse(module.given, loaded.error);
  }
  return problems.length === 0 ? ok(rows) : fail(problems);
}

/** How one module is loaded. */
interface Loading {
  readonly loading: <T>(load: () => Promise<T>) => Promise<T>;
  readonly watch: Watch;
  /** That it looped before; null = it did not. */
  readonly note: LeftOffNote | null;
  /** Path of the notes; empty = there are none. */
  readonly notes: string;
}

const ALONE: Loading = { loading: (run) => run(), watch: UNWATCHED, note: null, notes: "" };

/** By a module and its number. */
async function watchedBy(
  watching: Watching | null,
  modules: readonly ModuleFile[],
): Promise<Result<(module: ModuleFile, plugin: number) => Loading, Problem>> {
  if (watching === null || modules.length === 0) return ok(() => ALONE);
  const { notes: file } = watching;
  const notes: ReturnType<typeof readNotes> = file === null ? ok([]) : readNotes(file);
  if (!notes.ok) return fail({ code: "InvalidPlugin", subject: "--plugin", message: notes.error });
  const cells = await startWatchdog(modules, file);
  return ok((module, plugin) => ({
    loading: (run) => loading(cells, plugin, run),
    watch: watchIn(cells, plugin),
    note: noteOf(module, notes.value),
    notes: file ?? "",
  }));
}

/** These rows and the module's, each of which is told apart from the program by its guard. */
export function withPlugin(
  rows: Rows,
  module: PluginModule,
  { watch = UNWATCHED, ...where }: Omit<LoadedPlugin, "name"> & { readonly watch?: Watch },
): Rows {
  const { name, sources = [], providers = [], registries = [], options = [] } = module;
  const plugin = { name, ...where };
  return {
    sources: [...rows.sources, ...sources.map((row) => guardSource(row, plugin, watch))],
    providers: [
      ...rows.providers,
      ...providers.map((type) => guardProvider(type, plugin, module.callTimeoutMs, watch)),
    ],
    registries: [
      ...rows.registries,
      ...registries.map((row) => guardRegistry(row, plugin, module.callTimeoutMs, watch)),
    ],
    options: [...rows.options, ...options.map(optionOf)],
    plugins: [...rows.plugins, plugin],
  };
}

async function load(
  { given, file }: ModuleFile,
  rows: Rows,
  { loading: whileLoading, watch, note, notes }: Loading,
): Promise<Result<Rows>> {
  const leftOff = note === null ? {} : { leftOff: leftOffText(note, notes) };
  // Nobody knows what it has: its kinds would not be read.
  if (note?.call === "load") return fail(leftOff.leftOff ?? "");
  try {
    const exported = fieldsOf(await whileLoading(() => import(pathToFileURL(file).href)));
    const module = checkPlugin(exported["plugin"], rows);
    return module.ok
      ? ok(withPlugin(rows, module.value, { given, file, watch, ...leftOff }))
      : fail(module.error);
  } catch (error) {
    return fail(`cannot be loaded: ${messageOf(error)}. Mend ${file}`);
  }
}

/** A path as it is, from `folder`; anything else is a package that is installed there. */
function fileOf(given: string, folder: string): Result<string> {
  try {
    const isPath = given.startsWith(".") || isAbsolute(given);
    const find = createRequire(join(folder, "any.js"));
    return ok(find.resolve(isPath ? resolve(folder, given) : given));
  } catch {
    const remedy = `write the path of a file from ${folder}, such as ./my-source.js, or install the package`;
    return fail(`is not there: ${remedy}`);
  }
}

// Starts the watchdog of plug-ins (ADR 0110).

/**
 * The memory in which guards write calls, once the thread looks at it. The thread ends with the
 * process, which does not wait for it. `notes`: see `WatchdogData`.
 */
async function startWatchdog(
  modules: readonly ModuleFile[],
  notes: string | null,
): Promise<Int32Array> {
  const { THREAD } = await import("./watchdog-thread.ts");
  const cells = newCells();
  const data: WatchdogData = { cells, modules, notes };
  const workerData = { url: THREAD.url, data };
  const worker = new Worker(START, { eval: true, workerData });
  await new Promise<void>((resolve, reject) => {
    worker.once("message", () => resolve());
    worker.once("error", reject);
  });
  worker.unref();
  return cells;
}

const START = `
const { workerData } = require("node:worker_threads");
void import(workerData.url).then((thread) => thread.THREAD.watch(workerData.data));
`;
