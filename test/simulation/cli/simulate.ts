/**
 * `npm run simulate -- --seeds 3000 [--class F07] [--from 1] [--workers 1] [--digests FILE]`: plays
 * seeds of all fault classes on all cores and prints a table by class. Workers end after a number
 * of seeds, so that memory stays bounded. Ends with 1 if a seed failed, with 2 for an option that
 * cannot be used.
 *
 * FILE gets a line for each story: class, seed, and hashes of what the zone has at its end and of
 * all that happened. Two builds that play the same seeds into two files are compared by `diff`.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { FAULTS } from "../faults/index.ts";
import { play } from "../stories/play.ts";
import { usualScript } from "../stories/script.ts";
import { CHECK_IDS, Tally } from "../world/tally.ts";
import type { World } from "../world/world.ts";
import { contentText } from "../world/zone-truth.ts";
import { classOf, numberOf, readOptions, runCommand } from "./options.ts";

const MIXED = "mixed";
/** Seeds of one class that are one job. */
const PART = 50;
/**
 * Jobs of one worker. Its first hundred stories are slow, the code is still cold: half of all time
 * if each job had its own.
 */
const WORKER_JOBS = 60;
const WORKER_MEGABYTES = 1024;
/** Failures that are printed with their story's first lines. */
const SHOWN_MOST = 20;
const SHOWN_LINES = 3;

interface Job {
  readonly only: string;
  readonly first: number;
  readonly last: number;
}

interface Result extends Job {
  readonly counts: Readonly<Record<string, number>>;
  readonly failures: readonly { readonly seed: number; readonly message: string }[];
  /** One line a story; a story that failed has its message instead of hashes. */
  readonly digests: readonly string[];
  readonly milliseconds: number;
}

async function playJob({ only, first, last }: Job): Promise<Result> {
  const tally = new Tally();
  const failures: { readonly seed: number; readonly message: string }[] = [];
  const digests: string[] = [];
  const startedMs = performance.now();
  for (let seed = first; seed <= last; seed++) {
    try {
      const world = await play(usualScript(seed, only === MIXED ? null : only));
      tally.merge(world.tally.all());
      digests.push(`${only} ${seed} ${digestOf(world)}`);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      failures.push({ seed, message });
      digests.push(`${only} ${seed} failed: ${message.split("\n", 1)[0]}`);
    }
  }
  const milliseconds = performance.now() - startedMs;
  return { only, first, last, counts: tally.all(), failures, digests, milliseconds };
}

function digestOf(world: World): string {
  const hash = (lines: readonly string[]): string =>
    createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 16);
  return `zone ${hash(world.content().map(contentText).sort())} story ${hash(world.diary)}`;
}

function jobsOf(classes: readonly string[], from: number, seeds: number): readonly Job[] {
  const starts = Array.from({ length: Math.ceil(seeds / PART) }, (_, index) => from + index * PART);
  return starts.flatMap((first) =>
    classes.map((only) => ({ only, first, last: Math.min(first + PART, from + seeds) - 1 })),
  );
}

function newWorker(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: WORKER_MEGABYTES };
  return new Worker(new URL(import.meta.url), { resourceLimits });
}

async function inWorker(worker: Worker, job: Job): Promise<Result> {
  // Rejects with an error of the worker.
  const answer = once(worker, "message") as Promise<[Result]>;
  worker.postMessage(job);
  const [result] = await answer;
  return result;
}

async function runAll(
  jobs: readonly Job[],
  workers: number,
  onResult: (result: Result) => void,
): Promise<void> {
  const left = [...jobs];
  const lane = async (): Promise<void> => {
    while (left.length > 0) {
      const worker = newWorker();
      for (let count = 0; count < WORKER_JOBS; count++) {
        const job = left.shift();
        if (job === undefined) break;
        onResult(await inWorker(worker, job));
      }
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: workers }, lane));
}

/** One line a class, and one a check. */
function tableOf(results: readonly Result[], classes: readonly string[]): string {
  const lines = classes.map((only) => {
    const own = results.filter((result) => result.only === only);
    const sum = (pick: (result: Result) => number): number =>
      own.reduce((total, result) => total + pick(result), 0);
    const seeds = sum(({ first, last }) => last - first + 1);
    const seconds = sum(({ milliseconds }) => milliseconds) / 1000;
    const times = sum(({ counts }) => counts[only] ?? 0);
    const title = FAULTS.find(({ id }) => id === only)?.title ?? "all classes together";
    const failed = sum(({ failures }) => failures.length);
    return `| ${only} | ${title} | ${seeds} | ${only === MIXED ? "" : times} | ${failed} | ${seconds.toFixed(1)} |`;
  });
  const head = [
    "| class | | seeds | struck | failures | seconds |",
    "|---|---|---:|---:|---:|---:|",
  ];
  const tally = new Tally();
  for (const { counts } of results) tally.merge(counts);
  const checks = CHECK_IDS.map((id) => `${id} ${tally.get(id)}`).join(", ");
  return [...head, ...lines, "", `looked at: ${checks}`].join("\n");
}

async function main(): Promise<void> {
  const given = readOptions(process.argv.slice(2), {
    seeds: "value",
    from: "value",
    class: "value",
    workers: "value",
    digests: "value",
  });
  const seeds = numberOf(given, "seeds", 100);
  const only = classOf(given) ?? MIXED;
  const classes = given.values.has("class") ? [only] : [MIXED, ...FAULTS.map(({ id }) => id)];
  const each = Math.ceil(seeds / classes.length);
  const results: Result[] = [];
  const workers = numberOf(given, "workers", availableParallelism());
  await runAll(jobsOf(classes, numberOf(given, "from", 1), each), workers, (result) => {
    results.push(result);
    const { only, first, last, failures } = result;
    const failed = failures.map(({ seed }) => ` ${seed}`).join("");
    process.stderr.write(`${only} ${first}-${last}: ${failures.length} failed${failed}\n`);
  });
  process.stdout.write(`${tableOf(results, classes)}\n`);
  const failures = results.flatMap((one) =>
    one.failures.map((failure) => ({ ...one, ...failure })),
  );
  for (const { only, seed, message } of failures.slice(0, SHOWN_MOST)) {
    const option = only === MIXED ? "" : ` --class ${only}`;
    const shown = message.split("\n").slice(0, SHOWN_LINES).join("\n  ");
    process.stdout.write(`\nnpm run replay -- --seed ${seed}${option}\n  ${shown}\n`);
  }
  const file = given.values.get("digests");
  if (file)
    writeFileSync(
      file,
      `${results
        .flatMap(({ digests }) => digests)
        .sort()
        .join("\n")}\n`,
    );
  process.exitCode = failures.length === 0 ? 0 : 1;
}

if (isMainThread) await runCommand(main);
// The main thread hands each worker one Job after the other.
else
  parentPort?.on("message", (job: Job) => {
    void playJob(job).then((result) => parentPort?.postMessage(result));
  });
