// Bundles the program and its packages into dist/zonekeeper.js and, beside it, the parts that are
// loaded when they are needed: without splitting, packages of the lazy parts would be imported at
// every start. It runs alone; only lmdb, which is native, stays outside, for whoever gives --data.
// Each file is replaced in one step and the entry last, so that a program that starts meanwhile
// never sees a half. `--outdir=FOLDER`: there, without source maps, and with the licences of what is
// inside (LICENSES.txt).
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { licencesOf } from "./licences.mjs";

const DEVELOPMENT = "dist";
const [outdir = DEVELOPMENT] = process.argv.flatMap(
  (one) => /^--outdir=(.+)$/.exec(one)?.[1] ?? [],
);
const isDevelopment = outdir === DEVELOPMENT;

// Packages that are CommonJS ask for Node's own modules by `require`.
const REQUIRE = `import { createRequire as requireFor } from "node:module";
const require = requireFor(import.meta.url);`;

const { outputFiles, metafile } = await build({
  entryPoints: { zonekeeper: "src/app/main.ts" },
  outdir,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["lmdb"],
  sourcemap: isDevelopment,
  metafile: true,
  splitting: true,
  chunkNames: "parts/[name]-[hash]",
  write: false,
  banner: { js: `#!/usr/bin/env node\n${REQUIRE}` },
  logLevel: process.argv.includes("--quiet") ? "error" : "info",
});
const isPart = ({ path }) => path.includes("/parts/");
for (const { path, contents } of outputFiles.sort((a, b) => isPart(b) - isPart(a))) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, contents, { mode: 0o755 });
  renameSync(draft, path);
}
if (!isDevelopment) writeFileSync(join(outdir, "LICENSES.txt"), licencesOf(metafile));
