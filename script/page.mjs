// Builds the page (page/): its files, to be written by who asks, and the packages that are inside
// of it. Nothing is inline, for the policy that it is served with; addresses are relative, because
// an API server passes it on below a path of its own (pods/proxy).
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { build } from "vite";
import { foldersOf } from "./licences.mjs";

/** `files`: below `outdir`/page, index.html last. `folders`: as foldersOf. */
export async function buildPage(outdir) {
  const { output } = await build({
    configFile: false,
    root: resolve("page"),
    base: "./",
    logLevel: "error",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: { write: false, target: "es2022", assetsInlineLimit: 0, modulePreload: false },
  });
  const files = output.map(({ fileName, code, source }) => ({
    path: join(outdir, "page", fileName),
    contents: code ?? source,
  }));
  const isIndex = ({ path }) => path.endsWith("/index.html");
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
  const inputs = Object.fromEntries(modules.map((id) => [relative(process.cwd(), id), {}]));
  return { files: files.sort((a, b) => isIndex(a) - isIndex(b)), folders: foldersOf({ inputs }) };
}

/** Removes what an earlier build left there. */
export function removeOthers(outdir, files) {
  const folder = join(outdir, "page", "assets");
  const kept = new Set(files.map(({ path }) => path));
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (!kept.has(join(folder, name))) rmSync(join(folder, name), { force: true });
}
