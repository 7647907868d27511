// Builds the plugin of Headlamp (page/headlamp): dist/headlamp/zonekeeper with main.js, its
// package.json and the licences of what is inside. React and Headlamp's own parts are globals there.
//   node script/headlamp.mjs [FOLDER]
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { build } from "vite";
import { foldersOf, licencesOf } from "./licences.mjs";

const [folder = "dist/headlamp/zonekeeper"] = process.argv.slice(2);
const [{ output }] = await build({
  configFile: false,
  logLevel: "error",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    write: false,
    target: "es2022",
    lib: { entry: resolve("page/headlamp/main.tsx"), name: "zonekeeper", formats: ["iife"] },
  },
});
const [main] = output;
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "main.js"), main.code);
const manifest = ["package.json", "deploy/headlamp/package.json"].map((path) =>
  JSON.parse(readFileSync(path, "utf8")),
);
const [{ version }, described] = manifest;
writeFileSync(join(folder, "package.json"), JSON.stringify({ ...described, version }, null, 2));
const inputs = Object.fromEntries(main.moduleIds.map((id) => [relative(process.cwd(), id), {}]));
writeFileSync(join(folder, "LICENSES.txt"), licencesOf(foldersOf({ inputs })));
