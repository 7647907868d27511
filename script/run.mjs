// Runs a TypeScript file of ours on Node 20, which cannot strip types: bundles it with esbuild into
// a temporary folder inside node_modules (so that packages resolve) and imports that. Split, so that
// packages of what is imported lazily are not loaded before.
import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const [entry, ...rest] = process.argv.slice(2);
const folder = resolve("node_modules/.zonekeeper-run", String(process.pid));
mkdirSync(folder, { recursive: true });
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
  sourcemap: "inline",
  logLevel: "error",
});
process.argv = [process.argv[0], resolve(entry), ...rest];
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
await import(pathToFileURL(join(folder, "main.mjs")).href);
