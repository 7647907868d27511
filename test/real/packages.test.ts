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
import { dirname, join, normalize, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LIBRARY } from "../../script/library.mjs";
import { kubectlPath } from "../support/clients/kubectl.ts";
import { eventually } from "../support/ports/eventually.ts";
import { claimPort } from "../support/ports/free-port.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import {
  ON_NODE_TEST,
  ON_VITEST,
  REGISTRY_TEST,
  TWO_MANAGERS,
} from "../support/programs/author-programs.ts";
import { WEBSITES } from "../support/programs/broken-plugin.ts";
import { Child } from "../support/programs/child.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { blocksOf } from "../support/programs/documented-commands.ts";
import { runOk } from "../support/programs/run.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { provider, secret, together } from "../support/values/cluster-objects.ts";

const GUIDE = readFileSync("docs/guides/extend.md", "utf8");
const NAMES = readdirSync("packages");
/** In the order of the tarballs. */
const INSTALLED = [...NAMES.map((name) => `@zonekeeper/${name}`), "zonekeeper"];
/** The oldest compiler that the declarations are promised to. */
const OLD_COMPILER = "typescript@5.4.5";
/** What the three suites have. */
const CASES = 84;
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
  link(["@types/node", "vitest"]);
  const compilerOptions = {
    ...{ target: "es2022", lib: ["es2023"], module: "nodenext", types: ["node"], strict: true },
  };
  write("package.json", JSON.stringify({ type: "module" }));
  write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  for (const name of NAMES) write(`${name}.ts`, readmeBlocks(name, "ts").join("\n"));
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

const SUITES = ["website-source.test.js", "flat-file-provider.test.js", "registry.test.js"];

test(
  "sources, providers and registries of authors pass the suites on node:test",
  async () => {
    write("registry.test.js", REGISTRY_TEST);
    const stdout = await runOk("node", ["--test", ...SUITES], { cwd: folder.path, ...SLOW });
    expect(stdout).toMatch(new RegExp(`^# pass ${CASES}$`, "m"));
    expect(stdout).toMatch(/^# fail 0$/m);
  },
  SLOW.timeoutMs,
);

test(
  "and the same on vitest",
  async () => {
    for (const file of SUITES) {
      const text = readFileSync(join(folder.path, file), "utf8");
      expect(text).toContain(ON_NODE_TEST);
      mkdirSync(join(folder.path, "on-vitest"), { recursive: true });
      const moved = text.replace(ON_NODE_TEST, ON_VITEST).replace(/from "[.]\//, 'from "../');
      write(`on-vitest/${file}`, moved);
    }
    const stdout = await vitest(join(folder.path, "on-vitest"));
    expect(stdout).toMatch(new RegExp(`Tests +${CASES} passed`));
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
  // The page is read as files, by the manager that serves it.
  const modules = files.filter((file) =>
    /^(dist|types)\/.*\.ts$|^dist\/(?!page\/).*\.js$/.test(file),
  );
  expect(modules.filter((file) => !reached(installed("zonekeeper")).has(file))).toEqual([]);
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

describeReal("the guide to extend it", ["kubectl-1.32", "dig"], () => {
  const home = makeTempFolder("acme");
  const acme = join(home.path, "acme");
  const tsc = resolve("node_modules/ts7/bin/tsc");
  let dev: Child | null = null;
  let dnsPort = "";
  /** In place of a network: what `npm install` would bring is here. */
  const shell = (script: string) =>
    runOk("bash", ["--norc", "-euo", "pipefail", "-c", here(script)], {
      cwd: home.path,
      ...SLOW,
    });
  const here = (script: string): string =>
    script
      .replace("npm install FOLDER", `ls "${folder.path}/packed"`)
      .replace(/^npm install --save-dev .*$/m, `ln -s "${folder.path}/node_modules" node_modules`)
      .replaceAll("npx tsc", `node "${tsc}"`)
      .replace(/^alias zonekeeper=.*$/m, "")
      .replaceAll(/^zonekeeper/gm, `exec "${process.execPath}" "${resolve(PROGRAM)}"`)
      .replaceAll(/^kubectl/gm, `"${kubectlPath("1.32")}"`)
      .replaceAll("-p 5300", `-p ${dnsPort}`);
  afterAll(async () => {
    await dev?.stop();
    home.remove();
  });

  test(
    "from an empty folder to a published name",
    async () => {
      const [project = "", compile = "", start = "", publish = "", ...more] =
        stepsOf("From an empty");
      expect(more).toEqual([]);
      expect((await shell(project)).match(/zonekeeper-\w+-[\d.]+tgz/g)).toHaveLength(4);
      await shell(`cd acme && ${compile}`);
      const port = await claimPort();
      dnsPort = String(port.port);
      dev = await Child.start({
        command: "bash",
        args: ["--norc", "-euc", here(start)],
        cwd: acme,
        logFile: join(acme, "dev.log"),
        env: { ZONEKEEPER_DNS_PORT: dnsPort, ZONEKEEPER_API_PORT: "0", ZONEKEEPER_HTTP_PORT: "0" },
      });
      const isUp = async () => existsSync(join(acme, ".zonekeeper/kubeconfig"));
      await eventually("dev is up", isUp, (is) => is);
      const seen = (): Promise<string> =>
        shell(`cd acme && ${publish}`).catch((error) => String(error));
      await eventually("a Website is published", seen, (text) => text.endsWith("\n192.0.2.1\n"));
    },
    SLOW.timeoutMs,
  );

  test(
    "its ten lines test the source, on vitest and on node:test",
    async () => {
      const [text = ""] = blocksOf(GUIDE, "Its tests", "js");
      writeFileSync(join(acme, "website.test.js"), text);
      expect(await vitest(acme)).toMatch(/Tests +4 passed/);
      const line = /first line is `(import [^`]+)`/.exec(GUIDE)?.[1] ?? "";
      writeFileSync(join(acme, "website.test.js"), text.replace(/^import .*vitest";$/m, line));
      const cwd = acme;
      expect(await runOk("node", ["--test", "website.test.js"], { cwd, ...SLOW })).toMatch(
        /^# pass 4$/m,
      );
    },
    SLOW.timeoutMs,
  );
});

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
        await eventually("kinds are served", applied, (text) => text !== "");
      }
      expect(await both).toBe("both stopped\n");
      await Promise.all(sessions.map((session) => session.close()));
    },
    SLOW.timeoutMs,
  );
});

test.each(NAMES)("packages/%s/README.md prints what it says", async (name) => {
  const stdout = await runOk("node", [join(folder.path, `${name}.js`)]);
  expect([stdout]).toEqual(readmeBlocks(name, "text"));
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

/** Files of a package that its exports lead to. */
function reached(target: string): ReadonlySet<string> {
  const found = new Set(
    Object.values(manifestOf(target).exports ?? {}).flatMap((one) => Object.values(one)),
  );
  for (const file of found) {
    const text = readFileSync(join(target, file), "utf8");
    for (const [, path = ""] of text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]*)"/g)) {
      const to = file.endsWith(".d.ts") ? path.replace(/js$/, "d.ts") : path;
      found.add(join(dirname(file), to));
    }
  }
  return new Set([...found].map((file) => normalize(file)));
}

interface Manifest {
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
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

/** On the test files below a folder. */
function vitest(cwd: string): Promise<string> {
  const args = [resolve("node_modules/vitest/vitest.mjs"), "run", "--no-color"];
  return runOk("node", [...args, "--root", cwd], { cwd, ...SLOW });
}

function write(name: string, text: string): void {
  writeFileSync(join(folder.path, name), text);
}

function readmeBlocks(name: string, language: string): readonly string[] {
  return blocksOf(readFileSync(`packages/${name}/README.md`, "utf8"), "", language);
}

/** Blocks of commands, also those within steps. */
function stepsOf(section: string): readonly string[] {
  return blocksOf(GUIDE.replaceAll(/^ {3}/gm, ""), section, "bash");
}
