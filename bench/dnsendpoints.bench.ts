/**
 * 10 000 DNSEndpoints that are there when the publisher starts, with their statuses, published to a
 * zone of a real BIND. EXTERNAL_DNS_BIN names an external-dns that does the same afterwards. Needs
 * dist/ (script/bench builds it) and named.
 */
import { createEndpoint, createEndpointDefinition } from "./support/bulk-objects.ts";
import { BulkRig } from "./support/bulk-rig.ts";
import { externalDnsFigures, figuresOf, namesOf } from "./support/publisher-figures.ts";
import { report } from "./support/report.ts";

const ENDPOINTS = Number(process.env["BENCH_ENDPOINTS"] ?? 10_000);
const ADDRESS = "192.0.2.1";
const BUDGETS = {
  answeredMs: 4_500,
  cpuMs: 5_000,
  peakMb: 160,
  updates: 100,
  quietCpuMs: 300,
  quietQueries: 20,
};

BulkRig.exitWithout("dnsendpoints");
const names = namesOf(ENDPOINTS);
const calls = [
  [createEndpointDefinition()],
  ...names.map((name, index) => createEndpoint(`e${index}`, name, ADDRESS)),
];
const published = { names, address: ADDRESS };

const rig = await BulkRig.filled(calls);
const run = rig.run(["--controllers", "compound,crd"]);
const runFigures = await figuresOf(rig, run, { label: "run", published, budgets: BUDGETS });
await rig.stop();
const externalFigures = await externalDnsFigures("crd", calls, published);
report(`dnsendpoints: ${ENDPOINTS} DNSEndpoints, answered by BIND`, [
  ...runFigures,
  ...externalFigures,
]);
process.exit(0);
