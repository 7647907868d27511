/**
 * Start of the built `dev` until the first answer, on an empty data folder and on one that is
 * there, and its memory after 30 s without work (docs/architecture.md#budgets). Needs dist/
 * (script/bench builds it).
 */
import { makeTempFolder } from "../test/support/ports/temp-folder.ts";
import { DnsClient } from "./support/dns-client.ts";
import { PROGRAM, Program } from "./support/program.ts";
import { type Figure, inMs, percentile, report } from "./support/report.ts";

const STARTS = 5;
const IDLE_MS = 30_000;
const START_BUDGET_MS = 2_000;
const RSS_BUDGET_MB = 120;
const pause = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms));

interface Start {
  readonly program: Program;
  readonly readyMs: number;
  readonly answerMs: number;
  readonly cpuMs: number;
}

const cold: Start[] = [];
const warm: Start[] = [];
for (let index = 0; index < STARTS; index++) {
  const folder = makeTempFolder("bench-dev");
  cold.push(await stopped(await start(folder.path)));
  warm.push(await stopped(await start(folder.path)));
  folder.remove();
}
const folder = makeTempFolder("bench-dev");
const { program } = await start(folder.path);
const cpuBefore = program.cpuMs();
await pause(IDLE_MS);
const idleCpuMs = program.cpuMs() - cpuBefore;
const rssMb = program.rssMb();
await program.stop();
folder.remove();

report(`start-dev: ${STARTS} starts of dev, www.example.org asked from the start`, [
  ...figuresOf("empty data folder", cold),
  ...figuresOf("existing data folder", warm),
  {
    what: `resident memory after ${IDLE_MS / 1000} s idle`,
    value: `${rssMb} MB`,
    budget: `< ${RSS_BUDGET_MB} MB`,
    met: rssMb < RSS_BUDGET_MB,
  },
  { what: `CPU used in these ${IDLE_MS / 1000} s`, value: inMs(idleCpuMs) },
]);
process.exit(0);

async function start(data: string): Promise<Start> {
  const program = new Program(PROGRAM, ["dev", "--data", `${data}/data`]);
  const ready: { readonly dns: string } = JSON.parse(await program.line("ready "));
  const readyMs = performance.now() - program.startedAtMs;
  const client = new DnsClient(Number(ready.dns.split(":").at(-1)));
  while ((await client.ask("www.example.org")).length === 0) await pause(2);
  const answerMs = performance.now() - program.startedAtMs;
  client.close();
  return { program, readyMs, answerMs, cpuMs: program.cpuMs() };
}

async function stopped(one: Start): Promise<Start> {
  await one.program.stop();
  return one;
}

function figuresOf(label: string, starts: readonly Start[]): readonly Figure[] {
  const median = (of: (one: Start) => number): number => percentile(starts.map(of), 0.5);
  const answerMs = median((one) => one.answerMs);
  const worstMs = Math.max(...starts.map((one) => one.answerMs));
  return [
    {
      what: `${label}: first answer, median`,
      value: inMs(answerMs),
      budget: `< ${START_BUDGET_MS} ms`,
      met: answerMs < START_BUDGET_MS,
    },
    { what: `${label}: first answer, worst`, value: inMs(worstMs) },
    { what: `${label}: ready line, median`, value: inMs(median((one) => one.readyMs)) },
    { what: `${label}: CPU until the answer, median`, value: inMs(median((one) => one.cpuMs)) },
  ];
}
