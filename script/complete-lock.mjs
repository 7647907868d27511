// Completes package-lock.json with the optional platform packages that a registry mirror did not
// show when the lock file was made; without them `npm ci` refuses the file. Adds entries only,
// never changes one. `--check` only tells.
import { readFileSync, writeFileSync } from "node:fs";

const FILE = "package-lock.json";
const lock = JSON.parse(readFileSync(FILE, "utf8"));
const missing = Object.entries(lock.packages).flatMap(([path, entry]) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(([name]) => !isLocked(path, name))
    .map(([name, version]) => ({ name, version, dev: entry.dev === true })),
);
for (const { name } of missing) process.stdout.write(`${FILE}: no entry for ${name}\n`);
if (process.argv.includes("--check")) process.exit(missing.length === 0 ? 0 : 1);
for (const { name, version, dev } of missing)
  lock.packages[`node_modules/${name}`] = {
    version,
    ...platformOf(name),
    ...(dev ? { dev: true } : {}),
    optional: true,
  };
const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
lock.packages = Object.fromEntries(sorted);
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);

// Node's way: the nearest node_modules above the package that has it.
function isLocked(path, name) {
  for (let base = path; ; base = base.slice(0, Math.max(0, base.lastIndexOf("/node_modules/")))) {
    if (lock.packages[`${base === "" ? "" : `${base}/`}node_modules/${name}`]) return true;
    if (base === "") return false;
  }
}

// `@oxc-parser/binding-linux-arm64-musl` → os linux, cpu arm64, libc musl; npm installs it only
// where all fit.
function platformOf(name) {
  const found = /(android|darwin|freebsd|linux|openharmony|win32)-([a-z0-9]+)(?:-(\w+))?$/.exec(
    name,
  );
  if (found === null) throw new Error(`${name}: no platform in the name; add it by hand`);
  const [, os, cpu, rest = ""] = found;
  const libc = rest.startsWith("musl") ? ["musl"] : rest.startsWith("gnu") ? ["glibc"] : null;
  return { os: [os], cpu: [cpu], ...(os === "linux" && libc !== null ? { libc } : {}) };
}
