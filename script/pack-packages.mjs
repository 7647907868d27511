// Packs the packages (packages/*), and what authors of plug-ins get of the program (`zonekeeper`), as
// they are installed elsewhere: JavaScript and declarations instead of TypeScript, README and
// licence, no tests.
//   node script/pack-packages.mjs FOLDER    prints the paths of the tarballs, one a line
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { LIBRARY } from "./library.mjs";
import { buildPage } from "./page.mjs";

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error("usage: node script/pack-packages.mjs FOLDER");
mkdirSync(target, { recursive: true });
const names = readdirSync("packages");
const work = mkdtempSync(join(tmpdir(), "zonekeeper-pack-"));
try {
  declare(["packages/*/src"], join(work, "types"), "packages");
  for (const name of names) process.stdout.write(`${await pack(name)}\n`);
  process.stdout.write(`${await packLibrary()}\n`);
} finally {
  rmSync(work, { recursive: true });
}

/** Declarations of these files, and of those that they import, in a folder as below `rootDir`. */
function declare(include, outDir, rootDir) {
  const config = join(work, "tsconfig.json");
  const compilerOptions = {
    ...{ noEmit: false, declaration: true, emitDeclarationOnly: true },
    ...{ rootDir: resolve(rootDir), outDir },
    typeRoots: [resolve("node_modules/@types")],
  };
  writeFileSync(
    config,
    JSON.stringify({
      extends: resolve("tsconfig.json"),
      compilerOptions,
      include: include.map((path) => resolve(path)),
      exclude: [resolve("packages/**/*.test.ts")],
    }),
  );
  execFileSync("node", ["node_modules/ts7/bin/tsc", "-p", config], { stdio: "inherit" });
}

/** What plug-ins may import: each entry of LIBRARY, and nothing that these do not reach. */
async function packLibrary() {
  const folder = join(work, "zonekeeper");
  const types = join(work, "library-types");
  const runner = resolve("test/library/suite-runner.ts");
  const { metafile } = await build({
    entryPoints: LIBRARY,
    outdir: join(folder, "dist"),
    chunkNames: "parts/[name]-[hash]",
    ...{ bundle: true, splitting: true, packages: "external", metafile: true },
    ...{ platform: "node", format: "esm", target: "node20", logLevel: "error" },
    // The suites run on the author's runner.
    alias: { vitest: runner },
  });
  // What is imported on demand by what is not used has a file all the same.
  const used = reachedOutputs(metafile.outputs);
  for (const file of Object.keys(metafile.outputs)) if (!used.has(file)) rmSync(file);
  for (const { path, contents } of (await buildPage(join(folder, "dist"))).files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
  // Modules that are no TypeScript are declared beside them.
  declare([...Object.values(LIBRARY), "packages/kube/src/text-files.d.ts"], types, ".");
  const declarations = Object.fromEntries(
    Object.entries(LIBRARY).map(([name, path]) => [name, path.replace(/ts$/, "d.ts")]),
  );
  for (const file of reachedFrom(Object.values(declarations), types)) {
    mkdirSync(dirname(join(folder, "types", file)), { recursive: true });
    writeFileSync(join(folder, "types", file), textOf(join(types, file)));
  }
  const root = JSON.parse(readFileSync("package.json", "utf8"));
  const modules = new Set(
    [...used].flatMap((file) =>
      metafile.outputs[file].imports.map(({ path }) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0]),
    ),
  );
  const { name, version, license, type, engines } = root;
  return packed(folder, extendPage(), {
    ...{ name, version, license, type, engines },
    description:
      "Sources, providers and registries of your own for Zonekeeper, and the program inside of yours.",
    exports: Object.fromEntries(
      Object.keys(LIBRARY).map((entry) => [
        `./${entry}`,
        { types: `./types/${declarations[entry]}`, default: `./dist/${entry}.js` },
      ]),
    ),
    files: ["dist", "types"],
    dependencies: Object.fromEntries(
      // The suites use what only tests of this repository use.
      Object.entries({ ...root.dependencies, ...root.devDependencies }).filter(([one]) =>
        modules.has(one),
      ),
    ),
  });
}

/** Paths of the entries and of what they import. */
function reachedOutputs(outputs) {
  const entries = Object.values(LIBRARY);
  const reached = new Set(
    Object.keys(outputs).filter((file) => entries.includes(outputs[file].entryPoint)),
  );
  for (const file of reached)
    for (const { path } of outputs[file].imports) if (path in outputs) reached.add(path);
  return reached;
}

/** The page with the examples that it names behind it: a package has no other pages. */
function extendPage() {
  const examples = readdirSync("examples/library").map((file) => {
    const text = readFileSync(join("examples/library", file), "utf8");
    return `### ${file}\n\n\`\`\`ts\n${text}\`\`\`\n`;
  });
  const page = readFileSync("docs/guides/extend.md", "utf8")
    .replace(
      /\]\(\.\.\/\.\.\/examples\/library\/([^)]*)\)/g,
      (_, file) => `](#${file.replaceAll(".", "")})`,
    )
    .replace(/\[([^\]]*)\]\((?!#)[^)]*\)/g, "$1");
  return `${page}\n## The examples\n\n${examples.join("\n")}`;
}

/** Compilers before 5.7 know no `.ts` in declarations. */
function textOf(file) {
  return readFileSync(file, "utf8").replace(/((?:from|import)\(? ?"\.[^"]*)\.ts"/g, '$1.js"');
}

/** Declarations, and those that they import by a path, relative to `types`. */
function reachedFrom(files, types) {
  const reached = new Set(files);
  for (const file of reached) {
    for (const [, path] of textOf(join(types, file)).matchAll(
      /(?:from|import)\(? ?"(\.[^"]*)\.js"/g,
    ))
      reached.add(relative(types, join(types, dirname(file), `${path}.d.ts`)));
  }
  return reached;
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
  return packed(folder, readFileSync(join(source, "README.md"), "utf8"), manifest);
}

/** Path of the tarball of a folder. */
function packed(folder, readme, manifest) {
  const { name } = manifest;
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, "README.md"), readme);
  copyFileSync("LICENSE", join(folder, "LICENSE"));
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", resolve(target)];
  const file = execFileSync("npm", args, { cwd: folder, encoding: "utf8" }).trim();
  if (name !== "zonekeeper") return join(target, file);
  // A release has the chart under the name that npm gives to this one.
  const own = file.replace(name, `${name}-library`);
  renameSync(join(target, file), join(target, own));
  return join(target, own);
}
