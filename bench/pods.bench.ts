/**
 * 8 000 Pods in a cluster of 100 LoadBalancer Services, none of them headless, under the dialect of
 * external-dns: what they cost a `run`, which watches no Pods then. Needs dist/ (script/bench
 * builds it) and named.
 */
import { join } from "node:path";
import { makeTempFolder } from "../test/support/ports/temp-folder.ts";
import type { ApiCall } from "./support/api-calls.ts";
import { createService } from "./support/bulk-objects.ts";
import { BulkRig, between, rested } from "./support/bulk-rig.ts";
import { PROGRAM, Program } from "./support/program.ts";
import { counted, judged, namesOf } from "./support/publisher-figures.ts";
import { type Figure, report } from "./support/report.ts";

const PODS = Number(process.env["BENCH_PODS"] ?? 8_000);
const ADDRESS = "192.0.2.1";
/** MB by which two runs of one program differ. */
const NOISE_MB = 8;

BulkRig.exitWithout("pods");
const names = namesOf(100);
const rig = await BulkRig.filled(names.map((name, at) => createService(`s${at}`, name, ADDRESS)));
const { port, zone, key } = rig.bind;

async function measured(label: string): Promise<{ peakMb: number; figures: readonly Figure[] }> {
  const before = await rig.cost(null);
  const data = join(makeTempFolder("bench-pods").path, "data");
  const program = new Program(PROGRAM, [
    ...["run", "--dialect", "external-dns", "--source=service", "--provider=rfc2136"],
    ...["--rfc2136-host=127.0.0.1", `--rfc2136-port=${port}`, `--rfc2136-zone=${zone}`],
    ...[`--rfc2136-tsig-keyname=${key.name}`, `--rfc2136-tsig-secret=${key.secretBase64}`],
    ...["--rfc2136-tsig-secret-alg=hmac-sha256", "--rfc2136-tsig-axfr", `--domain-filter=${zone}`],
    ...["--policy=sync", "--txt-owner-id=bench", "--http-port", "0", "--data", data],
    ...["--kubeconfig", rig.address.kubeconfig],
  ]);
  await rig.answered(names, ADDRESS);
  await rested(program);
  const spent = between(before, await rig.cost(program));
  const peakMb = program.rssMb("VmHWM");
  await program.stop();
  const figures = [
    counted(`${label}: peak of resident memory in MB`, peakMb),
    judged(`${label}: CPU until it rests`, spent.cpuMs),
    counted(`${label}: requests to the API`, spent.requests),
  ];
  return { peakMb, figures };
}

const podAt = (index: number): ApiCall => ({
  ...{ method: "POST", path: "/api/v1/namespaces/default/pods" },
  body: {
    metadata: { name: `p${index}`, labels: { app: `a${index % 100}` } },
    spec: { containers: [{ name: "main", image: "example.org/app:1" }] },
  },
});

const without = await measured("no Pods");
await rig.api.all(Array.from({ length: PODS }, (_, index) => podAt(index)));
const beside = await measured(`${PODS} Pods`);
await rig.stop();
report(`pods: ${PODS} Pods and no headless Service`, [
  ...without.figures,
  ...beside.figures,
  counted("MB more with Pods", beside.peakMb - without.peakMb, NOISE_MB),
]);
process.exit(0);
