/**
 * `run` starts before objects that nobody has published: until all are answered by a real BIND,
 * until nothing is written any more, and the same again with nothing to do. 2 000 Services that are
 * published directly, or with BENCH_KIND=crd 10 000 DNSEndpoints without a status; BENCH_OBJECTS=N:
 * so many. Needs dist/ (script/bench builds it) and named; with KUBEBUILDER_ASSETS its
 * kube-apiserver is the API.
 */
import { createEndpoint, createEndpointDefinition, createService } from "./support/bulk-objects.ts";
import { BulkRig, between, type Cost } from "./support/bulk-rig.ts";
import type { Program } from "./support/program.ts";
import { counted, judged, namesOf } from "./support/publisher-figures.ts";
import { type Figure, report } from "./support/report.ts";

const isCrd = process.env["BENCH_KIND"] === "crd";
const OBJECTS = Number(process.env["BENCH_OBJECTS"] ?? (isCrd ? 10_000 : 2_000));
const ADDRESS = "192.0.2.1";

BulkRig.exitWithout("start");
const names = namesOf(OBJECTS);
const calls = isCrd
  ? names.map((name, index) => createEndpoint(`e${index}`, name, ADDRESS).slice(0, 1))
  : names.map((name, index) => createService(`s${index}`, name, ADDRESS));
const rig = await BulkRig.filled(isCrd ? [[createEndpointDefinition()], ...calls] : calls);
const start = rig.run(isCrd ? ["--controllers", "compound,crd"] : ["--publish", "direct"]);

const first = await figuresOf("first start", start());
const again = await figuresOf("restart", start());
await rig.stop();
report(`start: ${OBJECTS} ${isCrd ? "DNSEndpoints" : "Services, direct"}`, [...first, ...again]);
process.exit(0);

/** Stops the program when nothing is written any more. */
async function figuresOf(label: string, program: Program): Promise<readonly Figure[]> {
  const before = await rig.cost(null);
  await rig.answered(names, ADDRESS);
  const answered = between(before, await rig.cost(program));
  await rig.quiet(program);
  const quiet = between(before, await rig.cost(program));
  const reconciles = await rig.reconciles();
  const peakMb = program.rssMb("VmHWM");
  await program.stop();
  return [
    judged(`${label}: start until all are answered`, answered.atMs),
    judged(`${label}: … CPU until then`, answered.cpuMs),
    judged(`${label}: CPU until nothing is written any more`, quiet.cpuMs),
    ...writtenIn(label, quiet),
    counted(`${label}: UPDATE messages`, quiet.updates),
    ...reconciles.map(([controller, count]) =>
      counted(`${label}: reconciles, ${controller}`, count),
    ),
    { what: `${label}: peak of resident memory`, value: `${peakMb} MB` },
  ];
}

function writtenIn(label: string, { writes, writesOf }: Cost): readonly Figure[] {
  const kinds = Object.entries(writesOf).filter(([, count]) => count > 0);
  return [
    counted(`${label}: writes to the API, without the Lease`, writes),
    ...kinds.map(([kind, count]) => counted(`${label}: … ${kind}`, count)),
  ];
}
