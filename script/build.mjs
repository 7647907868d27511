// Bundles the program into dist/zonekeeper.js and, beside it, the parts that are loaded when they
// are needed (packages stay outside). Without splitting, packages of the lazy parts would be
// imported at every start. Each file is replaced in one step and the entry last, so that a program
// that starts meanwhile never sees a half.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { build } from "esbuild";

const { outputFiles } = await build({
  entryPoints: { zonekeeper: "src/app/main.ts" },
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  sourcemap: true,
  splitting: true,
  chunkNames: "parts/[name]-[hash]",
  write: false,
  banner: { js: "#!/usr/bin/env node" },
  logLevel: process.argv.includes("--quiet") ? "error" : "info",
});
const isPart = ({ path }) => path.includes("/parts/");
for (const { path, contents } of outputFiles.sort((a, b) => isPart(b) - isPart(a))) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, contents, { mode: 0o755 });
  renameSync(draft, path);
}
