// Bundles the program into dist/zonekeeper.js and, beside it, the parts that are loaded when they are needed
// (packages stay outside). Without splitting, packages of the lazy parts would be imported at every start.
import { build } from "esbuild";

await build({
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
  banner: { js: "#!/usr/bin/env node" },
  logLevel: process.argv.includes("--quiet") ? "error" : "info",
});
