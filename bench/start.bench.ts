/**
 * `run` starts before objects that nobody has published: until all are answered by a real BIND, and
 * until nothing is written any more; the same again with nothing to do, and with an empty zone
 * where the objects say that all is published. 2 000 Services that are published directly, or with
 * BENCH_KIND=crd 10 000 DNSEndpoints without a status; BENCH_OBJECTS=N: so many. BENCH_ROUNDS=5
 * repeats what can be repeated. Each round has the external-dns that EXTERNAL_DNS_BIN names beside
 * us, one after the other; BENCH_BEFORE: another build of ours, too. Needs dist/ (script/bench
 * builds it) and named; with KUBEBUILDER_ASSETS its kube-apiserver is the API.
 */
import type { ApiCall } from "./support/api-calls.ts";
import { createEndpoint, createEndpointDefinition, createService } from "./support/bulk-objects.ts";
import { BulkRig, between, type Cost } from "./support/bulk-rig.ts";
import { emptyZone } from "./support/emptied-zone.ts";
import { PROGRAM, type Program } from "./support/program.ts";
import { externalDns, namesOf } from "./support/publisher-figures.ts";
import { type Figure, percentile, report } from "./support/report.ts";

const isCrd = process.env["BENCH_KIND"] === "crd";
const OBJECTS = Number(process.env["BENCH_OBJECTS"] ?? (isCrd ? 10_000 : 2_000));
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 1);
const ADDRESS = "192.0.2.1";

BulkRig.exitWithout("start");
const names = namesOf(OBJECTS);
const calls = isCrd
  ? names.map((name, index) => createEndpoint(`e${index}`, name, ADDRESS).slice(0, 1))
  : names.map((name, index) => createService(`s${index}`, name, ADDRESS));
const rig = await BulkRig.filled(isCrd ? [[createEndpointDefinition()], ...calls] : calls);
const args = isCrd ? ["--controllers", "compound,crd"] : ["--publish", "direct"];
/** By label, then by figure. */
const samples = new Map<string, Map<string, number[]>>();

for (let round = 0; round < ROUNDS; round++) {
  for (const [label, script] of Object.entries(builds())) {
    const start = rig.run(args, script);
    if (isCrd) await rig.api.all(names.map((_, index) => withoutStatus(index)));
    await measure(`${label}, first start`, start());
    await measure(`${label}, restart`, start());
    await emptyZone(rig.bind);
    if (!isCrd) continue;
    await measure(`${label}, statuses there, zone empty`, rig.run(args, script)());
    await emptyZone(rig.bind);
  }
  const other = externalDns(rig, isCrd ? "crd" : "service");
  if (other === null) continue;
  await measure("external-dns, zone empty", other());
  await measure("external-dns, restart", other());
  await emptyZone(rig.bind);
}
await rig.stop();
report(`start: ${OBJECTS} ${isCrd ? "DNSEndpoints" : "Services, direct"}`, figures());
process.exit(0);

function withoutStatus(index: number): ApiCall {
  const path = `/apis/externaldns.k8s.io/v1alpha1/namespaces/default/dnsendpoints/e${index}/status`;
  return { method: "PATCH", path, body: { status: null } };
}

function builds(): Readonly<Record<string, string>> {
  const before = process.env["BENCH_BEFORE"];
  return { ...(before === undefined ? {} : { before }), run: PROGRAM };
}

/** Stops the program when nothing is written any more. */
async function measure(label: string, program: Program): Promise<void> {
  const before = await rig.cost(null);
  await rig.answered(names, ADDRESS);
  const answered = between(before, await rig.cost(program));
  await rig.quiet(program);
  const quiet = between(before, await rig.cost(program));
  const reconciles = label.startsWith("external-dns") ? [] : await rig.reconciles();
  const ofKind = reconciles.find(([name]) => name === (isCrd ? "dnsendpoint" : "service"));
  note(label, {
    "ms until all are answered": answered.atMs,
    "ms of CPU until then": answered.cpuMs,
    "ms of CPU until nothing is written any more": quiet.cpuMs,
    "writes to the API, without the Lease": quiet.writes,
    ...writtenIn(quiet),
    "UPDATE messages": quiet.updates,
    ...(ofKind === undefined ? {} : { "reconciles of the objects": ofKind[1] }),
    "MB of memory at most": program.rssMb("VmHWM"),
  });
  await program.stop();
}

function writtenIn({ writesOf }: Cost): Readonly<Record<string, number>> {
  const kinds = Object.entries(writesOf).filter(([, count]) => count > 0);
  return Object.fromEntries(kinds.map(([kind, count]) => [`… ${kind}`, count]));
}

function note(label: string, values: Readonly<Record<string, number>>): void {
  const known = samples.get(label) ?? new Map<string, number[]>();
  samples.set(label, known);
  for (const [what, value] of Object.entries(values))
    known.set(what, [...(known.get(what) ?? []), Math.round(value)]);
  process.stdout.write(`  ${label}: ${JSON.stringify(values)}\n`);
}

/** The median of each, and all values where they are not one. */
function figures(): readonly Figure[] {
  return [...samples].flatMap(([label, known]) =>
    [...known].map(([what, values]) => {
      const all = new Set(values).size === 1 ? "" : ` (${values.join(", ")})`;
      return { what: `${label}: ${what}`, value: `${percentile(values, 0.5)}${all}` };
    }),
  );
}
