/**
 * Mutants of the product for the proofs: the same system, bundled from source with one clause less.
 * Nothing of the running test is patched; a clause is found by its name in the source
 * (named-clauses.ts), and a name that is not there is an error.
 */
import { readFileSync } from "node:fs";
import { build, type Plugin } from "esbuild";
import { clauseOf, type Replacement, ROOT, replaceClauses } from "./named-clauses.ts";

export type { Replacement } from "./named-clauses.ts";

/** One clause less. */
export interface Mutant extends Replacement {
  /** What is lost, with its rule. */
  readonly drops: string;
  /** Further lines of defence that have to fall for the loss to show. */
  readonly also?: readonly Replacement[];
}

const REQUIRE = `createRequire(${JSON.stringify(ROOT)})`;

/**
 * Bundles `entry` (a path below test/simulation) with the mutation and imports it; null = as it is.
 */
export async function importMutated(entry: string, mutant: Mutant | null): Promise<unknown> {
  const plugins = mutant === null ? [] : [mutation([mutant, ...(mutant.also ?? [])])];
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

function mutation(replacements: readonly Replacement[]): Plugin {
  const all = replacements.map((one) => ({ clause: clauseOf(one), to: one.to }));
  const contents = new Map(
    [...new Set(all.map(({ clause }) => clause.file))].map((file) => {
      const ofFile = all.filter(({ clause }) => clause.file === file);
      const path = `${ROOT}${file}`;
      return [path, replaceClauses(readFileSync(path, "utf8"), ofFile)];
    }),
  );
  return {
    name: "mutation",
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const text = contents.get(path);
        return text === undefined ? null : { contents: text, loader: "ts" };
      });
    },
  };
}
