/**
 * 10 000 names of a zone on BIND come into a cluster as ServiceEntries; then `run` starts anew, and
 * one name changes. Needs dist/ (script/bench builds it), named, and the released definitions.
 */
import { parse } from "yaml";
import { nsupdate } from "../test/support/clients/nsupdate.ts";
import { claimPort } from "../test/support/ports/free-port.ts";
import { istioDefinition } from "../test/support/real-servers/released-definitions.ts";
import { BulkRig, between, pause } from "./support/bulk-rig.ts";
import { counted, judged, namesOf } from "./support/publisher-figures.ts";
import { report } from "./support/report.ts";
import { DEFINITIONS_PATH, entriesPath } from "./support/service-entries.ts";

const NAMES = Number(process.env["BENCH_NAMES"] ?? 10_000);
/** Of one UPDATE message. */
const CHUNK = 500;
const PATH = entriesPath("mesh");
const BUDGETS = { importedMs: 60_000, changeMs: 2_000 };

BulkRig.exitWithout("imports");
const notify = await claimPort();
const rig = await BulkRig.filled(
  [
    [
      {
        method: "POST",
        path: DEFINITIONS_PATH,
        body: parse(istioDefinition("serviceentries")),
      },
      { method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: "mesh" } } },
    ],
  ],
  { notifyPort: notify.port },
);
const names = namesOf(NAMES);
const write = async (lines: readonly string[]): Promise<void> => {
  const { code, stderr } = await nsupdate(rig.bind, lines);
  if (code !== 0) throw new Error(stderr);
};
for (let at = 0; at < NAMES; at += CHUNK)
  await write(names.slice(at, at + CHUNK).map((name) => `update add ${name}. 60 A 192.0.2.1`));

interface Found {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly hosts: readonly string[] };
  }[];
}
const writes = async (): Promise<number> => (await rig.cost(null)).writesOf["serviceentries"] ?? 0;

const imports = ["--import", "example.org=mesh", "--import-ports", "https/443"];
const start = rig.run([...imports, "--notify-address", `127.0.0.1:${notify.port}`]);
const before = await rig.cost(null);
const first = start();
while ((await writes()) < NAMES) await pause(500);
const imported = between(before, await rig.cost(first));
await rig.quiet(first);
const peak = first.rssMb("VmHWM");
await first.stop();
const again = await rig.cost(null);
const second = start();
await rig.quiet(second);
const rested = between(again, await rig.cost(second));
const { items } = (await rig.api.call({ method: "GET", path: PATH })) as Found;
const object = items.find(({ spec }) => spec.hosts.includes("s7.example.org"))?.metadata.name;
const path = entriesPath("mesh", object);
const isChanged = async (): Promise<boolean> =>
  JSON.stringify(await rig.api.call({ method: "GET", path })).includes("192.0.2.77");
const fromMs = performance.now();
await write(["update delete s7.example.org. A", "update add s7.example.org. 60 A 192.0.2.77"]);
while (!(await isChanged())) await pause(20);
const changedMs = performance.now() - fromMs;
await rig.quiet(second);
const change = between(again, await rig.cost(second));
const writesOf = ({ writesOf: all }: typeof change): number => all["serviceentries"] ?? 0;
const figures = [
  judged("start until all are there", imported.atMs, BUDGETS.importedMs),
  judged("… CPU until then", imported.cpuMs),
  counted("… writes of ServiceEntries", writesOf(imported)),
  counted("peak of resident memory in MB", peak),
  counted("a second start: writes of ServiceEntries (0)", writesOf(rested)),
  judged("… CPU until it rests", rested.cpuMs),
  judged("one name changes: until its object has it", changedMs, BUDGETS.changeMs),
  counted("… writes of ServiceEntries (1)", writesOf(change) - writesOf(rested)),
];
await second.stop();
await rig.stop();
report(`imports: ${NAMES} names of BIND into a cluster`, figures);
process.exit(0);
