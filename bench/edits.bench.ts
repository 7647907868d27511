/**
 * What a single change waits for, from its PATCH to the answer of a real BIND: while `run` rests,
 * and right after 2 000 other DNSEndpoints were changed at once and answered, while their statuses
 * are written. BENCH_OBJECTS=N: so many. BENCH_BEFORE: another build of ours first. Needs dist/
 * (script/bench builds it) and named; with KUBEBUILDER_ASSETS its kube-apiserver is the API.
 */
import type { ApiCall } from "./support/api-calls.ts";
import { createEndpoint, createEndpointDefinition } from "./support/bulk-objects.ts";
import { BulkRig, pause, rested } from "./support/bulk-rig.ts";
import { emptyZone } from "./support/emptied-zone.ts";
import { PROGRAM, type Program } from "./support/program.ts";
import { namesOf } from "./support/publisher-figures.ts";
import { type Figure, inMs, percentile, report } from "./support/report.ts";

const OBJECTS = Number(process.env["BENCH_OBJECTS"] ?? 2_000);
const EDITS = 200;
/** Between two of them, so that no two wait for each other. */
const EVERY_MS = 100;
const BUDGET_MS = 40;

BulkRig.exitWithout("edits");
const names = namesOf(OBJECTS + 1);
/** Not of the burst. */
const [single = ""] = names.slice(-1);
const rig = await BulkRig.filled([
  [createEndpointDefinition()],
  ...names.map((name, index) => createEndpoint(`e${index}`, name, addressAt(0)).slice(0, 1)),
]);
let figures: readonly Figure[] = [];
for (const [label, script] of [
  ["before", process.env["BENCH_BEFORE"]] as const,
  ["run", PROGRAM] as const,
])
  if (script !== undefined) {
    const program = rig.run(["--controllers", "compound,crd"], script)();
    figures = [...figures, ...(await measure(label, program))];
    await program.stop();
    await emptyZone(rig.bind);
    await rig.api.all(names.map((_, index) => patched(index, addressAt(0))));
  }
await rig.stop();
report(`edits: one of ${OBJECTS + 1} DNSEndpoints`, figures);
process.exit(0);

async function measure(label: string, program: Program): Promise<readonly Figure[]> {
  await rig.answered(names, addressAt(0));
  await rested(program);
  const atRest = await delays(1, () => false);
  const before = await rig.cost(program);
  const burst = rig.api.all(names.slice(0, -1).map((_, index) => patched(index, addressAt(250))));
  await burst;
  await rig.answered(names.slice(0, -1), addressAt(250));
  const answered = await rig.cost(program);
  let isOver = false;
  const watched = rested(program).then(() => {
    isOver = true;
  });
  const inBurst = await delays(101, () => isOver);
  await watched;
  const all = await rig.cost(program);
  const written = answered.writes - before.writes;
  return [
    ...figuresOf(`${label}: at rest`, atRest),
    ...figuresOf(`${label}: while a burst is reported`, inBurst),
    { what: `${label}: statuses of the burst before its last answer`, value: String(written) },
    { what: `${label}: … all of them`, value: String(all.writes - before.writes) },
  ];
}

function figuresOf(label: string, samples: readonly number[]): readonly Figure[] {
  const p99 = percentile(samples, 0.99);
  return [
    {
      what: `${label}: PATCH to answer, p50 of ${samples.length}`,
      value: inMs(percentile(samples, 0.5)),
    },
    {
      what: `${label}: … p99`,
      value: inMs(p99),
      budget: `< ${BUDGET_MS} ms`,
      met: p99 < BUDGET_MS,
    },
    { what: `${label}: … worst`, value: inMs(Math.max(...samples)) },
  ];
}

/** Milliseconds from each PATCH to its answer. */
async function delays(first: number, isOver: () => boolean): Promise<readonly number[]> {
  const all: number[] = [];
  for (let index = 0; index < EDITS && !isOver(); index++) {
    const sentAtMs = performance.now();
    const address = addressAt(first + (index % 100));
    await rig.api.call(patched(OBJECTS, address));
    await rig.answered([single], address);
    all.push(performance.now() - sentAtMs);
    await pause(Math.max(0, sentAtMs + EVERY_MS - performance.now()));
  }
  return all;
}

function patched(index: number, address: string): ApiCall {
  const endpoint = { dnsName: names[index], recordType: "A", recordTTL: 300, targets: [address] };
  const path = `/apis/externaldns.k8s.io/v1alpha1/namespaces/default/dnsendpoints/e${index}`;
  return { method: "PATCH", path, body: { spec: { endpoints: [endpoint] } } };
}

function addressAt(last: number): string {
  return `192.0.2.${last}`;
}
