// Completes package-lock.json: optional platform packages that npm did not see in a registry mirror
// when the lock file was made (without them `npm ci` refuses the file), and hashes that lack
// (without one npm takes what a registry gives). Asks the registry through npm for each of them,
// never changes what is there, and writes nothing where an answer lacks. `--check` only tells.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const FILE = "package-lock.json";
const lock = JSON.parse(readFileSync(FILE, "utf8"));
const { packages } = lock;
const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev }]) =>
  Object.entries(optionalDependencies)
    .filter(([name]) => !isLocked(path, name))
    .map(([name, version]) => ({ path: `node_modules/${name}`, version, dev, optional: true })),
);
const unhashed = Object.entries(packages)
  .filter(([path, { link, integrity }]) => isOfRegistry(path, link) && integrity === undefined)
  .map(([path, { version, dev, optional }]) => ({ path, version, dev, optional }));
for (const { path } of missing) process.stdout.write(`${FILE}: no entry for ${nameOf(path)}\n`);
for (const { path } of unhashed) process.stdout.write(`${FILE}: no hash for ${nameOf(path)}\n`);
if (process.argv.includes("--check")) process.exit(missing.length + unhashed.length === 0 ? 0 : 1);
for (const one of [...missing, ...unhashed])
  packages[one.path] = { ...seenInRegistry(one), ...packages[one.path] };
const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, "en"));
lock.packages = Object.fromEntries(sorted);
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);

// The others are packages of this repository.
function isOfRegistry(path, link) {
  return path.startsWith("node_modules/") && link !== true;
}

// Node's way: the nearest node_modules above the package that has it.
function isLocked(path, name) {
  for (let base = path; ; base = base.slice(0, Math.max(0, base.lastIndexOf("/node_modules/")))) {
    if (packages[`${base === "" ? "" : `${base}/`}node_modules/${name}`]) return true;
    if (base === "") return false;
  }
}

function nameOf(path) {
  return path.replace(/^.*node_modules\//, "");
}

// Fields in the order in which npm writes them; it installs the package where os, cpu and libc fit.
function seenInRegistry({ path, version, dev, optional }) {
  const id = `${nameOf(path)}@${version}`;
  const asked = ["dist.integrity", "cpu", "libc", "license", "os", "engines", "dependencies"];
  const text = execFileSync("npm", ["view", id, ...asked, "--json"], { encoding: "utf8" });
  const { "dist.integrity": integrity, dependencies, cpu, ...seen } = JSON.parse(text);
  if (integrity === undefined) throw new Error(`the registry has no hash of ${id}`);
  if (dependencies !== undefined) throw new Error(`${id} has dependencies; npm has to lock it`);
  const { libc, license, os, engines } = seen;
  return { version, integrity, cpu, dev, libc, license, optional, os, engines };
}
