/**
 * The process that publishes an object ends at some call, and the object goes before the next
 * process starts: its record goes all the same, whatever was stored until then. In four ways,
 * with cluster ids that markers do not show to be ours (Z-22). Throws at the first crash that
 * leaves something behind.
 */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import { objectOf, type ProcessBorder, programWorld } from "../../support/worlds/program-world.ts";
import { splitWorld } from "../../support/worlds/split-world.ts";
import { ProcessClock } from "../world/process-clock.ts";
import { ProcessGate } from "../world/process-gate.ts";
import { ProcessView } from "../world/process-view.ts";
import { SimRandom } from "../world/sim-random.ts";
import { demand } from "./demand.ts";

/** At which call a process ends, counted from 0; `before` = without the call. */
interface CrashAt {
  readonly call: number;
  readonly when: "crash-before" | "crash-after";
}

/** A world with a program that may end, and an object to publish. */
interface PublishWay {
  readonly clock: { advance(ms: number): Promise<void> };
  /** Starts the program that publishes. */
  readonly start: (border?: ProcessBorder) => unknown;
  /** An object that wants this label below example.org. */
  readonly create: (label: string) => void;
  readonly end: (label: string) => void;
  /** Records and DNSEntries of the object that ended. */
  readonly left: () => string;
}

const API = "dns.gardener.cloud/v1alpha1";
const NAMES = "dns.gardener.cloud/dnsnames";
/** One stays, so that nobody has to approve the removal of the last record (Z-16). */
const [ENDED, STAYING] = ["ended", "own"];
const STARTED_MS = 60_000;
/** More than an entry waits for its maker, a lost watch and a slow zone. */
const SETTLED_MS = 120_000;
/** The story needs fewer. */
const CALLS_MAX = 100;

/** Of which some call is the last one. */
function mortal(clock: ReturnType<typeof programWorld>["clock"], crash: CrashAt, calls: string[]) {
  const own = new ProcessClock(clock);
  const views = new Set<ProcessView>();
  const onCrash = (): void => {
    own.die();
    for (const view of views) view.die();
  };
  const gate = new ProcessGate({
    decide: (what) => (calls.push(what) - 1 === crash.call ? crash.when : "pass"),
    ...{ clock, onCrash, onLate: () => undefined },
  });
  const border: ProcessBorder = {
    clock: own,
    provider: (type) => gate.provider(type),
    access: (cluster) => {
      const view = new ProcessView(cluster, { clock: own, random: new SimRandom(1) }, () => null);
      views.add(view);
      return { view, writer: gate.writer(cluster), recorder: gate.recorder(cluster) };
    },
  };
  return { border, kill: () => [gate.die(), onCrash()] };
}

/** DNSEntries, in the cluster of the program. */
export function entryWay(): PublishWay {
  const { cluster, ...world } = programWorld();
  return {
    clock: world.clock,
    start: (border) => world.start(undefined, border && { border }),
    create: (label) => {
      const spec = { dnsName: `${label}.example.org`, targets: ["192.0.2.1"] };
      const entry = objectOf(API, "DNSEntry", label, { spec });
      cluster.apply(DNS_ENTRY, entry);
    },
    end: (label) => cluster.delete(DNS_ENTRY, "default", label),
    left: () => leftOf(world.zone(), cluster.all(DNS_ENTRY)),
  };
}

/** Services, with DNSEntries of their own or without, in the cluster of the program. */
export function serviceWay(publishing: "entries" | "direct"): PublishWay {
  const { cluster, ...world } = programWorld();
  return {
    clock: world.clock,
    start: (border) => world.start(publishing, border && { border }),
    create: (label) => {
      const metadata = { annotations: { [NAMES]: `${label}.example.org` } };
      const fields = { metadata, spec: { type: "LoadBalancer" } };
      cluster.apply(SERVICE, objectOf("v1", "Service", label, fields));
      const ingress = [{ ip: "192.0.2.1" }];
      cluster.setStatus(SERVICE, "default", label, { loadBalancer: { ingress } });
    },
    end: (label) => cluster.delete(SERVICE, "default", label),
    left: () => leftOf(world.zone(), cluster.all(DNS_ENTRY)),
  };
}

/** Services of a cluster that the publisher does not know; who makes their entries stays alive. */
export function splitWay(): PublishWay {
  const world = splitWorld();
  world.sources();
  return {
    clock: world.clock,
    start: (border) => world.controllers(border),
    create: (label) => world.service(label, label, ["192.0.2.1"]),
    end: (label) => world.deleteService(label),
    left: () => leftOf(world.zone(), world.seed.all(DNS_ENTRY)),
  };
}

function leftOf(zone: string, entries: readonly KubeObject[]): string {
  const records = zone.split("\n").filter((line) => line.includes(ENDED));
  const names = entries.map(({ metadata }) => metadata.name).filter((one) => one.includes(ENDED));
  return [...records, ...names].map((one) => one.slice(0, 30)).join("; ");
}

/** The object goes after its publisher has ended at this call; false = it did not end. */
export async function endAfterCrash(open: () => PublishWay, crash: CrashAt): Promise<boolean> {
  const { clock, ...way } = open();
  const calls: string[] = [];
  const first = mortal(clock as never, crash, calls);
  way.start(first.border);
  await clock.advance(STARTED_MS);
  for (const label of [STAYING, ENDED]) way.create(label);
  await clock.advance(STARTED_MS);
  const hasCrashed = calls.length > crash.call;
  first.kill();
  way.end(ENDED);
  await clock.advance(STARTED_MS);
  way.start();
  await clock.advance(SETTLED_MS);
  const left = way.left();
  demand(left === "", `${crash.when} call ${crash.call} (${calls[crash.call]}): ${left} stays`);
  return hasCrashed;
}

/** The stories that some clause decides. */
export async function proveAll(): Promise<void> {
  await proveEnds(splitWay);
  await proveEnds(() => serviceWay("direct"));
}

/** Of one way, at each call of the story. */
export async function proveEnds(open: () => PublishWay): Promise<number> {
  for (let call = 0; call < CALLS_MAX; call++)
    for (const when of ["crash-before", "crash-after"] as const)
      if (!(await endAfterCrash(open, { call, when }))) return call;
  throw new Error("the story has more calls than are looked at");
}
