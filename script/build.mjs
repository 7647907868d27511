// Bundles the program and its packages into dist/zonekeeper.js and, beside it, the parts that are
// loaded when they are needed: without splitting, packages of the lazy parts would be imported at
// every start. lmdb, which is native, stays outside. The page (script/page.mjs) is in dist/page.
// Each file is replaced in one step and the entry last, so that a program that starts meanwhile
// never sees a half.
//   --outdir=FOLDER   there, without source maps, to run alone: with the native part of lmdb, the
//                     licences of what is inside (LICENSES.txt) and a bill of materials (sbom.cdx.json)
//   --native=FILE     that part (@lmdb/lmdb-PLATFORM/node.napi.*.node)
//   --with=TEXT       one more component of the bill (script/sbom.mjs); may be repeated
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { foldersOf, licencesOf } from "./licences.mjs";
import { buildPage, removeOthers } from "./page.mjs";
import { billOf } from "./sbom.mjs";

const { values: given } = parseArgs({
  options: {
    outdir: { type: "string" },
    native: { type: "string" },
    with: { type: "string", multiple: true, default: [] },
    quiet: { type: "boolean", default: false },
  },
});
const { outdir = "dist", native } = given;
const isDevelopment = given.outdir === undefined;

// Packages that are CommonJS ask for Node's own modules by `require`.
const REQUIRE = `import { createRequire as requireFor } from "node:module";
const require = requireFor(import.meta.url);`;

/** lmdb looks for its native part in folders of node_modules; here there is one, beside it. */
const nativePart = {
  name: "native part of lmdb",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/node-gyp-build-optional-packages\/index\.js$/ }, () => ({
      contents: `module.exports = () => require(${JSON.stringify(resolve(native))});`,
    })),
};
const alone = {
  plugins: [nativePart],
  loader: { ".node": "copy" },
  assetNames: "parts/[name]-[hash]",
  // Speeds up what is not used of lmdb, and is asked for in a `try`.
  external: ["msgpackr-extract"],
};

const program = build({
  entryPoints: { zonekeeper: "src/app/main.ts" },
  outdir,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  sourcemap: isDevelopment,
  metafile: true,
  splitting: true,
  chunkNames: "parts/[name]-[hash]",
  write: false,
  banner: { js: `#!/usr/bin/env node\n${REQUIRE}` },
  logLevel: given.quiet ? "error" : "info",
  ...(isDevelopment ? { external: ["lmdb"] } : alone),
});
const [{ outputFiles, metafile }, page] = await Promise.all([program, buildPage(outdir)]);
const isPart = ({ path }) => path.includes("/parts/");
const outputs = [...page.files, ...outputFiles.sort((a, b) => isPart(b) - isPart(a))];
for (const { path, contents } of outputs) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, contents, { mode: 0o755 });
  renameSync(draft, path);
}
removeOthers(outdir, page.files);
if (!isDevelopment) {
  const folders = [...foldersOf(metafile), ...page.folders];
  writeFileSync(join(outdir, "LICENSES.txt"), licencesOf(folders));
  writeFileSync(join(outdir, "sbom.cdx.json"), billOf(folders, given.with));
}
