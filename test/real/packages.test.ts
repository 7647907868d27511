/**
 * The packages as they are installed elsewhere: packed, unpacked into an empty folder with their
 * own dependencies beside them and nothing else, and the example of each README, and those of
 * examples/library, compiled against their declarations and run by plain Node.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LIBRARY } from "../../script/library.mjs";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { WEBSITES } from "../support/programs/broken-plugin.ts";
import { runOk } from "../support/programs/run.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { provider, secret, together } from "../support/values/cluster-objects.ts";

const NAMES = readdirSync("packages");
/** In the order of the tarballs. */
const INSTALLED = [...NAMES.map((name) => `@zonekeeper/${name}`), "zonekeeper"];
/** The oldest compiler that the declarations are promised to. */
const OLD_COMPILER = "typescript@5.4.5";
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
  for (const [index, name] of INSTALLED.entries()) {
    const target = installed(name);
    mkdirSync(target, { recursive: true });
    const tarball = tarballs[index] ?? "";
    await runOk("tar", ["xzf", tarball, "--strip-components=1", "-C", target]);
    link(Object.keys(manifestOf(target).dependencies ?? {}));
  }
  link(["@types/node"]);
  const compilerOptions = {
    ...{ target: "es2022", lib: ["es2023"], module: "nodenext", types: ["node"], strict: true },
  };
  write("package.json", JSON.stringify({ type: "module" }));
  write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  for (const name of NAMES) write(`${name}.ts`, blocksOf(name, "ts").join("\n"));
  cpSync("examples/library", folder.path, { recursive: true });
}, SLOW.timeoutMs);

test("the examples fit the declarations", async () => {
  const tsc = resolve("node_modules/ts7/bin/tsc");
  expect(await runOk("node", [tsc, "-p", folder.path], SLOW)).toBe("");
});

test(
  "they fit an old compiler, too",
  async () => {
    const compiler = join(folder.path, "old-compiler");
    mkdirSync(compiler);
    const quiet = ["--no-audit", "--no-fund", "--no-save", "--ignore-scripts"];
    await runOk("npm", ["install", ...quiet, "--prefix", compiler, OLD_COMPILER], SLOW);
    const tsc = join(compiler, "node_modules/typescript/bin/tsc");
    expect(await runOk("node", [tsc, "-p", folder.path, "--noEmit"], SLOW)).toBe("");
  },
  SLOW.timeoutMs,
);

test(
  "examples/library passes the suites on node:test",
  async () => {
    const files = ["website-source.test.js", "flat-file-provider.test.js"];
    const stdout = await runOk("node", ["--test", ...files], { cwd: folder.path, ...SLOW });
    expect(stdout).toMatch(/^# pass 63$/m);
    expect(stdout).toMatch(/^# fail 0$/m);
  },
  SLOW.timeoutMs,
);

test("zonekeeper has its entries and what they reach, and nothing else", () => {
  const files = readdirSync(installed("zonekeeper"), { recursive: true, encoding: "utf8" });
  const entries = files.filter((file) => /^dist\/[^/]+\.js$/.test(file));
  expect(entries.sort()).toEqual(
    Object.keys(LIBRARY)
      .map((one) => `dist/${one}.js`)
      .sort(),
  );
  expect(files.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([]);
});

test("its README has no link that leads out of the package", () => {
  const readme = readFileSync(join(installed("zonekeeper"), "README.md"), "utf8");
  const prose = readme.replace(/^```.*?^```$/gms, "");
  const links = [...prose.matchAll(/\]\(([^)]*)\)/g)].map(([, to = ""]) => to);
  const anchors = [...prose.matchAll(/^#+ (.*)$/gm)].map(
    ([, title = ""]) =>
      `#${title
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, "")
        .replaceAll(" ", "-")}`,
  );
  expect(links.length).toBeGreaterThan(4);
  expect(links.filter((link) => !anchors.includes(link))).toEqual([]);
});

const apexSet = (type: string, value: string): string =>
  JSON.stringify({
    ...{ name: "example.org", type, setIdentifier: null, ttlSeconds: 300, values: [value] },
    ...{ properties: {}, routingPolicy: null },
  });
const APEX = `${apexSet("SOA", "ns1.example.org hostmaster.example.org 1 3600 600 86400 300")}
${apexSet("NS", "ns1.example.org")}
`;

/** Starts two managers of examples/library, and ends when each has written its file. */
const TWO_MANAGERS = `
import { readFileSync } from "node:fs";
import { startManager } from "./manager.js";
const signals = () => process.listenerCount("SIGTERM") + process.listenerCount("uncaughtException");
const before = signals();
const files = ["one.jsonl", "two.jsonl"];
const managers = await Promise.all(files.map((file) => startManager(process.env[file], file)));
await Promise.all(managers.map((one) => one.ready()));
while (!files.every((file) => readFileSync(file, "utf8").includes('"www.example.org","type":"A"')))
  await new Promise((wake) => setTimeout(wake, 100));
if (signals() !== before) throw new Error("signals are taken");
await Promise.all(managers.map((one) => one.stop()));
console.log("both stopped");
`;

describeReal("two managers in one process", ["kubectl-1.32"], () => {
  test(
    "each publishes the Websites of its cluster, and the process ends by itself",
    async () => {
      write("two-managers.js", TWO_MANAGERS);
      const sessions = await Promise.all([RunSession.open(), RunSession.open()]);
      const files = ["one.jsonl", "two.jsonl"];
      for (const file of files) write(file, APEX);
      const [first, second] = sessions;
      const env = { [files[0] ?? ""]: first.kubeconfig, [files[1] ?? ""]: second.kubeconfig };
      const both = runOk("node", ["two-managers.js"], { cwd: folder.path, env, ...SLOW });
      both.catch(() => undefined);
      for (const [index, { user }] of sessions.entries()) {
        const path = join(folder.path, files[index] ?? "");
        const spec = { type: "flat-file", providerConfig: { path, zone: "example.org" } };
        const website = {
          ...{ apiVersion: "acme.example.org/v1", kind: "Website", metadata: { name: "www" } },
          spec: { host: "www.example.org", addresses: ["192.0.2.1"] },
        };
        await user.apply(WEBSITES);
        const objects = [secret("file", { any: "value" }), provider("file", spec)];
        const applied = (): Promise<string> =>
          user.apply(together(...objects, JSON.stringify(website))).catch(() => "");
        await eventually("kinds are served", applied, (text) => text !== "", 40_000);
      }
      expect(await both).toBe("both stopped\n");
      await Promise.all(sessions.map((session) => session.close()));
    },
    SLOW.timeoutMs,
  );
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
    if (!existsSync(installed(name))) symlinkSync(resolve("node_modules", name), installed(name));
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
