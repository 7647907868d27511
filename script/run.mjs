// Runs a TypeScript file of ours on Node 20, which cannot strip types: bundles it with esbuild into
// a temporary file inside node_modules (so that packages resolve) and imports that.
import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const [entry, ...rest] = process.argv.slice(2);
const folder = resolve("node_modules/.zonekeeper-run");
mkdirSync(folder, { recursive: true });
const outfile = join(folder, `${process.pid}.mjs`);
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  sourcemap: "inline",
  logLevel: "error",
});
process.argv = [process.argv[0], resolve(entry), ...rest];
process.on("exit", () => rmSync(outfile, { force: true }));
await import(pathToFileURL(outfile).href);
