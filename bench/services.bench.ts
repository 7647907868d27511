/**
 * 2 000 Services of type LoadBalancer that are there when the publisher starts, published to a zone
 * of a real BIND by way of DNSEntries, then directly. EXTERNAL_DNS_BIN names an external-dns that
 * does the same afterwards. Needs dist/ (script/bench builds it) and named.
 */
import { createService } from "./support/bulk-objects.ts";
import { BulkRig } from "./support/bulk-rig.ts";
import { externalDnsFigures, figuresOf, namesOf } from "./support/publisher-figures.ts";
import { report } from "./support/report.ts";

const SERVICES = Number(process.env["BENCH_SERVICES"] ?? 2_000);
const ADDRESS = "192.0.2.1";
const BUDGETS = {
  answeredMs: 8_000,
  cpuMs: 4_000,
  peakMb: 130,
  updates: 60,
  quietCpuMs: 300,
  quietQueries: 20,
};

const DIRECT_BUDGETS = { ...BUDGETS, answeredMs: 1_200, cpuMs: 1_200, peakMb: 110, updates: 20 };

BulkRig.exitWithout("services");
const names = namesOf(SERVICES);
const calls = names.map((name, index) => createService(`s${index}`, name, ADDRESS));
const published = { names, address: ADDRESS };

const rig = await BulkRig.filled(calls);
const runFigures = await figuresOf(rig, rig.run(), {
  label: "run",
  published,
  isSettled: () => rig.entriesReady(SERVICES),
  budgets: BUDGETS,
});
await rig.stop();
const directRig = await BulkRig.filled(calls);
const directFigures = await figuresOf(directRig, directRig.run(["--publish", "direct"]), {
  label: "run --publish direct",
  published,
  budgets: DIRECT_BUDGETS,
});
await directRig.stop();
const externalFigures = await externalDnsFigures("service", calls, published);
report(`services: ${SERVICES} Services, answered by BIND`, [
  ...runFigures,
  ...directFigures,
  ...externalFigures,
]);
process.exit(0);
