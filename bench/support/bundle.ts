/** Bundles a TypeScript file into a script that node runs by itself, so that no bundler is in the memory that is measured. */
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

/** A script inside node_modules, where packages resolve. Removed at the end of this process. */
export async function bundled(entry: string, name: string): Promise<string> {
  const folder = resolve("node_modules/.zonekeeper-run", `${process.pid}-${name}`);
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
    logLevel: "error",
  });
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "main.mjs");
}
