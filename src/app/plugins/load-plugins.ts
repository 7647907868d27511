/**
 * Loads the modules that `--plugin` names and adds their rows to the program's. A module that
 * cannot be used is refused here, at the start, with file, field and remedy.
 */
import { createRequire } from "node:module";
import { isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { messageOf } from "@zonekeeper/base/operation-error";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import { checkPlugin } from "./check-plugin.ts";
import { guardProvider } from "./guard-provider.ts";
import { guardSource } from "./guard-source.ts";
import type { LoadedPlugin, PluginModule } from "./plugin-module.ts";
import { OWN_ROWS, type Rows } from "./rows.ts";

/**
 * The program's own rows, then those of these files (`./my-source.js`, from `folder`) and installed
 * packages, in order. All that cannot be used is told.
 */
export async function loadPlugins(
  names: readonly string[],
  folder: string,
): Promise<Result<Rows, readonly Problem[]>> {
  let rows = OWN_ROWS;
  const problems: Problem[] = [];
  for (const given of names) {
    const loaded = await load(given, folder, rows);
    if (loaded.ok) rows = loaded.value;
    else
      problems.push({
        ...{ code: "InvalidPlugin", subject: "--plugin" },
        message: `the plug-in ${given} ${loaded.error}`,
      });
  }
  return problems.length === 0 ? ok(rows) : fail(problems);
}

/** These rows and the module's, each of which is told apart from the program by its guard. */
export function withPlugin(
  rows: Rows,
  module: PluginModule,
  { given, file }: Omit<LoadedPlugin, "name">,
): Rows {
  const { name, sources = [], providers = [], registries = [] } = module;
  const plugin = { name, given, file };
  return {
    sources: [...rows.sources, ...sources.map((row) => guardSource(row, plugin))],
    providers: [
      ...rows.providers,
      ...providers.map((type) => guardProvider(type, plugin, module.callTimeoutMs)),
    ],
    registries: [...rows.registries, ...registries],
    plugins: [...rows.plugins, plugin],
  };
}

async function load(given: string, folder: string, rows: Rows): Promise<Result<Rows>> {
  const file = fileOf(given, folder);
  if (!file.ok) return file;
  try {
    const exported = fieldsOf(await import(pathToFileURL(file.value).href));
    const module = checkPlugin(exported["plugin"], rows);
    return module.ok
      ? ok(withPlugin(rows, module.value, { given, file: file.value }))
      : fail(module.error);
  } catch (error) {
    return fail(`cannot be loaded: ${messageOf(error)}. Mend ${file.value}`);
  }
}

/** A path as it is, from `folder`; anything else is a package that is installed there. */
function fileOf(given: string, folder: string): Result<string> {
  try {
    const isPath = given.startsWith(".") || isAbsolute(given);
    const find = createRequire(join(folder, "any.js"));
    return ok(find.resolve(isPath ? resolve(folder, given) : given));
  } catch {
    return fail(
      `is not there: write the path of a file from ${folder}, such as ./my-source.js, or install the package`,
    );
  }
}
