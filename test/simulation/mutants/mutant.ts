/**
 * Mutants of the product for the proofs: the same system, bundled from source with one piece of one
 * file replaced. Nothing of the running test is patched; a piece that is not in its file exactly
 * once is an error, so that the table of mutants cannot rot in silence.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

/** One piece of source text, and the text that replaces it. */
export interface Replacement {
  /** Path below the repository. */
  readonly file: string;
  /** Source text that stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
}

/** One clause less. */
export interface Mutant extends Replacement {
  /** The clause that is dropped, with its rule. */
  readonly drops: string;
  /** Further lines of defence that have to fall for the loss to show, each in another file. */
  readonly also?: readonly Replacement[];
}

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const REQUIRE = `createRequire(${JSON.stringify(ROOT)})`;

/**
 * Bundles `entry` (a path below test/simulation) with the mutation and imports it; null = as it is.
 */
export async function importMutated(entry: string, mutant: Mutant | null): Promise<unknown> {
  const all = mutant === null ? [] : [mutant, ...(mutant.also ?? [])];
  const plugins = await Promise.all(all.map(mutation));
  const bundle = await build({
    entryPoints: [`${ROOT}test/simulation/${entry}`],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
    // Packages of the CommonJS kind ask for Node's modules.
    banner: { js: `import { createRequire } from "node:module";\nconst require = ${REQUIRE};` },
    plugins,
  });
  const code = bundle.outputFiles[0]?.contents;
  if (code === undefined) throw new Error(`${entry} gave no bundle`);
  const url = `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`;
  return import(/* @vite-ignore */ url);
}

async function mutation({ file, from, to }: Replacement): Promise<Plugin> {
  const path = `${ROOT}${file}`;
  const source = await readFile(path, "utf8");
  if (source.split(from).length !== 2)
    throw new Error(`${file} holds this text ${source.split(from).length - 1} times: ${from}`);
  return {
    name: "mutation",
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, (loaded) =>
        loaded.path === path ? { contents: source.replace(from, () => to), loader: "ts" } : null,
      );
    },
  };
}
