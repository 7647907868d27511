// Bundles the program into dist/zonekeeper.js (one ESM file; packages stay outside it).
import { build } from "esbuild";

await build({
  entryPoints: ["src/app/main.ts"],
  outfile: "dist/zonekeeper.js",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  sourcemap: true,
  splitting: false,
  banner: { js: "#!/usr/bin/env node" },
  logLevel: process.argv.includes("--quiet") ? "error" : "info",
});
