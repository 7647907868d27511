/**
 * Writes docs/reference/providers.md from a run of the conformance suite and one that counts calls
 * (3 minutes).
 * test/tidy/providers.test.ts fails while checks or providers differ in names.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROVIDER_TYPES } from "../src/providers/index.ts";
import { providersPage, type RunCase } from "./providers-page/matrix.ts";

const folder = mkdtempSync(join(tmpdir(), "providers-page-"));
try {
  const file = join(folder, "run.json");
  const reporter = ["--reporter=json", `--outputFile=${file}`];
  const casesOf = (...tests: readonly string[]): readonly RunCase[] => {
    const run = ["vitest", "run", ...tests, ...reporter];
    // Most of the counts are the campaign's.
    const env = { ...process.env, ZONEKEEPER_CAMPAIGN: "servers" };
    spawnSync("npx", run, { env, stdio: ["ignore", "ignore", "inherit"] });
    const report = JSON.parse(readFileSync(file, "utf8")) as {
      readonly testResults: readonly { readonly assertionResults: readonly RunCase[] }[];
    };
    return report.testResults.flatMap(({ assertionResults }) => assertionResults);
  };
  const cases = casesOf("--project", "suites", "test/conformance/provider-");
  const calls = casesOf("--project", "real", "test/real/provider-calls.test.ts");
  const types = PROVIDER_TYPES.map(({ type }) => type);
  writeFileSync("docs/reference/providers.md", providersPage([...cases, ...calls], types));
} finally {
  rmSync(folder, { recursive: true });
}
