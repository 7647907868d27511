/**
 * The longest time without an answer to a change, while one of two `run` with a Lease of 15 s is
 * ended by SIGTERM, then by SIGKILL: one DNSEndpoint is changed again as soon as a real BIND has
 * answered. BENCH_OBJECTS=N: beside so many others. BENCH_ROUNDS=5 repeats it. Needs dist/
 * (script/bench builds it) and named; with KUBEBUILDER_ASSETS its kube-apiserver is the API.
 */
import type { ApiCall } from "./support/api-calls.ts";
import { createEndpoint, createEndpointDefinition } from "./support/bulk-objects.ts";
import { BulkRig, pause, rested } from "./support/bulk-rig.ts";
import type { Program } from "./support/program.ts";
import { namesOf } from "./support/publisher-figures.ts";
import { type Figure, percentile, report } from "./support/report.ts";

const OBJECTS = Number(process.env["BENCH_OBJECTS"] ?? 500);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const EVERY_MS = 50;
/** Answered changes before the leader is ended, and after another one leads. */
const CHANGES = 20;
const LEASE_MS = 15_000;
/** Of the aim: SIGTERM frees the Lease, SIGKILL leaves it. */
const ENDS = [
  ["SIGTERM", 1_000],
  ["SIGKILL", LEASE_MS + 1_000],
] as const;

BulkRig.exitWithout("fail-over");
const names = namesOf(OBJECTS);
const rig = await BulkRig.filled([
  [createEndpointDefinition()],
  ...names.map((name, index) => createEndpoint(`e${index}`, name, "192.0.2.1").slice(0, 1)),
]);
const start = (): Program => rig.run(["--controllers", "compound,crd"])();
let changes = 0;
let leader = start();
await rig.answered(names, "192.0.2.1");
const figures: Figure[] = [];
for (const [signal, mostMs] of ENDS) {
  const gaps: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const standby = start();
    await Promise.all([rested(leader), rested(standby)]);
    gaps.push(await longestGap(() => leader.stop(signal)));
    leader = standby;
  }
  const [value, all] = [percentile(gaps, 0.5), gaps.map((gap) => Math.round(gap)).join(", ")];
  const what = `${signal}: longest gap between answers`;
  const budget = `≤ ${mostMs} ms`;
  figures.push({ what, value: `${Math.round(value)} ms (${all})`, budget, met: value <= mostMs });
}
await leader.stop();
await rig.stop();
report(`fail-over: one of ${OBJECTS} DNSEndpoints`, figures);
process.exit(0);

/** Milliseconds, the pause between two changes included. */
async function longestGap(end: () => Promise<void>): Promise<number> {
  let [longest, lastMs] = [0, performance.now()];
  let ended: Promise<void> | null = null;
  for (let left = 2 * CHANGES; left > 0; left--) {
    if (left === CHANGES) ended = end();
    const address = `192.0.2.${2 + (changes++ % 250)}`;
    await rig.api.call(changed(address));
    await rig.answered(names.slice(0, 1), address);
    longest = Math.max(longest, performance.now() - lastMs);
    lastMs = performance.now();
    await pause(EVERY_MS);
  }
  await ended;
  return longest;
}

function changed(address: string): ApiCall {
  const endpoint = { dnsName: names[0], recordType: "A", recordTTL: 300, targets: [address] };
  const path = "/apis/externaldns.k8s.io/v1alpha1/namespaces/default/dnsendpoints/e0";
  return { method: "PATCH", path, body: { spec: { endpoints: [endpoint] } } };
}
