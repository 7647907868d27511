/**
 * 50 clusters of 400 ServiceEntries in one `run`, published to a zone of a real BIND; then one
 * cluster is gone, one hangs, and entries of the others change. BENCH_CLUSTERS=N for another count.
 * Needs dist/ (script/bench builds it), named, and the released definitions.
 */
import { type ApiAddress, ApiCalls } from "./support/api-calls.ts";
import { BulkRig, between, pause } from "./support/bulk-rig.ts";
import { Program } from "./support/program.ts";
import { counted, judged } from "./support/publisher-figures.ts";
import { percentile, report } from "./support/report.ts";
import { entriesPath, hostOf } from "./support/service-entries.ts";

const CLUSTERS = Number(process.env["BENCH_CLUSTERS"] ?? 50);
const ENTRIES = 400;
const CHANGES = Number(process.env["BENCH_CHANGES"] ?? 100);
const BUDGETS = { answeredMs: 20_000, peakMb: 500, changeMs: 1_000 };

BulkRig.exitWithout("clusters");
const rig = await BulkRig.filled([]);
await rig.api.call({
  method: "PATCH",
  path: "/apis/dns.gardener.cloud/v1alpha1/namespaces/default/dnsproviders/bind",
  body: { metadata: { annotations: { "zonekeeper.dev/clusters": "*" } } },
});
const env = { BENCH_CLUSTERS: String(CLUSTERS), BENCH_ENTRIES: String(ENTRIES) };
const far = new Program("script/run.mjs", ["bench/support/clusters-process.ts"], env);
const addresses: readonly ApiAddress[] = JSON.parse(await far.line("ready "));
const names = addresses.flatMap((_, cluster) =>
  Array.from({ length: ENTRIES }, (_entry, index) => hostOf(cluster, index)),
);
const named = addresses.flatMap(({ kubeconfig }, cluster) => [
  ...["--source-cluster", `c${cluster}=${kubeconfig}`],
]);

const before = await rig.cost(null);
const farBefore = far.cpuMs();
const program = rig.run([...named, "--controllers", "compound,istio-serviceentry"])();
await rig.answered(names, "192.0.2.1");
const answered = between(before, await rig.cost(program));
const farCpuMs = far.cpuMs() - farBefore;
await rig.quiet(program);
const rss = program.rssMb();

await far.asked("SIGUSR2", "cut");
const others = addresses.map((address) => new ApiCalls(address));
const times: number[] = [];
for (let change = 0; change < CHANGES; change++) {
  const cluster = 2 + (change % (CLUSTERS - 2));
  const address = `198.51.100.${change + 1}`;
  const fromMs = performance.now();
  await others[cluster]?.call({
    method: "PATCH",
    path: entriesPath("default", `e${change}`),
    body: { spec: { addresses: [address] } },
  });
  await rig.answered([hostOf(cluster, change)], address);
  times.push(performance.now() - fromMs);
  // Past the moments at which the lost ones are noticed, too.
  await pause(1_000);
}
await rig.answered([hostOf(0, ENTRIES - 1), hostOf(1, ENTRIES - 1)], "192.0.2.1");
const figures = [
  judged("start until all are answered", answered.atMs, BUDGETS.answeredMs),
  judged("… CPU until then", answered.cpuMs),
  judged("… CPU of the embedded APIs until then", farCpuMs),
  counted("… UPDATE messages", answered.updates),
  counted("peak of resident memory in MB", program.rssMb("VmHWM"), BUDGETS.peakMb),
  counted("… when it rests", rss),
  judged("one gone, one hanging: a change of others, p50", percentile(times, 0.5)),
  judged("… p99", percentile(times, 0.99), BUDGETS.changeMs),
];
await program.stop();
for (const one of others) one.close();
await far.stop();
await rig.stop();
report(`clusters: ${CLUSTERS} of ${ENTRIES} ServiceEntries, answered by BIND`, figures);
process.exit(0);
