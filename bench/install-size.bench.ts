/**
 * What an installation takes on disk: `npm ci --omit=dev` in an empty folder, its largest packages,
 * and the built program. Needs dist/ (script/bench builds it) and npm's cache or its registry.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeTempFolder } from "../test/support/ports/temp-folder.ts";
import { type Figure, report } from "./support/report.ts";

const SHOWN = 8;
const MEGABYTE = 2 ** 20;

const folder = makeTempFolder("bench-install");
for (const file of ["package.json", "package-lock.json"])
  copyFileSync(file, join(folder.path, file));
const npm = ["ci", "--omit=dev", "--prefer-offline", "--no-audit", "--no-fund"];
execFileSync("npm", npm, { cwd: folder.path, stdio: ["ignore", "ignore", "inherit"] });
const modules = join(folder.path, "node_modules");
const all = sizeOf(modules, () => true);
const largest = readdirSync(modules)
  .filter((name) => !name.startsWith("."))
  .map((name) => ({ name, bytes: sizeOf(join(modules, name), () => true) }))
  .sort((a, b) => b.bytes - a.bytes)
  .slice(0, SHOWN);
folder.remove();

report("install-size: npm ci --omit=dev, and the built program", [
  figure("node_modules, production only", all),
  ...largest.map(({ name, bytes }) => figure(`  ${name}`, bytes)),
  figure(
    "dist, without source maps",
    sizeOf("dist", (name) => !name.endsWith(".map")),
  ),
  figure(
    "dist, source maps",
    sizeOf("dist", (name) => name.endsWith(".map")),
  ),
]);

function sizeOf(path: string, counts: (name: string) => boolean): number {
  if (!statSync(path).isDirectory()) return counts(path) ? statSync(path).size : 0;
  const sizes = readdirSync(path, { withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .map(({ name }) => sizeOf(join(path, name), counts));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

function figure(what: string, bytes: number): Figure {
  return { what, value: `${(bytes / MEGABYTE).toFixed(1)} MB` };
}
