// Asks the registry which locked packages have known vulnerabilities. Fails for those of grade high
// or critical that the program runs with; names the others. Where the registry does not answer
// (offline, a mirror without that endpoint) it says so and passes: a check must run anywhere.
import { spawnSync } from "node:child_process";

const ASKED = [
  "audit",
  "--json",
  "--package-lock-only",
  "--fetch-retries=0",
  "--fetch-timeout=5000",
];
const GRAVE = ["high", "critical"];

// npm exits with 1 for a vulnerability and for no answer alike; the report tells them apart.
function reportOf(...args) {
  const { stdout, error } = spawnSync("npm", [...ASKED, ...args], { encoding: "utf8" });
  if (error !== undefined) return { message: error.message };
  try {
    return JSON.parse(stdout);
  } catch {
    return { message: "npm audit printed no JSON" };
  }
}

const { vulnerabilities, message } = reportOf();
if (vulnerabilities === undefined) {
  process.stdout.write(`not audited: ${message}\n`);
  process.exit(0);
}
const found = Object.values(vulnerabilities);
const { vulnerabilities: inProgram = {} } = found.length === 0 ? {} : reportOf("--omit=dev");
const shipped = new Set(Object.keys(inProgram));
for (const { name, severity, via } of found) {
  const is = via.map((one) => one.url ?? `through ${one}`).join(", ");
  const where = shipped.has(name) ? "the program" : "tests and tools only";
  process.stdout.write(`${name}: ${severity}, in ${where}: ${is}\n`);
  if (shipped.has(name) && GRAVE.includes(severity)) process.exitCode = 1;
}
