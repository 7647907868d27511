/**
 * `npm ci` refuses a lock file without entries for the optional platform packages, which a registry
 * mirror may hide, and takes unseen what has no hash. What the audit of `script/check` says is
 * shown with a registry of our own.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { run } from "../support/programs/run.ts";

test("package-lock.json has an entry for every optional package, and a hash for each (else: node script/complete-lock.mjs)", async () => {
  const { code, stdout } = await run("node", ["script/complete-lock.mjs", "--check"]);
  expect(stdout).toBe("");
  expect(code).toBe(0);
});

test("each package has the strongest hash, and no override gives one to a package that asks for another", () => {
  const packages = Object.entries(LOCK.packages).filter(
    ([path, { link }]) => path.startsWith("node_modules/") && link !== true,
  );
  const weak = packages.filter(([, one]) => !/^sha512-[\w+/]{86}==$/.test(one.integrity ?? ""));
  expect(weak.map(([path]) => path)).toEqual([]);
  expect(JSON.parse(readFileSync("package.json", "utf8"))).not.toHaveProperty("overrides");
});

interface Locked {
  /** Of a package of this repository. */
  readonly link?: boolean;
  readonly integrity?: string;
  readonly engines?: { readonly node?: string };
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}
const LOCK: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync("package-lock.json", "utf8"),
);
/** What README promises. */
const NODE = [20, 19, 0] as const;

/** For `>=a.b.c`, `^a.b.c` and a bare version, any of them behind `||`. */
function runsOn([major, minor, patch]: typeof NODE, range: string): boolean {
  return range.split("||").some((text) => {
    const found = /^(>=|\^|~)?\s*v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text.trim());
    if (found === null) return text.trim() === "*";
    const [low = 0, lowMinor = 0, lowPatch = 0] = found.slice(2).map((part) => Number(part ?? 0));
    if (low !== major) return found[1] === ">=" && low < major;
    return minor > lowMinor || (minor === lowMinor && patch >= lowPatch);
  });
}

test("npm ci warns of nothing: each package runs on the oldest Node, and install scripts are allowed by name", () => {
  const packages = Object.entries(LOCK.packages).filter(([path]) => path !== "");
  const tooNew = packages.filter(
    ([, { engines, optional }]) =>
      optional !== true && engines?.node !== undefined && !runsOn(NODE, engines.node),
  );
  expect(tooNew.map(([path, { engines }]) => `${path} ${engines?.node}`)).toEqual([]);
  const allowed = Object.keys(JSON.parse(readFileSync("package.json", "utf8")).allowScripts);
  const scripted = packages.filter(
    ([, one]) => one.hasInstallScript === true && one.optional !== true,
  );
  for (const [path] of scripted) expect(allowed).toContain(path.replace(/^.*node_modules\//, ""));
});

/**
 * A registry on loopback that knows a vulnerability of each package in `known`, of that severity;
 * null = it has no such endpoint.
 */
async function registryWith(known: Readonly<Record<string, string>> | null): Promise<string> {
  const advisories = Object.entries(known ?? {}).map(([name, severity], index) => {
    const url = `https://example.org/${index + 1}`;
    return [name, [{ id: index + 1, url, severity, title: "made up", vulnerable_versions: "<99" }]];
  });
  const server = createServer((request, response) => {
    const isAsked = request.url === "/-/npm/v1/security/advisories/bulk";
    response.statusCode = known === null ? 405 : isAsked ? 200 : 404;
    const answer = JSON.stringify(Object.fromEntries(advisories));
    request.resume().on("end", () => response.end(answer));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test.each([
  [
    "a grave one",
    { fastify: "high" },
    1,
    /^fastify: high, in the program: https:\/\/example\.org\/1$/m,
  ],
  [
    "a small one, and a grave one of a tool",
    { fastify: "low", vitest: "critical" },
    0,
    /^fastify: low, in the program.*^vitest: critical, in tests and tools only/ms,
  ],
  ["no such endpoint", null, 0, /^not audited: .*405/],
])("the audit: %s", async (_, known, code, says) => {
  const cache = makeTempFolder("npm");
  onTestFinished(() => cache.remove());
  const env = { npm_config_registry: await registryWith(known), npm_config_cache: cache.path };
  const ended = await run("node", ["script/audit.mjs"], { env });
  expect(ended.stdout).toMatch(says);
  expect(ended.code).toBe(code);
});
