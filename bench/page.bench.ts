/**
 * 100 000 published names in a zone of BIND, 50 open pages, and one change of the zone a second:
 * what the pages cost `run`, and when a change is on the screen of a real chromium, which then
 * scrolls through all names. Needs dist/ (script/bench builds it), named, nsupdate and chromium.
 */
import { existsSync } from "node:fs";
import { chromium, type Page } from "playwright-core";
import { nsupdate } from "../test/support/clients/nsupdate.ts";
import { claimPort } from "../test/support/ports/free-port.ts";
import type { ApiCall } from "./support/api-calls.ts";
import { createEndpointDefinition } from "./support/bulk-objects.ts";
import { BulkRig, pause } from "./support/bulk-rig.ts";
import { type Asking, OpenPage, pageLink } from "./support/open-pages.ts";
import type { Program } from "./support/program.ts";
import { counted, judged, namesOf } from "./support/publisher-figures.ts";
import { percentile, report } from "./support/report.ts";

const NAMES = Number(process.env["BENCH_NAMES"] ?? 100_000);
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 100);
/** Endpoints of one object. */
const OF_ONE = 500;
const PAINTS = 11;
const BUDGETS = { pagesMb: 30, cpuMsOfSecond: 50, onScreenMs: 1_000, paintMs: 500, stallMs: 200 };
/** The program is asked for its memory between the two runs of changes, all garbage collected. */
const COLLECTED = "bench/support/collected-program.mjs";
const CHROMIUM = "/usr/bin/chromium";
const LATE = "late.example.org";

const NAME: readonly string[] = [
  "explain/s7.example.org?chain=true",
  "history?name=s7.example.org&limit=50",
];
const COUNT: Asking = { questions: ["names?limit=1"], leastMs: 4_000 };
/** Half of the lists of names have the one that changes in sight. */
const LISTS = [
  [5, { questions: ["names?limit=200"] }, COUNT],
  [5, { questions: ["names?limit=200&text=s1"], about: "event: hello" }, COUNT],
] as const;
/** What the screens of so many pages ask again when something has changed. */
const PAGES: readonly (readonly [count: number, ...askings: readonly Asking[]])[] = [
  [
    20,
    { questions: ["history?limit=12"], about: "event: hello" },
    { questions: ["zones"], leastMs: 4_000 },
    { questions: ["series"], leastMs: 10_000 },
  ],
  ...LISTS,
  [10, { questions: NAME, about: '"s7.' }],
  [4, { questions: ["zones"] }],
  [3, { questions: ["holds"] }],
  [2, { questions: ["plan?limit=500"], waits: 20 }],
];

BulkRig.exitWithout("page");
if (!existsSync(CHROMIUM)) {
  process.stdout.write("page: not run, chromium is not installed\n");
  process.exit(0);
}
const names = namesOf(NAMES);
const path = "/apis/externaldns.k8s.io/v1alpha1/namespaces/default/dnsendpoints";
const objects: ApiCall[] = [];
for (let at = 0; at < NAMES; at += OF_ONE) {
  const endpoints = names.slice(at, at + OF_ONE).map((dnsName) => {
    return { dnsName, recordType: "A", recordTTL: 300, targets: ["192.0.2.1"] };
  });
  const metadata = { name: `e${at / OF_ONE}` };
  const kind = { apiVersion: "externaldns.k8s.io/v1alpha1", kind: "DNSEndpoint" };
  objects.push({ method: "POST", path, body: { ...kind, metadata, spec: { endpoints } } });
}
const records = names.flatMap((name, index) => {
  const marker = `heritage=external-dns,external-dns/owner=bench,external-dns/resource=crd/default/e${Math.floor(index / OF_ONE)}`;
  return [`${name}. IN A 192.0.2.1`, `a-${name}. IN TXT "${marker}"`];
});
const notify = await claimPort();
const rig = await BulkRig.filled([[createEndpointDefinition()], ...objects.map((one) => [one])], {
  records: [...records, `${LATE}. IN A 192.0.2.1`],
  notifyPort: notify.port,
});
const args = [
  ...["--controllers", "compound,crd", "--notify-address", `127.0.0.1:${notify.port}`],
  ...["--resolvers", `127.0.0.1:${rig.bind.port}`],
  // Others on the machine may keep it from its Lease; what a new term costs is another bench's.
  ...["--lease-duration", "120s", "--lease-renew-deadline", "100s"],
];
const run = rig.run(args, COLLECTED)();
await rig.quiet(run);

let count = 1;
/** When each address was asked for, Unix milliseconds, before nsupdate has started. */
const changedAtMs = new Map<string, number>();

/** Of a run of changes. */
interface Measured {
  /** Milliseconds in a second. */
  readonly cpuMs: number;
  /** Resident memory, the median of all seconds, from a collection on. */
  readonly residentMb: number;
  /** What is in use at the end, after another collection. */
  readonly inUseMb: number;
}

/** One change a second. */
async function changes(seconds: number, program: Program): Promise<Measured> {
  await program.asked("SIGUSR2", "in use ");
  const [cpuMs, atMs] = [program.cpuMs(), performance.now()];
  const residentMb: number[] = [];
  for (let second = 1; second <= seconds; second++) {
    count += 1;
    const address = `192.0.${2 + (count >> 8)}.${count & 255}`;
    changedAtMs.set(address, Date.now());
    const lines = [`update delete ${LATE}. A`, `update add ${LATE}. 300 A ${address}`];
    const { code, stderr } = await nsupdate(rig.bind, lines);
    if (code !== 0) throw new Error(stderr);
    await pause(Math.max(0, atMs + second * 1_000 - performance.now()));
    residentMb.push(program.rssMb());
  }
  return {
    cpuMs: ((program.cpuMs() - cpuMs) * 1_000) / (performance.now() - atMs),
    residentMb: percentile(residentMb, 0.5),
    inUseMb: Number(await program.asked("SIGUSR2", "in use ")),
  };
}

// As long as with pages: garbage that is not collected yet grows with each change.
const alone = await changes(SECONDS, run);

const ready = rig.ready();
const pages: OpenPage[] = [];
for (const [of, ...askings] of PAGES)
  for (let at = 0; at < of; at++) pages.push(await OpenPage.open(ready, askings));
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.goto(await pageLink(ready));
await page.getByText("live", { exact: true }).waitFor();
await page.evaluate(`location.hash = "#/names?text=late"`);
await page.getByRole("row", { name: /late/ }).waitFor();
await page.evaluate(`globalThis.seen = [];
  new MutationObserver(() => {
    const [address] = /192\\.0\\.\\d+\\.\\d+/.exec(document.querySelector("tbody")?.textContent) ?? [];
    if (seen.at(-1)?.[0] !== address) seen.push([address, Date.now()]);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });`);
const [before, openedAtMs] = [count, Date.now()];
await changes(5, run);
const open = await changes(SECONDS, run);
const seen = (await page.evaluate("seen")) as readonly (readonly [string, number])[];
const onScreenMs = seen.flatMap(([address, atMs]) => {
  const fromMs = changedAtMs.get(address);
  return fromMs === undefined ? [] : [atMs - fromMs];
});
const eventsAtMs = pages[0]?.eventsAtMs ?? [];
const eventMs = [...changedAtMs.values()].flatMap((fromMs) => {
  const event = eventsAtMs.find((atMs) => atMs >= fromMs);
  return event === undefined || fromMs < openedAtMs ? [] : [event - fromMs];
});
const questions = pages.reduce((sum, one) => sum + one.questions, 0);
const answeredMs = pages.flatMap((one) => one.answeredMs);
for (const one of pages) one.close();
const paints = [];
for (let at = 0; at < PAINTS; at++) paints.push(await firstPaint(page));
const scroll = await scrolled(page);
await browser.close();
await run.stop();
await rig.stop();
report(`page: ${NAMES} names, ${pages.length + 1} pages, one change a second`, [
  counted("resident memory without pages in MB", alone.residentMb),
  counted("… more with them in MB", open.residentMb - alone.residentMb, BUDGETS.pagesMb),
  counted("… in use without pages in MB, garbage collected", alone.inUseMb),
  counted("… more with them in MB", open.inUseMb - alone.inUseMb, BUDGETS.pagesMb),
  judged("CPU of a second without pages", alone.cpuMs),
  judged("… with them", open.cpuMs, BUDGETS.cpuMsOfSecond),
  judged("a change of the zone on the screen: p50", percentile(onScreenMs, 0.5)),
  judged("… until pages get its event: p50", percentile(eventMs, 0.5)),
  judged(`… p99 of ${onScreenMs.length}`, percentile(onScreenMs, 0.99), BUDGETS.onScreenMs),
  counted("events of a change", round(eventsAtMs.length / (count - before))),
  counted("… questions of all pages", round(questions / (count - before))),
  judged("an event until all answers of a page: p99", percentile(answeredMs, 0.99)),
  judged(`first paint: median of ${PAINTS}`, percentile(paints, 0.5), BUDGETS.paintMs),
  counted("names that were scrolled through", scroll.rows),
  judged("… the longest task of the browser", scroll.longestMs, BUDGETS.stallMs),
  judged("… time for all", scroll.ms),
]);
process.exit(0);

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Milliseconds from the navigation, files from the cache as for who comes again. */
async function firstPaint(of: Page): Promise<number> {
  await of.reload();
  await of.getByText("live", { exact: true }).waitFor();
  const [paint] = (await of.evaluate(
    `performance.getEntriesByName("first-contentful-paint").map((one) => one.startTime)`,
  )) as readonly number[];
  return paint ?? Number.NaN;
}

interface Scrolled {
  readonly rows: number;
  readonly ms: number;
  readonly longestMs: number;
}

/** To the end of all names, page by page. */
async function scrolled(of: Page): Promise<Scrolled> {
  await of.evaluate(`location.hash = "#/names"`);
  await of
    .getByRole("row", { name: /s1\.example/ })
    .first()
    .waitFor();
  return (await of.evaluate(`new Promise((done) => {
    const [list, from] = [document.querySelector(".list"), performance.now()];
    let [longestMs, still, last] = [0, 0, 0];
    new PerformanceObserver((found) => {
      for (const { duration } of found.getEntries()) longestMs = Math.max(longestMs, duration);
    }).observe({ type: "longtask" });
    const step = () => {
      const rows = Number(list.querySelector("table").getAttribute("aria-rowcount")) - 1;
      still = rows === last ? still + 1 : 0;
      last = rows;
      list.scrollTop = list.scrollHeight;
      if (still > 300) return done({ rows, longestMs, ms: performance.now() - from });
      requestAnimationFrame(step);
    };
    step();
  })`)) as Scrolled;
}
