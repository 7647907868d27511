// Vitest's own count of branches (coverage.customProviderModule of vitest.config.ts), taken once a
// worker, when it stops: after each test file, all modules that it has loaded are gone through again.
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { threadId } from "node:worker_threads";
import v8 from "@vitest/coverage-v8";

/** Ends the name of a file whose worker still counts. */
const COUNTING = ".counting";
/** Milliseconds that workers may take to stop when all tests have ended. */
const STOP_LIMIT = 60_000;

let isCounting = false;

/** Called after each test file: with `isolate: false` the counts go on until the worker stops. */
async function takeCoverage(options) {
  if (isCounting) return;
  isCounting = true;
  const { config, ctx, environment, onCleanup } = globalThis.__vitest_worker__;
  const file = join(config.root, config.coverage.reportsDirectory, ".tmp", `${threadId}.json`);
  writeFileSync(file + COUNTING, "");
  onCleanup(async () => {
    const { result } = await v8.takeCoverage(options);
    const name = environment.viteEnvironment ?? environment.name;
    const count = JSON.stringify({ project: ctx.projectName, environment: name, result });
    writeFileSync(file + COUNTING, count);
    renameSync(file + COUNTING, file);
  });
}

async function readCounts(folder) {
  for (const start = Date.now(); Date.now() - start < STOP_LIMIT; await setTimeout(50)) {
    const files = readdirSync(folder);
    if (files.some((file) => file.endsWith(COUNTING))) continue;
    return files.map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
  }
  throw new Error(`${folder}: a worker of vitest did not stop within ${STOP_LIMIT} ms`);
}

async function getProvider() {
  const provider = await v8.getProvider();
  // All projects transform alike (vitest.config.ts): what was counted is mapped to sources once.
  provider.readCoverageFiles = async ({ onFileRead, onFinished }) => {
    const counts = await readCounts(provider.coverageFilesDirectory);
    for (const { result } of counts) onFileRead({ result });
    for (const { project, environment } of counts.slice(0, 1))
      await onFinished(provider.ctx.getProjectByName(project), environment);
  };
  return provider;
}

export default { ...v8, takeCoverage, getProvider };
