// Bundles a TypeScript file of ours into one that Node 20 runs, which cannot strip types: in a
// temporary folder inside node_modules, so that packages resolve, and gone at the end of this
// process. Split, so that packages of what is imported lazily are not loaded before. Packages of
// this repository are taken in, being TypeScript.
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

/** A plug-in of esbuild that finds them. */
export const ownPackages = {
  name: "packages of this repository",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^@zonekeeper\// }, ({ path }) => {
      const [, name, ...file] = path.split("/");
      return { path: resolve("packages", name, "src", `${file.join("/")}.ts`) };
    }),
};

/** Answers the path of the script; `name` tells it from others of this process. */
export async function bundled(entry, name, { sourcemap = false, plugins = [] } = {}) {
  const folder = resolve("node_modules/.zonekeeper-run", `${process.pid}-${name}`);
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  await build({
    entryPoints: { main: entry },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    sourcemap: sourcemap ? "inline" : false,
    logLevel: "error",
    plugins: [...plugins, ownPackages],
  });
  return join(folder, "main.mjs");
}
