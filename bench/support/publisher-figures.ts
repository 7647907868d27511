/**
 * One publisher in a rig full of objects, from its start until everything is answered and through
 * the quiet minute after: the figures of the benches `services` and `dnsendpoints`.
 */
import type { ApiCall } from "./api-calls.ts";
import { BulkRig, between, pause, rested } from "./bulk-rig.ts";
import { Program } from "./program.ts";
import { type Figure, inMs } from "./report.ts";

const QUIET_MS = 60_000;

/** What a publisher may cost; a figure without a budget is shown only. */
interface Budgets {
  readonly answeredMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
  readonly updates: number;
  readonly quietCpuMs: number;
  readonly quietQueries: number;
}

/** Names of which each has this address in the end. */
interface Published {
  readonly names: readonly string[];
  readonly address: string;
}

interface FigureOptions {
  /** Stands before each figure. */
  readonly label: string;
  readonly published: Published;
  /** Resolves when nothing more is to be written; default at once. */
  readonly isSettled?: () => Promise<void>;
  /** Absent = nothing is judged: a publisher for comparison. */
  readonly budgets?: Budgets;
}

/** `count` names of example.org. */
export function namesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `s${index}.example.org`);
}

/** Starts a publisher, stops it when it rests, and answers its figures. */
export async function figuresOf(
  rig: BulkRig,
  start: () => Program,
  { label, published, isSettled, budgets }: FigureOptions,
): Promise<readonly Figure[]> {
  const before = await rig.cost(null);
  const program = start();
  await rig.answered(published.names, published.address);
  const answered = between(before, await rig.cost(program));
  await isSettled?.();
  const settled = await rig.cost(program);
  await pause(QUIET_MS);
  const quiet = between(settled, await rig.cost(program));
  const peakMb = program.rssMb("VmHWM");
  const restedMs = (await rested(program)) - before.atMs;
  await program.stop();
  const peak = { what: `${label}: peak of resident memory`, value: `${peakMb} MB` };
  return [
    judged(`${label}: start until all are answered`, answered.atMs, budgets?.answeredMs),
    judged(`${label}: … CPU until then`, answered.cpuMs, budgets?.cpuMs),
    counted(`${label}: … UPDATE messages`, answered.updates, budgets?.updates),
    counted(`${label}: … queries`, answered.queries),
    counted(`${label}: … requests to the API`, answered.requests),
    judged(`${label}: start until all statuses are written`, settled.atMs - before.atMs),
    judged(`${label}: … CPU until then`, settled.cpuMs),
    { ...peak, ...verdict(peakMb, budgets?.peakMb, " MB") },
    judged(`${label}: CPU of the minute after that`, quiet.cpuMs, budgets?.quietCpuMs),
    counted(`${label}: queries of that minute`, quiet.queries, budgets?.quietQueries),
    judged(`${label}: start until it rests after that minute`, restedMs),
  ];
}

/** The same of the external-dns that EXTERNAL_DNS_BIN names, in a rig of its own. */
export async function externalDnsFigures(
  source: "service" | "crd",
  calls: readonly (readonly ApiCall[])[],
  published: Published,
): Promise<readonly Figure[]> {
  if (process.env["EXTERNAL_DNS_BIN"] === undefined) return [];
  const rig = await BulkRig.filled(calls);
  const start = externalDns(rig, source);
  const figures =
    start === null ? [] : await figuresOf(rig, start, { label: "external-dns", published });
  await rig.stop();
  return figures;
}

/** Starts the external-dns that EXTERNAL_DNS_BIN names; null = it names none. */
export function externalDns(rig: BulkRig, source: "service" | "crd"): (() => Program) | null {
  const command = process.env["EXTERNAL_DNS_BIN"];
  if (command === undefined) return null;
  const { port, zone, key } = rig.bind;
  const args = [
    ...["--provider=rfc2136", `--source=${source}`, "--registry=txt", "--txt-owner-id=ed"],
    ...["--policy=sync", "--events", "--interval=1m", `--domain-filter=${zone}`],
    ...["--rfc2136-host=127.0.0.1", `--rfc2136-port=${port}`, `--rfc2136-zone=${zone}`],
    ...["--rfc2136-axfr", `--rfc2136-tsig-keyname=${key.name}`, "--rfc2136-min-ttl=60s"],
    ...[`--rfc2136-tsig-secret=${key.secretBase64}`, "--rfc2136-tsig-secret-alg=hmac-sha256"],
    ...[`--kubeconfig=${rig.address.kubeconfig}`, "--metrics-address=127.0.0.1:0"],
  ];
  return () => new Program({ command }, args);
}

/** A time with its budget; absent = none. */
export function judged(what: string, valueMs: number, budgetMs?: number): Figure {
  return { what, value: inMs(valueMs), ...verdict(valueMs, budgetMs, " ms") };
}

/** A count with its budget; absent = none. */
export function counted(what: string, value: number, budget?: number): Figure {
  return { what, value: String(value), ...verdict(value, budget, "") };
}

function verdict(
  value: number,
  budget: number | undefined,
  unit: string,
): Pick<Figure, "budget" | "met"> {
  return budget === undefined ? {} : { budget: `< ${budget}${unit}`, met: value < budget };
}
