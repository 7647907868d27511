import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { LIBRARY } from "./script/library.mjs";
import { LongestFirst } from "./test/support/reporting/longest-first.ts";
import { SkipReporter } from "./test/support/reporting/skip-reporter.ts";

// Projects: `unit` runs offline, one file in milliseconds; `suites` are the shared suites of providers, registries and
// API clients on fakes, whole programs in memory, fuzzers and what else takes seconds; `laws` are proofs, whole or
// bounded (test/support/values/law-runs.ts); `simulation` replays seeds; `real` starts processes (kubectl, BIND, Knot, PowerDNS)
// and skips loudly what is not installed. Which step runs what: CONTRIBUTING.md.
// script/test adds up the reports of several runs.
const reportFile = process.env["ZONEKEEPER_TEST_REPORT"];
const jsonReport: [string, object][] =
  reportFile === undefined ? [] : [["json", { outputFile: reportFile }]];

// Branch coverage (docs/style.md figure 10) of the unit tests: ZONEKEEPER_COVERAGE=1, read by `npm run measure -- --coverage`.
const isCounted = process.env["ZONEKEEPER_COVERAGE"] === "1";

// Vitest leaves one core to itself, which is half of a small machine.
const cores = availableParallelism();

const FOLDERS = "src,packages/*/src";
const SOURCES = `{${FOLDERS}}`;
const LAWS = `${SOURCES}/**/*.laws.test.ts`;
// Without a test outside of the campaign, which alone has a kube-apiserver, CoreDNS and OpenStack (script/campaign).
const CAMPAIGN = [
  "run-rbac",
  "rendered-rights",
  "guide-webhook",
  "guide-coming-from-external-dns",
  "kubectl-plugin",
  "coredns",
  "designate",
].map((name) => `test/real/${name}.test.ts`);
const LIVE = "test/real/live.test.ts";
const isCampaign = process.env["ZONEKEEPER_CAMPAIGN"] !== undefined;
// Real files that script/test leaves out: played before, or the campaign's. --exclude of the command line does not reach a
// project.
const LEFT_OUT = (process.env["ZONEKEEPER_LEFT_OUT"] ?? "").split(" ").filter((one) => one !== "");
const SUITES = [
  "test/{conformance,fuzz}/**/*.test.ts",
  // Whole programs in memory.
  "src/app/worlds/*.test.ts",
  "test/support/live/story.test.ts",
  // Other programs, and each source file of the repository.
  "test/tidy/{import-rules,lock-file,mutants,providers,site}.test.ts",
  "src/app/commands/process/data-folder.test.ts",
  "src/providers/google/own-identity.test.ts",
  // A thousand cases, a thousand names or hours.
  "src/app/cli/gardener-options.test.ts",
  "src/app/commands/run/missing-rights.test.ts",
  "src/cluster/state/config-map-state.test.ts",
  "src/sync/cache/columns/columns.test.ts",
  "src/sync/zone/read-first.test.ts",
  "packages/kube/src/client/{lease/lease-sight,watch/watch-by-namespace}.test.ts",
];

/** `import text from "…" with { type: "text" }`, which esbuild knows by itself. */
const textFiles = {
  name: "text files",
  enforce: "pre" as const,
  load: (id: string) =>
    /\.(?:txt|yaml)$/.test(id)
      ? `export default ${JSON.stringify(readFileSync(id, "utf8"))};`
      : null,
};

/** `zonekeeper/source`, as examples/library imports it: Node knows it by package.json, vite does not. */
const library = Object.fromEntries(
  Object.entries(LIBRARY).map(([entry, path]) => [`zonekeeper/${entry}`, resolve(path)]),
);

export default defineConfig({
  test: {
    coverage: {
      enabled: isCounted,
      provider: "custom",
      customProviderModule: "script/coverage.mjs",
      include: [`${SOURCES}/**/*.ts`],
      exclude: ["**/*.test.ts"],
      reporter: ["json-summary"],
      reportsDirectory: "coverage",
      reportOnFailure: true,
    },
    // Sources that were transformed once, by their content: .ci/run starts vitest seven times.
    experimental: { fsModuleCache: true, fsModuleCachePath: ".cache/vitest" },
    sequence: { sequencer: LongestFirst },
    reporters: ["default", new SkipReporter(), ...jsonReport],
    projects: [
      {
        test: {
          name: "unit",
          sequence: { groupOrder: 0 },
          exclude: [LAWS, ...SUITES, "**/node_modules/**"],
          include: [`{${FOLDERS},page}/**/*.test.ts`, "test/{golden,tidy,support}/**/*.test.ts"],
          pool: "threads",
          maxWorkers: cores,
          isolate: false,
          // A limit for what hangs, no claim about time: laws of thousands of runs, branches counted, a crowded machine.
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: "suites",
          sequence: { groupOrder: 0 },
          include: SUITES,
          pool: "threads",
          maxWorkers: cores,
          isolate: false,
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: "laws",
          sequence: { groupOrder: 0 },
          include: [LAWS],
          pool: "threads",
          maxWorkers: cores,
          isolate: false,
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: "simulation",
          sequence: { groupOrder: 1 },
          include: ["test/simulation/**/*.test.ts"],
          pool: "threads",
          maxWorkers: cores,
          testTimeout: 600_000,
        },
      },
      {
        test: {
          name: "real",
          sequence: { groupOrder: 2 },
          include: ["test/real/**/*.test.ts"],
          exclude: [LIVE, ...LEFT_OUT, ...(isCampaign ? [] : CAMPAIGN)],
          globalSetup: ["test/support/programs/build-program.ts"],
          pool: "forks",
          isolate: false,
          // Limits for what hangs: several waits of `PATIENCE_MS` (test/support/ports/eventually.ts).
          testTimeout: 900_000,
          hookTimeout: 900_000,
          fileParallelism: true,
          // They wait for servers more than they compute. script/test plays some beside others.
          maxWorkers: Number(process.env["ZONEKEEPER_REAL_WORKERS"] ?? 3 * cores),
        },
      },
      // Real accounts (CONTRIBUTING.md), without a build.
      {
        test: {
          name: "live",
          sequence: { groupOrder: 3 },
          include: [LIVE],
        },
      },
    ].map((project) => ({ plugins: [textFiles], resolve: { alias: library }, ...project })),
  },
});
