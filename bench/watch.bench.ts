/**
 * 50 000 Services of the embedded API watched by our cache, by a streamed list and by pages
 * (docs/architecture.md#budgets), and by the official client's informer beside it. API and clients
 * are processes of their own; each client starts RUNS times.
 */
import { bundled } from "../script/bundle.mjs";
import { Program } from "./support/program.ts";
import { type Figure, inMs, percentile, report } from "./support/report.ts";
import type { Watched } from "./support/watch-client.ts";

const SERVICES = Number(process.env["BENCH_SERVICES"] ?? 50_000);
const RUNS = 3;
const RSS_BUDGET_MB = 170;
const SYNCED_BUDGET_MS = 1_500;
const STALL_BUDGET_MS = 50;

const apiScript = await bundled("bench/support/api-process.ts", "api");
const clientScript = await bundled("bench/support/watch-client.ts", "client");
const api = new Program(apiScript, [], { BENCH_SERVICES: String(SERVICES) });
const position = await api.line("ready ");
const streamed = await runsOf("streamed");
const pages = await runsOf("pages");
const informer = await runsOf("informer");
await api.stop();

report(`watch: ${SERVICES} Services of the embedded API, median of ${RUNS} starts each`, [
  ...figuresOf("our cache, streamed list", streamed, true),
  ...figuresOf("our cache, pages", pages, true),
  ...figuresOf("client-node 1.4 informer", informer, false),
]);
process.exit(0);

async function runsOf(mode: string): Promise<readonly Watched[]> {
  const runs: Watched[] = [];
  for (let count = 0; count < RUNS; count++) {
    const client = new Program(clientScript, [mode, position]);
    runs.push(JSON.parse(await client.line("watched ")));
    await client.stop();
  }
  return runs;
}

function figuresOf(label: string, runs: readonly Watched[], isJudged: boolean): readonly Figure[] {
  const median = (of: (one: Watched) => number): number => percentile(runs.map(of), 0.5);
  const judged = (budget: string, met: boolean) => (isJudged ? { budget, met } : {});
  const syncedMs = median((one) => one.syncedMs);
  const peakMb = median((one) => one.peakMb);
  const stallMs = median((one) => one.stallMs);
  const complete = runs.every(({ objects }) => objects === SERVICES);
  return [
    {
      what: `${label}: synced`,
      value: inMs(syncedMs),
      ...judged(`< ${SYNCED_BUDGET_MS} ms`, syncedMs < SYNCED_BUDGET_MS),
    },
    {
      what: `${label}: peak of resident memory`,
      value: `${peakMb} MB`,
      ...judged(`< ${RSS_BUDGET_MB} MB`, peakMb < RSS_BUDGET_MB),
    },
    {
      what: `${label}: longest stall`,
      value: inMs(stallMs),
      ...judged(`< ${STALL_BUDGET_MS} ms`, stallMs < STALL_BUDGET_MS),
    },
    { what: `${label}: CPU until synced`, value: inMs(median((one) => one.cpuMs)) },
    { what: `${label}: has them all`, value: complete ? "yes" : "NO" },
  ];
}
