/**
 * The packages as they are installed elsewhere: packed, unpacked into an empty folder with their
 * own dependencies beside them and nothing else, and the example of each README compiled against
 * their declarations and run by plain Node.
 */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { runOk } from "../support/programs/run.ts";

const NAMES = readdirSync("packages");
/** Builds and compilers on a crowded machine. */
const SLOW = { timeoutMs: 200_000 };
const folder = makeTempFolder("packages");
afterAll(() => folder.remove());

beforeAll(async () => {
  const packed = await runOk(
    "node",
    ["script/pack-packages.mjs", join(folder.path, "packed")],
    SLOW,
  );
  const tarballs = packed.trim().split("\n");
  for (const [index, name] of NAMES.entries()) {
    const target = installed(`@zonekeeper/${name}`);
    mkdirSync(target, { recursive: true });
    const tarball = tarballs[index] ?? "";
    await runOk("tar", ["xzf", tarball, "--strip-components=1", "-C", target]);
    link(Object.keys(manifestOf(target).dependencies ?? {}));
  }
  link(["@types/node"]);
  const compilerOptions = {
    ...{ target: "es2023", lib: ["es2023"], module: "nodenext", types: ["node"], strict: true },
  };
  write("package.json", JSON.stringify({ type: "module" }));
  write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  for (const name of NAMES) write(`${name}.ts`, blocksOf(name, "ts").join("\n"));
}, SLOW.timeoutMs);

test("the examples fit the declarations", async () => {
  const tsc = resolve("node_modules/ts7/bin/tsc");
  expect(await runOk("node", [tsc, "-p", folder.path], SLOW)).toBe("");
});

test.each(NAMES)("packages/%s/README.md prints what it says", async (name) => {
  const stdout = await runOk("node", [join(folder.path, `${name}.js`)]);
  expect([stdout]).toEqual(blocksOf(name, "text"));
});

test.each(NAMES)("%s brings its licence and no tests, and asks for no install script", (name) => {
  const target = installed(`@zonekeeper/${name}`);
  const files = readdirSync(target, { recursive: true, encoding: "utf8" });
  expect(files).toContain("LICENSE");
  expect(files.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([]);
  expect(manifestOf(target)).not.toHaveProperty("scripts");
});

function installed(name: string): string {
  return join(folder.path, "node_modules", name);
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

function manifestOf(target: string): Manifest {
  return JSON.parse(readFileSync(join(target, "package.json"), "utf8"));
}

/** Packages of others, as they are installed here. */
function link(names: readonly string[]): void {
  for (const name of names.filter((one) => !one.startsWith("@zonekeeper/"))) {
    mkdirSync(dirname(installed(name)), { recursive: true });
    symlinkSync(resolve("node_modules", name), installed(name));
  }
}

function write(name: string, text: string): void {
  writeFileSync(join(folder.path, name), text);
}

function blocksOf(name: string, language: string): readonly string[] {
  const page = readFileSync(`packages/${name}/README.md`, "utf8");
  const block = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms");
  return [...page.matchAll(block)].map(([, text = ""]) => text);
}
