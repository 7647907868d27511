/**
 * First use of each provider against its fake or server: time and memory of its module, its zones
 * and its first listing; and what those keep that need ids, ETags or what they read of 100 000
 * record sets. Each in a process of its own. Servers that are not installed are left out.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { bundled } from "../script/bundle.mjs";
import { VENDORS } from "../test/support/fakes/vendors.ts";
import { missing, type RealProgram } from "../test/support/real-servers/availability.ts";
import { startBigListings } from "./support/big-listings.ts";
import { startFilledFakes } from "./support/filled-fakes.ts";
import type { FirstUse } from "./support/first-use.ts";
import { type Figure, inMs, percentile, report } from "./support/report.ts";

const RUNS = 3;
const SETS = Number(process.env["BENCH_SETS"] ?? 100_000);
/** Types, separated by commas; absent = all. */
const CHOSEN = process.env["BENCH_PROVIDERS"]?.split(",");
const isChosen = (type: string): boolean => CHOSEN?.includes(type) ?? true;
const NEEDS: Readonly<Record<string, RealProgram>> = {
  "coredns-etcd": "etcd",
  "openstack-designate": "openstack",
  powerdns: "powerdns",
  rfc2136: "bind",
};

interface Account {
  readonly type: string;
  readonly secret: Readonly<Record<string, string>>;
  readonly config: unknown;
}

const script = await bundled("bench/support/first-use.ts", "first-use");
const figures: Figure[] = [];
for (const [type, start] of Object.entries(VENDORS)) {
  const need = NEEDS[type];
  if (!isChosen(type) || (need !== undefined && missing(need) !== null)) continue;
  const vendor = await start("example.org");
  const account = { type, secret: vendor.secret, config: vendor.providerConfig };
  const uses: FirstUse[] = [];
  for (let run = 0; run < RUNS; run++) uses.push(await use(account));
  await vendor.stop();
  figures.push(...firstUseFigures(type, uses));
}
const big = [...(await startBigListings(SETS)), ...(await startFilledFakes(SETS))];
for (const { stop, ...account } of big) {
  if (isChosen(account.type)) figures.push(...tokenFigures(account.type, await use(account)));
  await stop();
}
report(`providers: first use (median of ${RUNS}), and ${SETS} record sets`, figures);
process.exit(0);

async function use(account: Account): Promise<FirstUse> {
  const args = ["--expose-gc", script, JSON.stringify(account)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const line = stdout.split("\n").find((one) => one.startsWith("used "));
  return JSON.parse(line?.slice("used ".length) ?? "");
}

function firstUseFigures(type: string, uses: readonly FirstUse[]): readonly Figure[] {
  const median = (of: (one: FirstUse) => number): number => percentile(uses.map(of), 0.5);
  return [
    { what: `${type}: session (loads the module)`, value: inMs(median((one) => one.openMs)) },
    {
      what: `${type}: zones and first listing`,
      value: inMs(median((one) => one.zonesMs + one.recordsMs)),
    },
    { what: `${type}: resident memory more`, value: inMb(median((one) => one.rssMb)) },
  ];
}

function tokenFigures(type: string, { sets, recordsMs, heapMb, rssMb }: FirstUse): Figure[] {
  const what = `${type}, ${sets} record sets`;
  return [
    { what: `${what}: listing`, value: inMs(recordsMs) },
    { what: `${what}: heap that its book keeps`, value: inMb(heapMb) },
    { what: `${what}: resident memory more`, value: inMb(rssMb) },
  ];
}

function inMb(value: number): string {
  return `${value.toFixed(1)} MB`;
}
