// Packs the packages (packages/*) as they are installed elsewhere: JavaScript and declarations
// instead of TypeScript, README and licence, no tests.
//   node script/pack-packages.mjs FOLDER    prints the paths of the tarballs, one a line
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error("usage: node script/pack-packages.mjs FOLDER");
mkdirSync(target, { recursive: true });
const names = readdirSync("packages");
const work = mkdtempSync(join(tmpdir(), "zonekeeper-pack-"));
try {
  declare();
  for (const name of names) process.stdout.write(`${await pack(name)}\n`);
} finally {
  rmSync(work, { recursive: true });
}

/** Declarations of all packages, in WORK/types. */
function declare() {
  const config = join(work, "tsconfig.json");
  const compilerOptions = {
    ...{ noEmit: false, declaration: true, emitDeclarationOnly: true },
    ...{ rootDir: resolve("packages"), outDir: join(work, "types") },
    typeRoots: [resolve("node_modules/@types")],
  };
  writeFileSync(
    config,
    JSON.stringify({
      extends: resolve("tsconfig.json"),
      compilerOptions,
      include: [resolve("packages/*/src")],
      exclude: [resolve("packages/**/*.test.ts")],
    }),
  );
  execFileSync("node", ["node_modules/ts7/bin/tsc", "-p", config], { stdio: "inherit" });
}

async function pack(name) {
  const source = join("packages", name);
  const folder = join(work, name);
  const files = readdirSync(join(source, "src"), { recursive: true });
  await build({
    entryPoints: files
      .filter((file) => /(?<!\.test|\.d)\.ts$/.test(file))
      .map((file) => join(source, "src", file)),
    outdir: join(folder, "dist"),
    outbase: join(source, "src"),
    chunkNames: "parts/[name]-[hash]",
    ...{ bundle: true, splitting: true, packages: "external" },
    ...{ platform: "node", format: "esm", target: "node20", logLevel: "error" },
  });
  cpSync(join(work, "types", name, "src"), join(folder, "dist"), { recursive: true });
  const { private: _, ...manifest } = JSON.parse(
    readFileSync(join(source, "package.json"), "utf8"),
  );
  manifest.exports = { "./*": { types: "./dist/*.d.ts", default: "./dist/*.js" } };
  manifest.files = ["dist"];
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(source, "README.md"), join(folder, "README.md"));
  copyFileSync("LICENSE", join(folder, "LICENSE"));
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", resolve(target)];
  const file = execFileSync("npm", args, { cwd: folder, encoding: "utf8" }).trim();
  return join(target, file);
}
