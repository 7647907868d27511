/**
 * `npm run fuzz -- --seconds N [--target X] [--seed S]`: N CPU seconds over all targets, or one.
 * Prints what was done and every finding with its seed and its shrunk input; ends with 1 when there
 * is one. `--input BASE64` runs one input again.
 */
import { parseArgs } from "node:util";
import { type FuzzReport, fuzz } from "../test/fuzz/fuzz.ts";
import type { FuzzTarget } from "../test/fuzz/target.ts";
import { FUZZ_TARGETS } from "../test/fuzz/targets.ts";
import { Watchdog } from "../test/fuzz/watchdog.ts";

/** One input may take this long three times in a row. */
const INPUT_CPU_MS_MAX = 1000;
/**
 * Each target gets its time in slices with seeds of their own, so that a finding is quick to run
 * again.
 */
const SLICE_SECONDS = 20;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    target: { type: "string" },
    seed: { type: "string", default: "1" },
    input: { type: "string" },
  },
});
const chosen = FUZZ_TARGETS.filter(({ name }) => (values.target ?? name) === name);
const seconds = Number(values.seconds);
const firstSeed = Number(values.seed);
if (chosen.length === 0 || !(seconds > 0) || !Number.isSafeInteger(firstSeed)) {
  console.error(`usage: npm run fuzz -- --seconds N [--target X] [--seed S]
targets: ${FUZZ_TARGETS.map(({ name }) => name).join(" ")}`);
  process.exit(2);
}

const findings =
  values.input === undefined
    ? await campaign(chosen, seconds / chosen.length)
    : await replay(chosen, Buffer.from(values.input, "base64"));
process.exitCode = findings > 0 ? 1 : 0;

/** All targets one after the other; the number of findings. */
async function campaign(targets: readonly FuzzTarget[], each: number): Promise<number> {
  const watchdog = new Watchdog();
  let count = 0;
  let executions = 0;
  for (const target of targets) {
    const result = await slices(target, each, watchdog);
    count += result.findings;
    executions += result.executions;
  }
  await watchdog.stop();
  const { user, system } = process.cpuUsage();
  const cpu = ((user + system) / 1e6).toFixed(1);
  console.log(`fuzz: ${executions} executions, ${cpu} CPU seconds, ${count} findings`);
  return count;
}

async function slices(
  target: FuzzTarget,
  cpuSeconds: number,
  watchdog: Watchdog,
): Promise<{ readonly findings: number; readonly executions: number }> {
  const found = new Map<string, FuzzReport>();
  let [executions, spent, ways, seed] = [0, 0, 0, firstSeed];
  for (; spent < cpuSeconds; seed += 1) {
    const result = await fuzz(target, {
      seed,
      executionsMax: Number.MAX_SAFE_INTEGER,
      cpuSecondsMax: Math.min(SLICE_SECONDS, cpuSeconds - spent),
      inputCpuMsMax: INPUT_CPU_MS_MAX,
      before: (input) => watchdog.before(input),
    });
    executions += result.executions;
    spent += Math.max(result.cpuSeconds, 0.01);
    ways = Math.max(ways, result.ways);
    for (const each of result.findings) report(found, each);
  }
  console.log(
    `${target.name.padEnd(16)} ${String(executions).padStart(9)} executions ${spent.toFixed(1).padStart(7)} CPU s ` +
      `${String(ways).padStart(5)} ways  seeds ${firstSeed} to ${seed - 1}  ${found.size} findings`,
  );
  return { findings: found.size, executions };
}

/** Each kind of finding once. */
function report(found: Map<string, FuzzReport>, finding: FuzzReport): void {
  const kind = finding.message.split("\n")[0]?.replaceAll(/\d+/g, "_") ?? "";
  if (found.has(kind)) return;
  found.set(kind, finding);
  const input = Buffer.from(finding.input);
  console.log(`FINDING ${finding.target} seed ${finding.seed} execution ${finding.execution}`);
  console.log(`  ${finding.message.split("\n").slice(0, 6).join("\n  ")}`);
  console.log(
    `  input (${input.length} bytes): ${JSON.stringify(input.toString("latin1")).slice(0, 400)}`,
  );
  console.log(
    `  again: npm run fuzz -- --target ${finding.target} --input ${input.toString("base64")}`,
  );
}

/** One input; the number of findings. */
async function replay(targets: readonly FuzzTarget[], input: Uint8Array): Promise<number> {
  let count = 0;
  for (const target of targets) {
    const seeds = [input];
    const result = await fuzz(
      { ...withRun(target), seeds },
      {
        seed: firstSeed,
        executionsMax: 0,
        cpuSecondsMax: null,
        inputCpuMsMax: INPUT_CPU_MS_MAX,
      },
    );
    const [finding] = result.findings;
    console.log(`${target.name}: ${finding === undefined ? "good" : finding.message}`);
    count += result.findings.length;
  }
  return count;
}

/** A target may be a class: its methods are no own properties. */
function withRun(target: FuzzTarget): FuzzTarget {
  const { name, tokens: given, seeds, outputBytesMax } = target;
  return { name, tokens: given, seeds, outputBytesMax, run: (input) => target.run(input) };
}
